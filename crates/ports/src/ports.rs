//! One implementation of every port that the operations use.

use std::sync::Arc;

use crate::alerts::AlertSender;
use crate::bot_check::BotCheck;
use crate::clock::{Clock, Ids};
use crate::envelope::{Envelopes, KeyEncryption};
use crate::imports::ImportReader;
use crate::limiter::Limiter;
use crate::linking::Linking;
use crate::mailer::Mailer;
use crate::passkeys::Passkeys;
use crate::passwords::Passwords;
use crate::secrets::Secrets;
use crate::store::Store;
use crate::totp::TotpCodes;
use crate::webhooks::WebhookSender;

/// The implementations that the operations use.
#[derive(Clone)]
pub struct Ports {
    /// Storage.
    pub store: Arc<dyn Store>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Identifiers.
    pub ids: Arc<dyn Ids>,
    /// Tokens, digests, sealing.
    pub secrets: Arc<dyn Secrets>,
    /// Sealing under data keys.
    pub envelopes: Arc<dyn Envelopes>,
    /// The key encryption that seals data keys.
    pub key_encryption: Arc<dyn KeyEncryption>,
    /// Password hashing.
    pub passwords: Arc<dyn Passwords>,
    /// One-time passwords.
    pub totp: Arc<dyn TotpCodes>,
    /// WebAuthn.
    pub passkeys: Arc<dyn Passkeys>,
    /// Other platforms.
    pub linking: Arc<dyn Linking>,
    /// Mail.
    pub mailer: Arc<dyn Mailer>,
    /// Webhooks.
    pub webhooks: Arc<dyn WebhookSender>,
    /// Alerts.
    pub alerts: Arc<dyn AlertSender>,
    /// Accounts that other programs keep.
    pub imports: Arc<dyn ImportReader>,
    /// Bot check.
    pub bot_check: Arc<dyn BotCheck>,
    /// Rate limits.
    pub limiter: Arc<dyn Limiter>,
}
