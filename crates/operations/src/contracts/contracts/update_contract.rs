//! [`UpdateContract`]: changes the terms of a contract, as far as its state allows.

use crate::contracts::contracts::contract_lifecycle::contract_as_seen;
use crate::contracts::contracts::contract_lifecycle::log_life;
use crate::contracts::contracts::contract_versions::keep_version;
use crate::contracts::filter_sets::named_filter_sets::forget_filter_set;
use crate::contracts::filter_sets::named_filter_sets::name_filter_set;
use crate::contracts::pools::named_pools::name_pool;
use crate::contracts::pools::named_pools::rely_on_cover;
use crate::markets::providers::providers::check_on_record;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::contracts::contract::{ApprovalMode, Contract, ContractChange, ContractStatus, Replaced};
use tradepost_domain::id::{ContractId, FilterSetId, PoolId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};

use super::contract_lifecycle::ContractLifecycle;
use super::terms::{ContractTerms, PriceSource};
use crate::rules;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// The changes to one contract; absent fields stay unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateContract {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The contract.
    pub contract_id: ContractId,
    /// The name from now on, 1 to 64 characters.
    pub name: Option<String>,
    /// The limits from now on, all of them; a contract keeps its type.
    pub terms: Option<ContractTerms>,
    /// The filter set that items must pass from now on.
    pub filter_set_id: Replaced<FilterSetId>,
    /// The pool whose money it uses; of a draft only.
    pub pool_id: Replaced<PoolId>,
    /// The party that decides that it acts.
    pub approval_mode: Option<ApprovalMode>,
    /// Names of the marketplaces it acts on, each once, at most 32; empty for all of them.
    pub marketplaces: Option<Vec<String>>,
    /// The source of an item's fair value.
    pub price_reference: Replaced<PriceSource>,
    /// The time from which it may act; of a draft only.
    pub starts_at: Replaced<Timestamp>,
    /// The time until which it may act.
    pub ends_at: Replaced<Timestamp>,
    /// The version that the caller saw, from 1; rejected when the contract has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Changes a contract. An active one that is full by its new limits closes at once.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for bad fields, terms of the other type, and when nothing is to change;
    /// `not_found` for the contract, the filter set or the pool; `failed_precondition`: `POOL_ARCHIVED`, `VERSION_MISMATCH`,
    /// `ILLEGAL_STEP` once it is closing or over; of one other than a draft, `FIXED_FIELD` for its pool and start,
    /// `CONTRACT_LIMITS`, `CONTRACT_ENDED`, `LIMIT_BELOW_USE`, `BEYOND_POOL` and, of an active one, `MARKETPLACE_NOT_ON_RECORD`.
    pub async fn update_contract(&self, caller: &Caller, command: UpdateContract) -> OpResult<Versioned<Contract>> {
        let scope = rules::UPDATE_CONTRACT.enter(&caller.principal, command.workspace_id)?;
        let change = change(&command)?;
        fields::expected_version(command.expected_version)?;
        let at = self.market_now(command.workspace_id);
        self.in_turn(command.workspace_id, || async {
            let contract = contract_as_seen(self, scope, command.contract_id, command.expected_version).await?;
            let before = contract.peek().to_draft();
            let (mut changes, mut life) = (Changes::by(caller), ContractLifecycle::at(at));
            let next = changes
                .revise(contract, |contract| Ok::<_, OpError>(life.settle(contract.change(change.clone(), at)?)?))?;
            if next.value.filter_set_id != before.filter_set_id {
                forget_filter_set(self, &mut changes, scope, before.filter_set_id).await?;
                name_filter_set(self, &mut changes, scope, next.value.filter_set_id).await?;
            }
            if next.value.pool_id != before.pool_id {
                name_pool(self, &mut changes, scope, next.value.pool_id, at).await?;
            }
            // A draft is checked when it is activated.
            if next.value.status != ContractStatus::Draft {
                if change.terms.is_some() {
                    rely_on_cover(self, &mut changes, scope, &next.value).await?;
                }
                if let Some(marketplaces) = &change.marketplaces {
                    check_on_record(self, scope, marketplaces).await?;
                }
            }
            if next.value.to_draft() != before {
                keep_version(self, &mut changes, caller, &next);
            }
            log_life(self, &mut changes, caller, &next, life);
            changes.audit(AuditKind::ContractUpdated, &next.value);
            self.commit(caller, changes).await?;
            Ok(next.into())
        })
        .await
    }
}

fn change(command: &UpdateContract) -> OpResult<ContractChange> {
    let change = ContractChange {
        name: command.name.as_deref().map(|name| fields::text("name", name)).transpose()?,
        terms: command.terms.as_ref().map(ContractTerms::check).transpose()?,
        filter_set_id: command.filter_set_id.clone(),
        pool_id: command.pool_id.clone(),
        approval_mode: command.approval_mode,
        marketplaces: command.marketplaces.as_deref().map(|names| fields::texts("marketplaces", names)).transpose()?,
        price_reference: match &command.price_reference {
            Replaced::Not => Replaced::Not,
            Replaced::ByNothing => Replaced::ByNothing,
            Replaced::By(source) => Replaced::By(source.check()?),
        },
        starts_at: command.starts_at.clone(),
        ends_at: command.ends_at.clone(),
    };
    if change == ContractChange::default() {
        return Err(OpError::invalid_field("name", "or another field that is to change is required"));
    }
    Ok(change)
}
