//! [`ResumeContract`]: sets a contract that was stopped to work again.

use crate::contracts::contracts::contract_lifecycle::contract_as_seen;
use crate::contracts::contracts::contract_lifecycle::end_breaker;
use crate::contracts::contracts::contract_lifecycle::move_contract;
use crate::contracts::trading_control::apply_halts::rely_on_causes;
use crate::contracts::trading_control::halts::rely_on_trading;
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
            let contract = contract_as_seen(self, scope, command.contract_id, command.expected_version).await?;
            let mut changes = Changes::by(caller);
            end_breaker(self, &mut changes, by, scope, contract.peek()).await?;
            if contract.peek().contract_type() == ContractType::Buying {
                rely_on_trading(self, &mut changes, scope).await?;
                if rely_on_causes(self, &mut changes, scope, contract.peek()).await?.is_some() {
                    let message = "the contract's pool is PAUSED and gives no money";
                    return Err(OpError::failed_precondition(Reason::PoolNotActive, message));
                }
            }
            let moved = move_contract(self, &mut changes, by, contract, ContractEvent::Resumed)?;
            changes.audit(AuditKind::ContractResumed, &moved.value);
            self.commit(caller, changes).await?;
            Ok(moved.into())
        })
        .await
    }
}
