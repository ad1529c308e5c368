//! How lists are read: from an index in its order, without sorting, without looking at what is not on the page.

mod account_sessions;
mod filters;
mod inventories;
mod social;
mod times;
mod transitions;

use sea_orm::{ConnectionTrait as _, DatabaseConnection};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::membership::Status;
use tradepost_domain::alerts::channel::ChannelStatus;
use tradepost_domain::alerts::message::MessageState;
use tradepost_domain::asset::AppId;
use tradepost_domain::contracts::contract::{ContractStatus, ContractType};
use tradepost_domain::contracts::evaluation::Decision;
use tradepost_domain::contracts::intent::{IntentKind, IntentStatus};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::ledger::Account;
use tradepost_domain::contracts::ledger::report::{Grouping, ReportFilter, Span};
use tradepost_domain::contracts::pool::PoolStatus;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus, Severity};
use tradepost_domain::events::webhook_delivery::DeliveryState;
use tradepost_domain::events::webhook_endpoint::EndpointStatus;
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::trading::trade_offer::{OfferDirection, OfferOwner, TradeOfferStatus};
use tradepost_domain::trading::trading_account::AccountStatus;
use tradepost_domain::transition::{Subject, SubjectKind};
use tradepost_ports::changes::{AppendedRow, Caller, Changes};
use tradepost_ports::store::Records;
use tradepost_ports::store::{
    AccountFilter, ActivityQuery, Aged, AlertChannelFilter, AlertMessageFilter, AssignmentFilter, AuditActor,
    AuditFilter, ContractFilter, DeliveryFilter, EvaluationFilter, IntentFilter, LedgerFilter, ObservationFilter,
    PageRequest, RecordBatch, RemediationFilter, ReportQuery, Store, TradeOfferFilter, TransitionFilter,
};
use tradepost_testkit::samples::{Scene, minute, text};

use crate::support::{Heard, TestStore, column, observed, postgres, sqlite};

/// Each list with each of its filters.
const LISTS: usize = 92 + account_sessions::LISTS + filters::LISTS + social::LISTS;
/// How SQLite finds the observations of a name.
const OF_NAME: &str = "o USING INDEX market_observations_name (<expr>=? AND workspace_id=? AND market_hash_name=?)";

