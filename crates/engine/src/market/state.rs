//! What was seen of the markets, and what of it is on record. Values in, values out.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use time::Duration;
use tradepost_domain::id::ContractId;
use tradepost_domain::markets::exchange::{Conversion, ExchangeRate};
use tradepost_domain::markets::fees::{Charges, FeeSchedule};
use tradepost_domain::markets::observation::{ListingSnapshot, ON_SALE_FOR};
use tradepost_domain::markets::pricing::{Quote, Quotes};
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::{Cents, VenueCents};
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_operations::markets::PriceBasis;

use crate::desk::currency::OurListing;
use crate::desk::listing_key::ListingKey;
use crate::error::EngineResult;
use crate::market::best_asks::BestAsks;
use crate::market::buy_decision::{ContractDecision, Means, Shortfall};
use crate::market::own_listings::OwnListings;

/// A listing with its cost, and its ask in the currency of the marketplace.
pub(crate) struct PricedListing {
    listing: OurListing,
    ask: VenueCents,
}

impl PricedListing {
    pub(crate) const fn new(listing: OurListing, ask: VenueCents) -> Self {
        Self { listing, ask }
    }

    pub(crate) fn into_listing(self) -> OurListing {
        self.listing
    }
}

/// A listing, and the marketplace where it is for sale.
#[derive(Clone, Copy)]
pub(crate) struct Opportunity<'a> {
    marketplace: &'a Marketplace,
    listing: &'a OurListing,
}

impl<'a> Opportunity<'a> {
    pub(crate) const fn new(marketplace: &'a Marketplace, listing: &'a OurListing) -> Self {
        Self { marketplace, listing }
    }

    pub(crate) const fn marketplace(self) -> &'a Marketplace {
        self.marketplace
    }

    pub(crate) const fn listing(self) -> &'a OurListing {
        self.listing
    }

    fn key(&self) -> ListingKey {
        ListingKey::new(self.marketplace, &self.listing.id)
    }
}

/// What was seen of the markets.
#[derive(Debug, Default)]
pub(crate) struct MarketState {
    terms: BTreeMap<Marketplace, MarketplaceTerms>,
    /// After which listing the round through all pages goes on, of each marketplace that has more than a pass reads.
    page_cursors: BTreeMap<Marketplace, ExternalId>,
    /// What others ask at each marketplace.
    asks: BTreeMap<Marketplace, BestAsks>,
    /// Our own listings at each marketplace, as they were read in this pass.
    own_listings: BTreeMap<Marketplace, OwnListings>,
    limits: PassLimits,
    /// What variants are valued by, as far as it was asked for in this pass.
    valuations: BTreeMap<Variant, PriceBasis>,
    /// What is on record of each listing.
    recorded: BTreeMap<ListingKey, RecordedListing>,
    /// When each source last had something new to say of a variant.
    last_quoted: BTreeMap<(Marketplace, Variant), Timestamp>,
}

/// What a marketplace takes, and what can be spent there.
#[derive(Debug, Default)]
struct MarketplaceTerms {
    /// The fees that it reports.
    schedule: Option<FeeSchedule>,
    /// The fees in the currency of the workspace, by the present rate. Without a rate, nothing is bought or listed.
    fees: Option<Charges>,
    /// What can be spent, less what was reserved since it was asked; in the currency of the marketplace.
    balance: Option<VenueCents>,
}

/// What keeps a pass from buying more.
#[derive(Debug, Default)]
struct PassLimits {
    /// The marketplaces that did not answer when something was bought.
    unresponsive: BTreeSet<Marketplace>,
    /// What contracts have lacked.
    shortfalls: BTreeMap<ContractId, Shortfall>,
}

/// A listing as it is on record.
#[derive(Debug)]
struct RecordedListing {
    /// In the currency of the marketplace, because a change of the rate is not a change of the price.
    price: VenueCents,
    recorded_at: Timestamp,
    /// What contracts have decided on it at this price.
    decided: BTreeMap<ContractId, ContractDecision>,
}

