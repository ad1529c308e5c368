//! What is on sale and what it costs to trade, as seen in this pass; what is new of it is recorded.

use std::collections::{BTreeMap, BTreeSet};

use time::Duration;
use tradepost_domain::evaluation::Decision;
use tradepost_domain::fees::FeeSchedule;
use tradepost_domain::id::ContractId;
use tradepost_domain::money::Cents;
use tradepost_domain::observation::{ON_SALE_FOR, Sighting};
use tradepost_domain::pricing::Quote;
use tradepost_domain::provider::ProviderKind;
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_domain::variant::Variant;
use tradepost_operations::markets::PriceBasis;
use tradepost_ports::marketplace::{ListingQuery, ListingStatus, MarketListing};

use crate::Engine;
use crate::desk::Venue;
use crate::pass::Pass;
use crate::providers::Found;
use crate::trouble::{Tried, Trouble};

/// The most pages of listings that are read of a marketplace in one pass.
const MOST_PAGES: usize = 50;
/// As many listings as are asked for at once.
const LISTINGS: u16 = 100;
/// A listing that stands at its price is recorded anew before it no longer counts as on sale.
const RECORDED_ANEW: Duration = Duration::minutes(5);

/// What was seen of the markets.
#[derive(Debug, Default)]
pub(crate) struct Market {
    /// What others sell, by marketplace, until it was looked through.
    pub(crate) listings: Vec<(Marketplace, Vec<MarketListing>)>,
    /// What each marketplace takes.
    pub(crate) fees: BTreeMap<Marketplace, FeeSchedule>,
    /// What can be spent at each marketplace, less what was reserved in this pass.
    balances: BTreeMap<Marketplace, Cents>,
    /// The lowest price that others ask.
    lowest: BTreeMap<Variant, BTreeMap<Marketplace, Cents>>,
    /// What variants are valued by, as far as it was asked for in this pass.
    pub(crate) worth: BTreeMap<Variant, PriceBasis>,
    /// What is on record of each listing.
    listed: BTreeMap<(Marketplace, ExternalId), Listed>,
    /// When each source last had something new to say of a variant.
    told: BTreeMap<(Marketplace, Variant), Timestamp>,
}

/// A listing as it is on record.
#[derive(Debug)]
struct Listed {
    price: Cents,
    recorded_at: Timestamp,
    /// What contracts have decided on it at this price.
    decided: BTreeMap<ContractId, Decision>,
}

impl Market {
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

    /// What others ask for a variant at present, marketplace by marketplace.
    pub(crate) fn asks(&self, variant: &Variant, at: Timestamp) -> impl Iterator<Item = Quote> {
        let asked = self.lowest.get(variant).into_iter().flatten();
        asked.map(move |(marketplace, price)| Quote::of_ask(marketplace.clone(), *price, at))
    }

    /// Whether a contract decides otherwise on a listing than it did before, or for the first time since its price was set.
    pub(crate) fn is_news(
        &self,
        marketplace: &Marketplace,
        listing: &ExternalId,
        (contract, decision): (ContractId, Decision),
    ) -> bool {
        let listed = self.listed.get(&(marketplace.clone(), listing.clone()));
        listed.is_some_and(|listed| listed.decided.get(&contract) != Some(&decision))
    }

    /// Remembers what a contract decided.
    pub(crate) fn decided(
        &mut self,
        marketplace: &Marketplace,
        listing: &ExternalId,
        (contract, decision): (ContractId, Decision),
    ) {
        if let Some(listed) = self.listed.get_mut(&(marketplace.clone(), listing.clone())) {
            listed.decided.insert(contract, decision);
        }
    }

    fn forget_pass(&mut self, now: Timestamp) {
        self.listings.clear();
        self.lowest.clear();
        self.worth.clear();
        self.listed.retain(|_, listed| now.since(listed.recorded_at) < ON_SALE_FOR);
    }

    /// The quotes that say something new.
    fn news(&mut self, source: Vec<(Variant, Quote)>) -> Vec<(Variant, Quote)> {
        let is_new = |(variant, quote): &(Variant, Quote)| {
            let last = self.told.insert((quote.source.clone(), variant.clone()), quote.observed_at);
            last.is_none_or(|last| last < quote.observed_at)
        };
        source.into_iter().filter(is_new).collect()
    }

