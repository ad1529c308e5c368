//! [`CreateContract`]: drafts a contract. Its limits are checked together when it is activated.

use crate::contracts::filter_sets::named_filter_sets::name_filter_set;
use crate::contracts::pools::named_pools::name_pool;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::contracts::contract::{ApprovalMode, Contract, ContractDraft};
use tradepost_domain::id::{FilterSetId, PoolId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{AppendedRow, Caller, Changes, Revised};

use super::contract_versions::keep_version;
use super::terms::{ContractTerms, PriceSource};
use crate::commit::Step;
use crate::rules;
use crate::{OpResult, Operations, Versioned, fields};

/// Drafts a contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateContract {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Name for people, 1 to 64 characters.
    pub name: String,
    /// The limits; they say whether it buys or sells.
    pub terms: ContractTerms,
    /// The filter set that items must pass.
    pub filter_set_id: Option<FilterSetId>,
    /// The pool whose money it uses.
    pub pool_id: Option<PoolId>,
    /// The party that decides that it acts.
    pub approval_mode: ApprovalMode,
    /// Names of the marketplaces it acts on, each once, at most 32; empty for all of them.
    pub marketplaces: Vec<String>,
    /// The source of an item's fair value.
    pub price_reference: Option<PriceSource>,
    /// The time from which it may act.
    pub starts_at: Option<Timestamp>,
    /// The time until which it may act.
    pub ends_at: Option<Timestamp>,
}

impl Operations {
    /// Drafts a contract, which does nothing until it is activated.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` naming the field, `not_found` for an unknown filter set or pool,
    /// `failed_precondition` with `POOL_ARCHIVED`.
    pub async fn create_contract(&self, caller: &Caller, command: CreateContract) -> OpResult<Versioned<Contract>> {
        let scope = rules::CREATE_CONTRACT.enter(&caller.principal, command.workspace_id)?;
        let at = self.market_now(command.workspace_id);
        let contract = Contract::draft(draft_of(self, &command)?, at)?;
        self.in_turn(command.workspace_id, || async {
            let mut changes = Changes::by(caller);
            name_filter_set(self, &mut changes, scope, contract.filter_set_id).await?;
            name_pool(self, &mut changes, scope, contract.pool_id, at).await?;
            draft_contract(self, &mut changes, caller, &contract);
            self.commit(caller, changes).await?;
            Ok(Versioned::new(contract.clone()))
        })
        .await
    }
}

/// Adds a draft.
pub(crate) fn draft_contract(operations: &Operations, changes: &mut Changes, caller: &Caller, draft: &Contract) {
    let step = Step {
        subject: Subject::Contract(draft.id),
        from: None,
        to: draft.status.as_str(),
        version: 1,
        trigger: "created",
    };
    changes.insert(draft.clone());
    keep_version(operations, changes, caller, &Revised { value: draft.clone(), version: 1 });
    changes.audit(AuditKind::ContractCreated, draft);
    changes.append(AppendedRow::Transition(operations.transition(caller, draft.workspace_id, step, draft.created_at)));
}

/// Returns the requested draft.
pub(crate) fn draft_of(operations: &Operations, command: &CreateContract) -> OpResult<ContractDraft> {
    Ok(ContractDraft {
        id: operations.mint(),
        workspace_id: command.workspace_id,
        name: fields::text("name", &command.name)?,
        terms: command.terms.check()?,
        filter_set_id: command.filter_set_id,
        pool_id: command.pool_id,
        approval_mode: command.approval_mode,
        marketplaces: fields::texts("marketplaces", &command.marketplaces)?,
        price_reference: command.price_reference.as_ref().map(PriceSource::check).transpose()?,
        starts_at: command.starts_at,
        ends_at: command.ends_at,
    })
}
