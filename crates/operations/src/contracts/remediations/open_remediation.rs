//! [`OpenRemediation`], [`AdvanceRemediation`] and [`ResolveRemediation`]: problems as the component that watches for them reports them. No
//! operations of the interface.

use crate::contracts::contracts::contract_lifecycle::contract_as_seen;
use crate::contracts::contracts::contract_lifecycle::move_contract;
use crate::contracts::intents::withdraw_intents::withdraw_intents_of;
use crate::contracts::remediations::remediation_steps::commit_problems;
use crate::contracts::remediations::remediation_steps::follow_problems;
use crate::contracts::remediations::remediation_steps::move_remediation;
use crate::contracts::remediations::remediation_steps::remediation_as_seen;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::SuspensionCause;
use tradepost_domain::contracts::remediation::{Evidence, Finding, Remediation, RemediationEvent, RemediationKind};
use tradepost_domain::id::{ContractId, RemediationId, WorkspaceId};
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{Caller, Changes};

use super::remediation_steps::Problems;
use crate::commit::By;
use crate::rules::WRITE_TRADING;
use crate::{OpError, OpResult, Operations, Reason, Versioned};

/// A report of a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenRemediation {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The problem.
    pub kind: RemediationKind,
    /// The record that has it.
    pub subject: Subject,
    /// The evidence.
    pub evidence: Evidence,
}

/// A report of what the service does about a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdvanceRemediation {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The remediation.
    pub remediation_id: RemediationId,
    /// The progress.
    pub progress: Progress,
}

/// The service's progress with a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Progress {
    /// It begins to work on it.
    Began,
    /// It waits for time to pass, or for an external party.
    PutOff,
    /// It cannot go on by itself.
    HandedOver,
}

/// A report that a record no longer has a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResolveRemediation {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The problem.
    pub kind: RemediationKind,
    /// The record that had it.
    pub subject: Subject,
}

impl Operations {
    /// Opens a remediation for a problem of a record. One that is open already only keeps when the problem was last seen. A contract that
    /// seems to have bought the same thing twice is suspended with it.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` when such records do not have this problem, `not_found` for an unknown record.
    pub async fn open_remediation(
        &self,
        caller: &Caller,
        command: OpenRemediation,
    ) -> OpResult<Versioned<Remediation>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_TRADING)?;
        let at = self.market_now(command.workspace_id);
        let OpenRemediation { kind, subject, evidence, .. } = command;
        self.retrying(|| async {
            self.require_subject(scope, subject).await?;
            let finding = Finding { kind, evidence: evidence.clone() };
            let problems = Problems { scope, of: subject, found: vec![finding], resolved: None };
            let mut changes = Changes::by(caller);
            let opened = follow_problems(self, &mut changes, By { caller, at }, None, problems).await?;
            let is_new = opened.as_ref().is_some_and(|opened| opened.version == 1);
            if let (RemediationKind::DuplicateSuspect, Subject::Contract(id), true) = (kind, subject, is_new) {
                self.freeze(&mut changes, By { caller, at }, scope, id).await?;
            }
            commit_problems(self, caller, changes).await?;
            opened.map(Versioned::from).ok_or_else(|| OpError::internal("a problem was found and not kept"))
        })
        .await
    }

    /// Notes what the service does about a problem.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition` with `ILLEGAL_STEP`.
    pub async fn advance_remediation(
        &self,
        caller: &Caller,
        command: AdvanceRemediation,
    ) -> OpResult<Versioned<Remediation>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_TRADING)?;
        let at = self.market_now(command.workspace_id);
        let event = match command.progress {
            Progress::Began => RemediationEvent::Began,
            Progress::PutOff => RemediationEvent::PutOff,
            Progress::HandedOver => RemediationEvent::HandedOver,
        };
        self.retrying(|| async {
            let seen = remediation_as_seen(self, scope, command.remediation_id, None).await?;
            let mut changes = Changes::by(caller);
            let moved = move_remediation(self, &mut changes, By { caller, at }, seen, event.clone())?;
            self.commit(caller, changes).await?;
            Ok(moved.into())
        })
        .await
    }

    /// Ends the remediation of a problem that no longer exists; returns whether there was one.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn resolve_remediation(&self, caller: &Caller, command: ResolveRemediation) -> OpResult<bool> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_TRADING)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let live = self.ports.store.remediations().list_live_of(scope, command.subject).await?;
            let Some(seen) = live.into_iter().find(|seen| seen.peek().kind == command.kind) else { return Ok(false) };
            let mut changes = Changes::by(caller);
            move_remediation(self, &mut changes, By { caller, at }, seen, RemediationEvent::Cleared)?;
            self.commit(caller, changes).await?;
            Ok(true)
        })
        .await
    }

    /// Stops an active contract, until a person resumes it.
    async fn freeze(
        &self,
        changes: &mut Changes,
        by: By<'_>,
        scope: WorkspaceScope,
        contract_id: ContractId,
    ) -> OpResult<()> {
        let contract = contract_as_seen(self, scope, contract_id, None).await?;
        let Some(event) = contract.peek().due_for(Some(SuspensionCause::DuplicateSuspect)) else { return Ok(()) };
        match move_contract(self, changes, by, contract, event) {
            // Its time is over, and it is closed for that.
            Err(error) if error.reason == Reason::ContractEnded => Ok(()),
            moved => {
                moved?;
                withdraw_intents_of(self, changes, by, scope, contract_id).await
            }
        }
    }

    /// Checks that the workspace has the record. Of those that have no problems of their own, none is looked for.
    async fn require_subject(&self, scope: WorkspaceScope, subject: Subject) -> OpResult<()> {
        let store = &self.ports.store;
        let is_there = match subject {
            Subject::Purchase(id) => store.purchases().find(scope, id).await?.is_some(),
            Subject::InventoryItem(id) => store.items().find(scope, id).await?.is_some(),
            Subject::Contract(id) => store.contracts().find(scope, id).await?.is_some(),
            Subject::Pool(id) => store.pools().find(scope, id).await?.is_some(),
            Subject::Account(id) => store.trading_accounts().find(scope, id).await?.is_some(),
            Subject::Provider(id) => store.providers().find(scope, id).await?.is_some(),
            Subject::TradeOffer(id) => store.trade_offers().find(scope, id).await?.is_some(),
            Subject::Friend(id) => store.friends().find(scope, id).await?.is_some(),
            Subject::Confirmation(id) => store.confirmations().find(scope, id).await?.is_some(),
            Subject::ChatMessage(id) => store.chats().find_message(scope, id).await?.is_some(),
            Subject::InventoryChange(id) => {
                !store.inventory_changes().find_inventory_changes(scope, &[id]).await?.is_empty()
            }
            Subject::AccountSession(id) => {
                !store.account_sessions().find_account_sessions(scope, &[id]).await?.is_empty()
            }
            Subject::Renewal(id) => !store.renewals().find_renewals(scope, &[id]).await?.is_empty(),
            Subject::Membership(_)
            | Subject::ApiKey(_)
            | Subject::Intent(_)
            | Subject::Remediation(_)
            | Subject::Import(_) => true,
        };
        if is_there { Ok(()) } else { Err(OpError::not_found("record")) }
    }
}