impl MarketState {
    /// The fees of a marketplace in the currency of the workspace.
    pub(crate) fn fees(&self, marketplace: &Marketplace) -> Option<&Charges> {
        self.terms.get(marketplace)?.fees.as_ref()
    }

    /// Those of every marketplace that has a rate.
    pub(crate) fn all_fees(&self) -> impl Iterator<Item = (&Marketplace, &Charges)> {
        self.terms.iter().filter_map(|(marketplace, terms)| Some((marketplace, terms.fees.as_ref()?)))
    }

    /// Calculates the fees of a marketplace by the present rate.
    pub(crate) fn compute_fees(&mut self, marketplace: &Marketplace, rate: EngineResult<Option<ExchangeRate>>) {
        let terms = self.terms.entry(marketplace.clone()).or_default();
        terms.fees = rate.ok().zip(terms.schedule.clone()).map(|(rate, schedule)| Charges::at(schedule, rate));
    }

    pub(crate) fn set_schedule(&mut self, marketplace: &Marketplace, schedule: FeeSchedule) {
        self.terms.entry(marketplace.clone()).or_default().schedule = Some(schedule);
    }

    pub(crate) fn schedule(&self, marketplace: &Marketplace) -> Option<&FeeSchedule> {
        self.terms.get(marketplace)?.schedule.as_ref()
    }

    pub(crate) fn set_balance(&mut self, marketplace: &Marketplace, balance: VenueCents) {
        self.terms.entry(marketplace.clone()).or_default().balance = Some(balance);
    }

    /// What can be spent at a marketplace, in its own currency.
    pub(crate) fn balance(&self, marketplace: &Marketplace) -> Option<VenueCents> {
        self.terms.get(marketplace)?.balance
    }

    pub(crate) fn set_own_listings(&mut self, marketplace: &Marketplace, own: OwnListings) {
        self.own_listings.insert(marketplace.clone(), own);
    }

    /// Our own listings at a marketplace, as they were read in this pass.
    pub(crate) fn own_listings(&self, marketplace: &Marketplace) -> Option<&OwnListings> {
        self.own_listings.get(marketplace)
    }

    /// The same if they were read after this time.
    pub(crate) fn own_listings_after(&self, marketplace: &Marketplace, at: Timestamp) -> Option<&OwnListings> {
        self.own_listings(marketplace).filter(|own| at < own.read_at())
    }

