//! The checks of `doctor --deep`: records that the domain wrote have no faults, whatever is written at the same time. Each change
//! that a user of the file can make is found by the checks for it, and by no other.

use std::collections::BTreeSet;
use std::slice;

use futures::future::{Either, select};
use sea_orm::{ConnectionTrait as _, DatabaseConnection};
use tradepost_domain::accounts::audit::{
    About, AuditEvent, AuditHead, AuditHome, AuditKind, SealedEvent, WaitingEvent,
};
use tradepost_domain::contracts::imported_item::ImportedRecords;
use tradepost_domain::contracts::inventory_item::{ItemStatus, Proceeds, SaleElsewhere};
use tradepost_domain::contracts::ledger::LedgerEntry;
use tradepost_domain::contracts::ledger::posting::{Booking, of_import, of_item, of_sale_elsewhere};
use tradepost_domain::id::AuditLogId;
use tradepost_domain::money::Cents;
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{AppendedRow, Caller, Changes};
use tradepost_ports::secrets::Secrets as _;
use tradepost_ports::store::Store as _;
use tradepost_testkit::books::Books;
use tradepost_testkit::fakes::FakeSecrets;
use tradepost_testkit::samples::{Scene, start};

use crate::support::{Place, TestStore, postgres, sqlite};

/// As many as there are stories of purchases, so that every posting is among their entries.
const FEW: u32 = 80;

/// The checks that find anything, and the first thing that each finds.
async fn wrong(test: &TestStore, secrets: &FakeSecrets) -> Vec<(&'static str, String)> {
    let store = &test.store;
    let mut wrong = Vec::new();
    let mut note = |check: &'static str, first: Option<String>| wrong.extend(first.map(|first| (check, first)));
    note("records", store.check_records(|_| ()).await.unwrap().findings.into_iter().next());
    note("chains", store.verify_chains(|_| ()).await.unwrap().findings.into_iter().next());
    note("counters", store.check_counters().await.unwrap().first().map(|found| format!("{found:?}")));
    note("contracts", store.check_contracts(|_| ()).await.unwrap().findings.first().map(ToString::to_string));
    note("books", store.check_books(|_| ()).await.unwrap().findings.first().map(ToString::to_string));
    note("sums", store.check_sums(|_| ()).await.unwrap().first().map(ToString::to_string));
    note("purchases", store.check_purchases(|_| ()).await.unwrap().findings.first().map(ToString::to_string));
    note("audit", store.check_audit(secrets, |_| ()).await.unwrap().findings.first().map(ToString::to_string));
    note("rights", store.check_rights(|_| ()).await.unwrap().findings.first().map(ToString::to_string));
    wrong
}

/// Records the owner and the key in the audit log of the scene's workspace, and chains all but the last event.
async fn audit(test: &TestStore, scene: &Scene, secrets: &FakeSecrets) {
    let events = [
        (AuditKind::MembershipAccepted, About::from(&scene.membership)),
        (AuditKind::ApiKeyCreated, About::from(&scene.key)),
        (AuditKind::WorkspaceUpdated, About::from(&scene.workspace)),
    ];
    let sealed = events.map(|(kind, about)| {
        let (id, home) = (scene.samples.id(), AuditHome::Workspace(scene.id()));
        let (subject, details) = (about.subject, about.details);
        let event = AuditEvent { id, home, kind, actor: None, subject, client: None, details, at: start() };
        SealedEvent { mac: secrets.audit_mac(&event.canonical()), event }
    });
    let log_id = AuditLogId::from_bytes(scene.id().to_bytes());
    let waiting =
        |sealed: &SealedEvent| WaitingEvent { log_id, event_id: sealed.event.id, event: Some(sealed.clone()) };
    let chained: Vec<WaitingEvent> = sealed.iter().take(2).map(waiting).collect();
    let (head, links) = AuditHead::empty(log_id).chain(&chained);
    let mut events = Changes::by(&Caller::system());
    for sealed in sealed {
        events.append(AppendedRow::Audit(sealed));
    }
    test.store.commit(events).await.unwrap();
    let mut chain = Changes::by(&Caller::system());
    chain.insert(AuditHead { mac: secrets.audit_mac(&head.canonical()), ..head });
    for link in links {
        chain.append(AppendedRow::AuditLink(link));
    }
    test.store.commit(chain).await.unwrap();
}

