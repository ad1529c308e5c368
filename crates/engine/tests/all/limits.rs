//! Limits that another node has used up in the meantime: a new decision, and not an error.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use time::Duration;
use tradepost_domain::asset::AppId;
use tradepost_domain::contracts::contract::ApprovalMode;
use tradepost_domain::contracts::evaluation::{Decision, Rule};
use tradepost_domain::contracts::inventory_item::Traits;
use tradepost_domain::id::{ContractId, PoolId, WorkspaceId};
use tradepost_domain::text::Marketplace;
use tradepost_operations::contracts::{
    AdjustPoolFunds, BuyingLimits, ContractTerms, CreatePool, GetEvaluations, LimitsOfPool, ListEvaluations,
    RecordPurchase,
};
use tradepost_operations::markets::{SetPriceOverride, VariantName};
use tradepost_operations::{Caller, Operations};
use tradepost_ports::price_source::{PriceResult, PriceSource, VariantQuote};
use tradepost_testkit::samples::text;

use crate::desk::{CAPITAL, Desk, MARKET};
use crate::scripted_adapters::{Stub, on_sale};

/// A source of prices, during whose answer another node buys for a contract.
struct BuyingSource {
    source: Box<dyn PriceSource>,
    operations: Arc<Operations>,
    workspace_id: WorkspaceId,
    contract_id: ContractId,
    bought: AtomicU64,
}

#[async_trait]
impl PriceSource for BuyingSource {
    fn name(&self) -> &Marketplace {
        self.source.name()
    }

    async fn quotes(&self) -> PriceResult<Vec<VariantQuote>> {
        let number = self.bought.fetch_add(1, Ordering::Relaxed);
        let bought = RecordPurchase {
            workspace_id: self.workspace_id,
            contract_id: self.contract_id,
            intent_id: None,
            app_id: AppId::CS2,
            market_hash_name: "AK-47 | Redline (Field-Tested)".to_owned(),
            traits: Traits::default(),
            listing_price_cents: 1_000,
            max_buy_price_cents: 1_000,
            platform_fee_cents: 0,
            listing_id: format!("elsewhere-{number}"),
            listing_asset_id: format!("9{number:06}"),
            marketplace: MARKET.to_owned(),
            account_name: "bot-2".to_owned(),
        };
        self.operations.record_purchase(&Caller::system(), bought).await.unwrap();
        self.source.quotes().await
    }
}

#[tokio::test]
async fn a_limit_used_up_by_another_node_is_a_decision_and_not_an_error() {
    let desk = Desk::lively(35).await;
    let limits = BuyingLimits { cooldown_seconds: Some(3_600), ..Desk::limits(3) };
    let contract_id = desk.contract("Buys", ContractTerms::Buying(limits), ApprovalMode::Automatic).await;
    let source = BuyingSource {
        source: Box::new(desk.simulator.prices(text("index"))),
        operations: desk.operations.clone(),
        workspace_id: desk.workspace_id,
        contract_id,
        bought: AtomicU64::new(0),
    };
    let mut engine = desk.engine_hearing(Arc::new(source));
    let mut is_limited = false;
    for _ in 0..100 {
        let pass = engine.pass().await;
        assert!(pass.errors.is_empty() && pass.bought == 0, "{pass:?}");
        is_limited |= pass.decisions.iter().any(|decided| decided.failed == [Rule::Cooldown]);
        if is_limited {
            break;
        }
        // What the other has recorded is withdrawn by then, as it was not sent.
        desk.simulator.advance(desk.step);
    }
    assert!(is_limited);
    assert!(desk.purchases().await.iter().all(|purchase| purchase.terms.account_name.as_str() == "bot-2"));
}

impl Desk {
    /// A pool that may have all the money, and has so much.
    pub(crate) async fn pool(&self, delta_cents: i64) -> PoolId {
        let (workspace_id, system) = (self.workspace_id, Caller::system());
        let limits = LimitsOfPool {
            budget_cents: CAPITAL,
            max_per_purchase_cents: None,
            max_exposure_per_item_cents: None,
            daily_limit_cents: None,
        };
        let command = CreatePool { workspace_id, name: "A pool".to_owned(), currency: "USD".to_owned(), limits };
        let pool_id = self.operations.create_pool(&system, command).await.unwrap().value.id;
        if delta_cents > 0 {
            let reason = "paid in at the marketplace".to_owned();
            let command = AdjustPoolFunds { workspace_id, pool_id, delta_cents, reason, expected_version: None };
            self.operations.adjust_pool_funds(&system, command).await.unwrap();
        }
        pool_id
    }

