//! Purchases whose outcome is unknown: looked up until the order is found, or its absence proven.

use std::collections::{BTreeMap, BTreeSet};

use time::Duration;
use tradepost_domain::contracts::purchase::{
    Absence, BalancesRead, CancelCause, LOOKUP_SPACING, ListingOutcome, OrderOrigin, PENDING_LIFETIME, Purchase,
    PurchaseEvent, PurchaseStatus,
};
use tradepost_domain::id::PurchaseId;
use tradepost_domain::money::WorkspaceCurrency;
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::TradeAddress;
use tradepost_operations::Versioned;
use tradepost_ports::marketplace::{Buyer, Mills, MoneyUnit, Sought, SoughtOrder};

use crate::context::Context;
use crate::desk::Venue;
use crate::error::{EngineError, EngineResult};
use crate::mark::Mark;
use crate::market::state::MarketState;
use crate::orders::Orders;
use crate::orders::balances_before::BalancesBefore;
use crate::orders::shown_orders::{listing_outcome, record_order};
use crate::pass::Pass;

/// Uncertain purchases.
#[derive(Debug, Default)]
pub(crate) struct UncertainPurchases {
    /// The first look-up of each purchase.
    first: BTreeMap<PurchaseId, EmptyLookup>,
    /// What could be spent at the marketplace before each purchase was sent, as far as it was sent by this process.
    before: BalancesBefore,
    /// Marketplaces with an uncertain purchase; `None` until they were read.
    places: Option<BTreeSet<Marketplace>>,
}

/// A look-up that found no order, and the balance of the marketplace after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct EmptyLookup {
    at: Mark,
    balance: Mills,
}

/// A purchase that had no order of its own at a time.
struct LookupMiss {
    purchase: Versioned<Purchase>,
    at: Mark,
}

/// Two look-ups, long enough apart, that found no order while no money left the balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct AbsenceEvidence {
    first_lookup: Mark,
    last_lookup: Mark,
    /// Whether the balance is at least the one before the call.
    charge_excluded: bool,
    /// The balance before the call, and after the last look-up.
    balances: BalancesRead,
}

/// A purchase whose order is absent by all that was seen.
struct AbsentPurchase {
    purchase: Versioned<Purchase>,
    evidence: AbsenceEvidence,
}

impl AbsenceEvidence {
    /// Returns the evidence with times by the current clock.
    ///
    /// The time between the look-ups was measured by a monotonic clock, so it is right even if the clock was set between them.
    fn into_absence(self, now: Timestamp, mark: Mark, listing: ListingOutcome) -> Absence {
        let last_lookup_at = now.plus(-mark.since(self.last_lookup));
        let first_lookup_at = last_lookup_at.plus(-self.last_lookup.since(self.first_lookup));
        let (charge_excluded, balances) = (self.charge_excluded, Some(self.balances));
        Absence { first_lookup_at, last_lookup_at, listing, charge_excluded, balances }
    }
}

impl UncertainPurchases {
    /// Returns whether a purchase of this marketplace is or may be uncertain. Until it is resolved nothing new is submitted there:
    /// otherwise a charge for something else would be taken for a charge of the uncertain purchase.
    pub(crate) fn blocks_buying(&self, marketplace: &Marketplace) -> bool {
        self.places.as_ref().is_none_or(|places| places.contains(marketplace))
    }

    /// A purchase of this marketplace became uncertain after the uncertain ones were reconciled.
    pub(crate) fn mark_uncertain(&mut self, marketplace: Marketplace) {
        if let Some(places) = &mut self.places {
            places.insert(marketplace);
        }
    }

    /// A purchase is about to be sent, where so much can be spent.
    pub(crate) fn record_balance_before(&self, id: PurchaseId, balance: Mills) {
        self.before.record(id, balance);
    }

    /// Returns the balances before uncertain calls, to be read elsewhere.
    pub(crate) fn take_over(&mut self, former: &Self) {
        self.before = former.before.clone();
    }

    pub(crate) fn balances_before(&self) -> BalancesBefore {
        self.before.clone()
    }

    /// Removes a purchase whose outcome is known.
    pub(crate) fn clear(&self, id: PurchaseId) {
        self.before.clear(id);
    }

    /// Returns whether the balance is at least the one before the call. A charge is visible at once, before the order can be
    /// looked up. The balance before the call of another process is not known.
    fn excludes_charge(&self, id: PurchaseId, balance: Mills) -> bool {
        self.before.of(id).is_none_or(|before| balance >= before)
    }

