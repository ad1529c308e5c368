//! [`GetPurchases`]: up to 200 purchases of a workspace at once.

use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::{OfPurchase, PurchaseId, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::rules::READ_TRADING;
use crate::{Batch, OpResult, Operations, fields};

/// Asks for several purchases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetPurchases {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The purchases, 1 to 200.
    pub purchase_ids: Vec<PurchaseId>,
}

impl Operations {
    /// Gives several purchases in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_purchases(&self, caller: &Caller, command: GetPurchases) -> OpResult<Batch<Purchase, OfPurchase>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let ids = fields::batch("purchaseIds", &command.purchase_ids)?;
        let found = self.ports.store.find_purchases(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.terms.id))
    }
}
