//! The money queue: steps that move the money of one workspace in this process run one after another.
//!
//! Proposals and decisions about them take a turn too, because a contract counts them.
//!
//! Every such step is decided on the counters of a contract and the balances of a pool. Of concurrent steps all but one would lose the race
//! and read again; in the queue, each reads what the previous one wrote. Steps of other processes still cause a conflict.

use std::any::Any;
use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OwnedMutexGuard;
use tradepost_domain::id::WorkspaceId;

use crate::{OpResult, Operations};

/// Attempts of a step that only other processes disturb.
const ATTEMPTS: u64 = 20;

tokio::task_local! {
    /// The turn in which an attempt runs. A commit that is held back takes a share in it, so that it lasts until the commit.
    static TURN: Arc<OwnedMutexGuard<()>>;
}

/// Returns a share in the turn in which the caller runs, if it runs in one.
pub(crate) fn share() -> Option<Box<dyn Any + Send>> {
    TURN.try_with(|turn| Box::new(Arc::clone(turn)) as Box<dyn Any + Send>).ok()
}

/// A line of callers for each workspace that has any.
#[derive(Default)]
pub(crate) struct MoneyQueue {
    lines: Mutex<HashMap<WorkspaceId, Arc<tokio::sync::Mutex<()>>>>,
}

impl MoneyQueue {
    /// Waits for the caller's turn, which lasts as long as the guard.
    async fn take(&self, workspace: WorkspaceId) -> OwnedMutexGuard<()> {
        let line = {
            let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
            lines.retain(|_, line| Arc::strong_count(line) > 1);
            Arc::clone(lines.entry(workspace).or_default())
        };
        line.lock_owned().await
    }
}

impl Operations {
    /// Runs `attempt` when it is its turn in the workspace, on fresh reads as long as it loses races with other processes. A
    /// call that has a commit held back takes no second turn: it has one until then.
    pub(crate) async fn in_turn<T, F>(
        &self,
        workspace: WorkspaceId,
        attempt: impl Fn() -> F + Send + Sync,
    ) -> OpResult<T>
    where
        F: Future<Output = OpResult<T>> + Send,
    {
        let turn = Arc::new(self.turns.take(workspace).await);
        // On the heap: the state of a step is large, and its callers hold it across their own waits.
        TURN.scope(turn, Box::pin(self.retrying_up_to(ATTEMPTS, attempt))).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_has_the_turn_of_a_workspace_and_nobody_waits_for_another_one() {
        let turns = MoneyQueue::default();
        let (here, there) = (WorkspaceId::from_bytes([1; 16]), WorkspaceId::from_bytes([2; 16]));
        let turn = turns.take(here).await;
        drop(turns.take(there).await);
        let mut next = Box::pin(turns.take(here));
        assert!(futures::poll!(&mut next).is_pending());
        drop(turn);
        drop(next.await);
        drop(turns.take(there).await);
        assert_eq!(turns.lines.lock().unwrap().len(), 1, "a line without callers is forgotten");
    }
}
