//! [`SendTestEvent`]: sends a test to an endpoint, and waits for its answer.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::events::webhook_delivery::WebhookDelivery;
use tradepost_domain::id::{RecordKey, WebhookEndpointId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use super::attempts::Destination;
use super::outcomes::end;
use crate::events::webhook_endpoints::endpoints::{endpoint_as_seen, require_webhooks};
use crate::events::webhook_endpoints::signing_secrets;
use crate::rules;
use crate::{OpError, OpResult, Operations, Versioned};

/// Sends a test to an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SendTestEvent {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The endpoint.
    pub endpoint_id: WebhookEndpointId,
}

impl Operations {
    /// Sends an event `endpoint.test` to an endpoint, also to a disabled one, and returns the delivery after its first try. A test that
    /// failed is tried again like every delivery. The health of the endpoint does not count it.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition` with `WEBHOOKS_DISABLED`.
    pub async fn send_test_event(
        &self,
        caller: &Caller,
        command: SendTestEvent,
    ) -> OpResult<Versioned<WebhookDelivery>> {
        let scope = rules::SEND_TEST_EVENT.enter(&caller.principal, command.workspace_id)?;
        require_webhooks(self)?;
        let (endpoint, _) = endpoint_as_seen(self, scope, command.endpoint_id, None).await?.into_display();
        let secrets = signing_secrets(self, scope, endpoint.id).await?;
        let at = self.now();
        let test =
            WebhookDelivery::test(self.mint(), RecordKey { workspace_id: endpoint.workspace_id, id: endpoint.id }, at);
        let claimed = test.claim(at).map_err(|error| OpError::internal(error.to_string()))?;
        let destination = Destination { url: endpoint.url.to_string(), secrets };
        // The test is recorded once it has an answer: the key of a repeated call belongs to the same commit.
        let attempt = self.attempt(scope, &claimed, &destination).await?;
        let ended = end(claimed, &attempt, self.retry(attempt.verdict), self.now());
        let mut changes = Changes::by(caller);
        changes.insert(ended.clone());
        changes.audit(AuditKind::WebhookEndpointTested, &endpoint);
        self.commit(caller, changes).await?;
        Ok(Versioned::new(ended))
    }
}