    /// An active contract that buys what costs 7,000.00 at most, from a pool that has so much.
    async fn buying_from(&mut self, name: &str, funds: i64) -> ContractId {
        self.pool_id = Some(self.pool(funds).await);
        let limits = BuyingLimits {
            target_quantity: Some(1),
            max_buy_price_cents: Some(700_000),
            budget_cents: Some(700_000),
            ..BuyingLimits::default()
        };
        self.contract(name, ContractTerms::Buying(limits), ApprovalMode::Automatic).await
    }

    /// What a stub offers is worth so much.
    async fn value_at(&self, price: i64) {
        let market_hash_name = "AK-47 | Redline (Field-Tested)".to_owned();
        let command = SetPriceOverride {
            workspace_id: self.workspace_id,
            variant: VariantName { app_id: 0, market_hash_name, phase: None },
            price_cents: Some(price),
            expires_at: Some(self.simulator.world(|world| world.now()).plus(Duration::hours(1))),
            reason: "known better".to_owned(),
            expected_version: None,
        };
        self.operations.set_price_override(&Caller::system(), command).await.unwrap();
    }

    /// Why listings were not bought that a contract wanted, as it is kept.
    async fn held_back(&self, contract_id: ContractId) -> Vec<(Rule, Option<String>)> {
        let (workspace_id, cursor, listing_id) = (self.workspace_id, String::new(), String::new());
        let (contract_id, decision) = (Some(contract_id), Some(Decision::Skip));
        let list = ListEvaluations { workspace_id, limit: 0, cursor, contract_id, decision, listing_id };
        let evaluation_ids = self.operations.list_evaluations(&Caller::system(), list).await.unwrap().entries;
        if evaluation_ids.is_empty() {
            return Vec::new();
        }
        let get = GetEvaluations { workspace_id, evaluation_ids };
        let found = self.operations.get_evaluations(&Caller::system(), get).await.unwrap().found;
        let unmet = found.into_iter().flat_map(|one| one.reasons).filter(|reason| !reason.passed);
        unmet.map(|reason| (reason.rule, reason.actual)).collect()
    }
}

#[tokio::test]
async fn a_listing_that_a_pool_rejects_is_bought_by_the_next_contract() {
    let mut desk = Desk::lively(36).await;
    let (poor, rich) = (desk.buying_from("Poor", 0).await, desk.buying_from("Rich", CAPITAL).await);
    desk.value_at(700_000).await;
    let market = Arc::new(Stub::default());
    // More than half of what can be spent there.
    market.offer(vec![vec![on_sale("one", 600_000)]]);
    let mut engine = desk.engine_at(market.clone());
    let pass = engine.pass().await;
    assert!(pass.errors.is_empty() && pass.bought == 1, "{pass:?}");
    let decisions: Vec<_> = pass.decisions.iter().map(|made| (made.decision, made.failed.as_slice())).collect();
    assert_eq!(decisions, [(Decision::Skip, [Rule::Pool].as_slice()), (Decision::Buy, &[])]);
    let bought: Vec<_> = desk.purchases().await.iter().filter_map(|purchase| purchase.terms.contract_id).collect();
    assert_eq!(bought, [rich]);
    let of_pool = (Rule::Pool, Some("POOL_FUNDS_TOO_LOW".to_owned()));
    assert_eq!(desk.held_back(poor).await, std::slice::from_ref(&of_pool));
    // What the balance does not cover is recorded as well, and nothing is recorded twice.
    market.offer(vec![vec![on_sale("one", 600_000), on_sale("two", 600_000)]]);
    let of_balance = (Rule::Balance, Some("600000".to_owned()));
    for _ in 0..2 {
        desk.simulator.advance(Duration::seconds(2));
        engine.pass().await;
        assert_eq!(desk.held_back(poor).await, [of_balance.clone(), of_balance.clone(), of_pool.clone()]);
    }
}
