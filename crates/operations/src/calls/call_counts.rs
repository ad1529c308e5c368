//! Counts of calls by the minute, until they are stored.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tradepost_domain::accounts::usage::{Calls, Ended};
use tradepost_domain::id::{ApiKeyId, WorkspaceId};
use tradepost_ports::store::UsageCount;

/// Most counts that wait to be stored. What comes beyond is not counted: usage is for looking at, and memory is not.
const MOST_WAITING: usize = 100_000;

/// Under what a call is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct UsageKey {
    workspace_id: WorkspaceId,
    minute: i64,
    key_id: Option<ApiKeyId>,
    operation: &'static str,
}

impl UsageKey {
    pub(crate) const fn new(
        workspace_id: WorkspaceId,
        minute: i64,
        key_id: Option<ApiKeyId>,
        operation: &'static str,
    ) -> Self {
        Self { workspace_id, minute, key_id, operation }
    }
}

/// Counts that are not stored yet.
#[derive(Default)]
pub(crate) struct CallCounts(Mutex<HashMap<UsageKey, Calls>>);

impl CallCounts {
    /// Counts a call that has ended.
    pub(crate) fn count(&self, called: UsageKey, ended: Ended) {
        self.add(called, |calls| calls.and(ended));
    }

    /// Adds counts that were taken and could not be stored.
    pub(crate) fn put_back(&self, counts: Vec<UsageCount>) {
        for UsageCount { workspace_id, minute, key_id, operation, calls } in counts {
            let called = UsageKey { workspace_id, minute, key_id, operation };
            self.add(called, |counted| counted.plus(calls));
        }
    }

    fn add(&self, called: UsageKey, calls: impl FnOnce(Calls) -> Calls) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < MOST_WAITING || waiting.contains_key(&called) {
            let counted = waiting.entry(called).or_default();
            *counted = calls(*counted);
        }
    }

    /// Returns all counts, which are stored next.
    pub(crate) fn take(&self) -> Vec<UsageCount> {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).drain().collect::<Vec<_>>();
        let count = |(UsageKey { workspace_id, minute, key_id, operation }, calls)| UsageCount {
            workspace_id,
            minute,
            key_id,
            operation,
            calls,
        };
        taken.into_iter().map(count).collect()
    }
}
