//! Verification of a widget's token by `siteverify`, as Turnstile and hCaptcha offer it. It must not know what is done
//! when a check fails.

use std::net::IpAddr;
use std::time::Duration;

use async_trait::async_trait;
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use tradepost_adapters_outside::{CallError, ClientLimits, OutsideClient, Reach, Target, TargetError};
use tradepost_ports::bot_check::{BotCheck, BotCheckError, Widget, WidgetKind};

/// Longer tokens are none (Turnstile: at most 2048 characters).
const LONGEST_TOKEN: usize = 2_048;
/// Answers have a few hundred bytes. What is longer is cut, and senseless then.
const LONGEST_ANSWER: usize = 64 * 1_024;
/// Error codes that blame the question and not the token. The person at the browser can do nothing about them.
const OUR_FAULT: [&str; 5] =
    ["missing-input-secret", "invalid-input-secret", "sitekey-secret-mismatch", "bad-request", "internal-error"];

/// Whose widget it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SiteVerifyService {
    /// Cloudflare Turnstile. Its answer names the action for which the token was made.
    Turnstile,
    /// hCaptcha. It has no actions.
    HCaptcha,
}

impl SiteVerifyService {
    /// Where the service verifies tokens.
    pub const fn url(self) -> &'static str {
        match self {
            Self::Turnstile => "https://challenges.cloudflare.com/turnstile/v0/siteverify",
            Self::HCaptcha => "https://api.hcaptcha.com/siteverify",
        }
    }
}

/// How tokens are verified.
#[derive(Debug, Clone)]
pub struct SiteVerifySettings {
    /// Whose widget it is.
    pub service: SiteVerifyService,
    /// Where tokens are verified, usually [`SiteVerifyService::url`].
    pub url: String,
    /// The secret that the service gave for the site.
    pub secret: SecretString,
    /// The public key of the site, which a page needs to show the widget.
    pub site_key: Option<String>,
    /// The host names on which the widget is shown. A token made elsewhere is refused.
    pub hostnames: Vec<String>,
    /// How long one question may take. There are at most two.
    pub timeout: Duration,
}

impl SiteVerifySettings {
    /// The usual for [`SiteVerifySettings::timeout`].
    pub const TIMEOUT: Duration = Duration::from_secs(3);
}

/// No token can be verified with these settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSiteVerifySettings {
    /// No token could pass.
    #[error("the bot check needs the host names on which its widget is shown")]
    NoHostnames,
    /// The address is none.
    #[error("the bot check's address {url:?} {rule}")]
    Url {
        /// What was given.
        url: String,
        /// The rule that it breaks.
        rule: TargetError,
    },
    /// The HTTP client cannot be set up, usually for want of the computer's certificates.
    #[error("the bot check cannot make HTTPS requests: {0}")]
    Client(String),
}

/// Verifies tokens at the service. Anything but a clear yes refuses.
///
/// A question that fails on the way, takes too long or meets an error of the server is asked once more, to Turnstile under
/// the same idempotency key, so that a token is not used up by an answer that got lost.
pub struct SiteVerify {
    settings: SiteVerifySettings,
    target: Target,
    client: OutsideClient,
}

#[derive(Serialize)]
struct Question<'a> {
    secret: &'a str,
    response: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    remoteip: Option<IpAddr>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idempotency_key: Option<String>,
}

#[derive(Deserialize)]
struct Answer {
    success: bool,
    hostname: Option<String>,
    action: Option<String>,
    #[serde(default, rename = "error-codes")]
    error_codes: Vec<String>,
}

/// Why a question has no answer.
struct Unanswered {
    reason: String,
    may_ask_again: bool,
}

impl SiteVerify {
    /// A check with these settings. The service is not contacted yet.
    ///
    /// # Errors
    /// [`InvalidSiteVerifySettings`] says which setting cannot be used.
    pub fn new(settings: SiteVerifySettings) -> Result<Self, InvalidSiteVerifySettings> {
        if settings.hostnames.is_empty() {
            return Err(InvalidSiteVerifySettings::NoHostnames);
        }
        let target = Target::of_operator(&settings.url)
            .map_err(|rule| InvalidSiteVerifySettings::Url { url: settings.url.clone(), rule })?;
        let client = OutsideClient::new(&Reach::everywhere(), limits(settings.timeout))
            .map_err(|error| InvalidSiteVerifySettings::Client(error.to_string()))?;
        Ok(Self { settings, target, client })
    }

