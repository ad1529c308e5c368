//! How purchases and items are read by filters: each filter alone from an index, several in a bounded part of one.

use sea_orm::{ConnectionTrait as _, DatabaseConnection};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::id::ContractId;
use tradepost_domain::name_search::NameSearch;
use tradepost_ports::store::{
    AFTER_ALL_NAMES, ItemFilter, ItemLock, NameFilter, NameQuery, NamedRecord, PageRequest, PurchaseFilter,
    Records as _, Store,
};
use tradepost_testkit::samples::{Scene, minute, text};

use super::explained;
use crate::support::{Heard, TestStore, column, observed, postgres, sqlite};

/// Each list of one filter.
pub(super) const LISTS: usize = 10 + 9 + 1;

const PENDING: &[PurchaseStatus] = &[PurchaseStatus::Pending];
const LISTED: &[ItemStatus] = &[ItemStatus::Listed];

/// Fills purchases and items of PostgreSQL and counts their values: of an empty table, any index of the workspace is as good as another.
pub(super) async fn fill(db: &DatabaseConnection) {
    let id = |number: &str| format!("lpad(to_hex({number}), 32, '0')::uuid");
    let (workspace, own, contract) = (id("1"), id("i"), id("i % 50"));
    let name = "'Item ' || i % 100, ";
    for statement in [
        format!(
            "INSERT INTO purchases (workspace_id, id, contract_id, market_hash_name, listing_price_cents, \
             max_buy_price_cents, platform_fee_cents, listing_id, listing_asset_id, marketplace, account_name, status, \
             refunded_cents, created_at, updated_at, version) SELECT {workspace}, {own}, {contract}, {name} 1, 2, 0, \
             'listing-' || i, i::text, 'place-' || i % 9, 'trader-' || i % 9, 1 + i % 14, 0, i, i, 1 \
             FROM generate_series(1, 5000) AS i"
        ),
        format!(
            "INSERT INTO inventory_items (workspace_id, id, purchase_id, contract_id, market_hash_name, status, \
             buy_price_cents, account_name, app_id, context_id, lock_kind, locked_until, sale_marketplace, last_step, \
             current_asset_id, last_source, first_source, chained_at, created_at, updated_at, version) \
             SELECT {workspace}, {own}, {own}, {contract}, {name} 1 + i % 11, 1, 'trader-' || i % 9, 730, 2, 1, i, \
             'place-' || i % 9, 1, i::text, 1, 1, i, i, i, 1 FROM generate_series(1, 5000) AS i"
        ),
        "ANALYZE purchases".to_owned(),
        "ANALYZE inventory_items".to_owned(),
    ] {
        db.execute_unprepared(&statement).await.unwrap();
    }
}