/// The statements of every list, with every filter that it takes.
async fn lists(test: &TestStore) -> Vec<String> {
    let heard = Heard::default();
    let store = observed(test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let (scope, contract) = (scene.scope(), scene.contract.id);
    heard.take();
    for status in [None, Some(Status::Accepted)] {
        store.memberships().list(scope, status, PageRequest { before: None, limit: 50 }).await.unwrap();
    }
    for contract_type in [None, Some(ContractType::Buying)] {
        for status in [None, Some(ContractStatus::Active)] {
            let filter = ContractFilter { contract_type, status };
            store.contracts().list(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
        }
    }
    filters::list(&store, scope, contract).await;
    // By contract and kind together, those of the contract are looked through: most contracts have intents of one kind.
    let of = |contract_id, kind| IntentFilter { contract_id, kind, status: None };
    for filter in [of(None, None), of(Some(contract), None), of(None, Some(IntentKind::Buy))] {
        for status in [None, Some(IntentStatus::Proposed)] {
            let filter = IntentFilter { status, ..filter };
            store.intents().list(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
        }
    }
    for contract_id in [None, Some(contract)] {
        for decision in [None, Some(Decision::Skip)] {
            let filter = EvaluationFilter { contract_id, decision, listing_id: None };
            store.evaluations().list(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
        }
    }
    // With anything else, those of the listing are looked through.
    let filter = EvaluationFilter { listing_id: Some(&text("listing-1")), ..EvaluationFilter::default() };
    store.evaluations().list(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
    store.filter_sets().list(scope, PageRequest { before: None, limit: 50 }).await.unwrap();
    list_remediations(&store, scope).await;
    list_trade_offers(&store, &scene).await;
    social::list(&store, &scene).await;
    account_sessions::list(&store, &scene).await;
    list_webhooks(&store, &scene).await;
    list_alerts(&store, &scene).await;
    inventories::list(&store, &scene).await;
    list_what_is_followed(&store, scope).await;
    list_money_and_markets(&store, &scene).await;
    // By actor and kind together, those of the actor are looked through. Of an acting user there are two indexes, between which
    // PostgreSQL does not choose well while the table is empty.
    let by = |actor, kind| AuditFilter { actor, kind, ..AuditFilter::default() };
    let key = AuditActor::ApiKey(scene.key.id);
    for filter in [by(None, None), by(Some(key), None), by(None, Some(AuditKind::ApiKeyCreated))] {
        store.audit_logs().list_events(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
    }
    let kinds = &[SubjectKind::Purchase];
    let filter = TransitionFilter { kinds, subject_id: None, from: None, to: None };
    store.transitions().list(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
    heard.take()
}

async fn list_money_and_markets(store: &dyn Store, scene: &Scene) {
    let (scope, contract) = (scene.scope(), scene.contract.id);
    for status in [None, Some(PoolStatus::Active)] {
        store.pools().list(scope, status, PageRequest { before: None, limit: 50 }).await.unwrap();
    }
    // By two of them together, those of the pool or the contract are looked through.
    let pool = LedgerFilter { pool_id: Some(scene.samples.id()), ..LedgerFilter::default() };
    let of_contract = LedgerFilter { contract_id: Some(contract), ..LedgerFilter::default() };
    let by_account =
        Account::ALL.iter().map(|account| LedgerFilter { account: Some(*account), ..LedgerFilter::default() });
    for filter in [LedgerFilter::default(), pool, of_contract].into_iter().chain(by_account) {
        store.ledger().list(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
    }
    for status in [None, Some(AccountStatus::Ready)] {
        let filter = AccountFilter { status, group_id: None };
        store.trading_accounts().list(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
    }
    store.account_groups().list(scope, PageRequest { before: None, limit: 50 }).await.unwrap();
    // By pool and account together there is one at most.
    let (pool_id, account_id) = (Some(scene.samples.id()), Some(scene.samples.id()));
    let of_pool = AssignmentFilter { pool_id, account_id: None };
    for filter in [AssignmentFilter::default(), of_pool, AssignmentFilter { pool_id: None, account_id }] {
        store.assignments().list(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
    }
    for kind in [None, Some(ProviderKind::Marketplace)] {
        store.providers().list(scope, kind, PageRequest { before: None, limit: 50 }).await.unwrap();
    }
    store.prices().list_overrides(scope, PageRequest { before: None, limit: 50 }).await.unwrap();
    // By marketplace and name together, those of the marketplace are looked through.
    let (place, name) = (text("example"), text("AK-47 | Redline (Field-Tested)"));
    for (marketplace, market_hash_name) in [(None, None), (Some(&place), None), (None, Some(&name))] {
        let filter = ObservationFilter { marketplace, market_hash_name, since: None };
        store.observations().list(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
    }
}

async fn list_what_is_followed(store: &dyn Store, scope: WorkspaceScope) {
    let (place, most) = (text("csfloat"), 200);
    store.purchases().list_open(scope, &place, PurchaseStatus::Paid, RecordBatch { after: None, most }).await.unwrap();
    store.items().list_in(scope, ItemStatus::Listed, RecordBatch { after: None, most }).await.unwrap();
    store.items().list_on_sale(scope, &place, ItemStatus::Listed, RecordBatch { after: None, most }).await.unwrap();
    store.contracts().list_at_work(scope, RecordBatch { after: None, most }).await.unwrap();
}

/// A kind has one severity: by both together, those of the kind are looked through.
async fn list_remediations(store: &dyn Store, scope: WorkspaceScope) {
    let all = RemediationFilter::default();
    let (kind, severity) = (Some(RemediationKind::MissingItem), Some(Severity::Critical));
    for filter in [all, RemediationFilter { kind, ..all }, RemediationFilter { severity, ..all }] {
        for status in [None, Some(RemediationStatus::Open)] {
            let filter = RemediationFilter { status, ..filter };
            store.remediations().list(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
        }
    }
}

/// By direction and anything else, those of the other are looked through.
async fn list_trade_offers(store: &dyn Store, scene: &Scene) {
    let (all, account) = (TradeOfferFilter::default(), text("trader-1"));
    let (account_name, status) = (Some(&account), Some(TradeOfferStatus::Active));
    for filter in [
        all,
        TradeOfferFilter { account_name, ..all },
        TradeOfferFilter { direction: Some(OfferDirection::Sent), ..all },
        TradeOfferFilter { status, ..all },
        TradeOfferFilter { account_name, status, ..all },
        TradeOfferFilter { owner: Some(OfferOwner::Purchase(scene.samples.id())), ..all },
    ] {
        store.trade_offers().list(scene.scope(), filter, PageRequest { before: None, limit: 50 }).await.unwrap();
    }
}

/// By topic, the messages of the channel are looked through.
async fn list_alerts(store: &dyn Store, scene: &Scene) {
    let (alerts, channel_id) = (store.alerts(), scene.samples.id());
    for status in [None, Some(ChannelStatus::Active)] {
        let filter = AlertChannelFilter { user_id: None, status };
        alerts.list_channels(scene.scope(), filter, PageRequest { before: None, limit: 50 }).await.unwrap();
    }
    alerts.list_rules(scene.scope(), channel_id, PageRequest { before: None, limit: 50 }).await.unwrap();
    for state in [None, Some(MessageState::Failed)] {
        let filter = AlertMessageFilter { channel_id, state, topic: None };
        alerts.list_messages(scene.scope(), filter, PageRequest { before: None, limit: 50 }).await.unwrap();
    }
}

/// By type or time, the deliveries of the endpoint are looked through.
async fn list_webhooks(store: &dyn Store, scene: &Scene) {
    for status in [None, Some(EndpointStatus::Active)] {
        store.webhooks().list_endpoints(scene.scope(), status, PageRequest { before: None, limit: 50 }).await.unwrap();
    }
    for state in [None, Some(DeliveryState::Failed)] {
        let filter = DeliveryFilter { endpoint_id: scene.samples.id(), state, event_type: None, from: None, to: None };
        store.webhooks().list_deliveries(scene.scope(), filter, PageRequest { before: None, limit: 50 }).await.unwrap();
    }
}

#[tokio::test]
async fn sqlite_reads_every_list_from_an_index_in_its_order() {
    let test = sqlite().await;
    let db = test.place.connect().await;
    let lists = lists(&test).await;
    assert_eq!(lists.len(), LISTS);
    for list in lists {
        let plan = column(&db, 3, &format!("EXPLAIN QUERY PLAN {list}")).await.join("\n");
        // Observations of a name are put together from blocks.
        if !plan.contains(OF_NAME) {
            assert!(
                plan.contains("SEARCH") && !plan.contains("SCAN") && !plan.contains("TEMP B-TREE"),
                "{list}\n{plan}"
            );
        }
    }
}

async fn explained(db: &DatabaseConnection, list: &str) -> String {
    // Cheap as a scan of an empty table is, it is not what a full one needs.
    for setting in ["enable_seqscan = off", "enable_bitmapscan = off", "plan_cache_mode = force_generic_plan"] {
        db.execute_unprepared(&format!("SET {setting}")).await.unwrap();
    }
    db.execute_unprepared(&format!("PREPARE list AS {list}")).await.unwrap();
    // A parameter may occur several times.
    let parameters = (1..=list.matches('$').count()).filter(|number| list.contains(&format!("${number}"))).count();
    let nulls = vec!["NULL"; parameters].join(", ");
    let plan = column(db, 0, &format!("EXPLAIN (COSTS off) EXECUTE list({nulls})")).await.join("\n");
    db.execute_unprepared("DEALLOCATE list").await.unwrap();
    plan
}

#[tokio::test]
async fn postgres_reads_every_list_from_an_index_in_its_order() {
    let test = postgres().await;
    let db = test.place.connect().await;
    let lists = lists(&test).await;
    filters::fill(&db).await;
    assert_eq!(lists.len(), LISTS);
    for list in lists {
        let plan = explained(&db, &list).await;
        let filtered = plan.contains("Filter:");
        assert!(plan.contains("Index") && !plan.contains("Sort") && !plan.contains("Seq Scan"), "{list}\n{plan}");
        assert!(!filtered, "rows are read and thrown away: {list}\n{plan}");
    }
}

/// The slices of what is followed, each with the index that it must read: another one would go through a workspace.
async fn slices(test: &TestStore) -> Vec<(&'static str, String)> {
    let heard = Heard::default();
    let store = observed(test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    heard.take();
    list_what_is_followed(&store, scene.scope()).await;
    let indexes = ["purchases_open", "inventory_items_status", "inventory_items_sale", "contracts_status"];
    indexes.into_iter().zip(heard.take()).collect()
}

#[tokio::test]
async fn sqlite_reads_slices_from_their_own_indexes() {
    let test = sqlite().await;
    let db = test.place.connect().await;
    for (index, statement) in slices(&test).await {
        let plan = column(&db, 3, &format!("EXPLAIN QUERY PLAN {statement}")).await.join("\n");
        assert!(plan.contains(&format!("INDEX {index} (workspace_id=?")), "{statement}\n{plan}");
    }
}

/// The statements that ask for each part of what a contract did lately, with the index that holds what they look at.
/// Whatever else was recorded in the day.
#[tokio::test]
async fn sqlite_finds_what_is_asked_for_items_by_their_names() {
    let test = sqlite().await;
    let (heard, db) = (Heard::default(), test.place.connect().await);
    let store = observed(&test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let variant = Variant { app_id: AppId::CS2, market_hash_name: text("AK-47 | Redline (Field-Tested)"), phase: None };
    heard.take();
    store.quotes().find(scene.scope(), std::slice::from_ref(&variant.market_hash_name), minute(0)).await.unwrap();
    store.observations().list_offers(scene.scope(), &variant, minute(0), 50).await.unwrap();
    let reads = heard.take();
    assert_eq!(reads.len(), 2);
    for read in reads {
        let plan = column(&db, 3, &format!("EXPLAIN QUERY PLAN {read}")).await.join("\n");
        assert!(plan.contains(OF_NAME), "{read}\n{plan}");
    }
}

async fn activities(test: &TestStore) -> Vec<(&'static str, String)> {
    let heard = Heard::default();
    let store = observed(test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let (name, nothing) = (text("AK-47 | Redline (Field-Tested)"), ActivityQuery::default());
    let parts = [
        ("purchases_contract_made", ActivityQuery { spent_since: Some(minute(0)), ..nothing }),
        ("purchases_item_name", ActivityQuery { of_item_name: Some((&name, 9)), ..nothing }),
        ("purchases_contract_made", ActivityQuery { last_purchase: true, ..nothing }),
    ];
    let mut statements = Vec::new();
    for (index, part) in parts {
        for before in [None, Some(minute(1))] {
            heard.take();
            let query = ActivityQuery { before, ..part };
            store.contracts().find_activity(scene.scope(), scene.contract.id, query).await.unwrap();
            statements.push((index, heard.take().remove(0)));
        }
    }
    statements
}

#[tokio::test]
async fn sqlite_finds_what_a_contract_did_lately_by_indexes_alone() {
    let test = sqlite().await;
    let db = test.place.connect().await;
    for (index, statement) in activities(&test).await {
        let plan = column(&db, 3, &format!("EXPLAIN QUERY PLAN {statement}")).await.join("\n");
        assert!(plan.contains(&format!("{index} (workspace_id=? AND contract_id=?")), "{statement}\n{plan}");
        assert!(!plan.contains("SCAN purchases") && !plan.contains("TEMP B-TREE"), "{statement}\n{plan}");
    }
}

#[tokio::test]
async fn sqlite_finds_what_a_contract_earned_on_a_day_by_its_key() {
    let test = sqlite().await;
    let (heard, db) = (Heard::default(), test.place.connect().await);
    let store = observed(&test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    heard.take();
    store.reports().sum_earned(scene.scope(), scene.contract.id, 20_454).await.unwrap();
    let plan = column(&db, 3, &format!("EXPLAIN QUERY PLAN {}", heard.take().remove(0))).await.join("\n");
    assert!(plan.contains("PRIMARY KEY (workspace_id=? AND telling=? AND day=? AND contract_id=?)"), "{plan}");
    let elsewhere = "inventory_items_sold_elsewhere (workspace_id=? AND contract_id=? AND sold_at>? AND sold_at<?)";
    let of_item = "ledger_entries_item (workspace_id=? AND inventory_item_id=?)";
    assert!(plan.contains(elsewhere) && plan.contains(of_item), "{plan}");
}

#[tokio::test]
async fn postgres_finds_what_a_contract_did_lately_by_indexes_alone() {
    let test = postgres().await;
    let db = test.place.connect().await;
    filters::fill(&db).await;
    for (index, statement) in activities(&test).await {
        let plan = explained(&db, &statement).await;
        // Of an empty table any index with the contract will do.
        let others = ["purchases_item_name on", "purchases_contract on", "purchases_contract_made on"];
        let of_contract = others.iter().any(|other| plan.contains(other));
        assert!(plan.contains(index) || of_contract, "{statement}\n{plan}");
        assert!(!plan.contains("Seq Scan"), "{statement}\n{plan}");
    }
}

/// The statement that counts what accounts have in hand, which runs before every purchase of a pool with assignments.
async fn in_hand(test: &TestStore) -> String {
    let heard = Heard::default();
    let store = observed(test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    heard.take();
    store.trading_accounts().find_loads(scene.scope(), &[text("trader-1")]).await.unwrap();
    heard.take().remove(0)
}

#[tokio::test]
async fn sqlite_counts_what_accounts_have_in_hand_by_what_is_open_alone() {
    let test = sqlite().await;
    let (db, statement) = (test.place.connect().await, in_hand(&test).await);
    let plan = column(&db, 3, &format!("EXPLAIN QUERY PLAN {statement}")).await.join("\n");
    for index in ["purchases_open_account", "inventory_items_live_account"] {
        assert!(plan.contains(&format!("{index} (workspace_id=? AND account_name=?)")), "{plan}");
    }
}

#[tokio::test]
async fn postgres_counts_what_accounts_have_in_hand_by_what_is_open_alone() {
    let test = postgres().await;
    let plan = explained(&test.place.connect().await, &in_hand(&test).await).await;
    for index in ["purchases_open_account", "inventory_items_live_account"] {
        assert!(plan.contains(index), "{plan}");
    }
}

/// The statements of a report and a series: of a whole month, and of a time that begins and ends within months.
async fn reports(test: &TestStore) -> Vec<String> {
    let heard = Heard::default();
    let store = observed(test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let (filter, grouping) = (ReportFilter::default(), Grouping::Contract);
    let breakdown = filter.breakdown(grouping).unwrap();
    heard.take();
    // January of 2026 begins with day 20454.
    for (from_day, to_day) in [(20_454, 20_485), (20_440, 20_500)] {
        let query = ReportQuery { breakdown, grouping, filter: &filter, from_day, to_day, starts: &[] };
        store.reports().sum_figures(scene.scope(), query, 100).await.unwrap();
        store.reports().list_changes(scene.scope(), query, Span::Month).await.unwrap();
    }
    heard.take()
}

#[tokio::test]
async fn sqlite_reads_whole_months_of_a_report_from_months_alone() {
    let test = sqlite().await;
    let db = test.place.connect().await;
    let mut parts = Vec::new();
    for report in reports(&test).await {
        let plan = column(&db, 3, &format!("EXPLAIN QUERY PLAN {report}")).await.join("\n");
        let of = |table: &str, day: &str| {
            let range = format!("{table} USING PRIMARY KEY (workspace_id=? AND telling=? AND {day}>? AND {day}<?)");
            plan.matches(&range).count()
        };
        assert!(!plan.contains("SCAN ledger"), "{report}\n{plan}");
        parts.push((of("ledger_days", "day"), of("ledger_months", "month")));
    }
    // All days are one part, the months since another, and the reported months the third. Days at the edges of the second time
    // are one at either end; its series has those before it, too.
    assert_eq!(parts, [(1, 2), (1, 2), (3, 2), (4, 2)]);
}

#[tokio::test]
async fn postgres_reads_whole_months_of_a_report_from_months_alone() {
    let test = postgres().await;
    let db = test.place.connect().await;
    let mut parts = Vec::new();
    for report in reports(&test).await {
        let plan = explained(&db, &report).await;
        assert!(!plan.contains("Seq Scan"), "{report}\n{plan}");
        let of = |table: &str| plan.matches(&format!("Scan using {table}_pkey on {table}")).count();
        parts.push((of("ledger_days"), of("ledger_months")));
    }
    assert_eq!(parts, [(1, 2), (1, 2), (3, 2), (4, 2)]);
}

#[tokio::test]
async fn sqlite_looks_at_no_more_changes_than_it_gives_to_who_watches() {
    let test = sqlite().await;
    let db = test.place.connect().await;
    let heard = Heard::default();
    let store = observed(&test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    heard.take();
    store.transitions().list_after(scene.scope(), SubjectKind::ALL, 0, 50).await.unwrap();
    store.transitions().list_since(scene.scope(), SubjectKind::ALL, minute(0), 50).await.unwrap();
    let reads = heard.take();
    assert_eq!(reads.len(), 2);
    for read in reads {
        let plan = column(&db, 3, &format!("EXPLAIN QUERY PLAN {read}")).await.join("\n");
        let places =
            "transition_places USING INDEX transition_places_kind (workspace_id=? AND subject_kind=? AND position>?)";
        assert_eq!(plan.matches(places).count(), SubjectKind::ALL.len(), "{plan}");
        // The pages of the kinds are merged; nothing else is sorted, and no table is read as a whole.
        assert!(plan.contains("SEARCH t USING INDEX transitions_id"), "{plan}");
        assert!(!plan.contains("SCAN transition"), "{plan}");
    }
}

#[tokio::test]
async fn sqlite_forgets_places_without_looking_at_those_that_are_kept() {
    let test = sqlite().await;
    let db = test.place.connect().await;
    let heard = Heard::default();
    let store = observed(&test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let mut changes = Changes::by(&Caller::system());
    changes.append(AppendedRow::Transition(scene.samples.transition(scene.id(), Subject::Contract(scene.contract.id))));
    store.commit(changes).await.unwrap();
    heard.take();
    store.transitions().forget_places(0, minute(1), 50).await.unwrap();
    let (mut plans, statements) = (Vec::new(), heard.take());
    for statement in &statements {
        plans.extend(column(&db, 3, &format!("EXPLAIN QUERY PLAN {statement}")).await);
    }
    let of_places: Vec<_> =
        plans.iter().filter(|step| step.contains(" transition_places") || step.contains(" p ")).collect();
    assert_eq!((statements.len(), of_places.len()), (2, 4), "{plans:?}");
    assert!(of_places.iter().all(|step| step.starts_with("SEARCH ")), "{plans:?}");
}

#[tokio::test]
async fn sqlite_forgets_what_is_over_by_indexes_alone() {
    let test = sqlite().await;
    let db = test.place.connect().await;
    let heard = Heard::default();
    let store = observed(&test, heard.observer()).await;
    heard.take();
    for what in Aged::ALL {
        store.expired_records().forget_aged(what, minute(1), 50).await.unwrap();
    }
    store.executions().forget(minute(1), 50).await.unwrap();
    store.executions().forget_answers(minute(1), 50).await.unwrap();
    store.usage().forget(1, 50).await.unwrap();
    let statements = heard.take();
    assert_eq!(statements.len(), Aged::ALL.len() + 3);
    for statement in statements {
        let plan = column(&db, 3, &format!("EXPLAIN QUERY PLAN {statement}")).await.join("\n");
        assert!(!plan.contains("SCAN") && !plan.contains("TEMP B-TREE"), "{statement}\n{plan}");
    }
}
