//! [`CancelPurchase`]: withdraws a purchase before it is sent.

use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::contracts::purchase::{CancelCause, Purchase, PurchaseEvent};
use tradepost_domain::id::{PurchaseId, WorkspaceId};
use tradepost_domain::text::ReasonText;
use tradepost_ports::changes::Caller;

use super::lifecycle_update::LifecycleUpdate;
use crate::results::require_version;
use crate::rules;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// Withdraws a purchase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CancelPurchase {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The purchase.
    pub purchase_id: PurchaseId,
    /// The version that the caller saw, from 1; rejected when the purchase has another one.
    pub expected_version: Option<i64>,
    /// Why, in 1 to 200 characters.
    pub reason: Option<String>,
}

impl Operations {
    /// Withdraws a purchase that was not sent yet: its reservation is released, and the intent that it was made for ends.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a bad reason or an expected version below 1, `not_found`,
    /// `failed_precondition`: `VERSION_MISMATCH`, `ILLEGAL_STEP` unless it is PENDING.
    pub async fn cancel_purchase(&self, caller: &Caller, command: CancelPurchase) -> OpResult<Versioned<Purchase>> {
        let scope = rules::CANCEL_PURCHASE.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let reason: Option<ReasonText> =
            command.reason.as_deref().map(|reason| fields::text("reason", reason)).transpose()?;
        let at = self.market_now(command.workspace_id);
        self.in_turn(command.workspace_id, || async {
            let found = self.ports.store.purchases().find(scope, command.purchase_id).await?;
            let seen = found.ok_or_else(|| OpError::not_found("purchase"))?;
            require_version(&seen, command.expected_version)?;
            let mut steps = LifecycleUpdate::new(self, caller, at).because(reason.clone());
            let purchase = steps.purchase(scope, seen, PurchaseEvent::Cancelled(CancelCause::Withdrawn)).await?;
            let about = About::from(&purchase.value);
            let about = reason.iter().fold(about, |about, reason| about.with(Fact::Reason, reason));
            steps.audit(AuditKind::PurchaseCancelled, about);
            steps.commit().await?;
            Ok(purchase.into())
        })
        .await
    }
}
