//! Purchases of which nobody knows whether they were made: looked up until the order is found, or its absence proven.

use std::collections::{BTreeMap, BTreeSet};

use futures::FutureExt as _;
use tradepost_domain::id::PurchaseId;
use tradepost_domain::money::WorkspaceCurrency;
use tradepost_domain::purchase::{
    Absence, CancelCause, LOOKUP_SPACING, PENDING_LIFETIME, Purchase, PurchaseEvent, PurchaseStatus,
};
use tradepost_domain::text::Marketplace;
use tradepost_domain::trade::TradeAddress;
use tradepost_operations::Versioned;
use tradepost_ports::marketplace::{Buyer, Mills, MoneyUnit, Sought, SoughtOrder};

use crate::Engine;
use crate::desk::Venue;
use crate::exchange::OurOrder;
use crate::mark::Mark;
use crate::pass::Pass;
use crate::sales::BACKDATED;
use crate::sending::{key_of, order_of};
use crate::trouble::{Tried, Trouble};

/// What is in doubt.
#[derive(Debug, Default)]
pub(crate) struct Doubts {
    /// The first look-up of each purchase.
    first: BTreeMap<PurchaseId, FirstLookup>,
    /// What could be spent at the marketplace before each purchase was sent, as far as it was sent by this process.
    before: BTreeMap<PurchaseId, Mills>,
    /// Where something is in doubt; `None` as long as that was not read.
    places: Option<BTreeSet<Marketplace>>,
}

/// A look-up that found no order, and what could be spent at the marketplace then.
#[derive(Debug, Clone, Copy)]
struct FirstLookup {
    at: Mark,
    balance: Mills,
}

/// A purchase whose order was not found at a time.
struct NotFound {
    purchase: Versioned<Purchase>,
    at: Mark,
}

/// A purchase whose order was not found twice, long enough apart, with no money gone between.
struct FoundMissing {
    purchase: Versioned<Purchase>,
    first_lookup: Mark,
    last_lookup: Mark,
    balance_unchanged: bool,
}

impl Doubts {
    /// Whether a purchase of this marketplace is in doubt, or nobody knows. As long as one is, nothing new is sent there: else
    /// what is spent on other things could not be told from what the purchase in doubt has cost.
    pub(crate) fn at(&self, marketplace: &Marketplace) -> bool {
        self.places.as_ref().is_none_or(|places| places.contains(marketplace))
    }

    /// A purchase of this marketplace has come into doubt since doubts were settled.
    pub(crate) fn arise_at(&mut self, marketplace: Marketplace) {
        if let Some(places) = &mut self.places {
            places.insert(marketplace);
        }
    }

    /// A purchase is about to be sent, where so much can be spent.
    pub(crate) fn send(&mut self, id: PurchaseId, balance: Mills) {
        self.before.insert(id, balance);
    }

    /// It is known what became of a purchase that was sent.
    pub(crate) fn settle(&mut self, id: PurchaseId) {
        self.before.remove(&id);
    }

    /// Whether there is as much at a marketplace as before a purchase was sent. A charge shows at once, whenever the order can be
    /// looked up. What was there before another process sent it, nobody knows.
    fn is_unchanged(&self, id: PurchaseId, balance: Mills) -> bool {
        self.before.get(&id).is_none_or(|before| balance >= *before)
    }

    /// The look-up from which the proof counts.
    fn first(&mut self, id: PurchaseId, looked_up: FirstLookup) -> FirstLookup {
        let first = self.first.entry(id).or_insert(looked_up);
        if looked_up.balance < first.balance {
            // Money went out since, by whatever: between these two nothing is proven, and the proof begins anew.
            *first = looked_up;
        }
        *first
    }
}

fn place_of(purchase: &Versioned<Purchase>) -> Marketplace {
    purchase.value.terms.marketplace.clone()
}

impl Engine {
    /// Purchases that were being sent when a pass ended are in doubt, and those that were never sent are over after a minute.
    ///
    /// All that is in doubt is looked at, and not a slice of it: until then nobody knows where nothing may be bought.
    pub(crate) async fn settle_doubts(&mut self, pass: &mut Pass) -> Tried {
        self.doubts.places = None;
        let mut places = self.doubt_what_was_cut_short(pass).await?;
        self.withdraw_what_was_not_sent(pass).await?;
        let in_doubt = self.every_purchase(PurchaseStatus::Uncertain).await?;
        let ids: BTreeSet<PurchaseId> = in_doubt.iter().map(|purchase| purchase.value.terms.id).collect();
        self.doubts.first.retain(|id, _| ids.contains(id));
        if places.is_empty() {
            self.doubts.before.retain(|id, _| ids.contains(id));
        }
        let looked_up = in_doubt.into_iter().map(|purchase| self.look_up(purchase).boxed()).collect();
        let mut not_found = Vec::new();
        for (place, looked_up) in self.beside(looked_up).await {
            match looked_up {
                Ok(None) => {}
                Ok(Some(purchase)) => not_found.push(purchase),
                Err(trouble) => {
                    pass.note_at([&place], Err(trouble));
                    places.insert(place);
                }
            }
        }
        let missing = self.weigh(not_found, &mut places, pass).await;
        self.unplaced.watch(missing.iter().map(|missing| missing.purchase.value.terms.id));
        let told = missing.into_iter().map(|missing| self.end_doubt(missing).boxed()).collect();
        for (place, told) in self.beside(told).await {
            if told.is_err() {
                places.insert(place.clone());
            }
            pass.note_at([&place], told);
        }
        self.doubts.places = Some(places);
        Ok(())
    }

