//! Decides where an item is to be on sale, for which contract and at which price, and when that is changed. Values in, values out; `selling`
//! carries it out.

use std::cmp::Reverse;

use time::Duration;
use tradepost_domain::contracts::contract::{ApprovalMode, Contract, Terms};
use tradepost_domain::contracts::evaluation::{
    Circumstances, Evaluated, EvaluationRecord, Holding, Rule, evaluate_item,
};
use tradepost_domain::contracts::intent::IntentKind;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus, SalePlace};
use tradepost_domain::id::{ContractId, EvaluationId};
use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::money::Cents;
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;

use crate::market::contract_cache::CachedContract;
use crate::market::state::MarketState;
use crate::sales::judgements::{has_moved, variant_of};

/// Where an item is to be on sale, and for whom.
#[derive(Debug)]
pub(crate) struct SaleCandidate {
    contract_id: ContractId,
    mode: ApprovalMode,
    marketplace: Marketplace,
    price: Cents,
    /// What is left of the price.
    net: Option<Cents>,
    interval: Duration,
    evaluation: EvaluationRecord,
}

impl SaleCandidate {
    /// Whether the item is put on sale, or its price changed, with or without the approval of an operator.
    pub(crate) fn is_acted_on(&self) -> bool {
        self.mode != ApprovalMode::DryRun
    }

    pub(crate) fn is_automatic(&self) -> bool {
        self.mode == ApprovalMode::Automatic
    }

    pub(crate) const fn marketplace(&self) -> &Marketplace {
        &self.marketplace
    }

    /// The contract, the price that it asks, and the evaluation behind it.
    pub(crate) fn into_parts(self) -> (ContractId, Cents, EvaluationRecord) {
        (self.contract_id, self.price, self.evaluation)
    }

    /// Whether a price is asked for an item by now: abroad also whether it still comes to about what it came to when it was asked.
    pub(crate) fn is_asked(&self, item: &InventoryItem, present: Option<ExchangeRate>) -> bool {
        let moved = item.sale_rate.zip(present).is_some_and(|(asked, present)| has_moved(asked, present));
        item.list_price == Some(self.price) && !moved
    }

    /// Returns the intent that is due: to list the item, or to change its price once its interval is over.
    pub(crate) fn due_intent(
        &self,
        item: &InventoryItem,
        present: Option<ExchangeRate>,
        now: Timestamp,
    ) -> Option<IntentKind> {
        if item.status != ItemStatus::Listed {
            return Some(IntentKind::List);
        }
        // A change later than now means that the clock was set back, and how long ago it was is unknown.
        let changed_ago = now.since(item.updated_at);
        let is_recent = !changed_ago.is_negative() && changed_ago < self.interval;
        (!is_recent && !self.is_asked(item, present)).then_some(IntentKind::Reprice)
    }

    /// By what places are put in order: where most is left comes first, and of the same the marketplace's name decides.
    pub(crate) fn rank(&self) -> (Reverse<Option<Cents>>, &Marketplace, ContractId) {
        (Reverse(self.net), &self.marketplace, self.contract_id)
    }
}

/// Returns the time between two decisions on an item: the contract's own, but not less than the shortest.
fn decision_interval(contract: &Contract, shortest: Duration) -> Duration {
    let named = match &contract.terms {
        Terms::Selling(terms) => terms.reprice_interval_seconds,
        Terms::Buying(_) => None,
    };
    named.map_or(shortest, |seconds| shortest.max(Duration::seconds(i64::from(seconds))))
}

/// An item, and the cost of its purchase.
#[derive(Clone, Copy)]
pub(crate) struct HeldItem<'a> {
    item: &'a InventoryItem,
    cost: Option<Cents>,
}

impl<'a> HeldItem<'a> {
    pub(crate) const fn new(item: &'a InventoryItem, cost: Option<Cents>) -> Self {
        Self { item, cost }
    }
}

