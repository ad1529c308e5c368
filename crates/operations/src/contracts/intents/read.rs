//! Reads of intents.

use tradepost_domain::contracts::intent::{Intent, IntentKind, IntentStatus};
use tradepost_domain::id::{ContractId, IntentId, OfIntent, WorkspaceId};
use tradepost_ports::changes::Caller;
use tradepost_ports::record::Kind;
use tradepost_ports::store::IntentFilter;

use crate::paging::ListKey;
use crate::results::every_status;
use crate::rules;
use crate::{Batch, OpError, OpResult, Operations, PageOf, StatusCount, Versioned, fields};

/// A request for one intent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetIntent {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The intent.
    pub intent_id: IntentId,
}

/// A request for several intents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetIntents {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The intents, 1 to 200.
    pub intent_ids: Vec<IntentId>,
}

/// A request for a page of intents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListIntents {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only intents for this contract.
    pub contract_id: Option<ContractId>,
    /// Only intents of this kind.
    pub kind: Option<IntentKind>,
    /// Only intents in this status.
    pub status: Option<IntentStatus>,
}

/// A request for the number of intents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountIntents {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Only intents for this contract.
    pub contract_id: Option<ContractId>,
}

impl Operations {
    /// Returns one intent.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_intent(&self, caller: &Caller, command: GetIntent) -> OpResult<Versioned<Intent>> {
        let scope = rules::GET_INTENT.enter(&caller.principal, command.workspace_id)?;
        let found = self.ports.store.intents().find(scope, command.intent_id).await?;
        found.map(Versioned::from).ok_or_else(|| OpError::not_found("intent"))
    }

    /// Returns several intents in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_intents(&self, caller: &Caller, command: GetIntents) -> OpResult<Batch<Intent, OfIntent>> {
        let scope = rules::GET_INTENTS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("intentIds", &command.intent_ids)?;
        let found = self.ports.store.intents().find_many(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.terms.id))
    }

    /// Returns a page of intents, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit or a cursor that this list did not give out.
    pub async fn list_intents(&self, caller: &Caller, command: ListIntents) -> OpResult<PageOf<IntentId>> {
        let scope = rules::LIST_INTENTS.enter(&caller.principal, command.workspace_id)?;
        let ListIntents { contract_id, kind, status, .. } = command;
        let key = ListKey::of("intents", scope)
            .and_id(contract_id)
            .and_code(kind.map(IntentKind::code))
            .and_code(status.map(IntentStatus::code));
        let request = self.page_request::<OfIntent>(&key, command.limit, &command.cursor)?;
        let filter = IntentFilter { contract_id, kind, status };
        let page = self.to_show(caller, scope).intents().list(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts intents: one entry for every status in the order of the list, zeros included.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_intents(
        &self,
        caller: &Caller,
        command: CountIntents,
    ) -> OpResult<Vec<StatusCount<IntentStatus>>> {
        let scope = rules::COUNT_INTENTS.enter(&caller.principal, command.workspace_id)?;
        let counted =
            self.to_show(caller, scope).counters().by_status(scope, Kind::Intent, command.contract_id).await?;
        Ok(every_status(IntentStatus::ALL, IntentStatus::code, &counted))
    }
}
