//! From what is in the inventory to what is on sale: which contract wants an item sold, where and at which price.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use time::Duration;
use tradepost_domain::contracts::contract::{ApprovalMode, Contract, Terms};
use tradepost_domain::contracts::evaluation::{
    Circumstances, Evaluated, EvaluationRecord, Holding, Rule, evaluate_item,
};
use tradepost_domain::contracts::intent::{Intent, IntentKind, ItemTarget, Target};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus, SalePlace};
use tradepost_domain::id::{ContractId, InventoryItemId, PurchaseId};
use tradepost_domain::markets::fees::Charges;
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::Cents;
use tradepost_domain::text::Marketplace;
use tradepost_operations::contracts::{KeepEvaluations, ProposeIntent};
use tradepost_operations::{Code, Versioned};

use crate::context::Context;
use crate::desk::Venue;
use crate::error::{EngineResult, is_listing_limit};
use crate::mark::Mark;
use crate::market::Market;
use crate::market::buying::decision_basis;
use crate::market::contract_cache::CachedContract;
use crate::market::observation::MarketState;
use crate::open_records::PAGE;
use crate::orders::Orders;
use crate::pass::Pass;
use crate::sales::Sales;
use crate::sales::judgements::{Considered, ContractGrounds, Grounds, has_moved};

/// When something was last decided about the sale of each item.
pub(crate) type DecisionTimes = BTreeMap<InventoryItemId, Mark>;

