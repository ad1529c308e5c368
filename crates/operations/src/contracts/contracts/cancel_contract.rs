//! [`CancelContract`]: ends a contract; its open purchases and items are completed.

use crate::contracts::contracts::contract_lifecycle::contract_as_seen;
use crate::contracts::contracts::contract_lifecycle::end_breaker;
use crate::contracts::contracts::contract_lifecycle::move_contract;
use crate::contracts::intents::withdraw_intents::withdraw_intents_of;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::contracts::contract::{ClosingReason, Contract, ContractEvent};
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use crate::commit::By;
use crate::rules;
use crate::{OpResult, Operations, Versioned, fields};

/// Ends a contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CancelContract {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The contract.
    pub contract_id: ContractId,
    /// The version that the caller saw, from 1; rejected when the contract has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Ends a contract: it takes on nothing new, and is cancelled as soon as nothing is open.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an expected version below 1, `not_found`, `failed_precondition`:
    /// `VERSION_MISMATCH`, `ILLEGAL_STEP` for a draft, which is deleted instead, and for one that is closing or over.
    pub async fn cancel_contract(&self, caller: &Caller, command: CancelContract) -> OpResult<Versioned<Contract>> {
        let scope = rules::CANCEL_CONTRACT.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let by = By { caller, at: self.market_now(command.workspace_id) };
        self.in_turn(command.workspace_id, || async {
            let contract = contract_as_seen(self, scope, command.contract_id, command.expected_version).await?;
            let mut changes = Changes::by(caller);
            end_breaker(self, &mut changes, by, scope, contract.peek()).await?;
            let moved =
                move_contract(self, &mut changes, by, contract, ContractEvent::Closed(ClosingReason::Cancelled))?;
            changes.audit(AuditKind::ContractCancelled, &moved.value);
            withdraw_intents_of(self, &mut changes, by, scope, command.contract_id).await?;
            self.commit(caller, changes).await?;
            Ok(moved.into())
        })
        .await
    }
}
