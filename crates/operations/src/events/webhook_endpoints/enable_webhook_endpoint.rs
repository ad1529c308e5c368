//! [`EnableWebhookEndpoint`] and [`DisableWebhookEndpoint`]: whether events are delivered to an endpoint.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::events::webhook_endpoint::DisabledReason;
use tradepost_domain::events::webhook_progress::WebhookProgress;
use tradepost_domain::id::{TransitionId, WebhookEndpointId, WorkspaceId};
use tradepost_domain::transition::SubjectKind;
use tradepost_ports::changes::{Caller, Changes};

use super::endpoints::{
    Behind, ShownWebhookEndpoint, endpoint_as_seen, progress_of, require_webhooks, shown_one, transitions_behind,
};
use crate::rules;
use crate::{OpError, OpResult, Operations, fields};

/// Stops deliveries to an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DisableWebhookEndpoint {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The endpoint.
    pub endpoint_id: WebhookEndpointId,
    /// The version that the caller saw, from 1; rejected when the endpoint has another one.
    pub expected_version: Option<i64>,
}

/// Resumes deliveries to an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnableWebhookEndpoint {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The endpoint.
    pub endpoint_id: WebhookEndpointId,
    /// The version that the caller saw, from 1; rejected when the endpoint has another one.
    pub expected_version: Option<i64>,
}

/// An endpoint that was enabled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnabledWebhookEndpoint {
    /// The endpoint.
    pub endpoint: ShownWebhookEndpoint,
    /// Whether it begins at the end of the log: its place was older than 31 days, and events in between are not delivered.
    pub begins_at_end: bool,
}

impl Operations {
    /// Stops deliveries to an endpoint. What is recorded from then on is delivered once it is enabled, within 31 days.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an expected version below 1, `not_found`, `failed_precondition`:
    /// `VERSION_MISMATCH`, `ILLEGAL_STEP` when it is disabled.
    pub async fn disable_webhook_endpoint(
        &self,
        caller: &Caller,
        command: DisableWebhookEndpoint,
    ) -> OpResult<ShownWebhookEndpoint> {
        let scope = rules::DISABLE_WEBHOOK_ENDPOINT.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let at = self.now();
        let disabled = self
            .retrying(|| async {
                let seen = endpoint_as_seen(self, scope, command.endpoint_id, command.expected_version).await?;
                let mut changes = Changes::by(caller);
                let disabled = changes.revise(seen, |endpoint| endpoint.disable(DisabledReason::Person, at))?;
                changes.audit(AuditKind::WebhookEndpointDisabled, &disabled.value);
                self.commit(caller, changes).await?;
                Ok(disabled)
            })
            .await?;
        shown_one(self, scope, disabled.into()).await
    }

    /// Resumes deliveries to an endpoint from its place in the log. If that is older than 31 days, it begins at the end.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an expected version below 1, `not_found`, `failed_precondition`:
    /// `WEBHOOKS_DISABLED`, `VERSION_MISMATCH`, `ILLEGAL_STEP` unless it is disabled.
    pub async fn enable_webhook_endpoint(
        &self,
        caller: &Caller,
        command: EnableWebhookEndpoint,
    ) -> OpResult<EnabledWebhookEndpoint> {
        let scope = rules::ENABLE_WEBHOOK_ENDPOINT.enter(&caller.principal, command.workspace_id)?;
        require_webhooks(self)?;
        fields::expected_version(command.expected_version)?;
        let at = self.now();
        let (enabled, begins_at_end) = self
            .retrying(|| async {
                let seen = endpoint_as_seen(self, scope, command.endpoint_id, command.expected_version).await?;
                let progress = progress_of(self, scope, command.endpoint_id).await?;
                let behind = transitions_behind(self, scope, progress.peek().after, 1).await?;
                let begins_at_end = matches!(behind, Behind::Forgotten);
                let last = if begins_at_end {
                    self.ports.store.transitions().find_last(scope, SubjectKind::ALL).await?
                } else {
                    None
                };
                let mut changes = Changes::by(caller);
                let enabled = changes.revise(seen, |endpoint| endpoint.enable(at))?;
                changes.revise(progress, |progress| Ok::<_, OpError>(resumed(progress, last)))?;
                changes.audit(AuditKind::WebhookEndpointEnabled, &enabled.value);
                self.commit(caller, changes).await?;
                Ok((enabled, begins_at_end))
            })
            .await?;
        self.deliveries.notify_one();
        let endpoint = shown_one(self, scope, enabled.into()).await?;
        Ok(EnabledWebhookEndpoint { endpoint, begins_at_end })
    }
}

fn resumed(progress: WebhookProgress, last: Option<TransitionId>) -> WebhookProgress {
    let progress = progress.with_health(progress.health.resumed());
    last.map_or(progress, |last| progress.moved_to(last))
}
