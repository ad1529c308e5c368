//! Two nodes that trade for one workspace on one PostgreSQL: each buys at a marketplace of its own at the same time, one of them dies now
//! and then, and nothing is done twice.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use time::Duration;
use tradepost::Tradepost;
use tradepost::auth::RootSecret;
use tradepost::engine::{Desk, Engine, TradingAccount, Venue};
use tradepost_adapters_simulator::{Settings, Simulator, Spread, World};
use tradepost_domain::contracts::contract::{ApprovalMode, PriceStatistic};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::money::{Currency, VenueCents};
use tradepost_domain::trading::lease::Work;
use tradepost_domain::trading::trade::TradeAddress;
use tradepost_operations::accounts::{BootstrapWorkspace, RegisterUser};
use tradepost_operations::contracts::{
    ActivateContract, BuyingLimits, ContractTerms, CountInventoryItems, CreateContract, GetPurchases, ListPurchases,
    PriceSource, SellingLimits, WantedPurchases,
};
use tradepost_operations::{Caller, Operations};
use tradepost_ports::marketplace::Marketplace as _;
use tradepost_testkit::fakes::ServerIn;
use tradepost_testkit::samples::{email, text};

use crate::harness::{Database, Place, on_record};

const CUSTOMER: &str = "desk";
const CAPITAL: i64 = 1_000_000;
const ITEMS: i64 = 6;
/// Two names under which the same is on sale: what one node buys, the other wants as well.
const MARKETS: [&str; 2] = ["simulated", "elsewhere"];

/// A world where strangers take their time, so that many days pass quickly.
fn world() -> (Simulator, TradeAddress) {
    let settings = Settings {
        next_listing: Spread::new(60, 7_200),
        buyer_interval: 1_800,
        price_interval: 7_200,
        ..Settings::default()
    };
    let mut world = World::new(61, settings);
    world.pay_in(CUSTOMER, VenueCents::new(CAPITAL).unwrap());
    let account = world.open_account(CUSTOMER);
    (Simulator::new(world), account)
}

