//! [`ListPriceOverrides`]: the values that people gave to variants, the newest first.

use tradepost_domain::id::{OfPriceOverride, WorkspaceId};
use tradepost_domain::markets::price_override::VariantOverride;
use tradepost_ports::changes::Caller;

use crate::paging::ListKey;
use crate::results::in_order;
use crate::rules;
use crate::{OpResult, Operations, PageOf, Versioned};

/// A request for a page of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListPriceOverrides {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of values on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
}

impl Operations {
    /// Returns a page of values, including expired ones that were not deleted.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit or a cursor that this list did not give out.
    pub async fn list_price_overrides(
        &self,
        caller: &Caller,
        command: ListPriceOverrides,
    ) -> OpResult<PageOf<Versioned<VariantOverride>>> {
        let scope = rules::LIST_PRICE_OVERRIDES.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("price overrides", scope);
        let request = self.page_request::<OfPriceOverride>(&key, command.limit, &command.cursor)?;
        let page = self.ports.store.prices().list_overrides(scope, request).await?;
        let page = self.page(&key, page);
        let found = self.ports.store.prices().find_overrides(scope, &page.entries).await?;
        let (found, _) = in_order(page.entries, found, |seen| seen.peek().id);
        Ok(PageOf { entries: found.into_iter().map(Into::into).collect(), next_cursor: page.next_cursor })
    }
}
