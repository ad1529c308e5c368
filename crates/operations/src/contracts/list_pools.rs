//! [`ListPools`]: identifiers of pools, the newest first.

use tradepost_domain::contracts::pool::PoolStatus;
use tradepost_domain::id::{OfPool, PoolId, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::paging::ListKey;
use crate::rules::READ_TRADING;
use crate::{OpResult, Operations, PageOf};

/// Asks for a page of pools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListPools {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Most ids on the page: 0 is 50, above 200 is 200, negative is refused.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only in this status.
    pub status: Option<PoolStatus>,
}

impl Operations {
    /// Gives a page of pools, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit or a cursor that this list did not give out.
    pub async fn list_pools(&self, caller: &Caller, command: ListPools) -> OpResult<PageOf<PoolId>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let key = ListKey::of("pools", scope).and_code(command.status.map(PoolStatus::code));
        let request = self.page_request::<OfPool>(&key, command.limit, &command.cursor)?;
        let page = self.ports.store.list_pools(scope, command.status, request).await?;
        Ok(self.page(&key, page))
    }
}
