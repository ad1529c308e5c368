//! [`UpdateWebhookEndpoint`]: changes address, description or types of an endpoint.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::events::webhook_endpoint::EndpointChange;
use tradepost_domain::id::{WebhookEndpointId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use super::endpoints::{ShownWebhookEndpoint, endpoint_as_seen, shown_one, types, url};
use crate::rules;
use crate::{OpError, OpResult, Operations, fields};

/// The changes to one endpoint; absent fields stay unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateWebhookEndpoint {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The endpoint.
    pub endpoint_id: WebhookEndpointId,
    /// Where events are posted from now on.
    pub url: Option<String>,
    /// What it is for; an empty one removes the description.
    pub description: Option<String>,
    /// The types of events from now on, all of them; none leaves them.
    pub types: Vec<String>,
    /// The version that the caller saw, from 1; rejected when the endpoint has another one.
    pub expected_version: Option<i64>,
}

impl UpdateWebhookEndpoint {
    fn change(&self, operations: &Operations) -> OpResult<EndpointChange> {
        let description = match self.description.as_deref() {
            None => None,
            Some("") => Some(None),
            Some(text) => Some(Some(fields::text("description", text)?)),
        };
        let url = self.url.as_deref().map(|text| url(operations, text)).transpose()?;
        let types = if self.types.is_empty() { None } else { Some(types(&self.types)?) };
        if url.is_none() && description.is_none() && types.is_none() {
            return Err(OpError::invalid_field("url", "or description or types are required"));
        }
        Ok(EndpointChange { url, description, types })
    }
}

impl Operations {
    /// Changes an endpoint. Deliveries that wait go to the new address.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for bad fields, and when nothing is to change; `not_found`; `failed_precondition`:
    /// `VERSION_MISMATCH`, `STEP_UP_REQUIRED` for another address.
    pub async fn update_webhook_endpoint(
        &self,
        caller: &Caller,
        command: UpdateWebhookEndpoint,
    ) -> OpResult<ShownWebhookEndpoint> {
        let scope = rules::UPDATE_WEBHOOK_ENDPOINT.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let (change, at) = (command.change(self)?, self.now());
        let changed = self
            .retrying(|| async {
                let seen = endpoint_as_seen(self, scope, command.endpoint_id, command.expected_version).await?;
                let mut changes = Changes::by(caller);
                if change.url.as_ref().is_some_and(|url| *url != seen.peek().url) {
                    self.require_step_up_in(caller, scope, rules::UPDATE_WEBHOOK_ENDPOINT, &mut changes).await?;
                }
                let next = changes.revise(seen, |endpoint| Ok::<_, OpError>(endpoint.change(change.clone(), at)))?;
                changes.audit(AuditKind::WebhookEndpointUpdated, &next.value);
                self.commit(caller, changes).await?;
                Ok(next)
            })
            .await?;
        shown_one(self, scope, changed.into()).await
    }
}