/// Where an item is to be on sale, and for whom.
struct SaleCandidate {
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
    /// By what places are put in order: where most is left comes first, and of the same the marketplace's name decides.
    fn rank(&self) -> (Reverse<Option<Cents>>, &Marketplace, ContractId) {
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

/// The variant of an item.
pub(crate) fn variant_of(item: &InventoryItem) -> Variant {
    Variant { app_id: item.app_id, market_hash_name: item.market_hash_name.clone(), phase: item.traits.phase.clone() }
}

impl Sales {
    pub(crate) async fn sell_items(
        &mut self,
        context: &mut Context,
        market: &mut Market,
        orders: &mut Orders,
        pass: &mut Pass,
    ) -> EngineResult {
        if !context.holds_inventory() || market.contracts().selling().next().is_none() {
            return Ok(());
        }
        let (now, mark) = (context.now(), context.mark());
        self.decision_times.retain(|_, at| mark.since(*at) < context.timings.sale_decision_interval);
        let is_free = |item: &Versioned<InventoryItem>| item.value.lock.is_none_or(|lock| lock.until <= now);
        let mut items = context.next_items(ItemStatus::InInventory).await?;
        items.retain(|item| is_free(item) && context.state.accounts.may_sell(&item.value.account_name, now));
        items.extend(context.next_items(ItemStatus::Listed).await?);
        items.retain(|item| {
            !self.decision_times.contains_key(&item.value.id) && !self.is_held_for_buyer(context, item.value.id)
        });
        let variants: BTreeSet<Variant> = items.iter().map(|item| variant_of(&item.value)).collect();
        market.load_valuations(context, variants).await?;
        self.judgements.go_by(selling_grounds(context, market), &market.state().valuations, mark, &context.timings);
        items.retain(|item| !self.judgements.holds(item, &variant_of(&item.value)));
        pass.judged += items.len();
        let costs = purchase_costs(context, &items).await?;
        for item in items {
            let cost = costs.get(&item.value.purchase_id).copied();
            let (places, considered) = sale_candidates(context, market, &item.value, cost);
            let is_on_sale = item.value.status == ItemStatus::Listed;
            if places.iter().all(|place| is_on_sale && is_listed_at(market.state(), &item.value, place)) {
                self.judgements.leave(&item, considered, mark);
            }
            for place in places {
                let (is_taken, marketplace) = (place.mode != ApprovalMode::DryRun, place.marketplace.clone());
                let executed = match self.list_or_reprice(context, market.state(), &item, place).await {
                    Ok(Some(intent)) => orders.execute_intent(context, market, &intent, pass).await.map(drop),
                    proposed => proposed.map(drop),
                };
                pass.record_at([&marketplace], executed);
                if is_taken {
                    break;
                }
            }
        }
        Ok(())
    }
}

fn selling_grounds(context: &Context, market: &Market) -> Grounds {
    let grounds = |standing: &CachedContract| {
        let (contract, filter) = (&standing.contract.value, standing.filter.as_ref());
        (contract.id, ContractGrounds::new(contract, filter.map(|filter| filter.version.into())))
    };
    let names = context.desk.venues.iter().map(|venue| venue.name.clone());
    Grounds {
        contracts: market.contracts().selling().map(grounds).collect(),
        fees: market.state().fees.clone(),
        enabled: names.filter(|name| !context.state.providers.is_disabled(ProviderKind::Marketplace, name)).collect(),
    }
}

/// What the items cost, by the purchases that brought them.
async fn purchase_costs(
    context: &Context,
    items: &[Versioned<InventoryItem>],
) -> EngineResult<BTreeMap<PurchaseId, Cents>> {
    let mut costs = BTreeMap::new();
    let ids: Vec<_> = items.iter().map(|item| item.value.purchase_id).collect();
    for ids in ids.chunks(usize::try_from(PAGE).unwrap_or(1)) {
        let purchases = context.purchases_by_id(ids.to_vec()).await?;
        costs.extend(purchases.into_iter().map(|purchase| (purchase.value.terms.id, purchase.value.cost())));
    }
    Ok(costs)
}

/// The places where contracts would put an item on sale, or have it on sale, and at which price; where most is left comes first. And the
/// places that were considered for it.
fn sale_candidates(
    context: &Context,
    market: &Market,
    item: &InventoryItem,
    cost: Option<Cents>,
) -> (Vec<SaleCandidate>, Considered) {
    let contracts = market.contracts().selling();
    let everywhere = contracts.flat_map(|standing| context.desk.venues.iter().map(move |venue| (standing, venue)));
    let (mut places, mut considered) = (Vec::new(), Considered::new());
    for (standing, venue) in everywhere {
        let (held, place) = (HeldItem { item, cost }, SalesPlace { standing, venue });
        let candidate = match evaluate_place(context, market.state(), held, place) {
            PlaceVerdict::NeverWanted => continue,
            PlaceVerdict::NotNow => None,
            PlaceVerdict::Candidate(candidate) => Some(*candidate),
        };
        considered.insert((standing.contract.value.id, venue.name.clone()));
        places.extend(candidate);
    }
    places.sort_by(|one: &SaleCandidate, other| one.rank().cmp(&other.rank()));
    (places, considered)
}

/// An item, and the cost of its purchase.
#[derive(Clone, Copy)]
struct HeldItem<'a> {
    item: &'a InventoryItem,
    cost: Option<Cents>,
}

/// A marketplace where a contract may sell.
#[derive(Clone, Copy)]
struct SalesPlace<'a> {
    standing: &'a CachedContract,
    venue: &'a Venue,
}

/// What a contract decides about selling an item at a marketplace.
enum PlaceVerdict {
    /// The contract does not sell the item there, whatever counters and prices change.
    NeverWanted,
    /// A rule fails that may be met later.
    NotNow,
    Candidate(Box<SaleCandidate>),
}

