//! A receiver of webhooks that keeps every message.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use tradepost_ports::webhooks::{
    UnusableUrl, WebhookAnswer, WebhookError, WebhookEvent, WebhookMessage, WebhookSender,
};

/// A message as it was received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedWebhook {
    /// The address.
    pub url: String,
    /// The id of the event.
    pub id: String,
    /// The event.
    pub event: WebhookEvent,
    /// The number of secrets that signed it.
    pub signatures: usize,
}

/// Keeps messages in the order in which they were sent, and answers 204 unless a test has set other answers.
#[derive(Debug, Default)]
pub struct FakeReceiver {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    received: Vec<ReceivedWebhook>,
    answers: VecDeque<Result<WebhookAnswer, WebhookError>>,
    usual: Option<u16>,
}

impl FakeReceiver {
    /// Returns every message, the oldest first.
    pub fn received(&self) -> Vec<ReceivedWebhook> {
        self.inner().received.clone()
    }

    /// Gives this answer to the next message that has none yet.
    pub fn answer_next(&self, answer: Result<WebhookAnswer, WebhookError>) {
        self.inner().answers.push_back(answer);
    }

    /// Answers this status from now on.
    pub fn answer(&self, status: u16) {
        self.inner().usual = Some(status);
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl WebhookSender for FakeReceiver {
    fn check_url(&self, url: &str) -> Result<(), UnusableUrl> {
        if url.starts_with("https://") { Ok(()) } else { Err(UnusableUrl("must begin with https://".to_owned())) }
    }

    async fn send(&self, message: WebhookMessage) -> Result<WebhookAnswer, WebhookError> {
        let WebhookMessage { url, id, event, secrets, .. } = message;
        let mut inner = self.inner();
        inner.received.push(ReceivedWebhook { url, id, event, signatures: secrets.len() });
        let status = inner.usual.unwrap_or(204);
        let usual = Ok(WebhookAnswer { status, retry_after: None, body: b"fake".to_vec() });
        inner.answers.pop_front().unwrap_or(usual)
    }
}
