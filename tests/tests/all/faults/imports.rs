//! Imports whose calls end in the middle.

use std::collections::BTreeSet;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

use serde_json::{Value, json};
use tradepost::sql::SqlStore;
use tradepost_domain::contracts::ledger::report::{GroupKey, Grouping, midnight_of};
use tradepost_domain::trading::import::{ELSEWHERE, ImportFormat, ImportKind, ImportStatus, RowOutcome};
use tradepost_operations::contracts::{GetProfitAndLoss, ReportOf};
use tradepost_operations::trading::{ApplyImport, CreateImport, DefaultsOfImport, GetImport, ListImportRows};
use tradepost_operations::{Caller, Operations};

use crate::harness::{World, on_both_databases};

const ACCOUNTS: u32 = 120;
const PURCHASES: u32 = 120;
/// 2020-03-01, counted from 1970-01-01.
const DAY_OF_SALES: i64 = 18_322;

/// Polls a call so many times and drops it when it would be polled once more; whether it ended before.
async fn ends_within<T>(polls: usize, mut call: Pin<Box<dyn Future<Output = T> + Send + '_>>) -> bool {
    let mut left = polls;
    poll_fn(move |context| {
        if left == 0 {
            return Poll::Ready(false);
        }
        left -= 1;
        call.as_mut().poll(context).map(|_| true)
    })
    .await
}

/// Applies an import by calls that are dropped until one ends; returns how many were.
async fn apply_by_dropped_calls(operations: &Operations, apply: ApplyImport) -> usize {
    let (system, mut calls) = (Caller::system(), 0_usize);
    while !ends_within(1 + calls, Box::pin(operations.apply_import(&system, apply))).await {
        calls += 1;
    }
    calls
}

/// A purchase made elsewhere, as it is uploaded. The items of every other one were sold on the same day, each for a profit of 1.95.
fn purchase(number: u32) -> Value {
    let mut row = json!({
        "steamid": "76561198000009100",
        "marketplace": "csfloat",
        "order_id": format!("A-{number}"),
        "asset_id": 88_000_000_000_u64 + u64::from(number),
        "market_hash_name": "Glove Case",
        "price_cents": 1_200,
        "fee_cents": 30,
        "bought_at": "2020-01-31",
        "held": number.is_multiple_of(2),
    });
    if !number.is_multiple_of(2) {
        row["sold_at"] = json!("2020-03-01");
        row["sale_price_cents"] = json!(1_500);
        row["sale_fee_cents"] = json!(75);
    }
    row
}

on_both_databases! {
    async fn an_import_whose_calls_are_dropped_at_any_point_is_applied_once(database) {
        let world = World::new(database).await;
        let (operations, workspace_id, system) = (world.app.operations(), world.desk.workspace_id, Caller::system());
        let accounts: Vec<_> = (0..ACCOUNTS)
            .map(|number| json!({ "steamid": format!("7656119800001{number:04}"), "password": "copper" }))
            .collect();
        world.acknowledge_risks().await;
        let command = CreateImport {
            workspace_id,
            kind: ImportKind::Accounts,
            format: ImportFormat::Json,
            content: json!(accounts).to_string().into_bytes().into(),
            passphrase: None,
            defaults: DefaultsOfImport::default(),
            name: None,
        };
        let import_id = operations.create_import(&system, command).await.unwrap().value.id;
        let apply = ApplyImport { workspace_id, import_id, expected_version: Some(1) };
        let calls = apply_by_dropped_calls(operations, apply).await;
        assert!(calls > 3, "only {calls} calls were dropped");
        let import = operations.get_import(&system, GetImport { workspace_id, import_id }).await.unwrap().value;
        assert_eq!((import.status, import.tally.accepted), (ImportStatus::Applied, ACCOUNTS));
        let rows = ListImportRows { workspace_id, import_id, limit: 200, cursor: String::new(), outcome: None };
        let rows = operations.list_import_rows(&system, rows).await.unwrap().entries;
        assert!(rows.iter().all(|row| row.outcome == RowOutcome::Created));
        let ids: BTreeSet<_> = rows.iter().filter_map(|row| row.account_id).collect();
        assert_eq!(ids.len(), ACCOUNTS as usize, "each row created an account of its own");
    }

    async fn imported_purchases_whose_calls_are_dropped_are_recorded_once_and_add_up(database) {
        let world = World::new(database).await;
        let (operations, workspace_id, system) = (world.app.operations(), world.desk.workspace_id, Caller::system());
        world.imported_account(9_100).await;
        let purchases: Vec<Value> = (0..PURCHASES).map(purchase).collect();
        let command = CreateImport {
            workspace_id,
            kind: ImportKind::Purchases,
            format: ImportFormat::Json,
            content: json!(purchases).to_string().into_bytes().into(),
            passphrase: None,
            defaults: DefaultsOfImport::default(),
            name: None,
        };
        let import_id = operations.create_import(&system, command).await.unwrap().value.id;
        let apply = ApplyImport { workspace_id, import_id, expected_version: Some(1) };
        assert!(apply_by_dropped_calls(operations, apply).await > 3);
        let rows = ListImportRows { workspace_id, import_id, limit: 200, cursor: String::new(), outcome: None };
        let rows = operations.list_import_rows(&system, rows).await.unwrap().entries;
        assert!(rows.iter().all(|row| row.outcome == RowOutcome::Created), "{rows:?}");
        let ids = rows.iter().filter_map(|row| row.holding.as_deref()?.purchase_id);
        assert_eq!(ids.collect::<BTreeSet<_>>().len(), PURCHASES as usize, "each row has a purchase of its own");

        let (from, to) = (Some(midnight_of(DAY_OF_SALES)), Some(midnight_of(DAY_OF_SALES + 1)));
        let (group_by, of) = (Grouping::SellMarketplace, ReportOf::default());
        let report = GetProfitAndLoss { workspace_id, from, to, group_by, of };
        let report = operations.get_profit_and_loss(&system, report).await.unwrap();
        let sold = report.rows.iter().find(|row| row.key == GroupKey::Name(ELSEWHERE.to_owned())).unwrap();
        let sales = i64::from(PURCHASES / 2);
        assert_eq!((sold.figures.sold, sold.figures.realised), (sales, 195 * sales));

        let store = SqlStore::open(world.place.settings()).await.unwrap();
        assert_eq!(store.check_sums(|_| ()).await.unwrap(), []);
        assert_eq!(store.check_purchases(|_| ()).await.unwrap().findings, []);
        store.close().await.unwrap();
    }
}
