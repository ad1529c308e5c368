//! Records of the in-memory store: contracts and the records that their trading creates.

mod contract_versions;
mod contracts;
mod counters;
mod equity_marks;
mod evaluations;
mod filter_sets;
mod intents;
mod item_names;
mod items;
mod ledger;
mod pools;
mod purchases;
mod remediations;
mod reports;
mod searches;
mod transitions;

use std::collections::BTreeMap;

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::Id;
use tradepost_ports::changes::Seen;
use tradepost_ports::record::Record;
use tradepost_ports::store::{RecordBatch, StatusCounts};

use crate::memory::MemoryStore;

impl MemoryStore {
    pub(super) fn batch<T: Record, K>(
        &self,
        scope: WorkspaceScope,
        batch: &RecordBatch<K>,
        is_wanted: impl Fn(&T) -> bool,
    ) -> Vec<Seen<T>> {
        let is_later = |record: &T| batch.after.is_none_or(|after| after < Id::from_bytes(record.key()));
        let mut found = self.state().several(scope.workspace_id(), |record| is_later(record) && is_wanted(record));
        found.truncate(batch.most as usize);
        found
    }
}

/// Counts records by the stored number of their status.
fn counted(statuses: impl Iterator<Item = i16>) -> StatusCounts {
    let mut counts = BTreeMap::new();
    for status in statuses {
        *counts.entry(status).or_default() += 1;
    }
    StatusCounts { counts: counts.into_iter().collect(), truncated: false }
}
