//! The money queue: steps that move the money of one workspace in this process run one after another.
//!
//! Proposals and decisions about them take a turn too, because a contract counts them.
//!
//! Every such step is decided on the counters of a contract and the balances of a pool. Of concurrent steps all but one would lose the race
//! and read again; in the queue, each reads what the previous one wrote. Steps of other processes still cause a conflict.
//!
//! Purchases that reserve money are the exception: those of one contract run one after another, those of several contracts at the same
//! time. They write no record together but their pool, whose commit they share (ADR 242).

use std::any::Any;
use std::collections::HashMap;
use std::future::Future;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedMutexGuard, OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::in_workspace::InWorkspace;
use crate::{OpResult, Operations};

/// Attempts of a step that only other processes disturb.
const ATTEMPTS: u64 = 20;

/// A turn, which lasts as long as any share in it.
pub(crate) type Turn = Arc<dyn Any + Send + Sync>;

tokio::task_local! {
    /// The turn in which an attempt runs. A commit that is held back takes a share in it, so that it lasts until the commit.
    static TURN: Turn;
}

/// Returns the turn in which the caller runs, if it runs in one.
pub(crate) fn current() -> Option<Turn> {
    TURN.try_with(Arc::clone).ok()
}

/// Returns a share in the turn in which the caller runs, if it runs in one.
pub(crate) fn share() -> Option<Box<dyn Any + Send>> {
    current().map(|turn| Box::new(turn) as Box<dyn Any + Send>)
}

/// Lines of callers by their keys.
type Lines<K, L> = Mutex<HashMap<K, Arc<L>>>;

/// A line of callers for each workspace and each contract that has any.
#[derive(Default)]
pub(crate) struct MoneyQueue {
    lines: Lines<WorkspaceId, RwLock<()>>,
    contracts: Lines<(WorkspaceId, ContractId), tokio::sync::Mutex<()>>,
}

impl MoneyQueue {
    /// Waits for the caller's turn, which lasts as long as the guard.
    async fn take(&self, workspace: WorkspaceId) -> OwnedRwLockWriteGuard<()> {
        line(&self.lines, workspace).write_owned().await
    }

    /// Waits for the caller's turn among the purchases of a contract. It keeps no purchase of another contract waiting.
    async fn take_of_contract(
        &self,
        workspace: WorkspaceId,
        contract: ContractId,
    ) -> (OwnedMutexGuard<()>, OwnedRwLockReadGuard<()>) {
        // The contract comes first: a purchase that waits for another one of its contract does not delay other steps.
        let of_contract = line(&self.contracts, (workspace, contract)).lock_owned().await;
        (of_contract, line(&self.lines, workspace).read_owned().await)
    }
}

/// Returns the line of a key. Lines without callers are forgotten.
fn line<K: Eq + Hash, L: Default>(lines: &Lines<K, L>, key: K) -> Arc<L> {
    let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
    lines.retain(|_, line| Arc::strong_count(line) > 1);
    Arc::clone(lines.entry(key).or_default())
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
        let turn: Turn = Arc::new(self.turns.take(workspace).await);
        // On the heap: the state of a step is large, and its callers hold it across their own waits.
        TURN.scope(turn, Box::pin(self.retrying_up_to(ATTEMPTS, attempt))).await
    }

    /// Runs `attempt`, which reserves money for a purchase, when it is its turn among the purchases of the contract. A call under an
    /// idempotency key takes a turn in the workspace, because its commit waits for its answer.
    pub(crate) async fn in_turn_of_contract<T, F>(
        &self,
        caller: &Caller,
        contract: InWorkspace<ContractId>,
        attempt: impl Fn() -> F + Send + Sync,
    ) -> OpResult<T>
    where
        F: Future<Output = OpResult<T>> + Send,
    {
        let workspace = contract.scope.workspace_id();
        if caller.once.is_some() {
            return self.in_turn(workspace, attempt).await;
        }
        let turn: Turn = Arc::new(self.turns.take_of_contract(workspace, contract.id).await);
        TURN.scope(turn, Box::pin(self.retrying_up_to(ATTEMPTS, attempt))).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: WorkspaceId = WorkspaceId::from_bytes([1; 16]);
    const THERE: WorkspaceId = WorkspaceId::from_bytes([2; 16]);
    const ONE: ContractId = ContractId::from_bytes([3; 16]);
    const OTHER: ContractId = ContractId::from_bytes([4; 16]);

    #[tokio::test]
    async fn one_has_the_turn_of_a_workspace_and_nobody_waits_for_another_one() {
        let turns = MoneyQueue::default();
        let turn = turns.take(HERE).await;
        drop(turns.take(THERE).await);
        let mut next = Box::pin(turns.take(HERE));
        assert!(futures::poll!(&mut next).is_pending());
        drop(turn);
        drop(next.await);
        drop(turns.take(THERE).await);
        assert_eq!(turns.lines.lock().unwrap().len(), 1, "a line without callers is forgotten");
    }

    #[tokio::test]
    async fn purchases_wait_for_those_of_their_contract_and_for_other_steps() {
        let turns = MoneyQueue::default();
        let purchase = turns.take_of_contract(HERE, ONE).await;
        let another = turns.take_of_contract(HERE, OTHER).await;
        let mut of_same = Box::pin(turns.take_of_contract(HERE, ONE));
        let mut step = Box::pin(turns.take(HERE));
        assert!(futures::poll!(&mut of_same).is_pending() && futures::poll!(&mut step).is_pending());
        drop(another);
        assert!(futures::poll!(&mut step).is_pending());
        drop(purchase);
        let step = step.await;
        assert!(futures::poll!(&mut of_same).is_pending());
        drop(step);
        drop(of_same.await);
        drop(turns.take_of_contract(THERE, ONE).await);
        assert_eq!(turns.contracts.lock().unwrap().len(), 1, "a line without callers is forgotten");
    }
}
