//! [`CreateWebhookEndpoint`]: creates an endpoint, with the secret that signs its deliveries.

use secrecy::SecretString;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::events::webhook_endpoint::{DisabledReason, EndpointStatus, MOST_ENDPOINTS, WebhookEndpoint};
use tradepost_domain::events::webhook_progress::WebhookProgress;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::transition::SubjectKind;
use tradepost_ports::changes::{Caller, Changes};

use super::endpoint_secrets::{EndpointSecrets, keep_secrets};
use super::endpoints::{ShownWebhookEndpoint, require_webhooks, types, url};
use crate::accounts::workspaces::whole_workspace::take_turn_in;
use crate::rules;
use crate::secrets::data_keys::lost_race;
use crate::secrets::record_secrets::hint;
use crate::{OpError, OpResult, Operations, Reason, Versioned, fields};

/// Makes an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateWebhookEndpoint {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Where events are posted, 1 to 500 characters.
    pub url: String,
    /// What it is for, up to 200 characters; may be empty.
    pub description: String,
    /// The types of events, 1 to 50 patterns.
    pub types: Vec<String>,
    /// Whether it is disabled at first.
    pub disabled: bool,
}

/// An endpoint that was just created.
#[derive(Debug)]
pub struct CreatedWebhookEndpoint {
    /// The endpoint.
    pub endpoint: ShownWebhookEndpoint,
    /// The secret that signs its deliveries. It is shown once.
    pub secret: SecretString,
}

impl Operations {
    /// Creates an endpoint. It receives the events that are recorded from now on.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` naming the field; `failed_precondition`: `WEBHOOKS_DISABLED`, `STEP_UP_REQUIRED`,
    /// `WEBHOOK_ENDPOINT_LIMIT`; `internal` with `KEY_ENCRYPTION_UNAVAILABLE`.
    pub async fn create_webhook_endpoint(
        &self,
        caller: &Caller,
        command: CreateWebhookEndpoint,
    ) -> OpResult<CreatedWebhookEndpoint> {
        let scope = rules::CREATE_WEBHOOK_ENDPOINT.enter(&caller.principal, command.workspace_id)?;
        require_webhooks(self)?;
        let secret = self.ports.secrets.webhook_secret();
        let endpoint = self.new_endpoint(&command, &secret)?;
        let secrets = EndpointSecrets { current: secret.clone(), former: None };
        let progress = self
            .retrying(|| async {
                let mut changes = Changes::by(caller);
                self.require_step_up_in(caller, scope, rules::CREATE_WEBHOOK_ENDPOINT, &mut changes).await?;
                take_turn_in(self, scope, &mut changes).await?;
                let there = self.ports.store.webhooks().find_all_endpoints(scope).await?.len();
                if there >= MOST_ENDPOINTS {
                    let message =
                        format!("a workspace has at most {MOST_ENDPOINTS} webhook endpoints; delete one first");
                    return Err(OpError::failed_precondition(Reason::WebhookEndpointLimit, message));
                }
                keep_secrets(self, scope, endpoint.id, &secrets, &mut changes).await?;
                // What was recorded before may have no position yet, and would be delivered.
                self.place_transitions().await?;
                let last = self.ports.store.transitions().find_last(scope, SubjectKind::ALL).await?;
                let progress = WebhookProgress::new(endpoint.id, endpoint.workspace_id, last);
                changes.insert(endpoint.clone()).insert(progress);
                changes.audit(AuditKind::WebhookEndpointCreated, &endpoint);
                self.commit(caller, changes).await.map_err(lost_race)?;
                Ok(progress)
            })
            .await?;
        let endpoint = ShownWebhookEndpoint { endpoint: Versioned::new(endpoint), progress, behind: 0 };
        Ok(CreatedWebhookEndpoint { endpoint, secret })
    }

    fn new_endpoint(&self, command: &CreateWebhookEndpoint, secret: &SecretString) -> OpResult<WebhookEndpoint> {
        let description = Some(command.description.as_str()).filter(|text| !text.is_empty());
        let (status, disabled_reason) = if command.disabled {
            (EndpointStatus::Disabled, Some(DisabledReason::Person))
        } else {
            (EndpointStatus::Active, None)
        };
        let at = self.now();
        Ok(WebhookEndpoint {
            id: self.mint(),
            workspace_id: command.workspace_id,
            url: url(self, &command.url)?,
            description: fields::optional(description, fields::text, "description")?,
            types: types(&command.types)?,
            status,
            disabled_reason,
            secret_hint: hint(secret)?,
            created_at: at,
            updated_at: at,
        })
    }
}
