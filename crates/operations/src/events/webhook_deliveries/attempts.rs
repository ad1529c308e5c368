//! One try of a delivery: the message, and what came of it.

use secrecy::SecretString;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::events::event_type::EventType;
use tradepost_domain::events::webhook_delivery::{TryResult, WebhookDelivery};
use tradepost_domain::id::WebhookEndpointId;
use tradepost_domain::transition::SubjectKind;
use tradepost_ports::webhooks::{WebhookAnswer, WebhookEvent, WebhookMessage};

use crate::fields::shortened;
use crate::{OpResult, Operations};

/// The status by which a receiver says that it no longer exists.
const REMOVED: u16 = 410;

/// What came of a try.
pub(super) struct Attempt {
    pub(super) result: TryResult,
    pub(super) verdict: Verdict,
}

/// What follows from a try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The receiver accepted it.
    Accepted,
    /// It failed; the receiver may have asked for a pause.
    Failed(Option<time::Duration>),
    /// The receiver no longer exists.
    Removed,
}

/// Where a delivery goes.
pub(super) struct Destination {
    pub(super) url: String,
    pub(super) secrets: Vec<SecretString>,
}

impl Operations {
    /// Makes a try of a claimed delivery.
    pub(super) async fn attempt(
        &self,
        scope: WorkspaceScope,
        delivery: &WebhookDelivery,
        destination: &Destination,
    ) -> OpResult<Attempt> {
        let Some(event) = self.event_of(scope, delivery).await? else {
            return Ok(failed("the change of status is missing in the log", 0));
        };
        let message = WebhookMessage {
            url: destination.url.clone(),
            id: delivery.message_id(),
            sent_at: self.now(),
            event,
            secrets: destination.secrets.clone(),
        };
        let begun = self.ports.clock.elapsed();
        let answered = self.ports.webhooks.send(message).await;
        let took = u32::try_from(self.ports.clock.elapsed().saturating_sub(begun).as_millis()).unwrap_or(u32::MAX);
        Ok(match answered {
            Ok(answer) => judge(&answer, took),
            Err(error) => failed(&error.reason, took),
        })
    }

    async fn event_of(&self, scope: WorkspaceScope, delivery: &WebhookDelivery) -> OpResult<Option<WebhookEvent>> {
        let (event_type, workspace_id) = (delivery.event_type, delivery.workspace_id);
        let of_endpoint =
            |endpoint_id| WebhookEvent::Endpoint { event_type, workspace_id, endpoint_id, at: delivery.created_at };
        match (event_type, delivery.transition_id()) {
            (EventType::Status(..), Some(id)) => {
                let found = self.ports.store.transitions().find_many(scope, SubjectKind::ALL, &[id]).await?;
                Ok(found.into_iter().next().map(WebhookEvent::Transition))
            }
            (EventType::EndpointDisabled, _) => Ok(Some(of_endpoint(WebhookEndpointId::from_bytes(delivery.event_id)))),
            (EventType::EndpointTest | EventType::Status(..), _) => Ok(Some(of_endpoint(delivery.endpoint_id))),
        }
    }
}

fn judge(answer: &WebhookAnswer, duration_ms: u32) -> Attempt {
    let is_accepted = (200..300).contains(&answer.status);
    let verdict = match answer.status {
        REMOVED => Verdict::Removed,
        _ if is_accepted => Verdict::Accepted,
        _ => Verdict::Failed(answer.retry_after.and_then(|pause| time::Duration::try_from(pause).ok())),
    };
    let error = (!is_accepted).then(|| format!("the receiver answered {}", answer.status));
    let result = TryResult {
        http_status: Some(answer.status),
        error: error.as_deref().and_then(shortened),
        excerpt: shortened(&String::from_utf8_lossy(&answer.body)),
        duration_ms,
    };
    Attempt { result, verdict }
}

fn failed(reason: &str, duration_ms: u32) -> Attempt {
    let result = TryResult { http_status: None, error: shortened(reason), excerpt: None, duration_ms };
    Attempt { result, verdict: Verdict::Failed(None) }
}