async fn node(place: &Place, simulator: &Simulator) -> Tradepost {
    let builder =
        Tradepost::builder().database(place.settings()).clock(Arc::new(ServerIn(Arc::new(simulator.clone()))));
    builder.root_secret(RootSecret::from_bytes([7; 32])).build().await.unwrap()
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

/// Terms to buy so many by, two at a time.
fn buying(quantity: i64) -> ContractTerms {
    ContractTerms::Buying(BuyingLimits {
        target_quantity: Some(quantity),
        max_buy_price_cents: Some(20_000),
        budget_cents: Some(500_000),
        min_discount_bps: Some(100),
        max_open_purchases: Some(2),
        ..BuyingLimits::default()
    })
}

/// An active contract on some of the marketplaces; on all if none is named.
async fn contract(operations: &Operations, workspace_id: WorkspaceId, terms: ContractTerms, marketplaces: &[&str]) {
    for name in marketplaces {
        on_record(operations, workspace_id, name).await;
    }
    let draft = CreateContract {
        workspace_id,
        name: "A contract".to_owned(),
        terms,
        filter_set_id: None,
        pool_id: None,
        approval_mode: ApprovalMode::Automatic,
        marketplaces: marketplaces.iter().map(|name| (*name).to_owned()).collect(),
        price_reference: Some(PriceSource {
            sources: Vec::new(),
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

async fn engine(
    app: &Tradepost,
    node: &str,
    simulator: &Simulator,
    address: TradeAddress,
    workspace_id: WorkspaceId,
) -> Engine {
    let desk = Desk {
        workspace_id,
        clock: Arc::new(simulator.clone()),
        node: text(node),
        accounts: vec![TradingAccount { name: text("bot-1"), address }],
        venues: MARKETS
            .map(|name| Venue {
                name: text(name),
                marketplace: Arc::new(simulator.marketplace(CUSTOMER)),
                currency: None,
            })
            .into(),
        platform: Arc::new(simulator.platform()),
        social: None,
        sessions: None,
        price_sources: vec![Arc::new(simulator.prices(text("index"))), Arc::new(simulator.prices(text("guide")))],
        rates: None,
        drivers: BTreeMap::new(),
    };
    app.engine(desk).await.unwrap()
}

/// How many items there are in each status.
async fn items(operations: &Operations, workspace_id: WorkspaceId) -> BTreeMap<ItemStatus, i64> {
    let count = CountInventoryItems::of(workspace_id, None);
    let counts = operations.count_inventory_items(&Caller::system(), count).await.unwrap();
    counts.into_iter().filter(|one| one.count > 0).map(|one| (one.status, one.count)).collect()
}

/// How long until something is to be done: protection lasts for days, and a buyer waits for an hour at most.
fn pause(items: &BTreeMap<ItemStatus, i64>) -> Duration {
    let rests =
        |status: &ItemStatus| matches!(status, ItemStatus::InInventory | ItemStatus::Sold | ItemStatus::Settled);
    if [ItemStatus::Reserved, ItemStatus::Delivering].iter().any(|status| items.contains_key(status)) {
        Duration::minutes(10)
    } else if items.values().sum::<i64>() == ITEMS && items.keys().all(rests) {
        Duration::hours(6)
    } else {
        Duration::minutes(30)
    }
}

async fn purchases(operations: &Operations, workspace_id: WorkspaceId) -> Vec<Purchase> {
    let (limit, cursor) = (200, String::new());
    let list = ListPurchases {
        workspace_id,
        limit,
        cursor,
        contract_id: None,
        status: None,
        wanted: WantedPurchases::default(),
    };
    let purchase_ids = operations.list_purchases(&Caller::system(), list).await.unwrap().entries;
    let get = GetPurchases { workspace_id, purchase_ids };
    let found = operations.get_purchases(&Caller::system(), get).await.unwrap().found;
    found.into_iter().map(|purchase| purchase.value).collect()
}

/// The node that does each part of the work.
async fn shares(operations: &Operations, workspace_id: WorkspaceId) -> BTreeMap<Work, String> {
    let leases = operations.leases(&Caller::system(), workspace_id).await.unwrap();
    let work = leases.into_iter().filter(|lease| !matches!(lease.value.work, Work::Presence(_)));
    work.filter_map(|lease| Some((lease.value.work, lease.value.holder?.to_string()))).collect()
}

/// A pass of a node that dies when the other one has taken its own, wherever it is by then.
async fn cut_short(mut dying: Engine, other: &mut Engine) {
    let last = async {
        dying.pass().await;
        std::future::pending::<()>().await;
    };
    tokio::select! {
        _ = other.pass() => {}
        () = last => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_on_one_postgresql_trade_side_by_side_and_double_nothing() {
    let place = Place::new(Database::Postgres).await;
    let (simulator, account) = world();
    let (first, second) = (node(&place, &simulator).await, node(&place, &simulator).await);
    let operations = first.operations();
    let workspace_id = found(operations).await;
    let node_one = || engine(&first, "node-1", &simulator, account.clone(), workspace_id);
    let (mut one, mut other) =
        (node_one().await, engine(&second, "node-2", &simulator, account.clone(), workspace_id).await);
    // Both take their passes at the same time. As long as they have not found each other nothing is bought, and no time passes in the world.
    let buyers = |work: &BTreeMap<Work, String>| {
        let holders = MARKETS.map(|name| work.get(&Work::Marketplace(text(name))).cloned());
        holders.into_iter().flatten().collect::<BTreeSet<_>>().len()
    };
    let mut work = shares(operations, workspace_id).await;
    while work.len() < 3 || buyers(&work) < 2 {
        tokio::join!(one.pass(), other.pass());
        work = shares(operations, workspace_id).await;
    }
    // One contract for which both buy, and one for each of them, so that neither buys everything.
    contract(operations, workspace_id, buying(ITEMS - 2), &[]).await;
    for market in MARKETS {
        contract(operations, workspace_id, buying(1), &[market]).await;
    }
    let sells = SellingLimits { floor_price_cents: Some(1), ..SellingLimits::default() };
    contract(second.operations(), workspace_id, ContractTerms::Selling(sells), &[]).await;
    for pass in 1_u32.. {
        if pass.is_multiple_of(3) {
            cut_short(one, &mut other).await;
            one = node_one().await;
        } else {
            tokio::join!(one.pass(), other.pass());
        }
        let there = items(operations, workspace_id).await;
        if there.get(&ItemStatus::Settled) == Some(&ITEMS) {
            break;
        }
        simulator.advance(pause(&there));
    }

    simulator.world(|world| world.check_books()).unwrap();
    let purchases = purchases(operations, workspace_id).await;
    let paid: Vec<_> = purchases.iter().filter(|purchase| purchase.progress.order.is_some()).collect();
    let listings: BTreeSet<_> = paid.iter().map(|purchase| &purchase.terms.listing_id).collect();
    assert_eq!(listings.len(), paid.len(), "a listing was bought twice");
    // What a node that died came too late for is paid back, and another is bought for it.
    let kept: Vec<_> =
        paid.iter().map(|purchase| purchase.status).filter(|at| *at != PurchaseStatus::Refunded).collect();
    assert_eq!(kept, vec![PurchaseStatus::Settled; usize::try_from(ITEMS).unwrap()], "not as many as are wanted");
    let bought_at: BTreeSet<_> = paid.iter().map(|purchase| purchase.terms.marketplace.as_str()).collect();
    assert_eq!(bought_at, MARKETS.into(), "only one node has bought");
    assert_eq!(shares(operations, workspace_id).await, work, "neither was taken for dead");
    let balance = simulator.marketplace(CUSTOMER).balance().await.unwrap();
    let earned = free_and_owed(&place).await;
    assert_eq!(balance.get(), CAPITAL + earned, "the marketplace and the ledger differ");
    first.shutdown().await.unwrap();
    second.shutdown().await.unwrap();
}

/// What is free and owed to us by the ledger, whose entries each sum to zero.
async fn free_and_owed(place: &Place) -> i64 {
    use sea_orm::{ConnectionTrait as _, Statement};
    let database = place.connect().await;
    let sum = "SELECT CAST(coalesce(sum(available_cents + receivable_cents), 0) AS bigint) AS sum FROM ledger_entries";
    let row = database.query_one_raw(Statement::from_string(database.get_database_backend(), sum)).await.unwrap();
    row.unwrap().try_get("", "sum").unwrap()
}
