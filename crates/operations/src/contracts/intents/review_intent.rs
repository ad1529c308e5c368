//! [`ApproveIntent`], [`RejectIntent`] and [`CancelIntent`]: the decisions of operators on proposed intents.

use crate::contracts::intents::intent_steps::intent_as_seen;
use crate::contracts::intents::intent_steps::move_intent;
use crate::contracts::trading_control::halts::rely_on_trading;
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::contracts::intent::{Intent, IntentEvent, IntentKind, WithdrawalCause};
use tradepost_domain::id::{IntentId, WorkspaceId};
use tradepost_domain::text::ReasonText;
use tradepost_ports::changes::{Caller, Changes};

use crate::commit::By;
use crate::in_workspace::InWorkspace;
use crate::rules;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// Lets an intent be carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApproveIntent {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The intent.
    pub intent_id: IntentId,
    /// The version that the caller saw, from 1; rejected when the intent has another one.
    pub expected_version: Option<i64>,
}

/// Rejects an intent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectIntent {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The intent.
    pub intent_id: IntentId,
    /// The version that the caller saw, from 1; rejected when the intent has another one.
    pub expected_version: Option<i64>,
    /// Why, in 1 to 200 characters.
    pub reason: Option<String>,
}

/// Withdraws an intent for which nothing was done yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CancelIntent {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The intent.
    pub intent_id: IntentId,
    /// The version that the caller saw, from 1; rejected when the intent has another one.
    pub expected_version: Option<i64>,
    /// Why, in 1 to 200 characters.
    pub reason: Option<String>,
}

/// An operator's decision.
struct Decision {
    event: IntentEvent,
    kind: AuditKind,
    reason: Option<ReasonText>,
}

impl Operations {
    /// Lets an intent be carried out. It waits until engines have looked at it twice, and for 5 minutes at least.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an expected version below 1, `not_found`, `failed_precondition`:
    /// `VERSION_MISMATCH`, `ILLEGAL_STEP` unless it is PROPOSED, `INTENT_EXPIRED`, `CONTRACT_NOT_ACTIVE`, and `TRADING_HALTED`
    /// for a purchase.
    pub async fn approve_intent(&self, caller: &Caller, command: ApproveIntent) -> OpResult<Versioned<Intent>> {
        let ApproveIntent { workspace_id, intent_id, expected_version } = command;
        let scope = rules::APPROVE_INTENT.enter(&caller.principal, workspace_id)?;
        let decision = Decision { event: IntentEvent::Approved, kind: AuditKind::IntentApproved, reason: None };
        self.decide_on(caller, InWorkspace { scope, id: intent_id }, expected_version, decision).await
    }

    /// Rejects an intent.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a bad reason or an expected version below 1, `not_found`,
    /// `failed_precondition`: `VERSION_MISMATCH`, `ILLEGAL_STEP` unless it is PROPOSED.
    pub async fn reject_intent(&self, caller: &Caller, command: RejectIntent) -> OpResult<Versioned<Intent>> {
        let RejectIntent { workspace_id, intent_id, expected_version, reason } = command;
        // Rights come before fields.
        let scope = rules::REJECT_INTENT.enter(&caller.principal, workspace_id)?;
        let reason = checked(reason.as_deref())?;
        let event = IntentEvent::Rejected { reason: reason.clone() };
        let decision = Decision { event, kind: AuditKind::IntentRejected, reason };
        self.decide_on(caller, InWorkspace { scope, id: intent_id }, expected_version, decision).await
    }

    /// Withdraws an intent for which nothing was done yet.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a bad reason or an expected version below 1, `not_found`,
    /// `failed_precondition`: `VERSION_MISMATCH`, `ILLEGAL_STEP` unless it is PROPOSED or APPROVED.
    pub async fn cancel_intent(&self, caller: &Caller, command: CancelIntent) -> OpResult<Versioned<Intent>> {
        let CancelIntent { workspace_id, intent_id, expected_version, reason } = command;
        let scope = rules::CANCEL_INTENT.enter(&caller.principal, workspace_id)?;
        let reason = checked(reason.as_deref())?;
        let event = IntentEvent::Withdrawn { cause: WithdrawalCause::Person, reason: reason.clone() };
        let decision = Decision { event, kind: AuditKind::IntentCancelled, reason };
        self.decide_on(caller, InWorkspace { scope, id: intent_id }, expected_version, decision).await
    }

    async fn decide_on(
        &self,
        caller: &Caller,
        intent: InWorkspace<IntentId>,
        expected_version: Option<i64>,
        decision: Decision,
    ) -> OpResult<Versioned<Intent>> {
        fields::expected_version(expected_version)?;
        let InWorkspace { scope, id } = intent;
        let at = self.market_now(scope.workspace_id());
        self.in_turn(scope.workspace_id(), || async {
            let seen = intent_as_seen(self, scope, id, expected_version).await?;
            let mut changes = Changes::by(caller);
            let moved = move_intent(self, &mut changes, By { caller, at }, seen, decision.event.clone())?;
            if decision.event == IntentEvent::Approved {
                let terms = &moved.value.terms;
                if terms.kind == IntentKind::Buy {
                    rely_on_trading(self, &mut changes, scope).await?;
                }
                if let Some(contract_id) = terms.contract_id {
                    let found = self.ports.store.contracts().find(scope, contract_id).await?;
                    let contract = changes.rely_on(found.ok_or_else(|| OpError::not_found("contract"))?);
                    contract.check_proposal(terms.kind, &terms.target, at)?;
                }
            }
            let about = About::from(&moved.value);
            let about = decision.reason.iter().fold(about, |about, reason| about.with(Fact::Reason, reason));
            changes.audit(decision.kind, about);
            self.commit(caller, changes).await?;
            Ok(moved.into())
        })
        .await
    }
}

fn checked(reason: Option<&str>) -> OpResult<Option<ReasonText>> {
    reason.map(|reason| fields::text("reason", reason)).transpose()
}
