//! From what is in the inventory to what is on sale: which contract wants an item sold, where and at which price.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use time::Duration;
use tradepost_domain::contract::{ApprovalMode, BasisPoints, Contract, Terms};
use tradepost_domain::evaluation::{Circumstances, Evaluated, EvaluationRecord, Holding, Rule, evaluate_item};
use tradepost_domain::exchange::ExchangeRate;
use tradepost_domain::fees::Charges;
use tradepost_domain::id::{ContractId, InventoryItemId, PurchaseId};
use tradepost_domain::intent::{IntentKind, ItemTarget, Target};
use tradepost_domain::inventory_item::{InventoryItem, ItemStatus, SalePlace};
use tradepost_domain::money::Cents;
use tradepost_domain::provider::ProviderKind;
use tradepost_domain::text::Marketplace;
use tradepost_domain::variant::Variant;
use tradepost_operations::contracts::{KeepEvaluations, ProposeIntent};
use tradepost_operations::{Code, Versioned};

use crate::Engine;
use crate::desk::Venue;
use crate::error::EngineResult;
use crate::mark::Mark;
use crate::market::buying::decision_basis;
use crate::market::contract_cache::CachedContract;
use crate::open_records::PAGE;
use crate::pass::Pass;
use crate::sales::judgements::Grounds;

/// The least time between two decisions on the sale of an item, also of a contract that names none.
const DECISION_INTERVAL: Duration = Duration::minutes(10);

/// How far a rate may move before a price is asked anew, in basis points.
const RATE_TOLERANCE_BPS: u16 = 100;

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

fn decision_interval(contract: &Contract) -> Duration {
    let named = match &contract.terms {
        Terms::Selling(terms) => terms.reprice_interval_seconds,
        Terms::Buying(_) => None,
    };
    named.map_or(DECISION_INTERVAL, |seconds| DECISION_INTERVAL.max(Duration::seconds(i64::from(seconds))))
}

/// Whether a rate has moved so far that what is asked by the one before is to be asked anew.
fn has_moved(before: ExchangeRate, now: ExchangeRate) -> bool {
    let moved = now.micros().abs_diff(before.micros());
    u128::from(moved) * u128::from(BasisPoints::MAX.get())
        > u128::from(before.micros().unsigned_abs()) * u128::from(RATE_TOLERANCE_BPS)
}

fn variant_of(item: &InventoryItem) -> Variant {
    Variant { app_id: item.app_id, market_hash_name: item.market_hash_name.clone(), phase: item.traits.phase.clone() }
}

impl Engine {
    pub(crate) async fn sell_items(&mut self, pass: &mut Pass) -> EngineResult {
        if !self.holds_inventory() || self.market.contracts.selling().next().is_none() {
            return Ok(());
        }
        let (now, mark) = (self.context.now(), self.mark());
        self.sales.decision_times.retain(|_, at| mark.since(*at) < DECISION_INTERVAL);
        let is_free = |item: &Versioned<InventoryItem>| item.value.lock.is_none_or(|lock| lock.until <= now);
        let mut items = self.next_items(ItemStatus::InInventory).await?;
        items.retain(|item| is_free(item) && self.desk.accounts.may_sell(&item.value.account_name, now));
        items.extend(self.next_items(ItemStatus::Listed).await?);
        items.retain(|item| {
            !self.sales.decision_times.contains_key(&item.value.id) && !self.is_held_for_buyer(item.value.id)
        });
        let variants: BTreeSet<Variant> = items.iter().map(|item| variant_of(&item.value)).collect();
        self.load_valuations(variants).await?;
        self.sales.judgements.go_by(self.selling_grounds(), &self.market.state.valuations, mark);
        items.retain(|item| !self.sales.judgements.stands(item, &variant_of(&item.value)));
        pass.judged += items.len();
        let costs = self.purchase_costs(&items).await?;
        for item in items {
            let places = self.sale_candidates(&item.value, costs.get(&item.value.purchase_id).copied());
            let is_on_sale = item.value.status == ItemStatus::Listed;
            if places.iter().all(|place| is_on_sale && self.is_listed_at(&item.value, place)) {
                self.sales.judgements.leave(&item, &variant_of(&item.value), mark);
            }
            for place in places {
                let (is_taken, marketplace) = (place.mode != ApprovalMode::DryRun, place.marketplace.clone());
                let offered = Box::pin(self.list_or_reprice(&item, place, pass)).await;
                pass.record_at([&marketplace], offered);
                if is_taken {
                    break;
                }
            }
        }
        Ok(())
    }

    fn selling_grounds(&self) -> Grounds {
        let versions = |standing: &CachedContract| {
            let filter = standing.filter.as_ref().map(|filter| filter.version);
            (standing.contract.value.id, standing.contract.version, filter.map(Into::into))
        };
        let names = self.context.desk.venues.iter().map(|venue| venue.name.clone());
        Grounds {
            contracts: self.market.contracts.selling().map(versions).collect(),
            fees: self.market.state.fees.clone(),
            enabled: names.filter(|name| !self.desk.providers.is_disabled(ProviderKind::Marketplace, name)).collect(),
        }
    }

