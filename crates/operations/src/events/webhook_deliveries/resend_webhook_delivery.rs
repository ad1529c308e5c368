//! [`ResendWebhookDelivery`]: tries a delivery that ended once more.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::events::webhook_delivery::{StillPending, WebhookDelivery};
use tradepost_domain::id::{WebhookDeliveryId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use crate::events::webhook_endpoints::endpoints::endpoint_as_seen;
use crate::rules;
use crate::{OpError, OpResult, Operations, Reason, Versioned};

/// Tries a delivery that ended once more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResendWebhookDelivery {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The delivery.
    pub delivery_id: WebhookDeliveryId,
}

impl From<StillPending> for OpError {
    fn from(error: StillPending) -> Self {
        Self::failed_precondition(Reason::IllegalStep, error.to_string())
    }
}

impl Operations {
    /// Begins a delivery that ended again with its first try, under the same id of the event.
    ///
    /// # Errors
    /// `permission_denied`, `not_found` without such a delivery, or once its endpoint is deleted; `failed_precondition` with
    /// `ILLEGAL_STEP` while it is pending.
    pub async fn resend_webhook_delivery(
        &self,
        caller: &Caller,
        command: ResendWebhookDelivery,
    ) -> OpResult<Versioned<WebhookDelivery>> {
        let scope = rules::RESEND_WEBHOOK_DELIVERY.enter(&caller.principal, command.workspace_id)?;
        let at = self.now();
        let resent = self
            .retrying(|| async {
                let found = self.ports.store.webhooks().find_deliveries(scope, &[command.delivery_id]).await?;
                let seen = found.into_iter().next().ok_or_else(|| OpError::not_found("webhook delivery"))?;
                let mut changes = Changes::by(caller);
                let endpoint = changes.rely_on(endpoint_as_seen(self, scope, seen.peek().endpoint_id, None).await?);
                let resent = changes.revise(seen, |delivery| delivery.resend(at))?;
                changes.audit(AuditKind::WebhookDeliveryResent, &endpoint);
                self.commit(caller, changes).await?;
                Ok(resent)
            })
            .await?;
        self.deliveries.notify_one();
        Ok(resent.into())
    }
}
