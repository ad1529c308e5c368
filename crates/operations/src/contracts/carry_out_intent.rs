//! Carrying intents out: [`ClaimIntent`], [`FinishIntent`], and what there is to do. No operations of the interface.

use tradepost_domain::id::{IntentId, WorkspaceId};
use tradepost_domain::intent::{Intent, IntentEvent, IntentResult, IntentStatus};
use tradepost_domain::text::Name;
use tradepost_ports::changes::{Caller, Changes};

use crate::rules::{READ_TRADING, WRITE_TRADING};
use crate::{OpResult, Operations, Versioned};

/// Begins to carry an intent out, or goes on after somebody else did not end it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimIntent {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The intent.
    pub intent_id: IntentId,
    /// The version that was seen: whoever claims an intent makes every earlier version useless to end it with.
    pub expected_version: i64,
}

/// Says what came of an intent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishIntent {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The intent.
    pub intent_id: IntentId,
    /// The version that claiming it gave.
    pub expected_version: i64,
    /// What came of it.
    pub outcome: IntentOutcome,
}

/// What came of an intent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IntentOutcome {
    /// It was carried out.
    Succeeded(
        /// What came of it, where that is more than was known.
        Option<IntentResult>,
    ),
    /// It could not be carried out.
    Failed(
        /// Why.
        Name,
    ),
    /// A check refuses it; also before it was claimed.
    Denied(
        /// The check.
        Name,
    ),
}

/// Asks for intents in a status, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IntentsToDo {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// APPROVED for what waits, EXECUTING for what was begun.
    pub status: IntentStatus,
    /// Only those made after this one.
    pub after: Option<IntentId>,
    /// At most so many.
    pub most: u32,
}

impl Operations {
    /// Begins to carry an intent out: APPROVED becomes EXECUTING. One that is EXECUTING is taken over from whoever had it.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition`: `VERSION_MISMATCH` when somebody else was faster,
    /// `ILLEGAL_STEP`, `INTENT_EXPIRED`.
    pub async fn claim_intent(&self, caller: &Caller, command: ClaimIntent) -> OpResult<Versioned<Intent>> {
        let ClaimIntent { workspace_id, intent_id, expected_version } = command;
        let event = IntentEvent::Claimed { purchase_id: None };
        self.step_intent(caller, (workspace_id, intent_id), expected_version, event).await
    }

    /// Ends an intent with what came of it. One that was bought by ends by itself, with its purchase.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition`: `VERSION_MISMATCH` when somebody else took it over,
    /// `ILLEGAL_STEP`.
    pub async fn finish_intent(&self, caller: &Caller, command: FinishIntent) -> OpResult<Versioned<Intent>> {
        let FinishIntent { workspace_id, intent_id, expected_version, outcome } = command;
        let event = match outcome {
            IntentOutcome::Succeeded(result) => IntentEvent::Succeeded { result },
            IntentOutcome::Failed(check) => IntentEvent::Failed { check },
            IntentOutcome::Denied(check) => IntentEvent::Denied { check },
        };
        self.step_intent(caller, (workspace_id, intent_id), expected_version, event).await
    }

    async fn step_intent(
        &self,
        caller: &Caller,
        (workspace_id, intent_id): (WorkspaceId, IntentId),
        expected_version: i64,
        event: IntentEvent,
    ) -> OpResult<Versioned<Intent>> {
        let scope = caller.principal.enter(workspace_id, WRITE_TRADING)?;
        let at = self.market_now();
        self.retrying(|| async {
            let seen = self.intent_as_seen(scope, intent_id, Some(expected_version)).await?;
            let mut changes = Changes::by(caller);
            let moved = self.move_intent(&mut changes, (caller, at), seen, event.clone())?;
            self.commit(caller, changes).await?;
            Ok(moved.into())
        })
        .await
    }

    /// Gives intents in a status, the oldest first, some at a time.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn intents_to_do(&self, caller: &Caller, command: IntentsToDo) -> OpResult<Vec<Versioned<Intent>>> {
        let IntentsToDo { workspace_id, status, after, most } = command;
        let scope = caller.principal.enter(workspace_id, READ_TRADING)?;
        let found = self.ports.store.list_intents_in(scope, status, after, most).await?;
        Ok(found.into_iter().map(Versioned::from).collect())
    }
}