    /// What the items cost, by the purchases that brought them.
    async fn purchase_costs(&self, items: &[Versioned<InventoryItem>]) -> EngineResult<BTreeMap<PurchaseId, Cents>> {
        let mut costs = BTreeMap::new();
        let ids: Vec<_> = items.iter().map(|item| item.value.purchase_id).collect();
        for ids in ids.chunks(usize::try_from(PAGE).unwrap_or(1)) {
            let purchases = self.purchases_by_id(ids.to_vec()).await?;
            costs.extend(purchases.into_iter().map(|purchase| (purchase.value.terms.id, purchase.value.cost())));
        }
        Ok(costs)
    }

    /// The places where contracts would put an item on sale, or have it on sale, and at which price; where most is left comes first.
    fn sale_candidates(&self, item: &InventoryItem, cost: Option<Cents>) -> Vec<SaleCandidate> {
        let contracts = self.market.contracts.selling();
        let everywhere =
            contracts.flat_map(|standing| self.context.desk.venues.iter().map(move |venue| (standing, venue)));
        let mut places: Vec<SaleCandidate> =
            everywhere.filter_map(|(standing, venue)| self.sale_candidate(item, cost, (standing, venue))).collect();
        places.sort_by(|one, other| one.rank().cmp(&other.rank()));
        places
    }

    fn sale_candidate(
        &self,
        item: &InventoryItem,
        cost: Option<Cents>,
        (standing, venue): (&CachedContract, &Venue),
    ) -> Option<SaleCandidate> {
        let (contract, variant) = (&standing.contract.value, variant_of(item));
        let is_on_sale = item.status == ItemStatus::Listed;
        // What is on sale stays where it is, and for whom.
        let is_there = |place: &SalePlace| place.marketplace == venue.name && place.contract_id == Some(contract.id);
        if is_on_sale && !item.sale_place.as_ref().is_some_and(is_there) {
            return None;
        }
        if !is_on_sale && self.desk.providers.is_disabled(ProviderKind::Marketplace, &venue.name) {
            return None;
        }
        let (fees, basis) = (self.market.state.fees.get(&venue.name)?, self.market.state.valuations.get(&variant)?);
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
            at: self.context.now(),
        };
        let evaluation = evaluate_item(contract, &holding, &known)?;
        // What is on sale already is not free, and counts among the listings itself.
        let is_excused = |rule: &Rule| is_on_sale && matches!(rule, Rule::ItemFree | Rule::Listings);
        if !evaluation.failed().all(|rule| is_excused(&rule)) {
            return None;
        }
        let id = self.context.operations.evaluation_id();
        Some(SaleCandidate {
            contract_id: contract.id,
            mode: contract.approval_mode,
            marketplace: venue.name.clone(),
            price: evaluation.asking_price?,
            net: evaluation.expected_net,
            interval: decision_interval(contract),
            evaluation: EvaluationRecord::of(id, contract, &known, Evaluated::Item(item.id), &evaluation),
        })
    }

    /// Whether a price is asked for an item by now: abroad also whether it still comes to about what it came to when it was asked.
    fn is_listed_at(&self, item: &InventoryItem, place: &SaleCandidate) -> bool {
        let present = self.market.state.fees.get(&place.marketplace).and_then(Charges::rate);
        let moved = item.sale_rate.zip(present).is_some_and(|(asked, present)| has_moved(asked, present));
        item.list_price == Some(place.price) && !moved
    }

    /// Writes down that an item is to be put on sale, or to cost something else; and does it, where nobody has to agree.
    async fn list_or_reprice(
        &mut self,
        item: &Versioned<InventoryItem>,
        place: SaleCandidate,
        pass: &mut Pass,
    ) -> EngineResult {
        let is_on_sale = item.value.status == ItemStatus::Listed;
        // Of what has changed later than now the clock has gone back, and nobody knows how long ago it was.
        let changed_ago = self.context.now().since(item.value.updated_at);
        let is_recent = !changed_ago.is_negative() && changed_ago < place.interval;
        if is_on_sale && (is_recent || self.is_listed_at(&item.value, &place)) {
            return Ok(());
        }
        let kind = if is_on_sale { IntentKind::Reprice } else { IntentKind::List };
        self.sales.decision_times.insert(item.value.id, self.mark());
        let (workspace_id, grounds) = (self.context.desk.workspace_id, decision_basis(&place.evaluation));
        let keep = KeepEvaluations { workspace_id, evaluations: vec![place.evaluation] };
        self.context.operations.keep_evaluations(&self.context.caller, keep).await?;
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
            grounds,
        };
        match self.context.operations.propose_intent(&self.context.caller, proposal).await {
            // A person has something done about its sale, or was asked already.
            Err(refusal) if refusal.code == Code::AlreadyExists => Ok(()),
            // It has proposed as many as may be on sale.
            Err(refusal) if refusal.reason == "TOO_MANY_LISTED" => Ok(()),
            Err(refusal) => Err(refusal.into()),
            Ok(intent) if place.mode == ApprovalMode::Automatic => self.execute_intent(&intent, pass).await.map(drop),
            Ok(_) => Ok(()),
        }
    }
}
