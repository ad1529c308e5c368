//! [`ActivateContract`]: puts a drafted contract to work, once its limits make sense together.

use crate::contracts::assignments::resolve_assignment::check_buyers;
use crate::contracts::contracts::contract_lifecycle::contract_as_seen;
use crate::contracts::contracts::contract_lifecycle::log_life;
use crate::contracts::pools::named_pools::rely_on_pool;
use crate::contracts::trading_control::apply_halts::rely_on_causes;
use crate::markets::providers::providers::check_fees;
use crate::markets::providers::providers::check_on_record;
use crate::markets::providers::providers::rely_on_a_marketplace;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::contracts::contract::{Contract, ContractEvent};
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use super::contract_lifecycle::ContractLifecycle;
use crate::rules;
use crate::{OpResult, Operations, Versioned, fields};

/// Puts a drafted contract to work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActivateContract {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The contract.
    pub contract_id: ContractId,
    /// The version that the caller saw, from 1; rejected when the contract has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Puts a drafted contract to work. While trading is halted, one that buys is suspended at once.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an expected version below 1, `not_found` for the contract or its pool,
    /// `failed_precondition`: `VERSION_MISMATCH`, `ILLEGAL_STEP` unless it is a draft, `CONTRACT_LIMITS` when its limits make no
    /// sense together, `CONTRACT_ENDED` when its time is over, `POOL_NOT_ACTIVE` when its pool gives no money, `BEYOND_POOL` when
    /// it may spend more than its pool, `NO_ELIGIBLE_ACCOUNT` when accounts are assigned to its pool and none of them may buy,
    /// `MARKETPLACE_NOT_ON_RECORD` when a marketplace that it names has no provider, `PROVIDER_DISABLED` when every
    /// marketplace that it names is disabled, `FEES_UNKNOWN` when none of them has reported its fees.
    pub async fn activate_contract(&self, caller: &Caller, command: ActivateContract) -> OpResult<Versioned<Contract>> {
        let scope = rules::ACTIVATE_CONTRACT.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let at = self.market_now(command.workspace_id);
        self.in_turn(command.workspace_id, || async {
            let draft = contract_as_seen(self, scope, command.contract_id, command.expected_version).await?;
            let mut changes = Changes::by(caller);
            let cause = rely_on_causes(self, &mut changes, scope, draft.peek()).await?;
            let mut life = ContractLifecycle::at(at);
            let active = changes.revise(draft, |contract| {
                let contract = life.take(contract, ContractEvent::Activated)?;
                let contract = life.settle(contract)?;
                match contract.due_for(cause) {
                    Some(event) => life.take(contract, event),
                    None => Ok(contract),
                }
            })?;
            log_life(self, &mut changes, caller, &active, life);
            rely_on_pool(self, &mut changes, scope, &active.value).await?;
            check_buyers(self, scope, &active.value).await?;
            check_on_record(self, scope, &active.value.marketplaces).await?;
            rely_on_a_marketplace(self, &mut changes, scope, &active.value.marketplaces).await?;
            check_fees(self, scope, &active.value.marketplaces).await?;
            changes.audit(AuditKind::ContractActivated, &active.value);
            self.commit(caller, changes).await?;
            Ok(active.into())
        })
        .await
    }
}