    async fn ask(&self, question: &Question<'_>) -> Result<Answer, Unanswered> {
        let on_the_way = |error: CallError| Unanswered { reason: error.to_string(), may_ask_again: true };
        let heard = self.client.post_form(&self.target, question).await.map_err(on_the_way)?;
        let status = heard.status;
        if status >= 500 {
            return Err(Unanswered { reason: format!("status {status}"), may_ask_again: true });
        }
        let senseless = || Unanswered { reason: format!("senseless answer, status {status}"), may_ask_again: false };
        let answer: Answer = serde_json::from_slice(&heard.body).map_err(|_| senseless())?;
        // A no may come with a status of 4xx, a yes may not.
        if (200..300).contains(&status) || !answer.success { Ok(answer) } else { Err(senseless()) }
    }

    async fn ask_twice_at_most(&self, question: &Question<'_>) -> Result<Answer, BotCheckError> {
        let answered = match self.ask(question).await {
            Err(Unanswered { may_ask_again: true, .. }) => self.ask(question).await,
            settled => settled,
        };
        answered.map_err(|unanswered| BotCheckError::Unavailable(unanswered.reason))
    }

    fn judge(&self, answer: &Answer, action: &str) -> Result<(), BotCheckError> {
        if !answer.success {
            let ours = answer.error_codes.iter().find(|code| OUR_FAULT.contains(&code.as_str()));
            return Err(ours.map_or(BotCheckError::Refused, |code| BotCheckError::Unavailable(code.clone())));
        }
        let host = answer.hostname.as_deref().unwrap_or_default();
        let is_ours = self.settings.hostnames.iter().any(|hostname| hostname.eq_ignore_ascii_case(host));
        let is_for_this = match self.settings.service {
            SiteVerifyService::Turnstile => answer.action.as_deref() == Some(action),
            SiteVerifyService::HCaptcha => true,
        };
        if is_ours && is_for_this {
            return Ok(());
        }
        tracing::warn!(
            host,
            action = answer.action,
            expected_action = action,
            "bot-check token of another site or action"
        );
        Err(BotCheckError::Refused)
    }

    fn idempotency_key(&self) -> Option<String> {
        match self.settings.service {
            SiteVerifyService::Turnstile => {
                #[expect(
                    clippy::disallowed_methods,
                    reason = "it pairs two questions to a stranger and is kept nowhere"
                )]
                let key = uuid::Uuid::new_v4();
                Some(key.to_string())
            }
            SiteVerifyService::HCaptcha => None,
        }
    }
}

/// A check waits for nothing but its own answer.
const fn limits(whole: Duration) -> ClientLimits {
    ClientLimits { connect: whole, whole, answer_bytes: LONGEST_ANSWER, gap: Duration::ZERO }
}

#[async_trait]
impl BotCheck for SiteVerify {
    fn widget(&self) -> Widget {
        let kind = match self.settings.service {
            SiteVerifyService::Turnstile => WidgetKind::Turnstile,
            SiteVerifyService::HCaptcha => WidgetKind::HCaptcha,
        };
        Widget { kind, site_key: self.settings.site_key.clone() }
    }

    async fn check(&self, token: SecretString, action: &str, client: Option<IpAddr>) -> Result<(), BotCheckError> {
        let response = token.expose_secret();
        if response.is_empty() || response.len() > LONGEST_TOKEN {
            return Err(BotCheckError::Refused);
        }
        let question = Question {
            secret: self.settings.secret.expose_secret(),
            response,
            remoteip: client,
            idempotency_key: self.idempotency_key(),
        };
        self.judge(&self.ask_twice_at_most(&question).await?, action)
    }
}

#[cfg(test)]
mod tests;