async fn tampering_is_free(test: &TestStore, db: &DatabaseConnection) {
    let allow = match test.place {
        Place::Folder(_) => {
            "DROP TRIGGER asset_id_links_are_never_updated; DROP TRIGGER audit_events_are_never_updated; \
             DROP TRIGGER audit_chain_are_never_updated;"
        }
        Place::Database(_) => {
            "ALTER TABLE asset_id_links DISABLE TRIGGER USER; ALTER TABLE audit_events DISABLE TRIGGER USER; \
             ALTER TABLE audit_chain DISABLE TRIGGER USER;"
        }
    };
    let allow = allow.replace("audit_chain_are_never_updated", "audit_chain_is_never_updated");
    db.execute_unprepared(&allow).await.unwrap();
}

/// What is changed, how it is put back, and by which check it is seen.
const TAMPERED: [(&str, &str, &str); 20] = [
    (
        "UPDATE pools SET available_cents = available_cents - 1, capital_cents = capital_cents + 1 WHERE name = 'Pool 1'",
        "UPDATE pools SET available_cents = available_cents + 1, capital_cents = capital_cents - 1 WHERE name = 'Pool 1'",
        "books",
    ),
    (
        "UPDATE pool_exposures SET exposed_cents = exposed_cents + 1",
        "UPDATE pool_exposures SET exposed_cents = exposed_cents - 1",
        "books",
    ),
    (
        "UPDATE pools SET used_cents = used_cents + 1 WHERE name = 'Pool 2'",
        "UPDATE pools SET used_cents = used_cents - 1 WHERE name = 'Pool 2'",
        "books",
    ),
    (
        "UPDATE inventory_items SET sell_price_cents = sell_price_cents + 1 WHERE status = 8",
        "UPDATE inventory_items SET sell_price_cents = sell_price_cents - 1 WHERE status = 8",
        "purchases",
    ),
    (
        "UPDATE inventory_items SET sale_fee_cents = sale_fee_cents + 1 WHERE status = 7",
        "UPDATE inventory_items SET sale_fee_cents = sale_fee_cents - 1 WHERE status = 7",
        "purchases",
    ),
    (
        "UPDATE inventory_items SET buy_price_cents = buy_price_cents + 1 WHERE status = 8",
        "UPDATE inventory_items SET buy_price_cents = buy_price_cents - 1 WHERE status = 8",
        "purchases",
    ),
    (
        "UPDATE record_counts SET n = n + 1 WHERE kind = 16 AND status = 8",
        "UPDATE record_counts SET n = n - 1 WHERE kind = 16 AND status = 8",
        "counters",
    ),
    (
        "UPDATE contracts SET filled_quantity = filled_quantity + 1 WHERE name = 'Buys 3'",
        "UPDATE contracts SET filled_quantity = filled_quantity - 1 WHERE name = 'Buys 3'",
        "contracts",
    ),
    (
        "UPDATE contracts SET open_quantity = open_quantity + 1 WHERE name = 'Buys 3'",
        "UPDATE contracts SET open_quantity = open_quantity - 1 WHERE name = 'Buys 3'",
        "contracts",
    ),
    (
        "UPDATE contracts SET spent_cents = spent_cents + 1 WHERE name = 'Buys 3'",
        "UPDATE contracts SET spent_cents = spent_cents - 1 WHERE name = 'Buys 3'",
        "contracts",
    ),
    (
        "UPDATE contracts SET filled_quantity = filled_quantity + 1 WHERE name = 'Sells'",
        "UPDATE contracts SET filled_quantity = filled_quantity - 1 WHERE name = 'Sells'",
        "contracts",
    ),
    (
        "UPDATE ledger_days SET realised_cents = realised_cents + 1 WHERE day < 1000000000 AND telling = 1",
        "UPDATE ledger_days SET realised_cents = realised_cents - 1 WHERE day < 1000000000 AND telling = 1",
        "sums",
    ),
    (
        "UPDATE ledger_days SET sold = sold + 1 WHERE day = 1000000000 AND telling = 3",
        "UPDATE ledger_days SET sold = sold - 1 WHERE day = 1000000000 AND telling = 3",
        "sums",
    ),
    (
        "UPDATE ledger_months SET write_offs_cents = write_offs_cents + 1 WHERE telling = 2",
        "UPDATE ledger_months SET write_offs_cents = write_offs_cents - 1 WHERE telling = 2",
        "sums",
    ),
    (
        "UPDATE asset_id_links SET asset_id = '7' || asset_id WHERE step = 1",
        "UPDATE asset_id_links SET asset_id = substr(asset_id, 2) WHERE step = 1",
        "chains",
    ),
    (
        "UPDATE pools SET currency = 'usd' WHERE name = 'Pool 3'",
        "UPDATE pools SET currency = 'USD' WHERE name = 'Pool 3'",
        "records",
    ),
    ("UPDATE memberships SET role = 2", "UPDATE memberships SET role = 3", "rights"),
    ("UPDATE api_keys SET policies = policies - 1", "UPDATE api_keys SET policies = policies + 1", "rights"),
    ("UPDATE api_keys SET allowed_cidrs = '192.0.2.0/24'", "UPDATE api_keys SET allowed_cidrs = NULL", "rights"),
    (
        "UPDATE audit_events SET at = at + 1 WHERE kind = 'workspace.updated'",
        "UPDATE audit_events SET at = at - 1 WHERE kind = 'workspace.updated'",
        "audit",
    ),
];

