//! [`ResumeContract`]: sets a contract that was stopped to work again.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::contracts::contract::{Contract, ContractEvent, ContractType};
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use crate::commit::By;
use crate::rules;
use crate::{OpError, OpResult, Operations, Reason, Versioned, fields};

/// Sets a paused or suspended contract to work again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResumeContract {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The contract.
    pub contract_id: ContractId,
    /// The version that the caller saw, from 1; rejected when the contract has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Resumes a contract that is paused or suspended. One that has filled up in the meantime closes at once.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an expected version below 1, `not_found`, `failed_precondition`:
    /// `VERSION_MISMATCH`, `ILLEGAL_STEP` unless it is stopped, `CONTRACT_ENDED` when its time is over; of one that buys,
    /// `TRADING_HALTED` and `POOL_NOT_ACTIVE` as long as that would stop it at once.
    pub async fn resume_contract(&self, caller: &Caller, command: ResumeContract) -> OpResult<Versioned<Contract>> {
        let scope = rules::RESUME_CONTRACT.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let by = By { caller, at: self.market_now(command.workspace_id) };
        self.in_turn(command.workspace_id, || async {
            let contract = self.contract_as_seen(scope, command.contract_id, command.expected_version).await?;
            let mut changes = Changes::by(caller);
            self.end_breaker(&mut changes, by, scope, contract.peek()).await?;
            if contract.peek().contract_type() == ContractType::Buying {
                self.rely_on_trading(&mut changes, scope).await?;
                if self.rely_on_causes(&mut changes, scope, contract.peek()).await?.is_some() {
                    let message = "the contract's pool is PAUSED and gives no money";
                    return Err(OpError::failed_precondition(Reason::PoolNotActive, message));
                }
            }
            let moved = self.move_contract(&mut changes, by, contract, ContractEvent::Resumed)?;
            changes.audit(AuditKind::ContractResumed, &moved.value);
            self.commit(caller, changes).await?;
            Ok(moved.into())
        })
        .await
    }
}
