//! What a source asks and bids, by name.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tradepost_domain::asset::AppId;
use tradepost_domain::markets::pricing::Quote;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::VenueCents;
use tradepost_domain::text::{MarketHashName, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_ports::price_source::VariantQuote;

use crate::amount;
use crate::answer::NewShapes;

/// The price of an entry of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    /// It is asked.
    Price(VenueCents),
    /// Nothing is on sale.
    Nothing,
    /// It is not understood.
    Unreadable,
}

impl Asked {
    /// What was read of a price that is there.
    pub(crate) fn of(price: Option<VenueCents>) -> Self {
        price.map_or(Self::Unreadable, Self::Price)
    }
}

/// The fields of an entry of a list.
pub(crate) struct Fields {
    pub(crate) name: &'static str,
    pub(crate) price: &'static str,
    /// How many are on sale, if the list has it.
    pub(crate) count: Option<&'static str>,
    /// Reads an amount in the unit of the list.
    pub(crate) amount: fn(&Value) -> Option<VenueCents>,
}

/// The lowest asks and the highest bids by name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Asks {
    lowest: BTreeMap<MarketHashName, VenueCents>,
    bids: BTreeMap<MarketHashName, VenueCents>,
    /// The entries that were not understood: names that are no names, and prices that are no prices.
    pub(crate) left_out: usize,
    /// The paths and types of the answer that are on no card.
    new_shapes: BTreeSet<String>,
}

impl Asks {
    /// An empty list of an answer.
    pub(crate) fn of_answer(new_shapes: BTreeSet<String>) -> Self {
        Self { new_shapes, ..Self::default() }
    }

    /// The asks of the entries of a list.
    pub(crate) fn of_list(entries: Option<&Vec<Value>>, fields: &Fields, new_shapes: BTreeSet<String>) -> Self {
        let mut asks = Self::of_answer(new_shapes);
        for entry in entries.into_iter().flatten() {
            asks.take_entry(entry, fields);
        }
        asks
    }

    /// Takes an entry of a list. One without a price, or of which none are on sale, asks nothing.
    pub(crate) fn take_entry(&mut self, entry: &Value, fields: &Fields) {
        let count = fields.count.and_then(|count| entry.get(count)).and_then(amount::count);
        let price = entry.get(fields.price).filter(|price| !price.is_null() && count != Some(0));
        let asked = price.map_or(Asked::Nothing, |price| Asked::of((fields.amount)(price)));
        self.take(entry.get(fields.name).and_then(Value::as_str), asked);
    }

    /// Takes a name with its price. Of two with one name the lower ask counts: lists have duplicates.
    pub(crate) fn take(&mut self, name: Option<&str>, asked: Asked) {
        let name = name.and_then(|name| MarketHashName::new(name).ok());
        match (name, asked) {
            (Some(name), Asked::Price(ask)) => {
                self.lowest.entry(name).and_modify(|known| *known = ask.min(*known)).or_insert(ask);
            }
            (Some(_), Asked::Nothing) => {}
            (None, _) | (Some(_), Asked::Unreadable) => self.left_out += 1,
        }
    }

    /// The bids of the entries of a list.
    pub(crate) fn of_bids(entries: Option<&Vec<Value>>, fields: &Fields, new_shapes: BTreeSet<String>) -> Self {
        let mut bids = Self::of_answer(new_shapes);
        for entry in entries.into_iter().flatten() {
            bids.take_bid_entry(entry, fields);
        }
        bids
    }

    /// Takes an entry of a list of bids. One of less than a cent bids nothing.
    fn take_bid_entry(&mut self, entry: &Value, fields: &Fields) {
        let Some(bid) = entry.get(fields.price).filter(|bid| !bid.is_null()) else { return };
        let name = entry.get(fields.name).and_then(Value::as_str).filter(|name| MarketHashName::new(name).is_ok());
        match (name, (fields.amount)(bid)) {
            (Some(name), Some(bid)) if bid > VenueCents::ZERO => self.take_bid(name, bid),
            (Some(_), Some(_)) => {}
            (None, _) | (Some(_), None) => self.left_out += 1,
        }
    }

    /// Takes the highest bid of a name.
    pub(crate) fn take_bid(&mut self, name: &str, bid: VenueCents) {
        if let Ok(name) = MarketHashName::new(name) {
            self.bids.entry(name).and_modify(|known| *known = bid.max(*known)).or_insert(bid);
        }
    }

    /// Takes everything of another list.
    pub(crate) fn extend(&mut self, other: Self) {
        for (name, ask) in other.lowest {
            self.lowest.entry(name).and_modify(|known| *known = ask.min(*known)).or_insert(ask);
        }
        for (name, bid) in other.bids {
            self.bids.entry(name).and_modify(|known| *known = bid.max(*known)).or_insert(bid);
        }
        self.left_out += other.left_out;
        self.new_shapes.extend(other.new_shapes);
    }