    /// What others sell at a marketplace; what of it has to be recorded.
    fn take_in(&mut self, marketplace: &Marketplace, listings: Vec<MarketListing>, at: Timestamp) -> Vec<Sighting> {
        let mut sightings = Vec::new();
        for listing in &listings {
            let (price, variant) = (listing.offered.price, &listing.offered.variant);
            let lowest = self.lowest.entry(variant.clone()).or_default().entry(marketplace.clone()).or_insert(price);
            *lowest = price.min(*lowest);
            if self.is_to_be_recorded(marketplace, listing, at) {
                sightings.push(Sighting {
                    marketplace: marketplace.clone(),
                    listing_id: listing.id.clone(),
                    asset_id: Some(listing.asset_id.clone()),
                    listing: listing.offered.clone(),
                    observed_at: at,
                });
            }
        }
        self.listings.push((marketplace.clone(), listings));
        sightings
    }

    fn is_to_be_recorded(&mut self, marketplace: &Marketplace, listing: &MarketListing, at: Timestamp) -> bool {
        let key = (marketplace.clone(), listing.id.clone());
        let price = listing.offered.price;
        match self.listed.get_mut(&key).filter(|known| known.price == price) {
            Some(known) if at.since(known.recorded_at) < RECORDED_ANEW => false,
            Some(known) => {
                known.recorded_at = at;
                true
            }
            None => {
                self.listed.insert(key, Listed { price, recorded_at: at, decided: BTreeMap::new() });
                true
            }
        }
    }
}

impl Engine {
    /// Looks at every market. One that does not answer is left out of this pass; what was said before grows stale by itself.
    pub(crate) async fn observe(&mut self, pass: &mut Pass) {
        let now = self.now();
        self.market.forget_pass(now);
        let sources = if self.works_on_inventory() { self.desk.price_sources.clone() } else { Vec::new() };
        for source in sources {
            let name = (ProviderKind::PriceSource, source.name().clone());
            if self.providers.is_disabled(name.0, &name.1) {
                continue;
            }
            let asked = source.quotes().await.map_err(Trouble::from);
            let told = self.tell_of(name, asked.as_ref().map(|_| Found::default())).await;
            pass.note(told);
            match asked {
                Ok(told) => {
                    let told = told.into_iter().map(|told| (told.variant, told.quote)).collect();
                    pass.note(self.record_quotes(told).await);
                }
                Err(error) => pass.note(Err(error)),
            }
        }
        for venue in self.desk.venues.clone() {
            let seen = self.observe_venue(&venue, pass).await;
            let told = self.tell_of_venue(&venue, seen.as_ref().err()).await;
            pass.note(seen);
            pass.note(told);
        }
    }

    async fn record_quotes(&mut self, told: Vec<(Variant, Quote)>) -> Tried {
        let news = self.market.news(told);
        self.operations.record_quotes(&self.caller, self.desk.workspace_id, &news).await?;
        Ok(())
    }

    /// Who works at a marketplace tells what a look at it found.
    async fn tell_of_venue(&mut self, venue: &Venue, trouble: Option<&Trouble>) -> Tried {
        if !self.works_at(&venue.name) {
            return Ok(());
        }
        let look = match trouble {
            Some(trouble) => Err(trouble),
            None => Ok(Found {
                fees: self.market.fees.get(&venue.name).cloned(),
                balance: self.market.balances.get(&venue.name).copied(),
            }),
        };
        self.tell_of((ProviderKind::Marketplace, venue.name.clone()), look).await
    }

    async fn observe_venue(&mut self, venue: &Venue, pass: &mut Pass) -> Tried {
        let asked_at = self.now();
        let fees = venue.marketplace.fee_schedule().await?;
        let answered_at = self.now();
        self.providers.answered((ProviderKind::Marketplace, venue.name.clone()), asked_at, answered_at);
        self.market.fees.insert(venue.name.clone(), fees);
        if !self.works_at(&venue.name) {
            // Who does has its listings recorded.
            return Ok(());
        }
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
        let now = self.now();
        let news = self.market.take_in(&venue.name, seen, now);
        let recorded = self.operations.record_sightings(&self.caller, self.desk.workspace_id, news).await;
        if recorded.is_err() {
            self.market.listed.retain(|_, listed| listed.recorded_at < now);
        }
        recorded?;
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