    /// Weighs a look-up that found no order. Returns the evidence once two look-ups are far enough apart.
    fn weigh(&mut self, id: PurchaseId, lookup: EmptyLookup) -> Option<AbsenceEvidence> {
        let first = self.first.entry(id).or_insert(lookup);
        if lookup.balance < first.balance {
            // Money left the balance between the look-ups, for any reason. They prove nothing, and the proof starts again.
            *first = lookup;
        }
        let first_lookup = first.at;
        (lookup.at.since(first_lookup) >= LOOKUP_SPACING).then(|| AbsenceEvidence {
            first_lookup,
            last_lookup: lookup.at,
            charge_excluded: self.excludes_charge(id, lookup.balance),
            balances: self.before.with_last(id, lookup.balance),
        })
    }
}

fn purchase_marketplace(purchase: &Versioned<Purchase>) -> Marketplace {
    purchase.value.terms.marketplace.clone()
}

impl Orders {
    /// Marks interrupted purchases as uncertain, withdraws those that were never submitted after a minute, and looks up all uncertain ones.
    ///
    /// All are read, and not a batch: only then is it known where nothing may be bought.
    pub(crate) async fn reconcile_purchases(&mut self, context: &mut Context, pass: &mut Pass) -> EngineResult {
        self.uncertain.places = None;
        let mut places = mark_interrupted(context, pass).await?;
        withdraw_unsent(context, pass).await?;
        let in_doubt = context.all_purchases(PurchaseStatus::Uncertain).await?;
        let ids: BTreeSet<PurchaseId> = in_doubt.iter().map(|purchase| purchase.value.terms.id).collect();
        self.uncertain.first.retain(|id, _| ids.contains(id));
        if places.is_empty() {
            self.uncertain.before.retain(&ids);
        }
        let looked_up = in_doubt.into_iter().map(|purchase| look_up_order(context, purchase));
        let mut not_found = Vec::new();
        for (place, looked_up) in context.run_concurrently(looked_up).await {
            match looked_up {
                Ok(None) => {}
                Ok(Some(purchase)) => not_found.push(purchase),
                Err(error) => {
                    pass.record_at([&place], Err(error));
                    places.insert(place);
                }
            }
        }
        let absent = self.weigh_absence(context, not_found, &mut places, pass).await;
        self.not_placed.watch(absent.iter().map(|absent| absent.purchase.value.terms.id));
        let resolved = absent.into_iter().map(|absent| resolve_absence(context, absent));
        for (place, resolved) in context.run_concurrently(resolved).await {
            if resolved.is_err() {
                places.insert(place.clone());
            }
            pass.record_at([&place], resolved);
        }
        self.uncertain.places = Some(places);
        Ok(())
    }
}

/// Returns the marketplaces of interrupted purchases that could not be marked as uncertain.
async fn mark_interrupted(context: &Context, pass: &mut Pass) -> EngineResult<BTreeSet<Marketplace>> {
    let lose = async |purchase: Versioned<Purchase>| {
        let marked = context.apply_purchase_event(&purchase, PurchaseEvent::OutcomeLost).await;
        (purchase_marketplace(&purchase), marked.map(drop))
    };
    let cut_short = context.all_purchases(PurchaseStatus::Submitted).await?;
    let mut places = BTreeSet::new();
    for (place, resolved) in context.run_concurrently(cut_short.into_iter().map(lose)).await {
        if resolved.is_err() {
            places.insert(place.clone());
        }
        pass.record_at([&place], resolved);
    }
    Ok(places)
}

async fn withdraw_unsent(context: &mut Context, pass: &mut Pass) -> EngineResult {
    let now = context.now();
    for pending in context.next_purchases(PurchaseStatus::Pending).await? {
        if pending.value.created_at.plus(PENDING_LIFETIME) <= now {
            let resolved =
                context.apply_purchase_event(&pending, PurchaseEvent::Cancelled(CancelCause::Expired)).await.map(drop);
            pass.record_at([&pending.value.terms.marketplace], resolved);
        }
    }
    Ok(())
}

async fn look_up_order(
    context: &Context,
    purchase: Versioned<Purchase>,
) -> (Marketplace, EngineResult<Option<LookupMiss>>) {
    (purchase_marketplace(&purchase), record_order_if_found(context, purchase).await)
}

/// Looks the order of a purchase up and records it. Returns the purchase if there is none.
async fn record_order_if_found(context: &Context, purchase: Versioned<Purchase>) -> EngineResult<Option<LookupMiss>> {
    let terms = &purchase.value.terms;
    let counter = context.venue(&terms.marketplace)?.with_rate(terms.exchange_rate);
    match counter.find_our_order(sought_order(context, &purchase.value)?).await? {
        Sought::Found(order) => match record_order(context, &purchase, &order).await? {
            OrderOrigin::Own => Ok(None),
            OrderOrigin::Another => Ok(Some(LookupMiss { purchase, at: context.mark() })),
            OrderOrigin::Unclear => Err(EngineError::NotShown),
        },
        Sought::NotShown => Err(EngineError::NotShown),
        Sought::Absent => Ok(Some(LookupMiss { purchase, at: context.mark() })),
    }
}