    /// Where a purchase that was cut short could not be told to be in doubt.
    async fn doubt_what_was_cut_short(&self, pass: &mut Pass) -> Tried<BTreeSet<Marketplace>> {
        let lose = |purchase: Versioned<Purchase>| {
            async move { (place_of(&purchase), self.tell(&purchase, PurchaseEvent::OutcomeLost).await.map(drop)) }
                .boxed()
        };
        let cut_short = self.every_purchase(PurchaseStatus::Submitted).await?;
        let mut places = BTreeSet::new();
        for (place, told) in self.beside(cut_short.into_iter().map(lose).collect()).await {
            if told.is_err() {
                places.insert(place.clone());
            }
            pass.note_at([&place], told);
        }
        Ok(places)
    }

    async fn withdraw_what_was_not_sent(&mut self, pass: &mut Pass) -> Tried {
        let now = self.now();
        for pending in self.purchases(PurchaseStatus::Pending).await? {
            if pending.value.created_at.plus(PENDING_LIFETIME) <= now {
                let told = self.tell(&pending, PurchaseEvent::Cancelled(CancelCause::Expired)).await.map(drop);
                pass.note_at([&pending.value.terms.marketplace], told);
            }
        }
        Ok(())
    }

    async fn look_up(&self, purchase: Versioned<Purchase>) -> (Marketplace, Tried<Option<NotFound>>) {
        (place_of(&purchase), self.find_order_of(purchase).await)
    }

    /// Looks the order of a purchase up, and gives the purchase back if there is none.
    async fn find_order_of(&self, purchase: Versioned<Purchase>) -> Tried<Option<NotFound>> {
        let terms = &purchase.value.terms;
        let counter = self.venue(&terms.marketplace)?.at(terms.exchange_rate);
        match counter.find_order(self.sought(&purchase.value)?).await? {
            Sought::Found(order) => {
                let is_found = self.record_order(&purchase, &order).await?;
                Ok((!is_found).then(|| NotFound { purchase, at: self.mark() }))
            }
            Sought::NotShown => Err(Trouble::NotShown),
            Sought::Absent => Ok(Some(NotFound { purchase, at: self.mark() })),
        }
    }

    /// Those of which it is known by now that they were not made. The balance of a marketplace is read once for all of its
    /// purchases, after they were looked up.
    async fn weigh(
        &mut self,
        not_found: Vec<NotFound>,
        places: &mut BTreeSet<Marketplace>,
        pass: &mut Pass,
    ) -> Vec<FoundMissing> {
        let (mut balances, mut missing) = (BTreeMap::new(), Vec::new());
        let in_question: BTreeSet<Marketplace> = not_found.iter().map(|one| place_of(&one.purchase)).collect();
        for place in in_question {
            match self.balance_at(&place).await {
                Ok(balance) => drop(balances.insert(place, balance)),
                Err(trouble) => pass.note_at([&place], Err(trouble)),
            }
        }
        for NotFound { purchase, at } in not_found {
            let (place, id) = (place_of(&purchase), purchase.value.terms.id);
            let looked_up = balances.get(&place).map(|balance| FirstLookup { at, balance: *balance });
            let both = looked_up.map(|last| (self.doubts.first(id, last), last));
            match both.filter(|(first, last)| last.at.since(first.at) >= LOOKUP_SPACING) {
                Some((first, last)) => missing.push(FoundMissing {
                    purchase,
                    first_lookup: first.at,
                    last_lookup: last.at,
                    balance_unchanged: self.doubts.is_unchanged(id, last.balance),
                }),
                None => drop(places.insert(place)),
            }
        }
        missing
    }

    /// What can be spent, in the currency of the marketplace, which no rate moves, and to the last part of a cent: a charge of less than
    /// one is a charge.
    async fn balance_at(&self, place: &Marketplace) -> Tried<Mills> {
        Ok(self.venue(place)?.marketplace.exact_balance().await?)
    }

