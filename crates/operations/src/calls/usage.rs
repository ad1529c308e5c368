//! Counting calls: in memory by the minute, and stored now and then. No call waits for it, and a count of the last half minute may
//! be lost when the process is killed.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tradepost_domain::accounts::access::Principal;
use tradepost_domain::accounts::usage::{Calls, Ended, KEPT_FOR};
use tradepost_domain::id::{ApiKeyId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::store::UsageCount;

use crate::rules::Rule;
use crate::upkeep::clearing::{Step, until_done};
use crate::{OpResult, Operations};

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

/// Counts that are not stored yet.
#[derive(Default)]
pub(crate) struct Counted(Mutex<HashMap<UsageKey, Calls>>);

impl Counted {
    fn add(&self, called: UsageKey, calls: impl FnOnce(Calls) -> Calls) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < MOST_WAITING || waiting.contains_key(&called) {
            let counted = waiting.entry(called).or_default();
            *counted = calls(*counted);
        }
    }

    fn take(&self) -> Vec<UsageCount> {
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

impl Operations {
    /// Returns the key that counts a call that begins now: for the workspace of its key, or the one that a session has chosen. A
    /// session that has chosen none counts for none.
    pub fn called(&self, principal: &Principal, rule: &'static Rule) -> Option<UsageKey> {
        let (workspace_id, key_id) = match principal {
            Principal::Key(key) => (key.workspace_id, Some(key.key_id)),
            Principal::Session(session) => {
                (session.chosen.filter(|chosen| principal.access_to(*chosen).is_ok())?, None)
            }
            Principal::Person(_) | Principal::System | Principal::Anonymous => return None,
        };
        Some(UsageKey { workspace_id, minute: minute_of(self.now()), key_id, operation: rule.method })
    }

    /// Counts a call that has ended.
    pub fn count_call(&self, called: Option<UsageKey>, ended: Ended) {
        if let Some(called) = called {
            self.counted.add(called, |calls| calls.and(ended));
        }
    }

    /// Stores the counts. When that fails, they are kept and stored with the next ones.
    ///
    /// # Errors
    /// `internal` when storage is out.
    pub async fn flush_usage(&self) -> OpResult<()> {
        let counts = self.counted.take();
        let stored = self.ports.store.usage().add(&counts).await;
        if stored.is_err() {
            for UsageCount { workspace_id, minute, key_id, operation, calls } in counts {
                let called = UsageKey { workspace_id, minute, key_id, operation };
                self.counted.add(called, |counted| counted.plus(calls));
            }
        }
        Ok(stored?)
    }

    /// Forgets a bounded part of the counts that are older than 90 days; returns their number.
    ///
    /// # Errors
    /// `internal` when storage is out.
    pub async fn forget_old_usage(&self) -> OpResult<u64> {
        let before = minute_of(self.now().plus(-KEPT_FOR));
        let store = &self.ports.store;
        until_done(|most| async move { Ok(Step::of(store.usage().forget(before, most).await?, most)) }).await
    }
}

/// Minutes since 1970.
pub(crate) const fn minute_of(at: Timestamp) -> i64 {
    at.as_micros().div_euclid(60_000_000)
}
