//! Delivering: the deliveries of an endpoint that are due are claimed and tried, a few at once.
//!
//! A claim counts the try and moves the time at which the delivery is due again, as for mails. So no lock is held, and a process that
//! is killed has claimed a delivery for a minute.

use futures::future::try_join_all;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::events::webhook_delivery::WebhookDelivery;
use tradepost_domain::id::{RecordKey, WebhookEndpointId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes, Seen};

use super::attempts::Destination;
use crate::accounts::memberships::membership_changes::notification_scope;
use crate::events::webhook_endpoints::signing_secrets;
use crate::{OpError, OpResult, Operations};

/// The deliveries of an endpoint that are tried at once.
const AT_ONCE: u32 = 4;
/// The endpoints that are served at once.
const ENDPOINTS: u32 = 200;

/// An endpoint with deliveries that are due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DueEndpoint([[u8; 16]; 2]);

impl Operations {
    /// Waits until a delivery may be due that was not before; returns at once if one was since the last time.
    pub async fn delivery_enqueued(&self) {
        self.deliveries.notified().await;
    }

    /// Returns endpoints with deliveries that are due.
    ///
    /// # Errors
    /// `internal` when storage fails.
    pub async fn list_due_endpoints(&self) -> OpResult<Vec<DueEndpoint>> {
        let due = self.ports.store.webhooks().list_due_endpoints(self.now(), ENDPOINTS).await?;
        Ok(due.into_iter().map(|key| DueEndpoint([key.workspace_id.to_bytes(), key.id.to_bytes()])).collect())
    }

    /// Tries deliveries of an endpoint that are due, up to four at once; returns `false` when there was none. Any number of processes may
    /// do this at once. A receiver gets an event twice only if a process ends between its answer and the record of it.
    ///
    /// # Errors
    /// `internal` when storage fails.
    pub async fn deliver_due(&self, endpoint: DueEndpoint) -> OpResult<bool> {
        let DueEndpoint([workspace, id]) = endpoint;
        let key = RecordKey { workspace_id: WorkspaceId::from_bytes(workspace), id: WebhookEndpointId::from_bytes(id) };
        let scope = notification_scope(key.workspace_id)?;
        let webhooks = self.ports.store.webhooks();
        let due = webhooks.list_due_deliveries(key, self.now(), AT_ONCE).await?;
        if due.is_empty() {
            return Ok(false);
        }
        let Some(endpoint) = webhooks.find_endpoint(scope, key.id).await? else {
            return self.cancel(due).await.map(|()| true);
        };
        let (endpoint, _) = endpoint.into_display();
        if !endpoint.is_active() {
            return Ok(false);
        }
        let secrets = signing_secrets(self, scope, endpoint.id).await?;
        let destination = Destination { url: endpoint.url.to_string(), secrets };
        try_join_all(due.into_iter().map(|delivery| self.deliver(scope, delivery, &destination))).await?;
        Ok(true)
    }

    async fn deliver(
        &self,
        scope: WorkspaceScope,
        delivery: Seen<WebhookDelivery>,
        destination: &Destination,
    ) -> OpResult<()> {
        let Some(claimed) = self.claim_delivery(delivery).await? else { return Ok(()) };
        let (id, tries) = (claimed.peek().id, claimed.peek().tries);
        let attempt = self.attempt(scope, claimed.peek(), destination).await?;
        let (status, error) = (attempt.result.http_status, &attempt.result.error);
        match error {
            None => tracing::debug!(delivery = %id, tries, status, "webhook delivered"),
            Some(error) => tracing::info!(delivery = %id, tries, status, %error, "webhook not accepted"),
        }
        match self.record_outcome(scope, &claimed, &attempt).await {
            Err(error) if error.is_conflict() => {
                tracing::info!(delivery = %id, "webhook delivery changed while it was tried");
                Ok(())
            }
            done => done,
        }
    }

    /// Makes the delivery this process's for a minute; `None` when another process was faster.
    async fn claim_delivery(&self, delivery: Seen<WebhookDelivery>) -> OpResult<Option<Seen<WebhookDelivery>>> {
        let relay = Caller::system();
        let mut changes = Changes::by(&relay);
        let Ok(claimed) = changes.revise(delivery, |delivery| delivery.claim(self.now())) else { return Ok(None) };
        match self.commit(&relay, changes).await {
            Ok(_) => Ok(Some(claimed.committed())),
            Err(error) if error.is_conflict() => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn cancel(&self, due: Vec<Seen<WebhookDelivery>>) -> OpResult<()> {
        let (relay, at) = (Caller::system(), self.now());
        let mut changes = Changes::by(&relay);
        for delivery in due {
            changes.revise(delivery, |delivery| Ok::<_, OpError>(delivery.cancelled(at)))?;
        }
        match self.commit(&relay, changes).await {
            Err(error) if error.is_conflict() => Ok(()),
            done => done.map(drop),
        }
    }
}
