//! Two servers on one PostgreSQL that trade for workspaces by their records: they share them evenly, and one goes on for all when the other is killed.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tradepost::Tradepost;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::contracts::contract::{ApprovalMode, PriceStatistic};
use tradepost_domain::id::{FilterSetId, UserId, WorkspaceId};
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::money::Currency;
use tradepost_domain::text::Name;
use tradepost_operations::accounts::{BootstrapWorkspace, RegisterUser};
use tradepost_operations::contracts::{ActivateContract, BuyingLimits, ContractTerms, CreateContract, PriceSource};
use tradepost_operations::markets::{CreateProvider, ProviderCredentials};
use tradepost_operations::trading::{AccountSecrets, AcknowledgeTradeProtection, CreateAccount, LimitsOfAccount};
use tradepost_operations::{Caller, Operations};

use super::{Running, row, run, until};
use crate::harness::{Database, Place};

const WORKSPACES: u8 = 4;
const EVEN: &str = "(SELECT count(*) = 2 AND min(works) = 2 AND max(works) = 2 FROM (SELECT count(*) AS works FROM leases \
                    WHERE work_kind = 2 AND holder IS NOT NULL GROUP BY holder) AS shares)";
/// Longer than a process is silent and a lease is not renewed before others go on.
const TAKEN_OVER: Duration = Duration::from_secs(45);

pub(super) fn customer(number: u8) -> String {
    format!("customer-{number}")
}

async fn world(folder: &Path) -> Running {
    let pays_in = |number| json!({ "call": "pay_in", "customer": customer(number), "cents": 1_000_000 });
    let scenario = Value::from_iter((0..WORKSPACES).map(pays_in));
    std::fs::write(folder.join("scenario.json"), scenario.to_string()).unwrap();
    let arguments = ["sim", "serve", "--data", "world", "--scenario", "scenario.json", "--speed", "1200"];
    let command = run(folder, &[&arguments[..], &["--listen", "127.0.0.1:0"]].concat());
    Running::start(command, &folder.join("world.log")).await
}

async fn server(folder: &Path, place: &Place, node: &str, world: &Running) -> Running {
    let mut command = run(folder, &["--listen", "127.0.0.1:0", "--database", &place.url()]);
    command
        .env("TRADEPOST_TRADING__WORLDS__MAIN", world.url())
        .env("TRADEPOST_TRADING__NODE", node)
        .env("TRADEPOST_TRADING__INTERVAL_MILLISECONDS", "200");
    Running::start(command, &folder.join(format!("{node}.log"))).await
}

/// A workspace whose records make a desk in a world.
pub(super) async fn record(operations: &Operations, owner_id: UserId, number: u8, world: &str) -> WorkspaceId {
    let system = Caller::system();
    let name = Name::new(&format!("Workspace {number}")).unwrap();
    let found = BootstrapWorkspace { owner_id, name, description: None, base_currency: Currency::USD };
    let workspace_id = operations.bootstrap_workspace(&system, found).await.unwrap().workspace.id;
    let providers = [
        (ProviderKind::GamePlatform, "steam"),
        (ProviderKind::Marketplace, "simulated"),
        (ProviderKind::PriceSource, "index"),
        (ProviderKind::PriceSource, "guide"),
    ];
    for (kind, name) in providers {
        let settings = vec![("world".to_owned(), world.to_owned()), ("customer".to_owned(), customer(number))];
        let provider = CreateProvider {
            workspace_id,
            kind,
            driver: "simulator".to_owned(),
            name: name.to_owned(),
            currency: "USD".to_owned(),
            settings,
            credentials: ProviderCredentials::default(),
        };
        operations.create_provider(&system, provider).await.unwrap();
    }
    let account = CreateAccount {
        workspace_id,
        name: "bot-1".to_owned(),
        platform: "steam".to_owned(),
        platform_user_id: (76_561_198_000_000_001 + u64::from(number)).to_string(),
        trade_token: Some(format!("token-{number}")),
        capabilities: Vec::new(),
        limits: LimitsOfAccount::default(),
        giving_limits: None,
        secrets: AccountSecrets::default(),
    };
    let account_ids = vec![operations.create_account(&system, account).await.unwrap().value.id];
    operations
        .acknowledge_trade_protection(&system, AcknowledgeTradeProtection { workspace_id, account_ids })
        .await
        .unwrap();
    workspace_id
}

/// What a contract buys: so many items, so much below their value, of a filter set or of any kind.
pub(super) struct Wanted {
    pub(super) quantity: i64,
    pub(super) min_discount_bps: i64,
    pub(super) filter_set_id: Option<FilterSetId>,
}

