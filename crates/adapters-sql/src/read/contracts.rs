//! Reads of contracts and of the records that contracts create.

mod contract_versions;
mod contracts;
mod counters;
mod equity_marks;
mod evaluations;
mod filter_sets;
mod intents;
mod item_names;
mod items;
pub(crate) mod ledger;
mod pools;
pub(crate) mod purchases;
mod remediations;
mod reports;
mod searches;

use sea_orm::Value;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_ports::store::RecordBatch;
use uuid::Uuid;

use crate::rows::uuid;

fn home(scope: WorkspaceScope) -> Value {
    uuid(scope.workspace_id()).into()
}

/// Where a batch begins, and how long it may be.
fn bounds<K>(batch: &RecordBatch<K>) -> [Value; 2] {
    [batch.after.map_or(Uuid::nil(), uuid).into(), i64::from(batch.most).into()]
}
