//! Reads of purchases.

use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::id::{ContractId, OfPurchase, PurchaseId, WorkspaceId};
use tradepost_ports::changes::Caller;
use tradepost_ports::record::Kind;
use tradepost_ports::store::PurchaseFilter;

use crate::paging::ListKey;
use crate::results::every_status;
use crate::rules;
use crate::{Batch, OpError, OpResult, Operations, PageOf, StatusCount, Versioned, fields};

/// A request for one purchase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetPurchase {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The purchase.
    pub purchase_id: PurchaseId,
}

/// A request for several purchases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetPurchases {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The purchases, 1 to 200.
    pub purchase_ids: Vec<PurchaseId>,
}

/// A request for a page of purchases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListPurchases {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only purchases of this contract.
    pub contract_id: Option<ContractId>,
    /// Only purchases in this status.
    pub status: Option<PurchaseStatus>,
}

/// A request for the number of purchases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountPurchases {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Only purchases of this contract.
    pub contract_id: Option<ContractId>,
}

impl Operations {
    /// Returns one purchase.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_purchase(&self, caller: &Caller, command: GetPurchase) -> OpResult<Versioned<Purchase>> {
        let scope = rules::GET_PURCHASE.enter(&caller.principal, command.workspace_id)?;
        let found = self.ports.store.purchases().find(scope, command.purchase_id).await?;
        found.map(Versioned::from).ok_or_else(|| OpError::not_found("purchase"))
    }

    /// Returns several purchases in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_purchases(&self, caller: &Caller, command: GetPurchases) -> OpResult<Batch<Purchase, OfPurchase>> {
        let scope = rules::GET_PURCHASES.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("purchaseIds", &command.purchase_ids)?;
        let found = self.ports.store.purchases().find_many(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.terms.id))
    }

    /// Returns a page of purchases, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit or a cursor that this list did not give out.
    pub async fn list_purchases(&self, caller: &Caller, command: ListPurchases) -> OpResult<PageOf<PurchaseId>> {
        let scope = rules::LIST_PURCHASES.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("purchases", scope)
            .and_id(command.contract_id)
            .and_code(command.status.map(PurchaseStatus::code));
        let request = self.page_request::<OfPurchase>(&key, command.limit, &command.cursor)?;
        let filter = PurchaseFilter { contract_id: command.contract_id, status: command.status };
        let page = self.ports.store.purchases().list(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts purchases: one entry for every status in the order of the list, zeros included.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_purchases(
        &self,
        caller: &Caller,
        command: CountPurchases,
    ) -> OpResult<Vec<StatusCount<PurchaseStatus>>> {
        let scope = rules::COUNT_PURCHASES.enter(&caller.principal, command.workspace_id)?;
        let counted = self.ports.store.counters().by_status(scope, Kind::Purchase, command.contract_id).await?;
        Ok(every_status(PurchaseStatus::ALL, PurchaseStatus::code, &counted))
    }
}
