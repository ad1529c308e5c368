//! Alerts: one message to a channel of a user, and the calls of heartbeats.
//!
//! A channel owns its format, its limits, and what its answers mean. When which alert is sent is not known here. Mails are not sent here:
//! they leave through the outbox.

mod discord;
mod heartbeat;
mod outcome;
mod telegram;
mod text;
mod webhook;

use async_trait::async_trait;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_ports::alerts::{AlertError, AlertKind, AlertSender, AlertTarget, AlertText, UnusableTarget};

use crate::client::ClientError;
use crate::webhooks::{WebhookSettings, Webhooks};
use discord::Hook;
use outcome::later;
use telegram::Chat;

/// How alerts are sent.
#[derive(Debug, Clone, Default)]
pub struct AlertSettings {
    /// The kinds of channels that may be used.
    pub kinds: Vec<AlertKind>,
    /// The addresses that receivers and heartbeats may have, and the limits of every call.
    pub calls: WebhookSettings,
}

/// The services whose addresses are no choice of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlertServices {
    /// The Bot API of Telegram.
    pub telegram: String,
    /// Discord.
    pub discord: String,
}

impl Default for AlertServices {
    fn default() -> Self {
        Self { telegram: "https://api.telegram.org".to_owned(), discord: "https://discord.com".to_owned() }
    }
}

/// Sends alerts.
#[derive(Debug)]
pub struct Alerts {
    kinds: Vec<AlertKind>,
    services: AlertServices,
    webhooks: Webhooks,
}

impl Alerts {
    /// Alerts with these settings.
    ///
    /// # Errors
    /// [`ClientError`] when TLS cannot be set up.
    pub fn new(settings: AlertSettings) -> Result<Self, ClientError> {
        Self::with_services(settings, AlertServices::default())
    }

    /// The same with other services in place of Telegram and Discord.
    ///
    /// # Errors
    /// As [`Alerts::new`].
    pub fn with_services(settings: AlertSettings, services: AlertServices) -> Result<Self, ClientError> {
        let AlertSettings { kinds, calls } = settings;
        Ok(Self { kinds, services, webhooks: Webhooks::new(calls)? })
    }

    fn check_url(&self, url: &str) -> Result<(), UnusableTarget> {
        self.webhooks.calls().check(url).map_err(|error| UnusableTarget(error.to_string()))
    }

    fn allowed(&self, kind: AlertKind) -> Result<(), AlertError> {
        if self.is_set_up(kind) { Ok(()) } else { Err(later("this server sends no alerts of this kind", None)) }
    }
}

#[async_trait]
impl AlertSender for Alerts {
    fn is_set_up(&self, kind: AlertKind) -> bool {
        self.kinds.contains(&kind)
    }

    fn check(&self, target: &AlertTarget) -> Result<(), UnusableTarget> {
        match target {
            AlertTarget::Telegram { token, chat_id } => Chat { token, id: chat_id }.check(),
            AlertTarget::Discord { url } => Hook::parse(url).map(drop),
            AlertTarget::Webhook { url, .. } => self.check_url(url),
            AlertTarget::Heartbeat { url } => self.check_url(url.expose_secret()),
            AlertTarget::Mail { .. } => Ok(()),
        }
    }

    async fn send(&self, target: &AlertTarget, text: &AlertText) -> Result<(), AlertError> {
        self.allowed(target.kind())?;
        let (calls, services) = (self.webhooks.calls(), &self.services);
        match target {
            AlertTarget::Telegram { token, chat_id } => {
                Chat { token, id: chat_id }.send(calls, &services.telegram, text).await
            }
            AlertTarget::Discord { url } => {
                let hook = Hook::parse(url).map_err(|rule| outcome::never(format!("the URL {rule}")))?;
                hook.send(calls, &services.discord, text).await
            }
            AlertTarget::Webhook { url, secrets } => webhook::send(&self.webhooks, url, secrets, text).await,
            AlertTarget::Heartbeat { url } => heartbeat::beat(calls, url).await,
            AlertTarget::Mail { .. } => Err(later("a mail leaves through the outbox", None)),
        }
    }

    async fn beat(&self, url: &SecretString) -> Result<(), AlertError> {
        self.allowed(AlertKind::Heartbeat)?;
        heartbeat::beat(self.webhooks.calls(), url).await
    }
}

fn json_headers() -> HeaderMap {
    HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))])
}

#[cfg(test)]
mod tests;
