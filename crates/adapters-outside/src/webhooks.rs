//! Webhooks as Standard Webhooks 1.0.0 has them: the message, its signature, and the call.

mod envelope;
mod signature;

use async_trait::async_trait;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use secrecy::SecretString;
use tradepost_domain::time::Timestamp;
use tradepost_ports::webhooks::{UnusableUrl, WebhookAnswer, WebhookError, WebhookMessage, WebhookSender};

use crate::calls::Calls;
use crate::client::{Answer, ClientError, ClientLimits};
use crate::reach::Reach;

pub(crate) use envelope::millis;
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
    calls: Calls,
}

impl Webhooks {
    /// Webhooks with these settings.
    ///
    /// # Errors
    /// [`ClientError`] when TLS cannot be set up.
    pub fn new(settings: WebhookSettings) -> Result<Self, ClientError> {
        let WebhookSettings { reach, allow_http, limits } = settings;
        Ok(Self { calls: Calls::new(reach, allow_http, limits)? })
    }

    /// The calls by the rules of these settings.
    pub(crate) const fn calls(&self) -> &Calls {
        &self.calls
    }

    /// Posts a signed message.
    ///
    /// # Errors
    /// [`WebhookError`] when no answer came.
    pub async fn post(&self, url: &str, signature: &Signature, body: Vec<u8>) -> Result<WebhookAnswer, WebhookError> {
        let refused = |reason: String| WebhookError { reason };
        let headers = headers(signature).map_err(|error| refused(error.to_string()))?;
        let answer = self.calls.post(url, headers, body).await;
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
        self.calls.check(url).map_err(|error| UnusableUrl(error.to_string()))
    }

    async fn send(&self, message: WebhookMessage) -> Result<WebhookAnswer, WebhookError> {
        let body = Envelope::of(&message.event).to_bytes();
        let signature = signed(&message.id, message.sent_at, &body, &message.secrets);
        let signature = signature.map_err(|error| WebhookError { reason: error.to_string() })?;
        self.post(&message.url, &signature, body).await
    }
}

/// Signs a body that is sent at this time.
///
/// # Errors
/// [`SignatureError::Secret`] when a secret is malformed.
pub(crate) fn signed(
    id: &str,
    sent_at: Timestamp,
    body: &[u8],
    secrets: &[SecretString],
) -> Result<Signature, SignatureError> {
    let secrets = secrets.iter().map(WebhookSecret::parse).collect::<Result<Vec<_>, _>>()?;
    Ok(Signature::sign(id, sent_at.as_micros().div_euclid(1_000_000), body, &secrets))
}

#[cfg(test)]
mod tests;
