//! A pool with an assigned account trades without manual reports: the engine records what the platform shows of it, and reads it on request.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use time::Duration;
use tradepost::Tradepost;
use tradepost::auth::RootSecret;
use tradepost::engine::{Desk, Engine, TradingAccount, Venue};
use tradepost_adapters_simulator::{Fault, Settings, Side, Simulator, World as Outside};
use tradepost_domain::contracts::contract::ApprovalMode;
use tradepost_domain::id::{AccountId, PoolId, WorkspaceId};
use tradepost_domain::money::{Currency, VenueCents};
use tradepost_domain::trading::trade::TradeAddress;
use tradepost_domain::trading::trading_account::{AccountRole, AccountStatus};
use tradepost_operations::accounts::{BootstrapWorkspace, RegisterUser};
use tradepost_operations::contracts::{
    ActivateContract, AdjustPoolFunds, AssignmentLimits, BuyingLimits, ContractTerms, CountInventoryItems,
    CountRemediations, CreateAssignment, CreateContract, CreatePool, LimitsOfPool,
};
use tradepost_operations::trading::{
    AccountSecrets, AcknowledgeTradeProtection, CreateAccount, GetAccount, LimitsOfAccount,
};
use tradepost_operations::{Caller, Operations};
use tradepost_testkit::fakes::ServerIn;
use tradepost_testkit::samples::{email, text};

use super::live_demo::LiveDemo;
use crate::harness::{Place, on_both_databases};

const CAPITAL: i64 = 1_000_000;

/// A workspace with a pool, its account, which was not checked yet, and a contract that buys one item.
struct Scene<'a> {
    operations: &'a Operations,
    workspace_id: WorkspaceId,
    account_id: AccountId,
}

async fn found(operations: &Operations) -> WorkspaceId {
    let register = RegisterUser {
        email: email("owner@example.com"),
        password: "copper lantern under seven bridges".into(),
        display_name: text("Owner"),
    };
    let owner_id = operations.register_user(&Caller::system(), register).await.unwrap().id;
    let found =
        BootstrapWorkspace { owner_id, name: text("A workspace"), description: None, base_currency: Currency::USD };
    operations.bootstrap_workspace(&Caller::system(), found).await.unwrap().workspace.id
}

async fn pool(operations: &Operations, workspace_id: WorkspaceId) -> PoolId {
    let limits = LimitsOfPool {
        budget_cents: CAPITAL,
        max_per_purchase_cents: None,
        max_exposure_per_item_cents: None,
        daily_limit_cents: None,
    };
    let command = CreatePool { workspace_id, name: "Main".to_owned(), currency: "USD".to_owned(), limits };
    let pool_id = operations.create_pool(&Caller::system(), command).await.unwrap().value.id;
    let reason = "paid in at the marketplace".to_owned();
    let command = AdjustPoolFunds { workspace_id, pool_id, delta_cents: CAPITAL, reason, expected_version: None };
    operations.adjust_pool_funds(&Caller::system(), command).await.unwrap();
    pool_id
}

async fn buy(operations: &Operations, workspace_id: WorkspaceId, pool_id: PoolId) {
    let limits = BuyingLimits {
        target_quantity: Some(1),
        max_buy_price_cents: Some(20_000),
        budget_cents: Some(500_000),
        ..BuyingLimits::default()
    };
    let draft = CreateContract {
        workspace_id,
        name: "Buys one".to_owned(),
        terms: ContractTerms::Buying(limits),
        filter_set_id: None,
        pool_id: Some(pool_id),
        approval_mode: ApprovalMode::Automatic,
        marketplaces: Vec::new(),
        price_reference: None,
        starts_at: None,
        ends_at: None,
    };
    let contract_id = operations.create_contract(&Caller::system(), draft).await.unwrap().value.id;
    let activate = ActivateContract { workspace_id, contract_id, expected_version: None };
    operations.activate_contract(&Caller::system(), activate).await.unwrap();
}

async fn account(operations: &Operations, workspace_id: WorkspaceId, pool_id: PoolId, at: &TradeAddress) -> AccountId {
    let command = CreateAccount {
        workspace_id,
        name: "bot-1".to_owned(),
        platform: "steam".to_owned(),
        platform_user_id: at.user.to_string(),
        trade_token: Some(at.token.to_string()),
        capabilities: Vec::new(),
        limits: LimitsOfAccount::default(),
        giving_limits: None,
        secrets: AccountSecrets::default(),
    };
    let account_id = operations.create_account(&Caller::system(), command).await.unwrap().value.id;
    let accept = AcknowledgeTradeProtection { workspace_id, account_ids: vec![account_id] };
    operations.acknowledge_trade_protection(&Caller::system(), accept).await.unwrap();
    let command = CreateAssignment {
        workspace_id,
        pool_id,
        account_id: Some(account_id),
        account_group_id: None,
        roles: vec![AccountRole::Buy],
        priority: 1,
        limits: AssignmentLimits::default(),
    };
    operations.create_assignment(&Caller::system(), command).await.unwrap();
    account_id
}

impl Scene<'_> {
    async fn status(&self) -> AccountStatus {
        let get = GetAccount { workspace_id: self.workspace_id, account_id: self.account_id };
        self.operations.get_account(&Caller::system(), get).await.unwrap().value.status
    }

    async fn items(&self) -> i64 {
        let count = CountInventoryItems::of(self.workspace_id, None);
        let counts = self.operations.count_inventory_items(&Caller::system(), count).await.unwrap();
        counts.iter().map(|one| one.count).sum()
    }

    /// How many remediations have each status, zeros left out.
    async fn remediations(&self) -> Vec<(&'static str, i64)> {
        let count = CountRemediations { workspace_id: self.workspace_id };
        let counts = self.operations.count_remediations(&Caller::system(), count).await.unwrap();
        counts.iter().filter(|one| one.count > 0).map(|one| (one.status.as_str(), one.count)).collect()
    }
}

