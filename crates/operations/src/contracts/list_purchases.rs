//! [`ListPurchases`]: identifiers of purchases, the newest first.

use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::id::{ContractId, OfPurchase, PurchaseId, WorkspaceId};
use tradepost_ports::changes::Caller;
use tradepost_ports::store::PurchaseFilter;

use crate::paging::ListKey;
use crate::rules::READ_TRADING;
use crate::{OpResult, Operations, PageOf};

/// Asks for a page of purchases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListPurchases {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Most ids on the page: 0 is 50, above 200 is 200, negative is refused.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only purchases of this contract.
    pub contract_id: Option<ContractId>,
    /// Only purchases in this status.
    pub status: Option<PurchaseStatus>,
}

impl Operations {
    /// Gives a page of purchases, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit or a cursor that this list did not give out.
    pub async fn list_purchases(&self, caller: &Caller, command: ListPurchases) -> OpResult<PageOf<PurchaseId>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let key = ListKey::of("purchases", scope)
            .and_id(command.contract_id)
            .and_code(command.status.map(PurchaseStatus::code));
        let request = self.page_request::<OfPurchase>(&key, command.limit, &command.cursor)?;
        let filter = PurchaseFilter { contract_id: command.contract_id, status: command.status };
        let page = self.ports.store.list_purchases(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }
}
