//! [`ListAccountGroups`]: identifiers of groups of trading accounts, the newest first.

use tradepost_domain::id::{AccountGroupId, OfAccountGroup, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::paging::ListKey;
use crate::rules::READ_ACCOUNTS;
use crate::{OpResult, Operations, PageOf};

/// Asks for a page of groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListAccountGroups {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Most ids on the page: 0 is 50, above 200 is 200, negative is refused.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
}

impl Operations {
    /// Gives a page of groups of trading accounts, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit or a cursor that this list did not give out.
    pub async fn list_account_groups(
        &self,
        caller: &Caller,
        command: ListAccountGroups,
    ) -> OpResult<PageOf<AccountGroupId>> {
        let scope = caller.principal.enter(command.workspace_id, READ_ACCOUNTS)?;
        let key = ListKey::of("account groups", scope);
        let request = self.page_request::<OfAccountGroup>(&key, command.limit, &command.cursor)?;
        let page = self.ports.store.list_account_groups(scope, request).await?;
        Ok(self.page(&key, page))
    }
}
