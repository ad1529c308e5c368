//! What is on sale, what it costs to trade, and what items are worth, as seen in this pass.

use std::collections::{BTreeMap, BTreeSet};

use tradepost_domain::fees::FeeSchedule;
use tradepost_domain::money::Cents;
use tradepost_domain::pricing::{Quote, Quotes};
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_domain::variant::Variant;
use tradepost_ports::marketplace::{ListingQuery, ListingStatus, MarketListing};

use crate::Engine;
use crate::desk::Venue;
use crate::pass::Pass;
use crate::trouble::Tried;

/// The most pages of listings that are read of a marketplace in one pass.
const MOST_PAGES: usize = 50;
/// As many listings as are asked for at once.
const LISTINGS: u16 = 100;

/// What was seen of the markets.
#[derive(Debug, Default)]
pub(crate) struct Market {
    /// What others sell, by marketplace.
    pub(crate) listings: Vec<(Marketplace, Vec<MarketListing>)>,
    /// What each marketplace takes.
    pub(crate) fees: BTreeMap<Marketplace, FeeSchedule>,
    /// What can be spent at each marketplace, less what was reserved in this pass.
    balances: BTreeMap<Marketplace, Cents>,
    /// What the sources say.
    quotes: BTreeMap<Variant, Quotes>,
    /// The lowest price that others ask.
    lowest: BTreeMap<(Marketplace, Variant), Cents>,
}

impl Market {
    /// What is said of a variant.
    pub(crate) fn quotes(&self, variant: &Variant) -> Quotes {
        self.quotes.get(variant).cloned().unwrap_or_default()
    }

    /// Whether so much can be spent there.
    pub(crate) fn can_spend(&self, marketplace: &Marketplace, amount: Cents) -> bool {
        self.balances.get(marketplace).is_some_and(|balance| amount <= *balance)
    }

    /// So much less can be spent there.
    pub(crate) fn spend(&mut self, marketplace: &Marketplace, amount: Cents) {
        if let Some(balance) = self.balances.get_mut(marketplace) {
            *balance = balance.minus(amount).unwrap_or(Cents::ZERO);
        }
    }

    /// The lowest price that somebody else asks.
    pub(crate) fn lowest(&self, marketplace: &Marketplace, variant: &Variant) -> Option<Cents> {
        self.lowest.get(&(marketplace.clone(), variant.clone())).copied()
    }

    fn note(&mut self, variant: Variant, quote: Quote) {
        self.quotes.entry(variant).or_default().note(quote);
    }

    /// What others sell at a marketplace, which is a source of prices itself.
    fn take_in(&mut self, marketplace: &Marketplace, listings: Vec<MarketListing>, at: Timestamp) {
        let mut lowest: BTreeMap<&Variant, Cents> = BTreeMap::new();
        for MarketListing { offered, .. } in &listings {
            lowest
                .entry(&offered.variant)
                .and_modify(|least| *least = offered.price.min(*least))
                .or_insert(offered.price);
        }
        let lowest: Vec<_> = lowest.into_iter().map(|(variant, price)| (variant.clone(), price)).collect();
        for (variant, price) in lowest {
            self.lowest.insert((marketplace.clone(), variant.clone()), price);
            let source = marketplace.clone();
            let quote = Quote { source, lowest_ask: Some(price), highest_bid: None, sales: None, observed_at: at };
            self.note(variant, quote);
        }
        self.listings.push((marketplace.clone(), listings));
    }
}

impl Engine {
    /// Looks at every market. One that does not answer is left out of this pass; what was said before grows stale by itself.
    pub(crate) async fn observe(&mut self, pass: &mut Pass) {
        self.market.listings.clear();
        self.market.lowest.clear();
        for source in self.desk.price_sources.clone() {
            match source.quotes().await {
                Ok(told) => told.into_iter().for_each(|told| self.market.note(told.variant, told.quote)),
                Err(error) => pass.note(Err(error.into())),
            }
        }
        for venue in self.desk.venues.clone() {
            let seen = self.observe_venue(&venue, pass).await;
            pass.note(seen);
        }
    }

    async fn observe_venue(&mut self, venue: &Venue, pass: &mut Pass) -> Tried {
        let fees = venue.marketplace.fee_schedule().await?;
        self.market.fees.insert(venue.name.clone(), fees);
        let balance = venue.marketplace.balance().await?;
        self.market.balances.insert(venue.name.clone(), balance);
        let ours = own_listings(venue).await?;
        let query = ListingQuery { market_hash_name: None, max_price: None, limit: LISTINGS };
        let (mut seen, mut after) = (Vec::new(), None);
        for _ in 0..MOST_PAGES {
            let page = venue.marketplace.listings(&query, after.as_ref()).await?;
            let of_others =
                |listing: &MarketListing| listing.status == ListingStatus::OnSale && !ours.contains(&listing.id);
            seen.extend(page.items.into_iter().filter(of_others));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        pass.observed += seen.len();
        self.market.take_in(&venue.name, seen, self.now());
        Ok(())
    }
}

async fn own_listings(venue: &Venue) -> Tried<BTreeSet<ExternalId>> {
    let (mut ours, mut after) = (BTreeSet::new(), None);
    loop {
        let page = venue.marketplace.own_listings(after.as_ref()).await?;
        ours.extend(page.items.into_iter().map(|listing| listing.id));
        after = page.next;
        if after.is_none() {
            return Ok(ours);
        }
    }
}