    /// Notes what can be spent before a purchase is sent: what is known of it, or where that is in cents and the marketplace counts finer,
    /// what it says.
    pub(crate) async fn note_balance(&mut self, venue: &Venue, id: PurchaseId) -> Tried {
        let balance = match venue.marketplace.traits().unit {
            MoneyUnit::Cents => self.market.balances.get(&venue.name).copied().map(Mills::from),
            MoneyUnit::Mills => Some(self.balance_at(&venue.name).await?),
        };
        if let Some(balance) = balance {
            self.doubts.send(id, balance);
        }
        Ok(())
    }

    async fn end_doubt(&self, missing: FoundMissing) -> (Marketplace, Tried) {
        (place_of(&missing.purchase), self.prove_absence(missing).await)
    }

    async fn prove_absence(&self, missing: FoundMissing) -> Tried {
        let FoundMissing { purchase, first_lookup, last_lookup, balance_unchanged } = missing;
        let terms = &purchase.value.terms;
        let counter = self.venue(&terms.marketplace)?.at(terms.exchange_rate);
        let listing_explained = match counter.who_bought(self.sought(&purchase.value)?).await? {
            Buyer::Us(order) if self.record_order(&purchase, &order).await? => return Ok(()),
            Buyer::Us(_) | Buyer::SomebodyElse | Buyer::Nobody => true,
            Buyer::Unknown => return Err(Trouble::NotShown),
        };
        // By the clock as it goes now: how far apart the look-ups were was measured, however it was set between them.
        let last_lookup_at = self.now().plus(-self.mark().since(last_lookup));
        let first_lookup_at = last_lookup_at.plus(-last_lookup.since(first_lookup));
        let absence = Absence { first_lookup_at, last_lookup_at, listing_explained, balance_unchanged };
        self.tell(&purchase, PurchaseEvent::OrderAbsent(absence)).await.map(drop)
    }

    /// Records the order of a purchase; gives whether it is that. Without keys an order is found by its listing, and may be that of an earlier
    /// purchase of the same listing.
    async fn record_order(&self, purchase: &Versioned<Purchase>, order: &OurOrder) -> Tried<bool> {
        match self.tell(purchase, PurchaseEvent::OrderFound(order_of(order))).await {
            Err(Trouble::Operation(refusal)) if refusal.is_order_of_another() => Ok(false),
            recorded => recorded.map(|_| true),
        }
    }

    fn sought(&self, purchase: &Purchase) -> Tried<SoughtOrder<WorkspaceCurrency>> {
        Ok(sought(purchase, self.account(&purchase.terms.account_name)?.address))
    }
}

/// The order of a purchase, by everything that a marketplace may know it by.
pub(crate) fn sought(purchase: &Purchase, deliver_to: TradeAddress) -> SoughtOrder<WorkspaceCurrency> {
    let terms = &purchase.terms;
    SoughtOrder {
        key: key_of(purchase),
        listing_id: terms.listing_id.clone(),
        asset_id: terms.listing_asset_id.clone(),
        market_hash_name: terms.market_hash_name.clone(),
        max_price: terms.max_buy_price,
        deliver_to,
        // By the clock of the marketplace, which may differ from ours.
        sent_since: purchase.created_at.plus(-BACKDATED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::Duration;
    use tradepost_domain::trade::PlatformUserId;
    use tradepost_ports::testing::fakes::FixedClock;
    use tradepost_ports::testing::samples::{Samples, text};

    fn look(at: Mark, balance: i64) -> FirstLookup {
        FirstLookup { at, balance: Mills::new(balance).unwrap() }
    }

    #[test]
    fn money_that_goes_out_between_two_looks_begins_the_proof_of_absence_anew() {
        let (mut doubts, id) = (Doubts::default(), PurchaseId::from_bytes([1; 16]));
        let began = Mark::of(&FixedClock::default());
        let [later, latest] = [60, 120].map(|seconds| began.plus(Duration::seconds(seconds)));
        assert_eq!(doubts.first(id, look(began, 10_000)).at, began);
        assert_eq!(doubts.first(id, look(later, 10_000)).at, began, "nothing went out");
        assert_eq!(doubts.first(id, look(latest, 8_800)).at, latest, "12.00 went out");
        assert_eq!(
            doubts.first(id, look(latest.plus(Duration::MINUTE), 9_000)).at,
            latest,
            "what comes in proves nothing"
        );
    }

    #[test]
    fn an_order_is_searched_for_from_before_its_purchase_since_the_marketplace_has_a_clock_of_its_own() {
        let samples = Samples::seeded(6);
        let purchase = samples.purchase(samples.id(), samples.id(), PurchaseStatus::Uncertain);
        let address = TradeAddress { user: PlatformUserId::new(std::num::NonZeroU64::MIN), token: text("token") };
        let sought = sought(&purchase, address);
        assert_eq!(purchase.created_at.since(sought.sent_since), Duration::minutes(30));
    }
}
