//! Reads of account groups.

use crate::trading::trading_accounts::account_moves::account_group_as_seen;
use tradepost_domain::id::{AccountGroupId, OfAccountGroup, WorkspaceId};
use tradepost_domain::trading::trading_account::AccountGroup;
use tradepost_ports::changes::Caller;

use crate::paging::ListKey;
use crate::rules;
use crate::{Batch, OpResult, Operations, PageOf, Versioned, fields};

/// A request for one group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetAccountGroup {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The group.
    pub account_group_id: AccountGroupId,
}

/// A request for several groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetAccountGroups {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The groups, 1 to 200.
    pub account_group_ids: Vec<AccountGroupId>,
}

/// A request for a page of groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListAccountGroups {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
}

impl Operations {
    /// Returns one group of trading accounts.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_account_group(
        &self,
        caller: &Caller,
        command: GetAccountGroup,
    ) -> OpResult<Versioned<AccountGroup>> {
        let scope = rules::GET_ACCOUNT_GROUP.enter(&caller.principal, command.workspace_id)?;
        Ok(account_group_as_seen(self, scope, command.account_group_id, None).await?.into())
    }

    /// Returns several groups in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_account_groups(
        &self,
        caller: &Caller,
        command: GetAccountGroups,
    ) -> OpResult<Batch<AccountGroup, OfAccountGroup>> {
        let scope = rules::GET_ACCOUNT_GROUPS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("accountGroupIds", &command.account_group_ids)?;
        let found = self.ports.store.account_groups().find_many(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }

    /// Returns a page of groups of trading accounts, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit or a cursor that this list did not give out.
    pub async fn list_account_groups(
        &self,
        caller: &Caller,
        command: ListAccountGroups,
    ) -> OpResult<PageOf<AccountGroupId>> {
        let scope = rules::LIST_ACCOUNT_GROUPS.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("account groups", scope);
        let request = self.page_request::<OfAccountGroup>(&key, command.limit, &command.cursor)?;
        let page = self.to_show(caller, scope).account_groups().list(scope, request).await?;
        Ok(self.page(&key, page))
    }
}
