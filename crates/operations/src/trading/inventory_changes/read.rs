//! Reads of inventory changes.

use tradepost_domain::id::{AccountId, InventoryChangeId, OfInventoryChange, WorkspaceId};
use tradepost_domain::trading::inventory_change::{ChangeStatus, InventoryChange};
use tradepost_domain::trading::snapshot::ChangeKind;
use tradepost_ports::changes::Caller;
use tradepost_ports::record::Kind;
use tradepost_ports::store::InventoryChangeFilter;

use super::change_steps::change_as_seen;
use crate::paging::ListKey;
use crate::results::every_status;
use crate::rules;
use crate::trading::trading_accounts::account_moves::account_as_seen;
use crate::{Batch, OpResult, Operations, PageOf, StatusCount, Versioned, fields};

/// A request for one inventory change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetInventoryChange {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The inventory change.
    pub inventory_change_id: InventoryChangeId,
}

/// A request for several inventory changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetInventoryChanges {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The inventory changes, 1 to 200.
    pub inventory_change_ids: Vec<InventoryChangeId>,
}

/// A request for a page of inventory changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListInventoryChanges {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only of this account.
    pub account_id: Option<AccountId>,
    /// Only of this kind.
    pub kind: Option<ChangeKind>,
    /// Only in this status.
    pub status: Option<ChangeStatus>,
}

/// A request for the number of inventory changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountInventoryChanges {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Returns one inventory change.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_inventory_change(
        &self,
        caller: &Caller,
        command: GetInventoryChange,
    ) -> OpResult<Versioned<InventoryChange>> {
        let scope = rules::GET_INVENTORY_CHANGE.enter(&caller.principal, command.workspace_id)?;
        Ok(change_as_seen(self, scope, command.inventory_change_id, None).await?.into())
    }

    /// Returns several inventory changes in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_inventory_changes(
        &self,
        caller: &Caller,
        command: GetInventoryChanges,
    ) -> OpResult<Batch<InventoryChange, OfInventoryChange>> {
        let scope = rules::GET_INVENTORY_CHANGES.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("inventoryChangeIds", &command.inventory_change_ids)?;
        let found = self.ports.store.inventory_changes().find_inventory_changes(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }

    /// Returns a page of inventory changes, the newest first.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for a negative limit and a cursor that this list did not give out; `not_found` for an
    /// account that is not there.
    pub async fn list_inventory_changes(
        &self,
        caller: &Caller,
        command: ListInventoryChanges,
    ) -> OpResult<PageOf<InventoryChangeId>> {
        let scope = rules::LIST_INVENTORY_CHANGES.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("inventory changes", scope)
            .and_id(command.account_id)
            .and_code(command.kind.map(ChangeKind::code))
            .and_code(command.status.map(ChangeStatus::code));
        let request = self.page_request::<OfInventoryChange>(&key, command.limit, &command.cursor)?;
        if let Some(id) = command.account_id {
            drop(account_as_seen(self, scope, id, None).await?);
        }
        let ListInventoryChanges { account_id, kind, status, .. } = command;
        let filter = InventoryChangeFilter { account_id, kind, status };
        let changes = self.to_show(caller, scope).inventory_changes();
        let page = changes.list_inventory_changes(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts inventory changes: one entry for every status in the order of the list, zeros included.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_inventory_changes(
        &self,
        caller: &Caller,
        command: CountInventoryChanges,
    ) -> OpResult<Vec<StatusCount<ChangeStatus>>> {
        let scope = rules::COUNT_INVENTORY_CHANGES.enter(&caller.principal, command.workspace_id)?;
        let counted = self.to_show(caller, scope).counters().by_status(scope, Kind::InventoryChange, None).await?;
        Ok(every_status(ChangeStatus::ALL, ChangeStatus::code, &counted))
    }
}
