//! Replaces an external system that is not configured: it fails every call, and says why.

use std::net::IpAddr;

use async_trait::async_trait;
use secrecy::SecretString;
use tradepost_domain::accounts::account_link::Provider;
use tradepost_domain::time::Timestamp;
use tradepost_ports::alerts::{AlertError, AlertKind, AlertSender, AlertTarget, AlertText, UnusableTarget};
use tradepost_ports::bot_check::{BotCheck, BotCheckError};
use tradepost_ports::linking::{LinkRequest, LinkedIdentityProof, Linking, LinkingError, Request, Returned};
use tradepost_ports::mailer::{Mail, MailError, Mailer};
use tradepost_ports::webhooks::{UnusableUrl, WebhookAnswer, WebhookError, WebhookMessage, WebhookSender};

/// No mailer.
pub(crate) struct NoMailer;

#[async_trait]
impl Mailer for NoMailer {
    fn is_set_up(&self) -> bool {
        false
    }

    async fn send(&self, _mail: Mail) -> Result<(), MailError> {
        Err(MailError { reason: "no mailer is set up".to_owned(), is_transient: false })
    }
}

/// No bot check.
pub(crate) struct NoBotCheck;

#[async_trait]
impl BotCheck for NoBotCheck {
    fn is_set_up(&self) -> bool {
        false
    }

    async fn check(&self, _token: SecretString, _action: &str, _client: Option<IpAddr>) -> Result<(), BotCheckError> {
        Err(BotCheckError::Unavailable("no bot check is set up".to_owned()))
    }
}

/// No webhooks.
pub(crate) struct NoWebhooks;

#[async_trait]
impl WebhookSender for NoWebhooks {
    fn is_set_up(&self) -> bool {
        false
    }

    fn check_url(&self, _url: &str) -> Result<(), UnusableUrl> {
        Err(UnusableUrl("cannot be used: no webhooks are set up".to_owned()))
    }

    async fn send(&self, _message: WebhookMessage) -> Result<WebhookAnswer, WebhookError> {
        Err(WebhookError { reason: "no webhooks are set up".to_owned() })
    }
}

/// No alerts.
pub(crate) struct NoAlerts;

#[async_trait]
impl AlertSender for NoAlerts {
    fn is_set_up(&self, _kind: AlertKind) -> bool {
        false
    }

    fn check(&self, _target: &AlertTarget) -> Result<(), UnusableTarget> {
        Err(UnusableTarget("cannot be used: no alerts are set up".to_owned()))
    }

    async fn send(&self, _target: &AlertTarget, _text: &AlertText) -> Result<(), AlertError> {
        Err(no_alerts())
    }

    async fn beat(&self, _url: &SecretString) -> Result<(), AlertError> {
        Err(no_alerts())
    }
}

fn no_alerts() -> AlertError {
    AlertError { reason: "no alerts are set up".to_owned(), retry_after: None, is_final: false }
}

/// No other platform.
pub(crate) struct NoLinking;

#[async_trait]
impl Linking for NoLinking {
    fn offered(&self) -> Vec<Provider> {
        Vec::new()
    }

    fn ask(&self, request: &Request<'_>) -> Result<LinkRequest, LinkingError> {
        Err(LinkingError::NotOffered(request.provider))
    }

    async fn check(
        &self,
        provider: Provider,
        _state: &[u8],
        _returned: Returned,
        _at: Timestamp,
    ) -> Result<LinkedIdentityProof, LinkingError> {
        Err(LinkingError::NotOffered(provider))
    }
}
