//! What contracts would buy at a marketplace that this server only reads: each new listing is evaluated once, and a decision to buy becomes
//! the dry run of a purchase, whose listing is looked at again. No operations of the interface.

use std::collections::{BTreeMap, BTreeSet};

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::evaluation::{Decision, Evaluated, EvaluationRecord, ListingContext};
use tradepost_domain::contracts::intent::{DecisionBasis, IntentKind, ListingTarget, Target};
use tradepost_domain::contracts::inventory_item::Traits;
use tradepost_domain::contracts::matching::ContractIndex;
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_domain::markets::exchange::Conversion;
use tradepost_domain::markets::observation::{ListingSnapshot, Outcome};
use tradepost_domain::markets::pricing::{Quote, Quotes};
use tradepost_domain::money::Cents;
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;
use tradepost_ports::marketplace::{ListingStatus, MarketListing};
use tradepost_ports::store::RecordBatch;

use super::evaluate_contract::{EvaluationSubject, Spot};
use super::quotes::Fees;
use super::read::KeepEvaluations;
use crate::contracts::intents::proposals::activity_where_nothing_is_bought;
use crate::contracts::intents::propose_intent::ProposeIntent;
use crate::markets::PriceBasis;
use crate::markets::providers::reported_fees::reported_fees;
use crate::rules::WRITE_TRADING;
use crate::{Code, OpResult, Operations};

/// The most contracts that are read in one statement.
const PAGE: u32 = 200;

/// Listings that were read for a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchListings {
    /// The workspace, whose currency is that of the prices.
    pub workspace_id: WorkspaceId,
    /// The marketplace, as contracts name it.
    pub marketplace: Marketplace,
    /// The listings, in any order. Those that are not on sale are left out.
    pub listings: Vec<MarketListing>,
}

/// What came of listings that were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WatchedListings {
    /// The number of listings that were new, or had a new price.
    pub new: usize,
    /// The number of them that a contract would have bought.
    pub would_buy: usize,
}

/// The active buying contracts of a workspace.
#[derive(Default)]
struct Buyers {
    index: ContractIndex,
    subjects: BTreeMap<ContractId, EvaluationSubject>,
}

/// The contracts, fees and prices by which listings are judged.
struct Watch<'a> {
    operations: &'a Operations,
    caller: &'a Caller,
    scope: WorkspaceScope,
    marketplace: &'a Marketplace,
    buyers: Buyers,
    fees: Fees,
    at: Timestamp,
}

impl Operations {
    /// Records listings of a marketplace that is only read, and evaluates those that are new, or have a new price, by the active contracts.
    /// The first contract that would buy a listing gets the dry run of a purchase, whatever its approval mode. What contracts would have
    /// bought counts against their limits there, and nothing is bought.
    ///
    /// # Errors
    /// `permission_denied`; `internal` when storage is out, or the last error of a listing that could not be judged. Listings that were
    /// recorded by then are not judged again.
    pub async fn watch_listings(&self, caller: &Caller, command: WatchListings) -> OpResult<WatchedListings> {
        let WatchListings { workspace_id, marketplace, listings } = command;
        let scope = caller.principal.enter(workspace_id, WRITE_TRADING)?;
        let at = self.market_now(workspace_id);
        let new = self.record_watched(caller, workspace_id, on_sale(&marketplace, listings, at)).await?;
        let mut found = WatchedListings { new: new.len(), would_buy: 0 };
        if new.is_empty() {
            return Ok(found);
        }
        let buyers = self.active_buyers(scope).await?;
        let fees = Fees::of(reported_fees(self, scope).await?, []);
        let watch = Watch { operations: self, caller, scope, marketplace: &marketplace, buyers, fees, at };
        let (mut skipped, mut failed) = (Vec::new(), None);
        for snapshot in &new {
            // A listing that cannot be judged keeps no other from it.
            match watch.judge(snapshot, &mut skipped).await {
                Ok(would_buy) => found.would_buy += usize::from(would_buy),
                Err(error) => failed = Some(error),
            }
        }
        self.keep_evaluations(caller, KeepEvaluations { workspace_id, evaluations: skipped }).await?;
        failed.map_or(Ok(found), Err)
    }

    /// Records what is on sale, and returns the listings that say something new.
    async fn record_watched(
        &self,
        caller: &Caller,
        workspace_id: WorkspaceId,
        seen: Vec<ListingSnapshot>,
    ) -> OpResult<Vec<ListingSnapshot>> {
        let outcomes = self.record_listings(caller, workspace_id, seen.clone()).await?;
        let is_new = seen.into_iter().zip(outcomes).filter(|(_, recorded)| recorded.outcome == Outcome::Accepted);
        Ok(is_new.map(|(snapshot, _)| snapshot).collect())
    }

    async fn active_buyers(&self, scope: WorkspaceScope) -> OpResult<Buyers> {
        let (store, mut buyers, mut after) = (&self.ports.store, Buyers::default(), None);
        loop {
            let active = store.contracts().list_at_work(scope, RecordBatch { after, most: PAGE }).await?;
            let ids: Vec<ContractId> = active.iter().map(|active| active.contract_id).collect();
            let contracts = store.contracts().find_many(scope, &ids).await?;
            let filter_sets: BTreeSet<_> =
                contracts.iter().filter_map(|contract| contract.peek().filter_set_id).collect();
            let filter_sets =
                store.filter_sets().find_many(scope, &filter_sets.into_iter().collect::<Vec<_>>()).await?;
            let filters: BTreeMap<_, _> = filter_sets.iter().map(|set| (set.peek().id, set.peek().current())).collect();
            for contract in contracts {
                let (contract, _) = contract.into_display();
                let filter = contract.filter_set_id.and_then(|id| filters.get(&id).cloned());
                buyers.index.follow(&contract, filter.as_ref().map(|filter| filter.rules.clone()));
                buyers.subjects.insert(contract.id, EvaluationSubject { contract, filter });
            }
            after = ids.last().copied();
            if ids.len() < PAGE as usize {
                return Ok(buyers);
            }
        }
    }
}