/// The same of a purchase and of the item that it brought, which several checks look at: by which of them it is seen.
const CONTRADICTED: [(&str, &str, &[&str]); 6] = [
    (
        "UPDATE purchases SET executed_price_cents = executed_price_cents + 1 WHERE listing_id = 'listing-20'",
        "UPDATE purchases SET executed_price_cents = executed_price_cents - 1 WHERE listing_id = 'listing-20'",
        &["contracts", "purchases"],
    ),
    (
        "UPDATE purchases SET executed_fee_cents = executed_fee_cents - 1 WHERE listing_id = 'listing-20'",
        "UPDATE purchases SET executed_fee_cents = executed_fee_cents + 1 WHERE listing_id = 'listing-20'",
        &["contracts", "purchases"],
    ),
    // From TRADED to SETTLED no money moves.
    (
        "UPDATE purchases SET status = 8 WHERE listing_id = 'listing-20'",
        "UPDATE purchases SET status = 7 WHERE listing_id = 'listing-20'",
        &["counters"],
    ),
    // From TRADED to REVERTED it does.
    (
        "UPDATE purchases SET status = 13 WHERE listing_id = 'listing-20'",
        "UPDATE purchases SET status = 7 WHERE listing_id = 'listing-20'",
        &["contracts", "counters", "purchases"],
    ),
    (
        "CREATE TABLE kept AS SELECT * FROM purchases WHERE listing_id = 'listing-20'; \
         DELETE FROM purchases WHERE listing_id = 'listing-20'",
        "INSERT INTO purchases SELECT * FROM kept; DROP TABLE kept",
        &["contracts", "counters", "purchases"],
    ),
    (
        "CREATE TABLE kept AS SELECT * FROM inventory_items WHERE purchase_id IN \
         (SELECT id FROM purchases WHERE listing_id = 'listing-20'); \
         DELETE FROM inventory_items WHERE purchase_id IN (SELECT id FROM purchases WHERE listing_id = 'listing-20')",
        "INSERT INTO inventory_items SELECT * FROM kept; DROP TABLE kept",
        &["chains", "counters", "purchases"],
    ),
];

/// The same of the chain over the log, which says where it does not hold.
const UNCHAINED: [(&str, &str); 3] = [
    ("UPDATE audit_events SET at = at + 1 WHERE kind = 'api_key.created'", "from sequence 2 on"),
    ("UPDATE audit_heads SET sequence = 1", "from sequence 2 on"),
    ("UPDATE audit_chain SET sequence = sequence + 7", "from sequence 1 on"),
];