    /// Returns the quotes of a source, as of a time, and reports what was not understood or is new.
    pub(crate) fn into_quotes(mut self, source: &Marketplace, at: Timestamp, known: &NewShapes) -> Vec<VariantQuote> {
        known.note(std::mem::take(&mut self.new_shapes));
        if self.left_out > 0 {
            tracing::info!(left_out = self.left_out, %source, "entries of a price list left out");
        }
        self.quotes(source, at)
    }

    /// Returns the quotes of a source, as of a time. A bid above the lowest ask cannot be one that is served, and is not used.
    fn quotes(mut self, source: &Marketplace, at: Timestamp) -> Vec<VariantQuote> {
        let mut names: Vec<MarketHashName> = self.lowest.keys().chain(self.bids.keys()).cloned().collect();
        names.sort_unstable();
        names.dedup();
        let quote = |name: MarketHashName| {
            let lowest_ask = self.lowest.remove(&name);
            let highest_bid = self.bids.remove(&name).filter(|bid| lowest_ask.is_none_or(|ask| *bid <= ask));
            (lowest_ask.is_some() || highest_bid.is_some()).then(|| of_name(name, lowest_ask, highest_bid, source, at))
        };
        names.into_iter().filter_map(quote).collect()
    }

    #[cfg(test)]
    pub(crate) fn pairs(&self) -> Vec<(String, i64)> {
        self.lowest.iter().map(|(name, ask)| (name.to_string(), ask.get())).collect()
    }

    #[cfg(test)]
    pub(crate) fn bid_pairs(&self) -> Vec<(String, i64)> {
        self.bids.iter().map(|(name, bid)| (name.to_string(), bid.get())).collect()
    }
}

/// The quote of a name. Sources of lists have one price for all phases of a pattern, so that a phase of its own has no price there.
fn of_name(
    market_hash_name: MarketHashName,
    lowest_ask: Option<VenueCents>,
    highest_bid: Option<VenueCents>,
    source: &Marketplace,
    observed_at: Timestamp,
) -> VariantQuote {
    VariantQuote {
        variant: Variant { app_id: AppId::CS2, market_hash_name, phase: None },
        quote: Quote { source: source.clone(), lowest_ask, highest_bid, sales: None, observed_at },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price(cents: i64) -> VenueCents {
        VenueCents::new(cents).unwrap()
    }

    #[test]
    fn of_two_entries_with_one_name_the_lower_ask_counts_and_what_is_not_understood_is_counted() {
        let mut list = Asks::default();
        for (name, asked) in [
            (Some("A"), Asked::Price(price(1_150))),
            (Some("A"), Asked::Price(price(1_149))),
            (Some("A"), Asked::Price(price(1_151))),
            (Some("B"), Asked::Nothing),
            (Some("C"), Asked::Unreadable),
            (Some(""), Asked::Price(price(1))),
            (None, Asked::Price(price(1))),
        ] {
            list.take(name, asked);
        }
        assert_eq!((list.pairs(), list.left_out), (vec![("A".to_owned(), 1_149)], 3));
    }

    #[test]
    fn of_two_bids_for_one_name_the_higher_counts_and_less_than_a_cent_bids_nothing() {
        let entries = serde_json::json!([
            { "name": "A", "max": 1_009 },
            { "name": "A", "max": 1_019 },
            { "name": "B", "max": 9 },
            { "name": "C", "max": null },
            { "name": "D", "max": "much" },
            { "name": "", "max": 1_000 },
        ]);
        let fields = Fields { name: "name", price: "max", count: None, amount: amount::mills_down };
        let list = Asks::of_bids(entries.as_array(), &fields, BTreeSet::new());
        assert_eq!((list.bid_pairs(), list.left_out), (vec![("A".to_owned(), 101)], 2));
    }

    #[test]
    fn a_bid_above_the_ask_is_not_used_and_a_name_with_nothing_left_has_no_quote() {
        let mut list = Asks::default();
        list.take(Some("A"), Asked::Price(price(100)));
        list.take_bid("A", price(90));
        list.take(Some("B"), Asked::Price(price(100)));
        list.take_bid("B", price(101));
        list.take_bid("C", price(5));
        let source = Marketplace::new("source").unwrap();
        let quotes = list.quotes(&source, Timestamp::MIN);
        let of = |quote: &VariantQuote| {
            (quote.quote.lowest_ask.map(VenueCents::get), quote.quote.highest_bid.map(VenueCents::get))
        };
        assert_eq!(
            quotes.iter().map(of).collect::<Vec<_>>(),
            [(Some(100), Some(90)), (Some(100), None), (None, Some(5))]
        );
    }
}