/// Evaluates whether a contract would put an item on sale at a marketplace.
fn evaluate_place(
    context: &Context,
    market_state: &MarketState,
    held: HeldItem<'_>,
    place: SalesPlace<'_>,
) -> PlaceVerdict {
    let (HeldItem { item, cost }, SalesPlace { standing, venue }) = (held, place);
    let (contract, variant) = (&standing.contract.value, variant_of(item));
    let is_on_sale = item.status == ItemStatus::Listed;
    // What is on sale stays where it is, and for whom.
    let is_there = |place: &SalePlace| place.marketplace == venue.name && place.contract_id == Some(contract.id);
    if is_on_sale && !item.sale_place.as_ref().is_some_and(is_there) {
        return PlaceVerdict::NeverWanted;
    }
    if !is_on_sale && context.state.providers.is_disabled(ProviderKind::Marketplace, &venue.name) {
        return PlaceVerdict::NeverWanted;
    }
    let (Some(fees), Some(basis)) = (market_state.fees.get(&venue.name), market_state.valuations.get(&variant)) else {
        return PlaceVerdict::NeverWanted;
    };
    // What others ask there is on record, whichever node has seen it.
    let asked = basis.quotes.iter().find(|quote| quote.source == venue.name);
    let competing_price = asked.and_then(|quote| quote.lowest_ask);
    let holding = Holding { item, cost, competing_price };
    let known = Circumstances {
        marketplace: &venue.name,
        fees: Some(fees),
        filter: standing.filter.as_ref(),
        quotes: &basis.quotes,
        price_override: basis.given.as_ref(),
        at: context.now(),
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
    let id = context.operations.evaluation_id();
    PlaceVerdict::Candidate(Box::new(SaleCandidate {
        contract_id: contract.id,
        mode: contract.approval_mode,
        marketplace: venue.name.clone(),
        price,
        net: evaluation.expected_net,
        interval: decision_interval(contract, context.timings.sale_decision_interval),
        evaluation: EvaluationRecord::of(id, contract, &known, Evaluated::Item(item.id), &evaluation),
    }))
}

/// Whether a price is asked for an item by now: abroad also whether it still comes to about what it came to when it was asked.
fn is_listed_at(market_state: &MarketState, item: &InventoryItem, place: &SaleCandidate) -> bool {
    let present = market_state.fees.get(&place.marketplace).and_then(Charges::rate);
    let moved = item.sale_rate.zip(present).is_some_and(|(asked, present)| has_moved(asked, present));
    item.list_price == Some(place.price) && !moved
}

impl Sales {
    /// Records the intent to list an item or to change its price. Returns it where no approval is needed.
    async fn list_or_reprice(
        &mut self,
        context: &Context,
        market_state: &MarketState,
        item: &Versioned<InventoryItem>,
        place: SaleCandidate,
    ) -> EngineResult<Option<Versioned<Intent>>> {
        let is_on_sale = item.value.status == ItemStatus::Listed;
        // A change later than now means that the clock was set back, and how long ago it was is unknown.
        let changed_ago = context.now().since(item.value.updated_at);
        let is_recent = !changed_ago.is_negative() && changed_ago < place.interval;
        if is_on_sale && (is_recent || is_listed_at(market_state, &item.value, &place)) {
            return Ok(None);
        }
        let kind = if is_on_sale { IntentKind::Reprice } else { IntentKind::List };
        self.decision_times.insert(item.value.id, context.mark());
        let (workspace_id, basis) = (context.desk.workspace_id, decision_basis(&place.evaluation));
        let keep = KeepEvaluations { workspace_id, evaluations: vec![place.evaluation] };
        context.operations.keep_evaluations(&context.caller, keep).await?;
        let target = ItemTarget {
            inventory_item_id: item.value.id,
            marketplace: Some(place.marketplace),
            price: Some(place.price),
        };
        let proposal = ProposeIntent {
            workspace_id,
            contract_id: Some(place.contract_id),
            kind,
            target: Target::Item(target),
            basis,
        };
        match context.operations.propose_intent(&context.caller, proposal).await {
            // A person has something done about its sale, or was asked already.
            Err(refusal) if refusal.code == Code::AlreadyExists => Ok(None),
            // It has proposed as many as may be on sale.
            Err(refusal) if is_listing_limit(&refusal) => Ok(None),
            Err(refusal) => Err(refusal.into()),
            Ok(intent) => Ok(Some(intent).filter(|_| place.mode == ApprovalMode::Automatic)),
        }
    }
}
