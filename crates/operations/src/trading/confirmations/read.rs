//! Reads of confirmations.

use tradepost_domain::id::{AccountId, ConfirmationId, OfConfirmation, WorkspaceId};
use tradepost_domain::trading::confirmation::{Confirmation, ConfirmationKind, ConfirmationStatus};
use tradepost_ports::changes::Caller;
use tradepost_ports::record::Kind;
use tradepost_ports::store::ConfirmationFilter;

use super::confirmation_moves::confirmation_as_seen;
use crate::paging::ListKey;
use crate::results::every_status;
use crate::rules;
use crate::trading::trading_accounts::account_moves::account_as_seen;
use crate::{Batch, OpResult, Operations, PageOf, StatusCount, Versioned, fields};

/// A request for one confirmation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetConfirmation {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The confirmation.
    pub confirmation_id: ConfirmationId,
}

/// A request for several confirmations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetConfirmations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The confirmations, 1 to 200.
    pub confirmation_ids: Vec<ConfirmationId>,
}

/// A request for a page of confirmations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListConfirmations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only of this account.
    pub account_id: Option<AccountId>,
    /// Only in this status.
    pub status: Option<ConfirmationStatus>,
    /// Only of this kind.
    pub kind: Option<ConfirmationKind>,
}

/// A request for the number of confirmations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountConfirmations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Returns one confirmation.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_confirmation(
        &self,
        caller: &Caller,
        command: GetConfirmation,
    ) -> OpResult<Versioned<Confirmation>> {
        let scope = rules::GET_CONFIRMATION.enter(&caller.principal, command.workspace_id)?;
        Ok(confirmation_as_seen(self, scope, command.confirmation_id, None).await?.into())
    }

    /// Returns several confirmations in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_confirmations(
        &self,
        caller: &Caller,
        command: GetConfirmations,
    ) -> OpResult<Batch<Confirmation, OfConfirmation>> {
        let scope = rules::GET_CONFIRMATIONS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("confirmationIds", &command.confirmation_ids)?;
        let found = self.ports.store.confirmations().find_many(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }

    /// Returns a page of confirmations, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `not_found` for an unknown account, `invalid_argument` for a negative limit or a cursor that this list did not
    /// give out.
    pub async fn list_confirmations(
        &self,
        caller: &Caller,
        command: ListConfirmations,
    ) -> OpResult<PageOf<ConfirmationId>> {
        let scope = rules::LIST_CONFIRMATIONS.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("confirmations", scope)
            .and_id(command.account_id)
            .and_code(command.status.map(ConfirmationStatus::code))
            .and_code(command.kind.map(ConfirmationKind::code));
        let request = self.page_request::<OfConfirmation>(&key, command.limit, &command.cursor)?;
        let account_name = match command.account_id {
            Some(id) => Some(account_as_seen(self, scope, id, None).await?.peek().name.clone()),
            None => None,
        };
        let filter =
            ConfirmationFilter { account_name: account_name.as_ref(), status: command.status, kind: command.kind };
        let page = self.to_show(caller, scope).confirmations().list(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts confirmations: one entry for every status in the order of the list, zeros included.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_confirmations(
        &self,
        caller: &Caller,
        command: CountConfirmations,
    ) -> OpResult<Vec<StatusCount<ConfirmationStatus>>> {
        let scope = rules::COUNT_CONFIRMATIONS.enter(&caller.principal, command.workspace_id)?;
        let counted = self.to_show(caller, scope).counters().by_status(scope, Kind::Confirmation, None).await?;
        Ok(every_status(ConfirmationStatus::ALL, ConfirmationStatus::code, &counted))
    }
}
