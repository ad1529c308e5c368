//! Sending webhooks to receivers.

use std::time::Duration;

use async_trait::async_trait;
use secrecy::SecretString;
use tradepost_domain::events::event_type::EventType;
use tradepost_domain::id::{WebhookEndpointId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Transition;

/// The event that a receiver gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebhookEvent {
    /// The status of a record changed.
    Transition(Transition),
    /// Something happened to an endpoint.
    Endpoint {
        /// What.
        event_type: EventType,
        /// The workspace.
        workspace_id: WorkspaceId,
        /// The endpoint.
        endpoint_id: WebhookEndpointId,
        /// When.
        at: Timestamp,
    },
}

/// One try.
#[derive(Debug)]
pub struct WebhookMessage {
    /// The address.
    pub url: String,
    /// The id by which the receiver knows the event.
    pub id: String,
    /// The time of the try.
    pub sent_at: Timestamp,
    /// The event.
    pub event: WebhookEvent,
    /// The secrets that sign it, the newest first.
    pub secrets: Vec<SecretString>,
}

/// The answer of a receiver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The pause that it asks for.
    pub retry_after: Option<Duration>,
    /// The beginning of its body.
    pub body: Vec<u8>,
}

/// No answer came. Whether the receiver got the message is not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct WebhookError {
    /// Why, without the address and its secrets: callers see it.
    pub reason: String,
}

/// An address that no webhook is sent to. The text completes "the address …".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnusableUrl(pub String);

/// Signs webhooks and sends them to receivers.
#[async_trait]
pub trait WebhookSender: Send + Sync {
    /// Returns whether this installation sends webhooks at all.
    fn is_set_up(&self) -> bool {
        true
    }

    /// Checks the text of an address. What its name resolves to is judged at every try.
    ///
    /// # Errors
    /// [`UnusableUrl`] with the rule that it breaks.
    fn check_url(&self, url: &str) -> Result<(), UnusableUrl>;

    /// Makes one try.
    ///
    /// # Errors
    /// [`WebhookError`] when no answer came.
    async fn send(&self, message: WebhookMessage) -> Result<WebhookAnswer, WebhookError>;
}