impl Watch<'_> {
    /// Lets contracts decide on a listing until one would buy it; whether one would.
    async fn judge(&self, snapshot: &ListingSnapshot, skipped: &mut Vec<EvaluationRecord>) -> OpResult<bool> {
        let wanting = self.buyers.index.matching(&snapshot.listing);
        if wanting.is_empty() {
            return Ok(false);
        }
        let basis = self.operations.quotes_of(self.scope, &snapshot.listing.variant).await?;
        let basis = without_asks_of(self.marketplace, basis);
        for subject in wanting.iter().filter_map(|id| self.buyers.subjects.get(id)) {
            let record = self.evaluate(subject, snapshot, &basis).await?;
            let cost = record.sums.all_in_cost.filter(|_| record.decision == Decision::Buy);
            let target = cost.and_then(|cost| target(snapshot, cost));
            let Some(target) = target else {
                skipped.push(record);
                continue;
            };
            if self.propose(subject.contract.id, target, record).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    async fn evaluate(
        &self,
        subject: &EvaluationSubject,
        snapshot: &ListingSnapshot,
        basis: &PriceBasis,
    ) -> OpResult<EvaluationRecord> {
        let (contract, listing) = (&subject.contract, &snapshot.listing);
        let name = &listing.variant.market_hash_name;
        let activity = activity_where_nothing_is_bought(self.operations, self.scope, contract, name).await?;
        let fees = self.fees.of_buyers(self.marketplace);
        let spot = Spot { marketplace: self.marketplace, fees, basis, at: self.at };
        let evaluation = subject.of_listing(&ListingContext { listing, exits: &self.fees.exits, activity }, &spot)?;
        let about = Evaluated::Listing {
            listing_id: Some(snapshot.listing_id.clone()),
            variant: listing.variant.clone(),
            price: listing.price,
        };
        Ok(EvaluationRecord::of(self.operations.mint(), contract, &subject.known(&spot), about, &evaluation))
    }

    /// Records what a contract would buy, after its evaluation; whether its limits let it, and no other contract would buy it already.
    async fn propose(
        &self,
        contract_id: ContractId,
        target: ListingTarget,
        evaluation: EvaluationRecord,
    ) -> OpResult<bool> {
        let (workspace_id, basis) = (self.scope.workspace_id(), DecisionBasis::from(&evaluation));
        let keep = KeepEvaluations { workspace_id, evaluations: vec![evaluation] };
        self.operations.keep_evaluations(self.caller, keep).await?;
        let wanted = ProposeIntent {
            workspace_id,
            contract_id: Some(contract_id),
            kind: IntentKind::Buy,
            target: Target::Listing(target),
            basis,
            is_read_only: true,
        };
        match self.operations.propose_intent(self.caller, wanted).await {
            Ok(_) => Ok(true),
            Err(refused) if matches!(refused.code, Code::FailedPrecondition | Code::AlreadyExists) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// The listings that are on sale, as they are recorded. The prices are in the currency of the workspace.
fn on_sale(marketplace: &Marketplace, listings: Vec<MarketListing>, at: Timestamp) -> Vec<ListingSnapshot> {
    let snapshot = |listing: MarketListing| {
        let price = Conversion::SameCurrency.cost(listing.offered.price).ok()?;
        Some(ListingSnapshot {
            marketplace: marketplace.clone(),
            listing_id: listing.id,
            asset_id: Some(listing.asset_id),
            listing: listing.offered.priced(price),
            observed_at: at,
        })
    };
    listings.into_iter().filter(|listing| listing.status == ListingStatus::OnSale).filter_map(snapshot).collect()
}

/// The quotes without what is asked at the marketplace itself: the lowest ask there may be the listing's own.
fn without_asks_of(marketplace: &Marketplace, basis: PriceBasis) -> PriceBasis {
    let others = |quote: &Quote| {
        let lowest_ask = quote.lowest_ask.filter(|_| quote.source != *marketplace);
        Quote { lowest_ask, ..quote.clone() }
    };
    let quotes: Quotes = basis.quotes.iter().map(others).collect();
    PriceBasis { quotes, ..basis }
}

/// What would be bought, at a cost of price and fee; `None` of a listing whose seller's item is not shown.
fn target(snapshot: &ListingSnapshot, cost: Cents) -> Option<ListingTarget> {
    let (listing, variant) = (&snapshot.listing, &snapshot.listing.variant);
    Some(ListingTarget {
        marketplace: snapshot.marketplace.clone(),
        listing_id: snapshot.listing_id.clone(),
        listing_asset_id: snapshot.asset_id.clone()?,
        app_id: variant.app_id,
        market_hash_name: variant.market_hash_name.clone(),
        phase: variant.phase.clone(),
        traits: Box::new(Traits::from(listing)),
        price: listing.price,
        platform_fee: cost.minus(listing.price).ok()?,
        max_buy_price: cost,
    })
}