impl Orders {
    /// Returns the purchases whose absence has enough evidence.
    ///
    /// The balance of a marketplace is read once for all of its purchases, after they were looked up.
    async fn weigh_absence(
        &mut self,
        context: &Context,
        not_found: Vec<LookupMiss>,
        places: &mut BTreeSet<Marketplace>,
        pass: &mut Pass,
    ) -> Vec<AbsentPurchase> {
        let (mut balances, mut absent) = (BTreeMap::new(), Vec::new());
        let in_question: BTreeSet<Marketplace> =
            not_found.iter().map(|one| purchase_marketplace(&one.purchase)).collect();
        for place in in_question {
            match balance_at(context, &place).await {
                Ok(balance) => drop(balances.insert(place, balance)),
                Err(error) => pass.record_at([&place], Err(error)),
            }
        }
        for LookupMiss { purchase, at } in not_found {
            let (place, id) = (purchase_marketplace(&purchase), purchase.value.terms.id);
            let lookup = balances.get(&place).map(|balance| EmptyLookup { at, balance: *balance });
            match lookup.and_then(|lookup| self.uncertain.weigh(id, lookup)) {
                Some(evidence) => absent.push(AbsentPurchase { purchase, evidence }),
                None => drop(places.insert(place)),
            }
        }
        absent
    }
}

/// What can be spent, in the currency of the marketplace, which no rate moves, and to the last part of a cent: a charge of less than
/// one is a charge.
async fn balance_at(context: &Context, place: &Marketplace) -> EngineResult<Mills> {
    Ok(context.venue(place)?.marketplace.exact_balance().await?)
}

impl Orders {
    /// Notes what can be spent before a purchase is sent: what is known of it, or where that is in cents and the marketplace counts finer,
    /// what it says.
    pub(crate) async fn note_balance(
        &mut self,
        context: &Context,
        market_state: &MarketState,
        venue: &Venue,
        id: PurchaseId,
    ) -> EngineResult {
        let balance = match venue.marketplace.traits().unit {
            MoneyUnit::Cents => market_state.balance(&venue.name).map(Mills::from),
            MoneyUnit::Mills => Some(balance_at(context, &venue.name).await?),
        };
        if let Some(balance) = balance {
            self.uncertain.record_balance_before(id, balance);
        }
        Ok(())
    }
}

async fn resolve_absence(context: &Context, absent: AbsentPurchase) -> (Marketplace, EngineResult) {
    (purchase_marketplace(&absent.purchase), record_by_buyer(context, absent).await)
}

/// Asks who bought the listing. Records our order, or that there is none.
async fn record_by_buyer(context: &Context, absent: AbsentPurchase) -> EngineResult {
    let AbsentPurchase { purchase, evidence } = absent;
    let terms = &purchase.value.terms;
    let counter = context.venue(&terms.marketplace)?.with_rate(terms.exchange_rate);
    let buyer = counter.who_bought(sought_order(context, &purchase.value)?).await?;
    let origin = match &buyer {
        Buyer::Us(order) => record_order(context, &purchase, order).await?,
        Buyer::AnotherCustomer | Buyer::NotSold | Buyer::Unknown => OrderOrigin::Unclear,
    };
    if origin == OrderOrigin::Own {
        return Ok(());
    }
    let listing = listing_outcome(&buyer, origin);
    if !listing.is_explained() {
        return Err(EngineError::NotShown);
    }
    let absence = evidence.into_absence(context.now(), context.mark(), listing);
    context.apply_purchase_event(&purchase, PurchaseEvent::OrderAbsent(absence)).await.map(drop)
}

pub(crate) fn sought_order(context: &Context, purchase: &Purchase) -> EngineResult<SoughtOrder<WorkspaceCurrency>> {
    let deliver_to = context.account(&purchase.terms.account_name)?.address;
    Ok(sought(purchase, deliver_to, context.timings().marketplace_backdating))
}

/// Returns everything by which a marketplace may know the order of a purchase.
pub(crate) fn sought(
    purchase: &Purchase,
    deliver_to: TradeAddress,
    backdating: Duration,
) -> SoughtOrder<WorkspaceCurrency> {
    let terms = &purchase.terms;
    SoughtOrder {
        key: terms.order_key(),
        listing_id: terms.listing_id.clone(),
        asset_id: terms.listing_asset_id.clone(),
        market_hash_name: terms.market_hash_name.clone(),
        max_price: terms.max_buy_price,
        deliver_to,
        // The clock of the marketplace may differ from ours.
        sent_since: purchase.created_at.plus(-backdating),
    }
}

