//! [`PauseContract`]: stops a contract until it is resumed.

use crate::contracts::contracts::contract_lifecycle::contract_as_seen;
use crate::contracts::contracts::contract_lifecycle::end_breaker;
use crate::contracts::contracts::contract_lifecycle::move_contract;
use crate::contracts::intents::withdraw_intents::withdraw_intents_of;
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::contracts::contract::{Contract, ContractEvent};
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_domain::text::Description;
use tradepost_ports::changes::{Caller, Changes};

use crate::commit::By;
use crate::rules;
use crate::{OpResult, Operations, Versioned, fields};

/// Stops a contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PauseContract {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The contract.
    pub contract_id: ContractId,
    /// Why, in 1 to 512 characters; shown with the contract.
    pub reason: Option<String>,
    /// The version that the caller saw, from 1; rejected when the contract has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Pauses a contract: it starts nothing new until it is resumed. The engine completes what is in flight.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a bad reason or an expected version below 1, `not_found`,
    /// `failed_precondition`: `VERSION_MISMATCH`, `ILLEGAL_STEP` unless it is active.
    pub async fn pause_contract(&self, caller: &Caller, command: PauseContract) -> OpResult<Versioned<Contract>> {
        let scope = rules::PAUSE_CONTRACT.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let reason: Option<Description> =
            command.reason.as_deref().map(|reason| fields::text("reason", reason)).transpose()?;
        let by = By { caller, at: self.market_now(command.workspace_id) };
        self.in_turn(command.workspace_id, || async {
            let contract = contract_as_seen(self, scope, command.contract_id, command.expected_version).await?;
            let mut changes = Changes::by(caller);
            end_breaker(self, &mut changes, by, scope, contract.peek()).await?;
            let event = ContractEvent::Paused { reason: reason.clone() };
            let moved = move_contract(self, &mut changes, by, contract, event)?;
            let about = About::from(&moved.value);
            let about = reason.iter().fold(about, |about, reason| about.with(Fact::Reason, reason));
            changes.audit(AuditKind::ContractPaused, about);
            withdraw_intents_of(self, &mut changes, by, scope, command.contract_id).await?;
            self.commit(caller, changes).await?;
            Ok(moved.into())
        })
        .await
    }
}