async fn each_check_finds_what_it_is_there_for(test: TestStore) {
    let (scene, secrets) = (Scene::founded(&test.store, 1).await, FakeSecrets::default());
    audit(&test, &scene, &secrets).await;
    Books::open(&test.store, scene.id()).await.write(FEW, |_| ()).await;
    assert_eq!(wrong(&test, &secrets).await, [], "nothing was changed yet");
    let db = test.place.connect().await;
    tampering_is_free(&test, &db).await;
    let seen_by_one = TAMPERED.iter().map(|(break_it, mend_it, check)| (break_it, mend_it, slice::from_ref(check)));
    let seen_by_several = CONTRADICTED.iter().map(|(break_it, mend_it, checks)| (break_it, mend_it, *checks));
    for (break_it, mend_it, expected) in seen_by_one.chain(seen_by_several) {
        assert!(db.execute_unprepared(break_it).await.unwrap().rows_affected() > 0, "{break_it}");
        let wrong = wrong(&test, &secrets).await;
        let checks: BTreeSet<&str> = wrong.iter().map(|(check, _)| *check).collect();
        let expected: BTreeSet<&str> = expected.iter().copied().collect();
        assert_eq!(checks, expected, "{break_it}: {wrong:?}");
        db.execute_unprepared(mend_it).await.unwrap();
    }
    assert_eq!(wrong(&test, &secrets).await, [], "everything was put back");
    for (break_it, expected) in UNCHAINED {
        db.execute_unprepared(break_it).await.unwrap();
        let wrong = wrong(&test, &secrets).await;
        assert!(matches!(wrong.as_slice(), [("audit", found)] if found.contains(expected)), "{break_it}: {wrong:?}");
    }
}

#[tokio::test]
async fn each_check_finds_what_it_is_there_for_on_sqlite() {
    each_check_finds_what_it_is_there_for(sqlite().await).await;
}

#[tokio::test]
async fn each_check_finds_what_it_is_there_for_on_postgres() {
    each_check_finds_what_it_is_there_for(postgres().await).await;
}

fn entry_of(scene: &Scene, booking: Booking, at: Timestamp) -> AppendedRow {
    let Booking { posting, amounts, pending, trade } = booking;
    AppendedRow::Ledger(LedgerEntry {
        id: scene.samples.id(),
        workspace_id: scene.id(),
        pool_id: None,
        posting,
        amounts,
        pending,
        trade: Some(trade),
        reason: None,
        at,
    })
}

/// Writes an imported item at this price, its steps to a status, and what these book. Without a price its cost is unknown.
async fn write_imported(test: &TestStore, scene: &Scene, price: Option<i64>, status: ItemStatus) {
    let ImportedRecords { purchase, item, link } = scene.samples.imported_item(scene.id(), price);
    let mut changes = Changes::by(&Caller::system());
    changes.append(AppendedRow::Link(link));
    let mut booked: Vec<Booking> = of_import(&item, &purchase).unwrap().into_iter().collect();
    let mut last = item.clone();
    for (next, link) in scene.samples.steps_to(&item, status) {
        booked.extend(of_item(&last, &next, &purchase).unwrap());
        if let Some(link) = link {
            changes.append(AppendedRow::Link(link));
        }
        last = next;
    }
    for booking in booked {
        changes.append(entry_of(scene, booking, start()));
    }
    changes.insert(purchase).insert(last);
    test.store.commit(changes).await.unwrap();
}

/// Writes an imported item at this price that was sold elsewhere more than a year before it was imported.
async fn write_sold_elsewhere(test: &TestStore, scene: &Scene, price: Option<i64>) {
    let ImportedRecords { purchase, item, link } = scene.samples.imported_item(scene.id(), price);
    let sold_at = Timestamp::from_micros(start().as_micros() - 400 * 86_400_000_000).unwrap();
    let [sell_price, sale_fee] = [1_500, 75].map(|cents| Cents::new(cents).unwrap());
    let sale = SaleElsewhere {
        marketplace: Marketplace::new("skinport").unwrap(),
        proceeds: Proceeds::new(sell_price, sale_fee).unwrap(),
        order_id: None,
        sold_at,
    };
    let (sold, ended) = item.clone().sell_elsewhere(&sale, scene.samples.external_id(), start()).unwrap();
    let mut changes = Changes::by(&Caller::system());
    changes.append(AppendedRow::Link(link));
    changes.append(AppendedRow::Link(ended.of(sold.chain_owner(), scene.samples.id())));
    if let Some(booking) = of_import(&item, &purchase).unwrap() {
        changes.append(entry_of(scene, booking, start()));
    }
    for booking in of_sale_elsewhere(&sold, &purchase).unwrap() {
        changes.append(entry_of(scene, booking, sold_at));
    }
    changes.insert(purchase).insert(sold);
    test.store.commit(changes).await.unwrap();
}

