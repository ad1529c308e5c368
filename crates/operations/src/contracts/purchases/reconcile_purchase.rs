//! [`ReconcilePurchase`]: asks the marketplace now for the outcome of a purchase.

use crate::lookup_registry::ask_about;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::{About, AuditKind};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseEvent, PurchaseStatus};
use tradepost_domain::id::{PurchaseId, WorkspaceId};
use tradepost_ports::changes::{Caller, Seen};

use super::lifecycle_update::LifecycleUpdate;
use crate::commit::By;
use crate::rules;
use crate::{OpError, OpResult, Operations, Versioned};

/// A request to ask the marketplace for the outcome of a purchase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReconcilePurchase {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The purchase, which has not ended, or has failed.
    pub purchase_id: PurchaseId,
}

/// The response of a marketplace about a purchase.
#[derive(Debug, Clone)]
pub(crate) struct ReconcileResult {
    /// The purchase's status when it was asked.
    from: PurchaseStatus,
    /// The event that follows from it, if any.
    event: Option<PurchaseEvent>,
}

impl ReconcileResult {
    /// Returns the event that follows for the purchase as it is now; `None` if it has moved on since.
    pub(crate) fn of(&self, purchase: &Purchase) -> Option<PurchaseEvent> {
        self.event.clone().filter(|_| purchase.status == self.from)
    }
}

impl Operations {
    /// Asks the marketplace now for the outcome of a purchase, and takes the step that follows from its answer: an order that was
    /// placed is found, one that will not be delivered is owed, money that came back is booked. Where it says nothing new, nothing changes.
    /// A failed purchase whose order is found after all is paid by it.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition`: `ILLEGAL_STEP` once the purchase has ended, unless it has failed,
    /// `ORDER_OWNED` for the order of another purchase, `PROVIDER_NOT_CONNECTED` when nothing on this server can ask the marketplace;
    /// `internal` with `PROVIDER_UNAVAILABLE`.
    pub async fn reconcile_purchase(
        &self,
        caller: &Caller,
        command: ReconcilePurchase,
    ) -> OpResult<Versioned<Purchase>> {
        let scope = rules::RECONCILE_PURCHASE.enter(&caller.principal, command.workspace_id)?;
        let at = self.market_now(command.workspace_id);
        // Before its turn, because a call that waits for a marketplace must not keep others waiting.
        let learned = learn_of(self, scope, command.purchase_id).await?;
        let by = By { caller, at };
        self.in_turn(command.workspace_id, || self.reconcile_once(by, scope, command.purchase_id, &learned)).await
    }

    async fn reconcile_once(
        &self,
        by: By<'_>,
        scope: WorkspaceScope,
        id: PurchaseId,
        learned: &ReconcileResult,
    ) -> OpResult<Versioned<Purchase>> {
        let seen = self.purchase_to_ask_about(scope, id).await?;
        let mut steps = LifecycleUpdate::new(self, by.caller, by.at);
        steps.audit(AuditKind::PurchaseReconciled, About::from(seen.peek()));
        let purchase = match learned.of(seen.peek()) {
            Some(event) => steps.purchase(scope, seen, event).await?.into(),
            None => seen.into(),
        };
        steps.commit().await?;
        Ok(purchase)
    }

    async fn purchase_to_ask_about(&self, scope: WorkspaceScope, id: PurchaseId) -> OpResult<Seen<Purchase>> {
        let found = self.ports.store.purchases().find(scope, id).await?;
        found.ok_or_else(|| OpError::not_found("purchase"))
    }
}

/// Asks the marketplace about a purchase.
pub(crate) async fn learn_of(
    operations: &Operations,
    scope: WorkspaceScope,
    id: PurchaseId,
) -> OpResult<ReconcileResult> {
    let seen = operations.purchase_to_ask_about(scope, id).await?;
    let event = ask_about(operations, seen.peek()).await?;
    Ok(ReconcileResult { from: seen.peek().status, event })
}