async fn engine(app: &Tradepost, simulator: &Simulator, address: TradeAddress, workspace_id: WorkspaceId) -> Engine {
    let desk = Desk {
        workspace_id,
        clock: Arc::new(simulator.clone()),
        node: text("node-1"),
        accounts: vec![TradingAccount { name: text("bot-1"), address }],
        venues: vec![Venue {
            name: text("simulated"),
            marketplace: Arc::new(simulator.marketplace("desk")),
            currency: None,
        }],
        platform: Arc::new(simulator.platform()),
        social: None,
        sessions: None,
        price_sources: vec![Arc::new(simulator.prices(text("index"))), Arc::new(simulator.prices(text("guide")))],
        rates: None,
        drivers: BTreeMap::new(),
    };
    app.engine(desk).await.unwrap()
}

on_both_databases! {
    async fn a_pool_with_an_assigned_account_buys_without_manual_reports_unless_its_session_is_lost(database) {
        let place = Place::new(database).await;
        let mut outside = Outside::new(62, Settings::default());
        outside.pay_in("desk", VenueCents::new(CAPITAL).unwrap());
        let address = outside.open_account("desk");
        let simulator = Simulator::new(outside);
        let builder = Tradepost::builder().database(place.settings()).clock(Arc::new(ServerIn(Arc::new(simulator.clone()))));
        let app = builder.root_secret(RootSecret::from_bytes([7; 32])).build().await.unwrap();
        let operations = app.operations();
        let workspace_id = found(operations).await;
        let pool_id = pool(operations, workspace_id).await;
        let account_id = account(operations, workspace_id, pool_id, &address).await;
        let scene = Scene { operations, workspace_id, account_id };
        let mut engine = engine(&app, &simulator, address, workspace_id).await;

        buy(operations, workspace_id, pool_id).await;
        while scene.items().await < 1 {
            engine.pass().await;
            simulator.advance(Duration::minutes(10));
        }
        assert_eq!(scene.status().await, AccountStatus::Ready);

        simulator.world(|world| world.inject(Fault::SessionLost { side: Side::Platform, seconds: 3_600 }));
        buy(operations, workspace_id, pool_id).await;
        for _ in 0..3 {
            simulator.advance(Duration::minutes(10));
            engine.pass().await;
        }
        assert_eq!((scene.status().await, scene.items().await), (AccountStatus::NeedsLogin, 1));
        assert_eq!(scene.remediations().await, [("NEEDS_OPERATOR", 1)]);

        while scene.items().await < 2 {
            simulator.advance(Duration::minutes(10));
            engine.pass().await;
        }
        assert_eq!(scene.status().await, AccountStatus::Ready);
        assert_eq!(scene.remediations().await, [("RESOLVED", 1)]);
        simulator.world(|world| world.check_books()).unwrap();
        app.shutdown().await.unwrap();
    }
}

#[tokio::test]
async fn the_engine_reads_an_account_on_request_and_several_are_disabled_at_once() {
    let demo = LiveDemo::start_fast().await;
    let pair = demo.pair().await;
    let (account_ids, account) = (pair.each_ref().map(|one| one["id"].clone()), json!({ "accountId": pair[0]["id"] }));
    let asked = demo.call("RefreshAccount", account.clone()).await;
    assert!(asked["account"]["refreshRequestedAt"].is_string(), "{asked}");
    let is_read = |answer: &Value| answer["account"]["refreshedAt"].is_string();
    let read = demo.until("GetAccount", account.clone(), is_read).await;
    assert!(read["account"]["tradeNoticeAcknowledgedAt"].is_string(), "the demo has accepted it: {read}");
    let disable = json!({ "accountIds": account_ids, "action": "ACCOUNT_ACTION_DISABLE", "reason": "a move" });
    let disabled = demo.call("BulkAccounts", disable.clone()).await;
    let first = &disabled["results"][0];
    assert_eq!(first["account"]["status"], "ACCOUNT_STATUS_DISABLED", "{disabled}");
    let again = demo.call("BulkAccounts", disable).await;
    assert_eq!(again["results"][0]["reason"], "ILLEGAL_STEP", "{again}");
    demo.call("BulkAccounts", json!({ "accountIds": account_ids, "action": "ACCOUNT_ACTION_ENABLE" })).await;
    let is_ready = |answer: &Value| answer["account"]["status"] == "ACCOUNT_STATUS_READY";
    demo.until("GetAccount", account, is_ready).await;
}

#[tokio::test]
async fn a_request_for_an_account_that_the_engine_does_not_trade_with_ends_and_says_why() {
    let demo = LiveDemo::start().await;
    let listed = demo.call("ListAccounts", json!({ "limit": 200 })).await;
    let found = demo.call("GetAccounts", json!({ "accountIds": listed["accountIds"] })).await;
    let mut all = found["accounts"].as_array().into_iter().flatten();
    let sample = all.find(|account| account["name"] == "trader-1").unwrap();
    let account = json!({ "accountId": sample["id"] });
    demo.call("RefreshAccount", account.clone()).await;
    let is_refused = |answer: &Value| answer["account"]["refreshRefusal"]["reason"] == "NOT_SERVED";
    let refused = demo.until("GetAccount", account, is_refused).await;
    assert!(refused["account"]["refreshedAt"].is_null(), "{refused}");
    let shown = demo.tradepost(&["accounts", "list", "-o", "wide"]).await;
    assert!(shown.contains("NOT READ") && shown.contains("NOT_SERVED"), "{shown}");
}