    /// Whether a listing of ours may be on sale at one of these marketplaces. Where this node has not read our listings, it cannot know.
    pub(crate) fn may_be_on_sale<'a>(
        &self,
        listing_id: Option<&ExternalId>,
        mut marketplaces: impl Iterator<Item = &'a Marketplace>,
    ) -> bool {
        marketplaces.any(|marketplace| {
            let own = self.own_listings(marketplace);
            own.is_none_or(|own| own.all().iter().any(|listing| Some(&listing.id) == listing_id))
        })
    }

    /// Where the round through the pages of a marketplace goes on.
    pub(crate) fn page_cursor(&self, marketplace: &Marketplace) -> Option<&ExternalId> {
        self.page_cursors.get(marketplace)
    }

    /// Notes how far the round through the pages of a marketplace has come.
    pub(crate) fn advance_cursor(&mut self, marketplace: &Marketplace, next: Option<&ExternalId>) {
        match next {
            Some(next) => drop(self.page_cursors.insert(marketplace.clone(), next.clone())),
            None => drop(self.page_cursors.remove(marketplace)),
        }
    }

    /// What others ask at a marketplace.
    pub(crate) fn asks_at(&mut self, marketplace: &Marketplace) -> &mut BestAsks {
        self.asks.entry(marketplace.clone()).or_default()
    }

    /// What variants are valued by.
    pub(crate) const fn valuations(&self) -> &BTreeMap<Variant, PriceBasis> {
        &self.valuations
    }

    pub(crate) fn set_valuation(&mut self, variant: Variant, basis: PriceBasis) {
        self.valuations.insert(variant, basis);
    }

    /// Adds what others ask by now to what a variant is valued by.
    pub(crate) fn note_asks(&mut self, variant: &Variant, at: Timestamp) {
        let asks: Vec<_> = self.current_asks(variant, at).collect();
        if let Some(basis) = self.valuations.get_mut(variant) {
            for ask in asks {
                basis.quotes.note_ask(ask);
            }
        }
    }

    /// Returns what a contract can spend at a marketplace.
    pub(crate) fn means(&self, contract: ContractId, marketplace: &Marketplace) -> Means<'_> {
        Means::new(self.balance(marketplace), self.conversion(marketplace), self.limits.shortfalls.get(&contract))
    }

    /// Notes what a contract lacks for the rest of the pass.
    pub(crate) fn set_shortfall(&mut self, contract: ContractId, shortfall: Shortfall) {
        self.limits.shortfalls.insert(contract, shortfall);
    }

    /// So much less can be spent there.
    pub(crate) fn deduct(&mut self, marketplace: &Marketplace, amount: Cents) {
        let spent = self.conversion(marketplace).asking_for(amount);
        if let Some(balance) = self.terms.get_mut(marketplace).and_then(|terms| terms.balance.as_mut()) {
            *balance = spent.and_then(|spent| balance.minus(spent)).unwrap_or(VenueCents::ZERO);
        }
    }

    fn conversion(&self, marketplace: &Marketplace) -> Conversion {
        self.fees(marketplace).and_then(Charges::rate).into()
    }

    /// What others ask for a variant at present, marketplace by marketplace.
    fn current_asks(&self, variant: &Variant, at: Timestamp) -> impl Iterator<Item = Quote> {
        let asked = self.asks.iter().filter_map(move |(marketplace, asks)| Some((marketplace, asks.lowest(variant)?)));
        asked.map(move |(marketplace, price)| Quote::of_ask(marketplace.clone(), price, at))
    }

    /// What a listing is valued by: the price of its own marketplace is that of the cheapest other listing there.
    pub(crate) fn witnesses<'a>(
        &self,
        marketplace: &Marketplace,
        listing: &OurListing,
        quotes: &'a Quotes,
    ) -> Cow<'a, Quotes> {
        let asks = self.asks.get(marketplace);
        let others = asks.and_then(|asks| asks.lowest_beyond(&listing.offered.variant, &listing.id));
        let reported = quotes.iter().find(|quote| quote.source == *marketplace);
        if reported.is_none_or(|reported| reported.lowest_ask == others) {
            return Cow::Borrowed(quotes);
        }
        Cow::Owned(
            quotes
                .iter()
                .cloned()
                .map(|quote| if quote.source == *marketplace { Quote { lowest_ask: others, ..quote } } else { quote })
                .collect(),
        )
    }

    /// Whether a marketplace has not answered in this pass when something was bought.
    pub(crate) fn is_unresponsive(&self, marketplace: &Marketplace) -> bool {
        self.limits.unresponsive.contains(marketplace)
    }

    /// Nothing more is bought at a marketplace in this pass.
    pub(crate) fn mark_unresponsive(&mut self, marketplace: &Marketplace) {
        self.limits.unresponsive.insert(marketplace.clone());
    }

    /// Returns whether a contract decides in another way than before, or for the first time since the price was set.
    pub(crate) fn is_new_decision(&self, offer: Opportunity<'_>, contract: ContractId, made: ContractDecision) -> bool {
        let listed = self.recorded.get(&offer.key());
        listed.is_some_and(|listed| listed.decided.get(&contract) != Some(&made))
    }

    /// Stores the decision of a contract.
    pub(crate) fn store_decision(&mut self, offer: Opportunity<'_>, contract: ContractId, made: ContractDecision) {
        if let Some(listed) = self.recorded.get_mut(&offer.key()) {
            listed.decided.insert(contract, made);
        }
    }

    /// Forgets what contracts decided.
    pub(crate) fn clear_decisions(&mut self, contracts: &[ContractId]) {
        if !contracts.is_empty() {
            let is_other = |contract: &ContractId, _: &mut ContractDecision| !contracts.contains(contract);
            self.recorded.values_mut().for_each(|listed| listed.decided.retain(is_other));
        }
    }

    /// Begins a pass: what was read in the one before is forgotten.
    pub(crate) fn begin_pass(&mut self, now: Timestamp) {
        self.own_listings.clear();
        self.limits = PassLimits::default();
        self.valuations.clear();
        self.recorded.retain(|_, listed| now.since(listed.recorded_at) < ON_SALE_FOR);
    }

    /// The quotes that say something new.
    pub(crate) fn new_quotes(&mut self, mut quotes: Vec<(Variant, Quote)>) -> Vec<(Variant, Quote)> {
        quotes.retain(|(variant, quote)| {
            let last = self.last_quoted.insert((quote.source.clone(), variant.clone()), quote.observed_at);
            last.is_none_or(|last| last < quote.observed_at)
        });
        quotes
    }

    /// Takes in the asks of other sellers. Returns the listings that are to be recorded.
    pub(crate) fn note_listings(
        &mut self,
        marketplace: &Marketplace,
        listings: &[PricedListing],
        at: Timestamp,
        interval: Duration,
    ) -> Vec<ListingSnapshot> {
        let mut news = Vec::new();
        for PricedListing { listing, ask } in listings {
            let asks = self.asks.entry(marketplace.clone()).or_default();
            asks.record_ask(&listing.offered.variant, listing.offered.price, &listing.id);
            let key = ListingKey::new(marketplace, &listing.id);
            let known = self.recorded.get(&key);
            if known.is_some_and(|known| !known.is_outdated_by(*ask, at, interval)) {
                continue;
            }
            let is_same_price = |known: &RecordedListing| known.price == *ask;
            let decided = self.recorded.remove(&key).filter(is_same_price).map(|known| known.decided);
            let recorded = RecordedListing { price: *ask, recorded_at: at, decided: decided.unwrap_or_default() };
            self.recorded.insert(key, recorded);
            news.push(ListingSnapshot {
                marketplace: marketplace.clone(),
                listing_id: listing.id.clone(),
                asset_id: Some(listing.asset_id.clone()),
                listing: listing.offered.clone(),
                observed_at: at,
            });
        }
        news
    }

    /// Forgets what was to be recorded at this time and was not.
    pub(crate) fn forget_recorded_at(&mut self, at: Timestamp) {
        self.recorded.retain(|_, listed| listed.recorded_at < at);
    }
}

impl RecordedListing {
    /// Returns whether a listing must be recorded again: its price has changed, or its record is old.
    fn is_outdated_by(&self, ask: VenueCents, at: Timestamp, interval: Duration) -> bool {
        self.price != ask || at.since(self.recorded_at) >= interval
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_ports::marketplace::{ListingStatus, MarketListing};
    use tradepost_testkit::samples::{start, text};

    #[test]
    fn a_reported_listing_may_be_on_sale_where_it_was_seen_or_nothing_was_read() {
        let (market, mut state) = (text("market"), MarketState::default());
        let may_be = |state: &MarketState, id: &str| state.may_be_on_sale(Some(&text(id)), std::iter::once(&market));
        assert!(may_be(&state, "a"), "the marketplace was not read");
        let listing = MarketListing { id: text("a"), ..crate::samples::listing(ListingStatus::OnSale, 1_900) };
        state.set_own_listings(&market, OwnListings::new(start(), vec![listing]));
        assert_eq!([may_be(&state, "a"), may_be(&state, "b")], [true, false]);
    }
}