/// Asks for purchases and for items by each filter alone, and by contract and status.
pub(super) async fn list(store: &dyn Store, scope: WorkspaceScope, contract: ContractId) {
    store.contract_versions().list(scope, contract, PageRequest { before: None, limit: 50 }).await.unwrap();
    let all = PurchaseFilter::default();
    let names = [text("AK-47 | Redline (Field-Tested)")];
    let (place, account, at) = (text("csfloat"), text("trader-1"), Some(minute(1)));
    for filter in [
        all,
        PurchaseFilter { statuses: PENDING, ..all },
        PurchaseFilter { contract_id: Some(contract), ..all },
        PurchaseFilter { contract_id: Some(contract), statuses: PENDING, ..all },
        PurchaseFilter { names: NameFilter::OneOf(&names), ..all },
        PurchaseFilter { marketplace: Some(&place), ..all },
        PurchaseFilter { account_name: Some(&account), ..all },
        PurchaseFilter { from: at, ..all },
        PurchaseFilter { to: at, ..all },
        PurchaseFilter { account_name: Some(&account), from: at, to: at, ..all },
    ] {
        store.purchases().list(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
    }
    let all = ItemFilter::default();
    let in_status = ItemFilter { statuses: LISTED, ..all };
    for filter in [
        all,
        in_status,
        ItemFilter { contract_id: Some(contract), ..all },
        ItemFilter { contract_id: Some(contract), ..in_status },
        ItemFilter { names: NameFilter::OneOf(&names), ..all },
        ItemFilter { account_name: Some(&account), ..all },
        ItemFilter { sale_marketplace: Some(&place), ..in_status },
        ItemFilter { lock: Some(ItemLock::LockedAt(minute(1))), ..all },
        ItemFilter { contract_id: Some(contract), statuses: LISTED, ..all },
    ] {
        store.items().list(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
    }
}

/// The statements of lists whose parts are merged, each of which an index finds: of several statuses, and of several names.
async fn merged(test: &TestStore) -> Vec<String> {
    let heard = Heard::default();
    let store = observed(test, heard.observer()).await;
    let scope = Scene::founded(&store, 1).await.scope();
    let names = [text("Gallery Case"), text("AK-47 | Redline (Field-Tested)"), text("Revolution Case")];
    let place = text("csfloat");
    let statuses = &[PurchaseStatus::Pending, PurchaseStatus::Paid, PurchaseStatus::Traded];
    heard.take();
    for filter in [
        PurchaseFilter { statuses, ..PurchaseFilter::default() },
        PurchaseFilter { names: NameFilter::OneOf(&names), ..PurchaseFilter::default() },
    ] {
        store.purchases().list(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
    }
    for filter in [
        ItemFilter { names: NameFilter::OneOf(&names), ..ItemFilter::default() },
        ItemFilter { sale_marketplace: Some(&place), ..ItemFilter::default() },
    ] {
        store.items().list(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
    }
    heard.take()
}

#[tokio::test]
async fn sqlite_merges_lists_of_several_values_without_sorting() {
    let test = sqlite().await;
    let db = test.place.connect().await;
    let lists = merged(&test).await;
    assert_eq!(lists.len(), 4);
    for list in lists {
        let plan = column(&db, 3, &format!("EXPLAIN QUERY PLAN {list}")).await.join("\n");
        assert!(plan.contains("MERGE (UNION ALL)"), "{list}\n{plan}");
        assert!(!plan.contains("SCAN ") && !plan.contains("TEMP B-TREE"), "{list}\n{plan}");
    }
}

#[tokio::test]
async fn postgres_reads_at_most_a_page_of_each_of_several_values() {
    let test = postgres().await;
    let db = test.place.connect().await;
    fill(&db).await;
    for list in merged(&test).await {
        let plan = explained(&db, &list).await;
        assert!(plan.matches("Limit").count() > 2 && !plan.contains("Seq Scan"), "{list}\n{plan}");
        assert!(!plan.contains("Filter:"), "{list}\n{plan}");
    }
}

/// The statements of several filters together: what no index finds is looked for in 5,000 rows of one.
async fn combined(test: &TestStore) -> Vec<String> {
    let heard = Heard::default();
    let store = observed(test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let (scope, contract_id) = (scene.scope(), Some(scene.contract.id));
    let search = NameSearch::new("redline").unwrap();
    let (place, account) = (text("csfloat"), text("trader-1"));
    let (marketplace, statuses) = (Some(&place), PENDING);
    let names = NameFilter::Containing(&search);
    heard.take();
    for filter in [
        PurchaseFilter { names, ..PurchaseFilter::default() },
        PurchaseFilter { marketplace, statuses, ..PurchaseFilter::default() },
        PurchaseFilter { contract_id, account_name: Some(&account), ..PurchaseFilter::default() },
        PurchaseFilter { from: Some(minute(1)), statuses, ..PurchaseFilter::default() },
    ] {
        store.purchases().list(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
        store.purchases().count(scope, filter).await.unwrap();
    }
    for filter in [
        ItemFilter { names, ..ItemFilter::default() },
        ItemFilter { lock: Some(ItemLock::FreeAt(minute(1))), ..ItemFilter::default() },
        ItemFilter { lock: Some(ItemLock::LockedAt(minute(1))), statuses: LISTED, ..ItemFilter::default() },
    ] {
        store.items().list(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
        store.items().count(scope, filter).await.unwrap();
    }
    heard.take()
}

#[tokio::test]
async fn sqlite_looks_through_a_bounded_part_of_an_index_for_several_filters() {
    let test = sqlite().await;
    let db = test.place.connect().await;
    let statements = combined(&test).await;
    assert_eq!(statements.len(), 14);
    for statement in statements {
        let plan = column(&db, 3, &format!("EXPLAIN QUERY PLAN {statement}")).await.join("\n");
        // Counts are grouped by status, at most 5,000 of them; the bounded parts are read as a whole.
        assert!(!plan.contains("SCAN purchases") && !plan.contains("SCAN inventory_items"), "{statement}\n{plan}");
        assert!(!plan.contains("FOR ORDER BY"), "{statement}\n{plan}");
        assert!(statement.contains("LIMIT 5000") && statement.contains("LIMIT 1 OFFSET "), "{statement}");
    }
}

#[tokio::test]
async fn postgres_looks_through_a_bounded_part_of_an_index_for_several_filters() {
    let test = postgres().await;
    let db = test.place.connect().await;
    fill(&db).await;
    for statement in combined(&test).await {
        let plan = explained(&db, &statement).await;
        assert!(plan.contains("Index") && !plan.contains("Seq Scan"), "{statement}\n{plan}");
    }
}

#[tokio::test]
async fn sqlite_reads_the_names_of_records_by_one_look_up_each() {
    let test = sqlite().await;
    let (heard, db) = (Heard::default(), test.place.connect().await);
    let store = observed(&test, heard.observer()).await;
    let scope = Scene::founded(&store, 1).await.scope();
    heard.take();
    for of in [NamedRecord::Purchase, NamedRecord::Item, NamedRecord::Candle, NamedRecord::Quote] {
        let query = NameQuery { from: "", before: AFTER_ALL_NAMES, begins: None, search: None, most: 50 };
        store.item_names().list_names(scope, of, query).await.unwrap();
    }
    for read in heard.take() {
        let plan = column(&db, 3, &format!("EXPLAIN QUERY PLAN {read}")).await.join("\n");
        assert_eq!(plan.matches("(workspace_id=? AND market_hash_name>? AND market_hash_name<?)").count(), 2, "{plan}");
        assert!(!plan.contains("TEMP B-TREE"), "{plan}");
    }
}
