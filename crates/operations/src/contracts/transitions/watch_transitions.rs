//! [`WatchTransitions`]: changes of status in the order in which they were committed, waiting for the next ones.

use crate::calls::admission::begin_wait;
use crate::transition_watch::watched_from;
use crate::transition_watch::watched_since;
use std::time::Duration;

use tokio::time::timeout;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{TransitionId, WorkspaceId};
use tradepost_domain::transition::{SubjectKind, Transition};
use tradepost_ports::changes::{Caller, Changes};

use super::transitions::readable;
use crate::paging::page_size;
use crate::rules;
use crate::{AtWork, OpError, OpResult, Operations, Reason};

/// The longest that a call waits, in seconds.
const LONGEST_WAIT: u64 = 25;

/// A request for changes of status after one that was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchTransitions {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The last change that was seen; `None` to begin with those of the last 31 days.
    pub after: Option<TransitionId>,
    /// Begins at the end instead: gives no changes, only where the next call goes on. Excludes `after`.
    pub from_end: bool,
    /// Most changes at once: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The time to wait for a change if there is none, 0 to 25 s.
    pub wait_seconds: i32,
}

/// The response of [`Operations::watch_transitions`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedTransitions {
    /// The changes, in the order in which they were committed.
    pub transitions: Vec<Transition>,
    /// The place from which the next call continues; `None` before the first change.
    pub last: Option<TransitionId>,
}

/// The changes behind a position.
struct Behind {
    scope: WorkspaceScope,
    kinds: Vec<SubjectKind>,
    after: Option<TransitionId>,
    limit: u32,
}

impl Operations {
    /// Returns changes of status behind one that was seen, in the order in which they were committed: a caller that continues from
    /// [`WatchedTransitions::last`] misses none and sees none twice. Waits for the next change if there is none, until the time
    /// is over or the server stops; the answer has no changes then. A call that waits gives up its place among those that work.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for a bad limit or time, and for a beginning and the end at once; `not_found` for
    /// a change that never was; `failed_precondition` with `WATCH_EXPIRED` when a change behind it is more than 31 days old, since
    /// some may be forgotten by now; after waiting `unauthenticated`, or `failed_precondition` with `CALLER_CHANGED`, when the
    /// caller's rights have changed; `resource_exhausted` with `BUSY` when as many calls wait as may.
    pub async fn watch_transitions(
        &self,
        caller: &Caller,
        command: WatchTransitions,
        at_work: AtWork,
    ) -> OpResult<WatchedTransitions> {
        let (scope, kinds) = readable(caller, rules::WATCH_TRANSITIONS, command.workspace_id)?;
        let (after, limit) = (command.after, page_size(command.limit)?);
        let wait = patience(command.wait_seconds)?;
        if command.from_end {
            if after.is_some() {
                return Err(OpError::invalid_field("fromEnd", "and afterTransitionId exclude each other"));
            }
            let last = self.ports.store.transitions().find_last(scope, &kinds).await?;
            // A caller that reads with a list what came before this place gets no less than that.
            self.note_shown(caller, scope);
            return Ok(WatchedTransitions { transitions: Vec::new(), last });
        }
        let behind = Behind { scope, kinds, after, limit };
        let transitions = self.next_transitions(caller, &behind, wait, at_work).await?;
        if !transitions.is_empty() {
            // A caller that lists the changed records gets them as they are after these changes.
            self.note_shown(caller, scope);
        }
        let last = transitions.last().map(|transition| transition.id).or(after);
        Ok(WatchedTransitions { transitions, last })
    }

    async fn next_transitions(
        &self,
        caller: &Caller,
        behind: &Behind,
        wait: Duration,
        at_work: AtWork,
    ) -> OpResult<Vec<Transition>> {
        let mut watcher = self.watching.watch();
        let there = self.transitions_after(behind).await?;
        if !there.is_empty() || wait.is_zero() {
            return Ok(there);
        }
        let _waiting = begin_wait(self, caller, behind.scope.workspace_id())?;
        at_work.release();
        let waiting = async {
            while watcher.woken().await {
                let _turn = self.watching.reading.acquire().await;
                let new = self.transitions_after(behind).await?;
                if !new.is_empty() {
                    return Ok(new);
                }
            }
            OpResult::Ok(Vec::new())
        };
        let new = timeout(wait, waiting).await.unwrap_or_else(|_| Ok(Vec::new()))?;
        // The check before the wait may be long ago: a caller that has lost the right in the meantime gets no changes.
        self.commit(caller, Changes::by(caller)).await?;
        Ok(new)
    }

    async fn transitions_after(&self, behind: &Behind) -> OpResult<Vec<Transition>> {
        let (store, scope, oldest) = (&self.ports.store, behind.scope, watched_since(self));
        let Some(after) = behind.after else {
            let from = watched_from(self);
            return Ok(store.transitions().list_since(scope, &behind.kinds, from, behind.limit).await?);
        };
        let Some(position) = store.transitions().find_place(scope, after).await? else {
            let listed = store.transitions().find_many(scope, SubjectKind::ALL, &[after]).await?;
            return match listed.first() {
                None => Err(OpError::not_found("transition")),
                // Its position was forgotten, so that one behind it is as old.
                Some(listed) if listed.logged_at < oldest => Err(expired()),
                // It was listed before it got its position: nothing can be behind it yet.
                Some(_) => Ok(Vec::new()),
            };
        };
        let next = store.transitions().list_after(scope, &behind.kinds, position, behind.limit).await?;
        // Of the forgotten changes of a kind the last one stays: if any is missing in between, the first is old.
        if next.first().is_some_and(|first| first.logged_at < oldest) { Err(expired()) } else { Ok(next) }
    }
}

fn expired() -> OpError {
    OpError::failed_precondition(
        Reason::WatchExpired,
        "changes behind this one are more than 31 days old and no longer watched; ask with fromEnd where the log ends, read \
         what was missed with ListTransitions, and go on from there",
    )
}

fn patience(seconds: i32) -> OpResult<Duration> {
    let seconds = u64::try_from(seconds).ok().filter(|seconds| *seconds <= LONGEST_WAIT);
    let seconds = seconds
        .ok_or_else(|| OpError::invalid_field("waitSeconds", format_args!("must be from 0 to {LONGEST_WAIT}")))?;
    Ok(Duration::from_secs(seconds))
}
