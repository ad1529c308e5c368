//! The commit of a call under an idempotency key, held until the answer of the call is known. One transaction writes both.

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tradepost_domain::id::{WorkspaceId, WorkspaceKeyId};

use super::Changes;
use crate::store::{StoreError, StoreResult};

/// An action of this process after a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// A trading halt or a paused pool began or ended in a workspace. Its contracts follow.
    HaltsChanged(WorkspaceId),
    /// A workspace has a new key. Secrets that the former key sealed are sealed again.
    WorkspaceKeyRotated,
    /// A key of a workspace is destroyed. Its copy in memory is dropped, too.
    WorkspaceKeyDestroyed(WorkspaceKeyId),
}

/// Changes that wait for the answer of their call.
#[derive(Debug)]
pub struct Held {
    /// The changes.
    pub changes: Changes,
    /// The actions after their commit.
    pub effects: Vec<Effect>,
    /// The place in a queue that the operation took, kept until the changes are committed.
    pub turn: Option<Box<dyn Any + Send>>,
}

/// The place where a call under a key leaves its main commit. All copies are one place.
#[derive(Debug, Clone, Default)]
pub struct HeldCommit(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    held: Option<Held>,
    refusal: Option<StoreError>,
}

impl HeldCommit {
    /// Keeps changes until their commit.
    ///
    /// # Errors
    /// The error that [`HeldCommit::refuse_next`] has left; [`StoreError::Bug`] when the call has committed before.
    pub fn hold(&self, changes: Changes, turn: Option<Box<dyn Any + Send>>) -> StoreResult<()> {
        let mut state = self.state();
        if let Some(refusal) = state.refusal.take() {
            return Err(refusal);
        }
        if state.held.is_some() {
            return Err(StoreError::Bug("a call under an idempotency key has committed twice".to_owned()));
        }
        state.held = Some(Held { changes, effects: Vec::new(), turn });
        Ok(())
    }

    /// Adds an action after the commit of the held changes. Returns whether any are held.
    pub fn follow_with(&self, effect: Effect) -> bool {
        let mut state = self.state();
        state.held.as_mut().map(|held| held.effects.push(effect)).is_some()
    }

    /// Takes the changes.
    pub fn take(&self) -> Option<Held> {
        self.state().held.take()
    }

    /// Makes the next commit fail with this error: the one that storage returned for the changes before.
    pub fn refuse_next(&self, refusal: StoreError) {
        self.state().refusal = Some(refusal);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changes::Caller;
    use crate::store::Unique;

    fn changes() -> Changes {
        Changes::by(&Caller::system())
    }

    #[test]
    fn one_commit_of_a_call_is_held() {
        let held = HeldCommit::default();
        held.hold(changes(), None).unwrap();
        assert!(matches!(held.clone().hold(changes(), None), Err(StoreError::Bug(_))));
        assert!(held.take().is_some() && held.take().is_none());
    }

    #[test]
    fn a_refusal_is_given_once() {
        let held = HeldCommit::default();
        let refusal = StoreError::Duplicate(Unique::AccountName);
        held.refuse_next(refusal.clone());
        assert_eq!(held.hold(changes(), None), Err(refusal));
        assert_eq!(held.hold(changes(), None), Ok(()));
    }

    #[test]
    fn effects_wait_for_the_changes_that_are_held_and_for_nothing_else() {
        let held = HeldCommit::default();
        assert!(!held.follow_with(Effect::WorkspaceKeyRotated));
        held.hold(changes(), None).unwrap();
        assert!(held.follow_with(Effect::WorkspaceKeyRotated));
        assert_eq!(held.take().unwrap().effects, [Effect::WorkspaceKeyRotated]);
    }
}
