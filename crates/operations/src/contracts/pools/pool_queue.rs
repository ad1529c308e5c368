//! Purchases of this process that wait for the money of a pool.
//!
//! The queue of a pool has one server at a time, which takes the purchases that wait and decides on them together.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::{PoolId, WorkspaceId};
use tradepost_ports::changes::{Changes, VersionGuard};

use crate::OpResult;
use crate::contracts::ledger::pool_entries::PoolEntries;
use crate::money_queue::Turn;

/// How many purchases are taken at once: the first of these numbers that wait. PostgreSQL prepares a statement for each number that is
/// written, and these are the usual ones. It is another number if one is refused or dropped, or waits for another one of its listing.
const SIZES: [usize; 5] = [16, 8, 4, 2, 1];

/// A pool of a workspace.
pub(crate) type PoolKey = (WorkspaceId, PoolId);

/// A purchase that waits for the money of its pool.
pub(crate) struct PoolClaim {
    /// The purchase.
    pub(crate) purchase: Purchase,
    /// Its contract at the version that was seen, which the changes revise.
    pub(crate) contract: VersionGuard,
    /// What it books under the pool.
    pub(crate) entries: PoolEntries,
    /// Everything else that is written with it.
    pub(crate) changes: Changes,
    /// The place where its caller waits.
    pub(crate) answer: oneshot::Sender<OpResult<()>>,
    /// The caller's turn. It lasts until the answer, also if the call is dropped before.
    pub(crate) turn: Option<Turn>,
}

/// The waiting purchases, or other claims, by their pool. A pool is in the map as long as its queue has a server.
pub(crate) struct PoolQueue<C>(Mutex<HashMap<PoolKey, Vec<C>>>);

/// The server of a pool's queue. If it is dropped before it is done, the claims that wait are dropped with it.
pub(crate) struct PoolServer<C> {
    queue: Arc<PoolQueue<C>>,
    pool: PoolKey,
    is_done: bool,
}

impl PoolClaim {
    /// Answers the caller, and ends its turn.
    pub(crate) fn answer(self, outcome: OpResult<()>) {
        let Self { answer, turn, .. } = self;
        // The call may have been dropped; then its outcome interests no one.
        drop(answer.send(outcome));
        drop(turn);
    }
}

impl<C> PoolQueue<C> {
    /// Adds a claim. Returns a server if the queue of the pool has none.
    pub(crate) fn add(self: &Arc<Self>, pool: PoolKey, claim: C) -> Option<PoolServer<C>> {
        match self.waiting().entry(pool) {
            Entry::Occupied(mut waiting) => {
                waiting.get_mut().push(claim);
                None
            }
            Entry::Vacant(place) => {
                place.insert(vec![claim]);
                Some(PoolServer { queue: Arc::clone(self), pool, is_done: false })
            }
        }
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<PoolKey, Vec<C>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C> Default for PoolQueue<C> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<C> PoolServer<C> {
    /// Returns the claims to decide on next, those that wait longest. `None` when none waits; the server is done then.
    pub(crate) fn take(&mut self) -> Option<Vec<C>> {
        let mut waiting = self.queue.waiting();
        if let Some(claims) = waiting.get_mut(&self.pool)
            && let Some(size) = SIZES.into_iter().find(|size| *size <= claims.len())
        {
            return Some(claims.drain(..size).collect());
        }
        waiting.remove(&self.pool);
        self.is_done = true;
        None
    }
}

impl<C> Drop for PoolServer<C> {
    fn drop(&mut self) {
        if !self.is_done {
            // Dropped without the lock, because a claim that is dropped ends a turn.
            let unanswered = self.queue.waiting().remove(&self.pool);
            drop(unanswered);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POOL: PoolKey = (WorkspaceId::from_bytes([1; 16]), PoolId::from_bytes([2; 16]));

    #[test]
    fn a_pool_has_one_server_until_no_claim_waits() {
        let queue = Arc::new(PoolQueue::default());
        let mut server = queue.add(POOL, 1).unwrap();
        assert!(queue.add(POOL, 2).is_none());
        assert!(queue.add((WorkspaceId::from_bytes([3; 16]), POOL.1), 1).is_some(), "another workspace");
        assert_eq!(server.take(), Some(vec![1, 2]));
        assert_eq!(server.take(), None);
        drop(server);
        assert!(queue.add(POOL, 3).is_some());
    }

    #[test]
    fn claims_are_taken_in_their_order_and_in_few_numbers() {
        let queue = Arc::new(PoolQueue::default());
        let mut server = queue.add(POOL, 0).unwrap();
        for claim in 1..23 {
            assert!(queue.add(POOL, claim).is_none());
        }
        let taken: Vec<Vec<i32>> = std::iter::from_fn(|| server.take()).collect();
        assert_eq!(taken.iter().map(Vec::len).collect::<Vec<_>>(), [16, 4, 2, 1]);
        assert_eq!(taken.concat(), (0..23).collect::<Vec<_>>());
    }

    #[test]
    fn a_server_that_ends_early_leaves_no_claim_without_one() {
        let queue = Arc::new(PoolQueue::default());
        let server = queue.add(POOL, Arc::new(())).unwrap();
        let (waiting, kept) = (Arc::new(()), Arc::new(()));
        assert!(queue.add(POOL, Arc::clone(&waiting)).is_none());
        drop(server);
        assert_eq!(Arc::strong_count(&waiting), 1, "the claim was dropped");
        assert!(queue.add(POOL, kept).is_some());
    }
}
