//! [`ApproveConfirmation`] and [`DenyConfirmation`]: a person has the engine answer a confirmation.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{ConfirmationId, WorkspaceId};
use tradepost_domain::trading::confirmation::{Confirmation, ConfirmationStatus, ConfirmationStep};
use tradepost_ports::changes::{Caller, Changes};

use super::confirmation_moves::{ConfirmationChange, commit_confirmation, confirmation_as_seen, move_confirmation};
use crate::commit::By;
use crate::rules::{self, StepUp};
use crate::trading::trading_accounts::account_moves::require_acknowledged;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// Asks the engine to allow a confirmation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApproveConfirmation {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The confirmation.
    pub confirmation_id: ConfirmationId,
    /// The version that the caller saw, from 1; rejected when the confirmation has another one.
    pub expected_version: Option<i64>,
}

/// Asks the engine to deny a confirmation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DenyConfirmation {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The confirmation.
    pub confirmation_id: ConfirmationId,
    /// The version that the caller saw, from 1; rejected when the confirmation has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Records that the engine is to allow a confirmation. It does so in one of its next passes, if the platform still shows the same.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` without an expected version, `not_found`, `failed_precondition`: `STEP_UP_REQUIRED`, within
    /// the last 2 min unless it is `MATCHED` and within the limits of its account now, `VERSION_MISMATCH`, `CONFIRMATION_NOT_ALLOWED_HERE` for
    /// one that changes the account, `TRADES_NOT_ACKNOWLEDGED`, `GIVING_NOT_ENABLED`, `ILLEGAL_STEP` once it is answered.
    pub async fn approve_confirmation(
        &self,
        caller: &Caller,
        command: ApproveConfirmation,
    ) -> OpResult<Versioned<Confirmation>> {
        let scope = rules::APPROVE_CONFIRMATION.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        if command.expected_version.is_none() {
            return Err(OpError::invalid_field("expectedVersion", "is required"));
        }
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            self.require_step_up_in(caller, scope, rules::APPROVE_CONFIRMATION, &mut changes).await?;
            let seen = confirmation_as_seen(self, scope, command.confirmation_id, command.expected_version).await?;
            require_acknowledged(self, scope, &seen.peek().account_name).await?;
            self.require_giving_of(scope, &seen.peek().account_name).await?;
            // The limits may have been lowered since it matched, or used up.
            let is_matched = seen.peek().status == ConfirmationStatus::Matched;
            if !is_matched || !self.is_within_limits(scope, seen.peek()).await? {
                let fresh = rules::APPROVE_CONFIRMATION.with_step_up(StepUp::Fresh);
                self.require_step_up_in(caller, scope, fresh, &mut changes).await?;
            }
            let next = seen.peek().clone().answering(ConfirmationStep::AllowByPerson, at)?;
            let (by, change) = (By { caller, at }, ConfirmationChange { scope, seen, next });
            let asked = move_confirmation(self, &mut changes, by, change).await?;
            changes.audit(AuditKind::ConfirmationApproveRequested, &asked.value);
            commit_confirmation(self, by, changes).await?;
            Ok(asked.into())
        })
        .await
    }

    /// Records that the engine is to deny a confirmation. One that changes the account and that the platform shows no longer is ended by
    /// it, too.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an expected version below 1, `not_found`, `failed_precondition`: `VERSION_MISMATCH`,
    /// `GIVING_NOT_ENABLED` while the platform shows it, `ILLEGAL_STEP` once it is answered.
    pub async fn deny_confirmation(
        &self,
        caller: &Caller,
        command: DenyConfirmation,
    ) -> OpResult<Versioned<Confirmation>> {
        let scope = rules::DENY_CONFIRMATION.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            let seen = confirmation_as_seen(self, scope, command.confirmation_id, command.expected_version).await?;
            if seen.peek().missing_since.is_none() {
                self.require_giving_of(scope, &seen.peek().account_name).await?;
            }
            let next = seen.peek().clone().answering(ConfirmationStep::Deny, at)?;
            let (by, change) = (By { caller, at }, ConfirmationChange { scope, seen, next });
            let asked = move_confirmation(self, &mut changes, by, change).await?;
            changes.audit(AuditKind::ConfirmationDenyRequested, &asked.value);
            commit_confirmation(self, by, changes).await?;
            Ok(asked.into())
        })
        .await
    }
}