/// An active contract.
pub(super) async fn buy(operations: &Operations, workspace_id: WorkspaceId, wanted: Wanted) {
    let Wanted { quantity, min_discount_bps, filter_set_id } = wanted;
    let limits = BuyingLimits {
        target_quantity: Some(quantity),
        max_buy_price_cents: Some(20_000),
        budget_cents: Some(500_000),
        min_discount_bps: Some(min_discount_bps),
        max_open_purchases: Some(2),
        ..BuyingLimits::default()
    };
    let draft = CreateContract {
        workspace_id,
        name: "Bargains".to_owned(),
        terms: ContractTerms::Buying(limits),
        filter_set_id,
        pool_id: None,
        approval_mode: ApprovalMode::Automatic,
        marketplaces: vec!["simulated".to_owned()],
        price_reference: Some(PriceSource {
            sources: vec!["index".to_owned(), "guide".to_owned()],
            statistic: PriceStatistic::Median,
            max_age_seconds: Some(3_600),
            min_confidence_bps: Some(5_000),
        }),
        starts_at: None,
        ends_at: None,
    };
    let contract_id = operations.create_contract(&Caller::system(), draft).await.unwrap().value.id;
    let activate = ActivateContract { workspace_id, contract_id, expected_version: None };
    operations.activate_contract(&Caller::system(), activate).await.unwrap();
}

/// A process that makes records and does not trade.
pub(super) async fn bystander(folder: &Path, place: &Place) -> Tradepost {
    let app = Tradepost::builder().database_url(&place.url()).root_secret_file(folder.join("data/root-secret"));
    let app = app.build().await.unwrap();
    app.operations().offer_driver(tradepost_adapters_simulator::driver().unwrap());
    app
}

pub(super) async fn owner(operations: &Operations) -> UserId {
    let register = RegisterUser {
        email: EmailAddress::new("ada@example.com").unwrap(),
        display_name: Name::new("Ada").unwrap(),
        password: "copper lantern under seven bridges".into(),
    };
    operations.register_user(&Caller::system(), register).await.unwrap().id
}

/// Every workspace buys whatever is below its value.
async fn record_all(folder: &Path, place: &Place) {
    let app = bystander(folder, place).await;
    let owner_id = owner(app.operations()).await;
    for number in 0..WORKSPACES {
        let workspace_id = record(app.operations(), owner_id, number, "main").await;
        buy(app.operations(), workspace_id, Wanted { quantity: 20, min_discount_bps: 100, filter_set_id: None }).await;
    }
    app.shutdown().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_share_workspaces_evenly_and_one_trades_for_all_when_the_other_is_killed() {
    let (place, folder) = (Place::new(Database::Postgres).await, tempfile::tempdir().unwrap());
    let (folder, database) = (folder.path(), place.connect().await);
    let world = world(folder).await;
    let mut first = server(folder, &place, "node-1", &world).await;
    record_all(folder, &place).await;
    let second = server(folder, &place, "node-2", &world).await;
    until(&database, EVEN).await;
    until(&database, "(SELECT count(DISTINCT workspace_id) = 4 FROM inventory_items)").await;

    first.process.kill().await.unwrap();
    let killed_at = Instant::now();
    until(&database, "(SELECT count(*) = 4 FROM leases WHERE work_kind = 2 AND holder = 'node-2')").await;
    assert!(killed_at.elapsed() < TAKEN_OVER, "{:?}", killed_at.elapsed());
    let bought = "(SELECT count(*) FROM inventory_items WHERE workspace_id = w.id)";
    let before: i64 = row(&database, "(SELECT count(*) FROM inventory_items)").await.try_get("", "found").unwrap();
    let all_buy = format!(
        "(SELECT count(*) = 4 FROM workspaces AS w WHERE {bought} > 1 AND EXISTS (SELECT 1 FROM leases AS l \
         WHERE l.workspace_id = w.id)) AND (SELECT count(*) FROM inventory_items) > {before}"
    );
    until(&database, &all_buy).await;

    let again = server(folder, &place, "node-1", &world).await;
    until(&database, EVEN).await;
    again.stop().await;
    until(&database, "(SELECT count(*) = 4 FROM leases WHERE work_kind = 2 AND holder = 'node-2')").await;
    second.stop().await;
    let doctor = run(folder, &["doctor", "--database", &place.url()]).output().await.unwrap();
    assert!(doctor.status.success(), "{}", String::from_utf8_lossy(&doctor.stdout));
}
