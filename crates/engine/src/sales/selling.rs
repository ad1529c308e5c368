//! Puts items of the inventory on sale and changes their prices, as `sale_evaluation` decides.

use std::collections::{BTreeMap, BTreeSet};

use tradepost_domain::contracts::evaluation::Decision;
use tradepost_domain::contracts::intent::{DecisionBasis, Intent, ItemTarget, Target};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::id::{InventoryItemId, PurchaseId};
use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::markets::fees::Charges;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::Cents;
use tradepost_domain::text::Marketplace;
use tradepost_operations::contracts::{KeepEvaluations, ProposeIntent};
use tradepost_operations::{Code, Versioned};

use crate::context::Context;
use crate::error::{EngineResult, is_listing_limit};
use crate::mark::Mark;
use crate::market::Market;
use crate::market::contract_cache::CachedContract;
use crate::market::state::MarketState;
use crate::orders::Orders;
use crate::pass::Pass;
use crate::sales::Sales;
use crate::sales::judgements::{Considered, ContractGrounds, Grounds, variant_of};
use crate::sales::sale_evaluation::{HeldItem, PlaceVerdict, SaleBasis, SaleCandidate, SalesPlace};
use crate::timings::PAGE;

/// When something was last decided about the sale of each item.
pub(crate) type DecisionTimes = BTreeMap<InventoryItemId, Mark>;

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
        self.decision_times.retain(|_, at| mark.since(*at) < context.timings().sale_decision_interval);
        let is_free = |item: &Versioned<InventoryItem>| item.value.lock.is_none_or(|lock| lock.until <= now);
        let mut items = context.next_items(ItemStatus::InInventory).await?;
        items.retain(|item| is_free(item) && context.may_sell(&item.value.account_name, now));
        items.extend(context.next_items(ItemStatus::Listed).await?);
        items.retain(|item| {
            !self.decision_times.contains_key(&item.value.id) && !self.is_held_for_buyer(context, item.value.id)
        });
        let variants: BTreeSet<Variant> = items.iter().map(|item| variant_of(&item.value)).collect();
        market.load_valuations(context, variants).await?;
        self.judgements.go_by(selling_grounds(context, market), market.state().valuations(), mark, context.timings());
        items.retain(|item| !self.judgements.holds(item, &variant_of(&item.value)));
        pass.judged += items.len();
        let costs = purchase_costs(context, &items).await?;
        for item in items {
            let cost = costs.get(&item.value.purchase_id).copied();
            let (places, considered) = sale_candidates(context, market, &item.value, cost);
            let is_on_sale = item.value.status == ItemStatus::Listed;
            if places.iter().all(|place| is_on_sale && place.is_asked(&item.value, present_rate(market.state(), place)))
            {
                self.judgements.leave(&item, considered, mark);
            }
            let is_sold = places.iter().any(SaleCandidate::is_acted_on);
            pass.count_decision(if is_sold { Decision::Sell } else { Decision::Hold });
            for place in places {
                let (is_taken, marketplace) = (place.is_acted_on(), place.marketplace().clone());
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

fn is_disabled(context: &Context, marketplace: &Marketplace) -> bool {
    context.is_marketplace_disabled(marketplace)
}

/// By which rate a price is asked at the place of a sale by now.
fn present_rate(market_state: &MarketState, place: &SaleCandidate) -> Option<ExchangeRate> {
    market_state.fees(place.marketplace()).and_then(Charges::rate)
}

fn selling_grounds(context: &Context, market: &Market) -> Grounds {
    let grounds = |standing: &CachedContract| {
        let (contract, filter) = (standing.contract(), standing.filter());
        (contract.id, ContractGrounds::new(contract, filter.map(|filter| filter.version.into())))
    };
    let names = context.desk().venues.iter().map(|venue| venue.name.clone());
    let fees = market.state().all_fees().map(|(marketplace, fees)| (marketplace.clone(), fees.clone()));
    Grounds::new(
        market.contracts().selling().map(grounds).collect(),
        fees.collect(),
        names.filter(|name| !is_disabled(context, name)).collect(),
    )
}

/// What the items cost, by the purchases that brought them. Imported items of unknown cost are left out.
async fn purchase_costs(
    context: &Context,
    items: &[Versioned<InventoryItem>],
) -> EngineResult<BTreeMap<PurchaseId, Cents>> {
    let mut costs = BTreeMap::new();
    let ids: Vec<_> = items.iter().map(|item| item.value.purchase_id).collect();
    for ids in ids.chunks(usize::try_from(PAGE).unwrap_or(1)) {
        let purchases = context.purchases_by_id(ids.to_vec()).await?;
        let known = purchases.into_iter().map(|purchase| (purchase.value.terms.id, purchase.value.known_cost()));
        costs.extend(known.filter_map(|(id, cost)| Some((id, cost?))));
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
    let everywhere = contracts.flat_map(|standing| context.desk().venues.iter().map(move |venue| (standing, venue)));
    let basis = SaleBasis::new(market.state(), context.now(), context.timings().sale_decision_interval);
    let (mut places, mut considered) = (Vec::new(), Considered::new());
    for (standing, venue) in everywhere {
        let place = SalesPlace::new(standing, &venue.name, is_disabled(context, &venue.name));
        let candidate = match basis.evaluate(HeldItem::new(item, cost), place, || context.operations().evaluation_id())
        {
            PlaceVerdict::NeverWanted => continue,
            PlaceVerdict::NotNow => None,
            PlaceVerdict::Candidate(candidate) => Some(*candidate),
        };
        considered.insert((standing.contract().id, venue.name.clone()));
        places.extend(candidate);
    }
    places.sort_by(|one: &SaleCandidate, other| one.rank().cmp(&other.rank()));
    (places, considered)
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
        let present = present_rate(market_state, &place);
        let Some(kind) = place.due_intent(&item.value, present, context.now()) else { return Ok(None) };
        self.decision_times.insert(item.value.id, context.mark());
        let (is_automatic, marketplace) = (place.is_automatic(), place.marketplace().clone());
        let (contract_id, price, evaluation) = place.into_parts();
        let (workspace_id, basis) = (context.desk().workspace_id, DecisionBasis::from(&evaluation));
        let keep = KeepEvaluations { workspace_id, evaluations: vec![evaluation] };
        context.operations().keep_evaluations(context.caller(), keep).await?;
        let target = ItemTarget {
            inventory_item_id: item.value.id,
            marketplace: Some(marketplace),
            price: Some(price),
            to_account: None,
        };
        let proposal = ProposeIntent {
            workspace_id,
            contract_id: Some(contract_id),
            kind,
            target: Target::Item(target),
            basis,
            is_read_only: false,
        };
        match context.operations().propose_intent(context.caller(), proposal).await {
            // A person has something done about its sale, or was asked already.
            Err(refusal) if refusal.code == Code::AlreadyExists => Ok(None),
            // It has proposed as many as may be on sale.
            Err(refusal) if is_listing_limit(&refusal) => Ok(None),
            Err(refusal) => Err(refusal.into()),
            Ok(intent) => Ok(Some(intent).filter(|_| is_automatic)),
        }
    }
}
