//! [`OpenConfirmations`], [`BeginConfirmation`], [`RecordConfirmationOutcome`], [`PostponeConfirmation`], [`RefuseConfirmation`] and
//! [`StoppedAccounts`]: the engine answers confirmations and records what came of it. Not operations of the interface.

use tradepost_domain::id::{ConfirmationId, WorkspaceId};
use tradepost_domain::text::{AccountName, ReasonText};
use tradepost_domain::trading::confirmation::{
    Confirmation, ConfirmationOutcome, ConfirmationStatus, ConfirmationStep, StepError,
};
use tradepost_ports::changes::{Caller, Changes};

use super::confirmation_moves::{
    ConfirmationChange, commit_confirmation, confirmation_as_seen, keep_confirmation, move_confirmation,
};
use crate::commit::By;
use crate::rules::WRITE_ACCOUNTS;
use crate::{OpResult, Operations, Versioned, fields};

/// The most open confirmations that are read at once.
const MOST_OPEN: u32 = 200;

/// A query for confirmations of which something can still come, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenConfirmations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

/// An announcement of an engine that it is about to answer a confirmation: one that matched, or one that a person answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BeginConfirmation {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The confirmation.
    pub confirmation_id: ConfirmationId,
    /// The version that the engine decided on.
    pub expected_version: i64,
}

/// A report of an engine of what the platform shows after an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordConfirmationOutcome {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The confirmation.
    pub confirmation_id: ConfirmationId,
    /// What the platform shows.
    pub outcome: ConfirmationOutcome,
}

/// A report of an engine that an answer was certainly not given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PostponeConfirmation {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The confirmation.
    pub confirmation_id: ConfirmationId,
}

/// A report of an engine that the driver of the platform does not give an answer, and made no call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefuseConfirmation {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The confirmation.
    pub confirmation_id: ConfirmationId,
    /// Why, in up to 200 characters.
    pub why: String,
}

/// A query for the accounts that give nothing, because a confirmation would change who controls them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoppedAccounts {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Returns confirmations of which something can still come, up to 200.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn open_confirmations(
        &self,
        caller: &Caller,
        command: OpenConfirmations,
    ) -> OpResult<Vec<Versioned<Confirmation>>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let open = self.ports.store.confirmations().list_open(scope, MOST_OPEN).await?;
        Ok(open.into_iter().map(Versioned::from).collect())
    }

    /// Records that a confirmation is answered from now on, and what is given if it is allowed.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition`: `VERSION_MISMATCH`, `ILLEGAL_STEP` unless it matched or a person's answer
    /// waits, `GIVING_LIMIT_REACHED` unless a person allows it.
    pub async fn begin_confirmation(
        &self,
        caller: &Caller,
        command: BeginConfirmation,
    ) -> OpResult<Versioned<Confirmation>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        let by = By { caller, at };
        self.retrying(|| async {
            let expected_version = Some(command.expected_version);
            let seen = confirmation_as_seen(self, scope, command.confirmation_id, expected_version).await?;
            let confirmation = seen.peek().clone();
            let next = if confirmation.status == ConfirmationStatus::Matched {
                confirmation.answering(ConfirmationStep::Allow, at)?
            } else if confirmation.answer.is_some_and(|answer| answer.begun_at.is_none()) {
                confirmation.begun(at)
            } else {
                return Err(StepError::Status(confirmation.status).into());
            };
            let mut changes = Changes::by(caller);
            if next.is_being_answered(true) {
                self.record_giving(&mut changes, by, scope, &next).await?;
            }
            let begun = move_confirmation(self, &mut changes, by, ConfirmationChange { scope, seen, next }).await?;
            commit_confirmation(self, by, changes).await?;
            Ok(begun.into())
        })
        .await
    }

    /// Records what the platform shows after an answer, or of a confirmation that its list leaves out.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn record_confirmation_outcome(
        &self,
        caller: &Caller,
        command: RecordConfirmationOutcome,
    ) -> OpResult<Versioned<Confirmation>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let seen = confirmation_as_seen(self, scope, command.confirmation_id, None).await?;
            let next = seen.peek().clone().shown_after(command.outcome, at);
            keep_confirmation(self, By { caller, at }, scope, seen, next).await
        })
        .await
    }

    /// Records that an answer was certainly not given. That of a person is given later, within 15 min.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn postpone_confirmation(
        &self,
        caller: &Caller,
        command: PostponeConfirmation,
    ) -> OpResult<Versioned<Confirmation>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let seen = confirmation_as_seen(self, scope, command.confirmation_id, None).await?;
            let next = seen.peek().clone().not_answered(at);
            keep_confirmation(self, By { caller, at }, scope, seen, next).await
        })
        .await
    }

    /// Records that the driver does not give an answer. That of a person ends with the reason, in the check of halts.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn refuse_confirmation(
        &self,
        caller: &Caller,
        command: RefuseConfirmation,
    ) -> OpResult<Versioned<Confirmation>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        let why: Option<ReasonText> = fields::shortened(&command.why);
        self.retrying(|| async {
            let seen = confirmation_as_seen(self, scope, command.confirmation_id, None).await?;
            let next = seen.peek().clone().refused(why.clone(), at);
            keep_confirmation(self, By { caller, at }, scope, seen, next).await
        })
        .await
    }

    /// Returns the accounts that give nothing.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn stopped_accounts(&self, caller: &Caller, command: StoppedAccounts) -> OpResult<Vec<AccountName>> {
        let open = self.open_confirmations(caller, OpenConfirmations { workspace_id: command.workspace_id }).await?;
        let stops = open.into_iter().filter(|open| open.value.stops_giving());
        Ok(stops.map(|open| open.value.account_name).collect())
    }
}
