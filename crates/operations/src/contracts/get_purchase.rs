//! [`GetPurchase`]: one purchase of a workspace.

use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::{PurchaseId, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::rules::READ_TRADING;
use crate::{OpError, OpResult, Operations, Versioned};

/// Asks for one purchase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetPurchase {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The purchase.
    pub purchase_id: PurchaseId,
}

impl Operations {
    /// Gives one purchase.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_purchase(&self, caller: &Caller, command: GetPurchase) -> OpResult<Versioned<Purchase>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let found = self.ports.store.find_purchase(scope, command.purchase_id).await?;
        found.map(Versioned::from).ok_or_else(|| OpError::not_found("purchase"))
    }
}
