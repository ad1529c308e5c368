//! [`DeleteWebhookEndpoint`]: deletes an endpoint permanently.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{WebhookEndpointId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use super::endpoint_secrets::drop_secrets;
use super::endpoints::endpoint_as_seen;
use crate::rules;
use crate::{OpResult, Operations, fields};

/// Deletes an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeleteWebhookEndpoint {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The endpoint.
    pub endpoint_id: WebhookEndpointId,
    /// The version that the caller saw, from 1; rejected when the endpoint has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Deletes an endpoint and its secret. Deliveries that wait are cancelled.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an expected version below 1, `not_found`, `failed_precondition` with
    /// `VERSION_MISMATCH`.
    pub async fn delete_webhook_endpoint(&self, caller: &Caller, command: DeleteWebhookEndpoint) -> OpResult<()> {
        let scope = rules::DELETE_WEBHOOK_ENDPOINT.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        self.retrying(|| async {
            let seen = endpoint_as_seen(self, scope, command.endpoint_id, command.expected_version).await?;
            let mut changes = Changes::by(caller);
            for progress in self.ports.store.webhooks().find_progress(scope, &[command.endpoint_id]).await? {
                changes.remove(progress);
            }
            drop_secrets(self, scope, command.endpoint_id, &mut changes).await?;
            let deleted = changes.remove(seen);
            changes.audit(AuditKind::WebhookEndpointDeleted, &deleted);
            self.commit(caller, changes).await?;
            self.deliveries.notify_one();
            Ok(())
        })
        .await
    }
}
