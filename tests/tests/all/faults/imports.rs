//! Imports whose calls end in the middle.

use std::collections::BTreeSet;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

use serde_json::json;
use tradepost_domain::trading::import::{ImportFormat, ImportKind, ImportStatus, RowOutcome};
use tradepost_operations::Caller;
use tradepost_operations::trading::{ApplyImport, CreateImport, DefaultsOfImport, GetImport, ListImportRows};

use crate::harness::{World, on_both_databases};

const ACCOUNTS: u32 = 120;

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
        let mut calls = 0_usize;
        while !ends_within(1 + 5 * calls, Box::pin(operations.apply_import(&system, apply))).await {
            calls += 1;
        }
        assert!(calls > 3, "only {calls} calls were dropped");
        let import = operations.get_import(&system, GetImport { workspace_id, import_id }).await.unwrap().value;
        assert_eq!((import.status, import.tally.accepted), (ImportStatus::Applied, ACCOUNTS));
        let rows = ListImportRows { workspace_id, import_id, limit: 200, cursor: String::new(), outcome: None };
        let rows = operations.list_import_rows(&system, rows).await.unwrap().entries;
        assert!(rows.iter().all(|row| row.outcome == RowOutcome::Created));
        let ids: BTreeSet<_> = rows.iter().filter_map(|row| row.account_id).collect();
        assert_eq!(ids.len(), ACCOUNTS as usize, "each row created an account of its own");
    }
}
