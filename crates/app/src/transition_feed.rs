//! The event hook of embedders: committed changes of status, one after the other.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tradepost_domain::id::{TransitionId, WorkspaceId};
use tradepost_domain::transition::Transition;
use tradepost_operations::contracts::WatchTransitions;
use tradepost_operations::{AtWork, Caller, OpResult, Operations};

/// The most changes that one read of the log returns, and the longest wait for the next one. Both are the limits of `WatchTransitions`.
const BATCH: i32 = 200;
const WAIT_SECONDS: i32 = 25;

/// The first change of status that a [`TransitionFeed`] delivers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeedStart {
    /// The oldest one that the log still delivers: it goes back 31 days.
    Oldest,
    /// The first one that is committed from now on.
    Now,
    /// The first one after this one, which the program has already handled.
    After(TransitionId),
}

/// Delivers the committed changes of status of one workspace. [`Tradepost::transitions`](crate::Tradepost::transitions) opens it.
///
/// It reads the log of status changes that `WatchTransitions` serves:
///
/// - **Order.** Changes arrive in the order in which they were committed, over all records of the workspace and all processes on the
///   database. A feed skips none.
/// - **After the commit.** A change arrives once it is committed, usually within 50 ms. A change that another process commits arrives
///   within about 500 ms. A reader delays no commit and cannot reject one.
/// - **At least once.** The feed keeps no position of its own. A program that stores the id of the last change it has handled, and
///   opens the next feed with [`FeedStart::After`], misses none. It receives again what it handled without storing the id, so handle
///   a change by its id.
/// - **31 days.** The log delivers changes for 31 days. A feed that falls further behind fails with `WATCH_EXPIRED`.
///
/// A feed counts as one waiting call of its workspace (see [`Builder::waiters`](crate::Builder::waiters)).
#[derive(Debug)]
pub struct TransitionFeed {
    operations: Arc<Operations>,
    stopping: CancellationToken,
    workspace_id: WorkspaceId,
    after: Option<TransitionId>,
    ready: VecDeque<Transition>,
}

impl TransitionFeed {
    pub(crate) async fn open(
        operations: Arc<Operations>,
        stopping: CancellationToken,
        workspace_id: WorkspaceId,
        start: FeedStart,
    ) -> OpResult<Self> {
        let after = match start {
            FeedStart::Oldest => None,
            FeedStart::After(id) => Some(id),
            FeedStart::Now => {
                let end = WatchTransitions { from_end: true, ..next_after(workspace_id, None) };
                operations.watch_transitions(&Caller::system(), end, AtWork::default()).await?.last
            }
        };
        Ok(Self { operations, stopping, workspace_id, after, ready: VecDeque::new() })
    }

    /// Waits for the next change and returns it; `None` once the tradepost shuts down.
    ///
    /// Dropping the returned future before it completes loses no change. After an error the next call reads the same part of the log again.
    ///
    /// # Errors
    /// `not_found` for a change that never existed; `failed_precondition` with `WATCH_EXPIRED` when the last change is older than the
    /// log; `resource_exhausted` with `BUSY` when too many calls wait in the workspace; `internal` when storage fails.
    pub async fn next(&mut self) -> OpResult<Option<Transition>> {
        loop {
            if let Some(transition) = self.ready.pop_front() {
                return Ok(Some(transition));
            }
            if self.stopping.is_cancelled() {
                return Ok(None);
            }
            let next = next_after(self.workspace_id, self.after);
            match self.operations.watch_transitions(&Caller::system(), next, AtWork::default()).await {
                Ok(watched) => {
                    self.after = watched.last;
                    self.ready = watched.transitions.into();
                }
                // The shutdown closes the database while the feed waits.
                Err(_) if self.stopping.is_cancelled() => return Ok(None),
                Err(error) => return Err(error),
            }
        }
    }
}

const fn next_after(workspace_id: WorkspaceId, after: Option<TransitionId>) -> WatchTransitions {
    WatchTransitions { workspace_id, after, from_end: false, limit: BATCH, wait_seconds: WAIT_SECONDS }
}
