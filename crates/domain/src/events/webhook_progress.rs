//! How far an endpoint has followed the log, and how well its deliveries go.

use super::health::Health;
use crate::id::{TransitionId, WebhookEndpointId, WorkspaceId};

/// The place of an endpoint in the log, and its health.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WebhookProgress {
    /// The endpoint.
    pub endpoint_id: WebhookEndpointId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The last change that it has followed; `None` before the first change of the workspace.
    pub after: Option<TransitionId>,
    /// How well its deliveries go.
    pub health: Health,
}

impl WebhookProgress {
    /// An endpoint that begins behind a change.
    pub fn new(endpoint_id: WebhookEndpointId, workspace_id: WorkspaceId, after: Option<TransitionId>) -> Self {
        Self { endpoint_id, workspace_id, after, health: Health::default() }
    }

    /// The same once it has followed the log up to a change.
    #[must_use]
    pub const fn moved_to(self, after: TransitionId) -> Self {
        Self { after: Some(after), ..self }
    }

    /// The same with another health.
    #[must_use]
    pub const fn with_health(self, health: Health) -> Self {
        Self { health, ..self }
    }
}
