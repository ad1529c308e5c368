//! [`ListFilterSets`]: identifiers of filter sets, the newest first.

use tradepost_domain::id::{FilterSetId, OfFilterSet, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::paging::ListKey;
use crate::rules::READ_TRADING;
use crate::{OpResult, Operations, PageOf};

/// Asks for a page of filter sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListFilterSets {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Most ids on the page: 0 is 50, above 200 is 200, negative is refused.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
}

impl Operations {
    /// Gives a page of filter sets, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit or a cursor that this list did not give out.
    pub async fn list_filter_sets(&self, caller: &Caller, command: ListFilterSets) -> OpResult<PageOf<FilterSetId>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let key = ListKey::of("filter sets", scope);
        let request = self.page_request::<OfFilterSet>(&key, command.limit, &command.cursor)?;
        let page = self.ports.store.list_filter_sets(scope, request).await?;
        Ok(self.page(&key, page))
    }
}