/// Writes a purchase that was made elsewhere two years before it was imported, with its cost on that day. If its item was sold, that was on
/// the day after.
async fn write_bought_elsewhere(test: &TestStore, scene: &Scene, is_sold: bool) {
    let day = |number: i64| Timestamp::from_micros(start().as_micros() - number * 86_400_000_000).unwrap();
    let (bought_at, sold_at) = (day(730), day(729));
    let ImportedRecords { purchase, item, link } = scene.samples.purchase_elsewhere(scene.id(), bought_at);
    let mut changes = Changes::by(&Caller::system());
    changes.append(AppendedRow::Link(link));
    let mut last = item.clone();
    if is_sold {
        let [sell_price, sale_fee] = [900, 45].map(|cents| Cents::new(cents).unwrap());
        let sale = SaleElsewhere {
            marketplace: Marketplace::new("skinport").unwrap(),
            proceeds: Proceeds::new(sell_price, sale_fee).unwrap(),
            order_id: None,
            sold_at,
        };
        let (sold, ended) = item.sell_elsewhere(&sale, scene.samples.external_id(), start()).unwrap();
        changes.append(AppendedRow::Link(ended.of(sold.chain_owner(), scene.samples.id())));
        for booking in of_sale_elsewhere(&sold, &purchase).unwrap() {
            changes.append(entry_of(scene, booking, sold_at));
        }
        last = sold;
    }
    changes.append(entry_of(scene, of_import(&last, &purchase).unwrap().unwrap(), bought_at));
    changes.insert(purchase).insert(last);
    test.store.commit(changes).await.unwrap();
}

async fn imported_items_are_checked_as_others_are(test: TestStore) {
    let (scene, secrets) = (Scene::founded(&test.store, 1).await, FakeSecrets::default());
    audit(&test, &scene, &secrets).await;
    for price in [None, Some(0), Some(1_200)] {
        for status in [ItemStatus::InInventory, ItemStatus::Sold, ItemStatus::Settled, ItemStatus::WrittenOff] {
            write_imported(&test, &scene, price, status).await;
        }
        write_sold_elsewhere(&test, &scene, price).await;
    }
    write_bought_elsewhere(&test, &scene, false).await;
    write_bought_elsewhere(&test, &scene, true).await;
    assert_eq!(wrong(&test, &secrets).await, [], "nothing was changed yet");
    let cheaper = "UPDATE purchases SET executed_price_cents = executed_price_cents - 1 WHERE executed_price_cents > 0";
    test.place.connect().await.execute_unprepared(cheaper).await.unwrap();
    let checks: BTreeSet<&str> = wrong(&test, &secrets).await.iter().map(|(check, _)| *check).collect();
    assert_eq!(checks, BTreeSet::from(["purchases"]));
}

#[tokio::test]
async fn imported_items_are_checked_as_others_are_on_sqlite() {
    imported_items_are_checked_as_others_are(sqlite().await).await;
}

#[tokio::test]
async fn imported_items_are_checked_as_others_are_on_postgres() {
    imported_items_are_checked_as_others_are(postgres().await).await;
}

async fn what_is_written_meanwhile_is_no_finding(test: TestStore) {
    let (scene, secrets) = (Scene::founded(&test.store, 1).await, FakeSecrets::default());
    let books = Books::open(&test.store, scene.id()).await;
    let mut writing = Box::pin(books.write(2_000, |_| ()));
    loop {
        let looking = Box::pin(wrong(&test, &secrets));
        match select(writing, looking).await {
            Either::Left(((), looking)) => {
                assert_eq!(looking.await, []);
                break;
            }
            Either::Right((found, rest)) => {
                assert_eq!(found, []);
                writing = rest;
            }
        }
    }
}

#[tokio::test]
async fn what_is_written_meanwhile_is_no_finding_on_sqlite() {
    what_is_written_meanwhile_is_no_finding(sqlite().await).await;
}

#[tokio::test]
async fn what_is_written_meanwhile_is_no_finding_on_postgres() {
    what_is_written_meanwhile_is_no_finding(postgres().await).await;
}
