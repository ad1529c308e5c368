//! Webhooks as Standard Webhooks 1.0.0 has them: the message, its signature, and the call.

mod envelope;
mod signature;

use async_trait::async_trait;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use tradepost_ports::webhooks::{UnusableUrl, WebhookAnswer, WebhookError, WebhookMessage, WebhookSender};

use crate::client::{Answer, ClientError, ClientLimits, OutsideClient, Post};
use crate::reach::Reach;
use crate::target::Target;

pub use envelope::{Envelope, MOST_BYTES};
pub use signature::{Signature, SignatureError, WebhookSecret};

const ID: HeaderName = HeaderName::from_static("webhook-id");
const TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
const SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");

/// How webhooks are sent.
#[derive(Debug, Clone, Default)]
pub struct WebhookSettings {
    /// The addresses that receivers may have.
    pub reach: Reach,
    /// Whether receivers may be called without TLS.
    pub allow_http: bool,
    /// The limits of a call.
    pub limits: ClientLimits,
}

/// Sends webhooks.
#[derive(Debug)]
pub struct Webhooks {
    client: OutsideClient,
    reach: Reach,
    allow_http: bool,
}

impl Webhooks {
    /// Webhooks with these settings.
    ///
    /// # Errors
    /// [`ClientError`] when TLS cannot be set up.
    pub fn new(settings: WebhookSettings) -> Result<Self, ClientError> {
        let WebhookSettings { reach, allow_http, limits } = settings;
        Ok(Self { client: OutsideClient::new(&reach, limits)?, reach, allow_http })
    }

    /// Posts a signed message.
    ///
    /// # Errors
    /// [`WebhookError`] when no answer came.
    pub async fn post(&self, url: &str, signature: &Signature, body: Vec<u8>) -> Result<WebhookAnswer, WebhookError> {
        let refused = |reason: String| WebhookError { reason };
        let target = Target::parse(url, &self.reach, self.allow_http);
        let target = target.map_err(|error| refused(format!("the address {error}")))?;
        let headers = headers(signature).map_err(|error| refused(error.to_string()))?;
        let answer = self.client.post(Post { target, headers, body }).await;
        let Answer { status, retry_after, body } = answer.map_err(|error| refused(error.to_string()))?;
        Ok(WebhookAnswer { status, retry_after, body })
    }
}

/// The headers of a message. Its signature is marked, so that no log shows it.
fn headers(signature: &Signature) -> Result<HeaderMap, reqwest::header::InvalidHeaderValue> {
    let mut signed = HeaderValue::from_str(&signature.signature)?;
    signed.set_sensitive(true);
    let named = [
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (ID, HeaderValue::from_str(&signature.id)?),
        (TIMESTAMP, HeaderValue::from_str(&signature.timestamp.to_string())?),
        (SIGNATURE, signed),
    ];
    Ok(named.into_iter().collect())
}

#[async_trait]
impl WebhookSender for Webhooks {
    fn check_url(&self, url: &str) -> Result<(), UnusableUrl> {
        Target::parse(url, &self.reach, self.allow_http).map(drop).map_err(|error| UnusableUrl(error.to_string()))
    }

    async fn send(&self, message: WebhookMessage) -> Result<WebhookAnswer, WebhookError> {
        let refused = |error: SignatureError| WebhookError { reason: error.to_string() };
        let body = Envelope::of(&message.event).to_bytes();
        let secrets =
            message.secrets.iter().map(WebhookSecret::parse).collect::<Result<Vec<_>, _>>().map_err(refused)?;
        let seconds = message.sent_at.as_micros().div_euclid(1_000_000);
        let signature = Signature::sign(&message.id, seconds, &body, &secrets);
        self.post(&message.url, &signature, body).await
    }
}

#[cfg(test)]
mod tests;
