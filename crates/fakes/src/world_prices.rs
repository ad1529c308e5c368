//! What a world has on sale, as the lists of services show it.

use std::collections::BTreeMap;

use serde_json::Value;
use tradepost_adapters_simulator::Request;
use tradepost_domain::money::VenueCents;
use tradepost_domain::text::Marketplace;
use tradepost_ports::price_source::VariantQuote;

use crate::state::Fakes;

/// What a name is asked and bid for, in cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Best {
    pub(crate) ask: i64,
    pub(crate) bid: i64,
}

/// The lowest ask of each name, with the highest bid. Phases of a pattern share one name.
pub(crate) fn by_name(fakes: &Fakes) -> BTreeMap<String, Best> {
    let Ok(index) = Marketplace::new("index") else { return BTreeMap::new() };
    let quotes: Vec<VariantQuote> =
        fakes.simulator().world(|world| world.answer(&Request::Prices { index })).try_into().unwrap_or_default();
    let mut best: BTreeMap<String, Best> = BTreeMap::new();
    for VariantQuote { variant, quote } in quotes {
        let Some(ask) = quote.lowest_ask.map(VenueCents::get) else { continue };
        let bid = quote.highest_bid.map_or(0, VenueCents::get);
        let known = best.entry(variant.market_hash_name.to_string()).or_insert(Best { ask, bid });
        *known = Best { ask: ask.min(known.ask), bid: bid.max(known.bid) };
    }
    for known in best.values_mut() {
        known.bid = known.bid.min(known.ask);
    }
    best
}

/// Changes every entry of a list.
pub(crate) fn each(list: &mut Value, change: impl Fn(&mut Value)) {
    list.as_array_mut().into_iter().flatten().for_each(change);
}