impl Orders {
    /// Returns whether this node may buy at a marketplace: it holds the lease, nothing there is uncertain, and calls are possible and enabled.
    pub(crate) fn may_buy_at(&self, context: &Context, marketplace: &Marketplace) -> bool {
        context.holds_marketplace(marketplace)
            && !self.uncertain.blocks_buying(marketplace)
            && !context.is_backing_off(marketplace)
            && !context.is_marketplace_disabled(marketplace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_domain::trading::trade::PlatformUserId;
    use tradepost_testkit::samples::{Samples, minute, text};

    const PURCHASE: PurchaseId = PurchaseId::from_bytes([1; 16]);

    /// Look-ups of one purchase, in seconds and thousandths of a unit of the balance.
    #[derive(Default)]
    struct Lookups(UncertainPurchases);

    impl Lookups {
        fn at(seconds: i64) -> Mark {
            Mark::START.plus(Duration::seconds(seconds))
        }

        fn balance(balance: i64) -> Mills {
            Mills::new(balance).unwrap()
        }

        fn weigh(&mut self, seconds: i64, balance: i64) -> Option<AbsenceEvidence> {
            self.0.weigh(PURCHASE, EmptyLookup { at: Self::at(seconds), balance: Self::balance(balance) })
        }

        /// What look-ups show at these times, where the balance before the call is unknown.
        fn evidence(first: i64, last: i64, balance: u64) -> AbsenceEvidence {
            let (first_lookup, last_lookup) = (Self::at(first), Self::at(last));
            let balances = BalancesRead { before: None, last: balance };
            AbsenceEvidence { first_lookup, last_lookup, charge_excluded: true, balances }
        }
    }

    #[test]
    fn two_lookups_a_minute_apart_are_evidence_of_absence() {
        let mut lookups = Lookups::default();
        assert_eq!(lookups.weigh(0, 10_000), None, "one look-up proves nothing");
        assert_eq!(lookups.weigh(59, 10_000), None, "the second one is too early");
        assert_eq!(lookups.weigh(60, 10_000), Some(Lookups::evidence(0, 60, 10_000)));
    }

    #[test]
    fn money_that_leaves_between_two_lookups_restarts_the_proof_of_absence() {
        let mut lookups = Lookups::default();
        assert_eq!(lookups.weigh(0, 10_000), None);
        assert_eq!(lookups.weigh(60, 8_800), None, "12.00 left the balance");
        assert_eq!(lookups.weigh(119, 9_000), None, "income does not matter");
        assert_eq!(lookups.weigh(120, 9_000), Some(Lookups::evidence(60, 120, 9_000)));
    }

    #[test]
    fn a_balance_below_the_one_before_the_call_is_no_evidence_of_absence() {
        let mut lookups = Lookups::default();
        lookups.0.record_balance_before(PURCHASE, Lookups::balance(10_000));
        assert_eq!(lookups.weigh(0, 8_800), None);
        let charged = lookups.weigh(60, 8_800).map(|evidence| evidence.charge_excluded);
        assert_eq!(charged, Some(false));
        let returned = lookups.weigh(120, 10_000).map(|evidence| (evidence.charge_excluded, evidence.balances));
        assert_eq!(returned, Some((true, BalancesRead { before: Some(10_000), last: 10_000 })));
    }

    #[test]
    fn the_times_of_lookups_keep_their_distance_if_the_clock_is_set_between_them() {
        let evidence = Lookups::evidence(0, 75, 10_000);
        let absence = evidence.into_absence(minute(-500), Lookups::at(80), ListingOutcome::NotSold);
        assert_eq!(minute(-500).since(absence.last_lookup_at), Duration::seconds(5));
        assert_eq!(absence.last_lookup_at.since(absence.first_lookup_at), Duration::seconds(75));
        assert_eq!((absence.listing, absence.balances), (ListingOutcome::NotSold, Some(evidence.balances)));
    }

    #[test]
    fn buying_is_blocked_where_a_purchase_is_or_may_be_uncertain() {
        let mut uncertain = UncertainPurchases::default();
        assert!(uncertain.blocks_buying(&text("market")), "nothing was read yet");
        uncertain.places = Some(BTreeSet::new());
        assert!(!uncertain.blocks_buying(&text("market")));
        uncertain.mark_uncertain(text("market"));
        assert!(uncertain.blocks_buying(&text("market")));
        assert!(!uncertain.blocks_buying(&text("other")));
    }

    #[test]
    fn an_order_is_searched_for_from_before_its_purchase_since_the_marketplace_has_a_clock_of_its_own() {
        let samples = Samples::seeded(6);
        let purchase = samples.purchase(samples.id(), samples.id(), PurchaseStatus::Uncertain);
        let address = TradeAddress { user: PlatformUserId::new(std::num::NonZeroU64::MIN), token: text("token") };
        let sought = sought(&purchase, address, Duration::minutes(30));
        assert_eq!(purchase.created_at.since(sought.sent_since), Duration::minutes(30));
    }
}
