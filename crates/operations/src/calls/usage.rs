//! Counting calls: in memory by the minute, and stored now and then. No call waits for it, and a count of the last half minute may
//! be lost when the process is killed.

use tradepost_domain::accounts::access::Principal;
use tradepost_domain::accounts::usage::{Ended, KEPT_FOR};
use tradepost_domain::time::Timestamp;

use crate::calls::call_counts::UsageKey;
use crate::rules::Rule;
use crate::upkeep::clearing::{Step, until_done};
use crate::{OpResult, Operations};

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
        Some(UsageKey::new(workspace_id, minute_of(self.now()), key_id, rule.method))
    }

    /// Counts a call that has ended.
    pub fn count_call(&self, called: Option<UsageKey>, ended: Ended) {
        if let Some(called) = called {
            self.counted.count(called, ended);
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
            self.counted.put_back(counts);
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
