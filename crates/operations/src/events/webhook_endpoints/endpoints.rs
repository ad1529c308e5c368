//! Endpoints as they are seen before a change and shown, and the fields that several operations check.

use std::collections::HashMap;

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::events::webhook_endpoint::{
    EndpointStatusUnchanged, EndpointUrl, EventPatterns, WebhookEndpoint,
};
use tradepost_domain::events::webhook_progress::WebhookProgress;
use tradepost_domain::id::{TransitionId, WebhookEndpointId};
use tradepost_domain::transition::{SubjectKind, Transition};
use tradepost_ports::changes::Seen;

use crate::results::require_version;
use crate::transition_watch::{watched_from, watched_since};
use crate::{OpError, OpResult, Operations, Reason, Versioned, fields};

/// The changes of status that are counted behind an endpoint: there may be more.
const MOST_BEHIND: u32 = 200;

/// An endpoint as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownWebhookEndpoint {
    /// The record that users maintain.
    pub endpoint: Versioned<WebhookEndpoint>,
    /// Its place in the log, and its health.
    pub progress: WebhookProgress,
    /// The changes of status that it has not followed yet, at most 200.
    pub behind: u32,
}

/// Where an endpoint is in the log.
pub(crate) enum Behind {
    /// These changes are behind its place.
    Next(Vec<Transition>),
    /// Its place is so old that it is forgotten.
    Forgotten,
}

impl From<EndpointStatusUnchanged> for OpError {
    fn from(error: EndpointStatusUnchanged) -> Self {
        Self::failed_precondition(Reason::IllegalStep, error.to_string())
    }
}

/// Returns an endpoint for a caller that reads or changes it, at the version that the caller saw, if it names one.
pub(crate) async fn endpoint_as_seen(
    operations: &Operations,
    scope: WorkspaceScope,
    id: WebhookEndpointId,
    expected_version: Option<i64>,
) -> OpResult<Seen<WebhookEndpoint>> {
    let found = operations.ports.store.webhooks().find_endpoint(scope, id).await?;
    let endpoint = found.ok_or_else(no_endpoint)?;
    require_version(&endpoint, expected_version)?;
    Ok(endpoint)
}

/// Returns the progress of an endpoint.
pub(crate) async fn progress_of(
    operations: &Operations,
    scope: WorkspaceScope,
    id: WebhookEndpointId,
) -> OpResult<Seen<WebhookProgress>> {
    let found = operations.ports.store.webhooks().find_progress(scope, &[id]).await?;
    found.into_iter().next().ok_or_else(no_endpoint)
}

/// Returns endpoints with their progress.
pub(crate) async fn shown(
    operations: &Operations,
    scope: WorkspaceScope,
    endpoints: Vec<Versioned<WebhookEndpoint>>,
) -> OpResult<Vec<ShownWebhookEndpoint>> {
    if endpoints.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<WebhookEndpointId> = endpoints.iter().map(|endpoint| endpoint.value.id).collect();
    let progress = operations.ports.store.webhooks().find_progress(scope, &ids).await?;
    let progress = progress.into_iter().map(|seen| seen.into_display().0);
    let progress: HashMap<_, _> = progress.map(|progress| (progress.endpoint_id, progress)).collect();
    let mut shown = Vec::with_capacity(endpoints.len());
    for endpoint in endpoints {
        let (id, workspace_id) = (endpoint.value.id, endpoint.value.workspace_id);
        // An endpoint that was deleted between the two reads has none.
        let progress = progress.get(&id).copied();
        let progress = progress.unwrap_or_else(|| WebhookProgress::new(id, workspace_id, None));
        let behind = match transitions_behind(operations, scope, progress.after, MOST_BEHIND).await? {
            Behind::Next(transitions) => u32::try_from(transitions.len()).unwrap_or(MOST_BEHIND),
            Behind::Forgotten => MOST_BEHIND,
        };
        shown.push(ShownWebhookEndpoint { endpoint, progress, behind });
    }
    Ok(shown)
}

/// Returns one endpoint with its progress.
pub(crate) async fn shown_one(
    operations: &Operations,
    scope: WorkspaceScope,
    endpoint: Versioned<WebhookEndpoint>,
) -> OpResult<ShownWebhookEndpoint> {
    shown(operations, scope, vec![endpoint]).await?.pop().ok_or_else(no_endpoint)
}

/// Returns the changes of status behind a place, in the order in which they were committed.
pub(crate) async fn transitions_behind(
    operations: &Operations,
    scope: WorkspaceScope,
    after: Option<TransitionId>,
    limit: u32,
) -> OpResult<Behind> {
    let log = operations.ports.store.transitions();
    let Some(after) = after else {
        let from = watched_from(operations);
        return Ok(Behind::Next(log.list_since(scope, SubjectKind::ALL, from, limit).await?));
    };
    if let Some(position) = log.find_place(scope, after).await? {
        return Ok(Behind::Next(log.list_after(scope, SubjectKind::ALL, position, limit).await?));
    }
    // A change that is in the log and not old has no position yet: nothing can be behind it.
    let found = log.find_many(scope, SubjectKind::ALL, &[after]).await?;
    let is_new = found.first().is_some_and(|found| watched_since(operations) <= found.logged_at);
    Ok(if is_new { Behind::Next(Vec::new()) } else { Behind::Forgotten })
}

/// Returns the changes of status to follow behind a place. Of one that is forgotten, what is still in the log.
pub(crate) async fn transitions_to_follow(
    operations: &Operations,
    scope: WorkspaceScope,
    after: Option<TransitionId>,
    limit: u32,
) -> OpResult<Vec<Transition>> {
    match transitions_behind(operations, scope, after, limit).await? {
        Behind::Next(transitions) => Ok(transitions),
        Behind::Forgotten => {
            let from = watched_from(operations);
            Ok(operations.ports.store.transitions().list_since(scope, SubjectKind::ALL, from, limit).await?)
        }
    }
}

/// Parses the address of an endpoint.
pub(crate) fn url(operations: &Operations, text: &str) -> OpResult<EndpointUrl> {
    let url: EndpointUrl = fields::text("url", text)?;
    operations.ports.webhooks.check_url(url.as_str()).map_err(|error| OpError::invalid_field("url", error))?;
    Ok(url)
}

/// Parses the types of events of an endpoint.
pub(crate) fn types(texts: &[String]) -> OpResult<EventPatterns> {
    EventPatterns::parse(texts).map_err(|error| OpError::invalid_field("types", error))
}

/// Checks that this installation sends webhooks.
pub(crate) fn require_webhooks(operations: &Operations) -> OpResult<()> {
    if operations.ports.webhooks.is_set_up() {
        return Ok(());
    }
    let message = "this server sends no webhooks; its operator can allow them with the setting notifications.webhooks";
    Err(OpError::failed_precondition(Reason::WebhooksDisabled, message))
}

pub(crate) fn no_endpoint() -> OpError {
    OpError::not_found("webhook endpoint")
}
