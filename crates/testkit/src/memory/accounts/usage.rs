//! The usage of workspaces.

use std::collections::BTreeMap;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::usage::{Calls, UsagePoint};
use tradepost_domain::time::Timestamp;
use tradepost_ports::store::{StoreError, StoreResult, Usage, UsageCount, UsageQuery};

use crate::memory::MemoryStore;

#[async_trait]
impl Usage for MemoryStore {
    async fn add(&self, counts: &[UsageCount]) -> StoreResult<()> {
        let mut state = self.state();
        for count in counts {
            let key = (count.workspace_id, count.minute, count.key_id, count.operation);
            let calls = state.usage.entry(key).or_default();
            *calls = calls.plus(count.calls);
        }
        Ok(())
    }
    async fn read(&self, scope: WorkspaceScope, query: UsageQuery) -> StoreResult<Vec<UsagePoint>> {
        let span = query.granularity.minutes();
        let mut points: BTreeMap<_, Calls> = BTreeMap::new();
        for ((workspace, minute, key_id, operation), calls) in &self.state().usage {
            if *workspace == scope.workspace_id() && (query.from..query.to).contains(minute) {
                let key_id = key_id.filter(|_| query.grouping.by_key);
                let operation = query.grouping.by_operation.then_some(*operation);
                let point = points.entry((minute.div_euclid(span) * span, key_id, operation)).or_default();
                *point = point.plus(*calls);
            }
        }
        let point = |((minute, key_id, operation), calls): ((i64, _, Option<&str>), Calls)| {
            let time =
                Timestamp::from_micros(minute * 60_000_000).map_err(|error| StoreError::Bug(error.to_string()))?;
            Ok(UsagePoint { time, key_id, operation: operation.map(str::to_owned), calls })
        };
        points.into_iter().take(query.limit as usize).map(point).collect()
    }
    async fn forget(&self, before: i64, most: u32) -> StoreResult<u64> {
        let mut state = self.state();
        let old: Vec<_> = state.usage.keys().filter(|(_, minute, ..)| *minute < before).copied().collect();
        let old = &old[..old.len().min(most as usize)];
        for key in old {
            state.usage.remove(key);
        }
        Ok(old.len() as u64)
    }
}