/// A marketplace where a contract may sell.
#[derive(Clone, Copy)]
pub(crate) struct SalesPlace<'a> {
    standing: &'a CachedContract,
    marketplace: &'a Marketplace,
    /// Whether an operator has disabled it.
    is_disabled: bool,
}

impl<'a> SalesPlace<'a> {
    pub(crate) const fn new(standing: &'a CachedContract, marketplace: &'a Marketplace, is_disabled: bool) -> Self {
        Self { standing, marketplace, is_disabled }
    }
}

/// What a contract decides about selling an item at a marketplace.
#[derive(Debug)]
pub(crate) enum PlaceVerdict {
    /// The contract does not sell the item there, whatever counters and prices change.
    NeverWanted,
    /// A rule fails that may be met later.
    NotNow,
    Candidate(Box<SaleCandidate>),
}

/// Values by which the places of a sale are compared.
pub(crate) struct SaleBasis<'a> {
    market_state: &'a MarketState,
    at: Timestamp,
    /// Shortest time between two decisions on an item.
    interval: Duration,
}

impl<'a> SaleBasis<'a> {
    pub(crate) const fn new(market_state: &'a MarketState, at: Timestamp, interval: Duration) -> Self {
        Self { market_state, at, interval }
    }

    /// Evaluates whether a contract would put an item on sale at a marketplace.
    pub(crate) fn evaluate(
        &self,
        held: HeldItem<'_>,
        place: SalesPlace<'_>,
        new_id: impl FnOnce() -> EvaluationId,
    ) -> PlaceVerdict {
        let (HeldItem { item, cost }, SalesPlace { standing, marketplace, is_disabled }) = (held, place);
        let (contract, variant) = (standing.contract(), variant_of(item));
        let is_on_sale = item.status == ItemStatus::Listed;
        // What is on sale stays where it is, and for whom.
        let is_there = |place: &SalePlace| place.marketplace == *marketplace && place.contract_id == Some(contract.id);
        if is_on_sale && !item.sale_place.as_ref().is_some_and(is_there) {
            return PlaceVerdict::NeverWanted;
        }
        if !is_on_sale && is_disabled {
            return PlaceVerdict::NeverWanted;
        }
        let known = (self.market_state.fees(marketplace), self.market_state.valuations().get(&variant));
        let (Some(fees), Some(basis)) = known else { return PlaceVerdict::NeverWanted };
        // What others ask there is on record, whichever node has seen it.
        let asked = basis.quotes.iter().find(|quote| quote.source == *marketplace);
        let competing_price = asked.and_then(|quote| quote.lowest_ask);
        let holding = Holding { item, cost, competing_price };
        let known = Circumstances {
            marketplace,
            fees: Some(fees),
            filter: standing.filter(),
            quotes: &basis.quotes,
            price_override: basis.given.as_ref(),
            at: self.at,
        };
        let Some(evaluation) = evaluate_item(contract, &holding, &known) else { return PlaceVerdict::NeverWanted };
        if evaluation.failed().any(|rule| matches!(rule, Rule::Filter | Rule::Marketplace)) {
            return PlaceVerdict::NeverWanted;
        }
        // What is on sale already is not free, and counts among the listings itself.
        let is_excused = |rule: &Rule| is_on_sale && matches!(rule, Rule::ItemFree | Rule::Listings);
        if !evaluation.failed().all(|rule| is_excused(&rule)) {
            return PlaceVerdict::NotNow;
        }
        let Some(price) = evaluation.asking_price else { return PlaceVerdict::NotNow };
        PlaceVerdict::Candidate(Box::new(SaleCandidate {
            contract_id: contract.id,
            mode: contract.approval_mode,
            marketplace: marketplace.clone(),
            price,
            net: evaluation.expected_net,
            interval: decision_interval(contract, self.interval),
            evaluation: EvaluationRecord::of(new_id(), contract, &known, Evaluated::Item(item.id), &evaluation),
        }))
    }
}

#[cfg(test)]
mod tests;
