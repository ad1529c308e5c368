//! The target of a channel: what may be shown of it, and what is secret.

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::alerts::channel::{AlertChannel, ChannelKind, ChannelTarget};
use tradepost_domain::id::{AlertChannelId, UserId};
use tradepost_domain::text::Text;
use tradepost_ports::alerts::AlertTarget;
use tradepost_ports::store::StoreError;

use crate::accounts::memberships::membership_changes::addresses_of_user;
use crate::secrets::record_secrets::{RecordSecret, hint};
use crate::{OpError, OpResult, Operations, Reason, fields};

/// The target of a channel as a user gives it.
#[derive(Debug)]
pub(super) struct GivenTarget {
    /// What may be shown of it.
    pub(super) shown: Option<ChannelTarget>,
    /// What is secret of it.
    pub(super) secret: Option<SecretString>,
}

impl GivenTarget {
    /// The last characters of the secret.
    pub(super) fn hint(&self) -> OpResult<Option<Text<4>>> {
        self.secret.as_ref().map(hint).transpose()
    }
}

/// Checks the target that a user gives for a channel of a kind.
pub(super) fn given(
    operations: &Operations,
    kind: ChannelKind,
    target: &str,
    secret: SecretString,
) -> OpResult<GivenTarget> {
    let (takes_target, takes_secret) = match kind {
        ChannelKind::Mail => (false, false),
        ChannelKind::Telegram => (true, true),
        ChannelKind::Discord | ChannelKind::Heartbeat => (false, true),
        ChannelKind::Webhook => (true, false),
    };
    require_given("target", kind, !target.is_empty(), takes_target)?;
    require_given("secret", kind, !secret.expose_secret().is_empty(), takes_secret)?;
    let shown = match kind {
        ChannelKind::Mail => None,
        ChannelKind::Telegram | ChannelKind::Webhook => Some(fields::text("target", target)?),
        ChannelKind::Discord | ChannelKind::Heartbeat => Some(host_of(&secret)?),
    };
    let secret = match kind {
        ChannelKind::Mail => None,
        ChannelKind::Telegram | ChannelKind::Discord | ChannelKind::Heartbeat => Some(secret),
        ChannelKind::Webhook => Some(operations.ports.secrets.webhook_secret()),
    };
    if let (Some(shown), Some(secret)) = (&shown, &secret) {
        let whole = whole(kind, shown.as_str(), secret.clone());
        let field = if takes_secret { "secret" } else { "target" };
        let checked = whole.map_or(Ok(()), |target| operations.ports.alerts.check(&target));
        checked.map_err(|error| OpError::invalid_field(field, error))?;
    }
    Ok(GivenTarget { shown, secret })
}

fn require_given(field: &str, kind: ChannelKind, is_given: bool, is_taken: bool) -> OpResult<()> {
    match (is_given, is_taken) {
        (false, true) => Err(OpError::invalid_field(field, format_args!("is required for {kind}"))),
        (true, false) => Err(OpError::invalid_field(field, format_args!("must be empty for {kind}"))),
        (true, true) | (false, false) => Ok(()),
    }
}

/// The host of a URL, which may be shown of it.
fn host_of(url: &SecretString) -> OpResult<ChannelTarget> {
    let after_scheme = url.expose_secret().split_once("://").map(|(_, rest)| rest).unwrap_or_default();
    let authority = after_scheme.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    Text::new(host).map_err(|_| OpError::invalid_field("secret", "must be a URL"))
}

/// The target of a channel with its secret; none for mail, which has an address instead.
fn whole(kind: ChannelKind, shown: &str, secret: SecretString) -> Option<AlertTarget> {
    match kind {
        ChannelKind::Mail => None,
        ChannelKind::Telegram => Some(AlertTarget::Telegram { token: secret, chat_id: shown.to_owned() }),
        ChannelKind::Discord => Some(AlertTarget::Discord { url: secret }),
        ChannelKind::Webhook => Some(AlertTarget::Webhook { url: shown.to_owned(), secrets: vec![secret] }),
        ChannelKind::Heartbeat => Some(AlertTarget::Heartbeat { url: secret }),
    }
}

/// The stored secret of a channel.
pub(super) const fn secret_of(channel: AlertChannelId) -> RecordSecret {
    RecordSecret::of("alert_channels", "secret", channel)
}

/// Returns where the messages of a channel go now; `None` for a member without a verified address.
pub(crate) async fn target_of(
    operations: &Operations,
    scope: WorkspaceScope,
    channel: &AlertChannel,
) -> OpResult<Option<AlertTarget>> {
    let Some(shown) = &channel.target else { return mail_to(operations, channel.user_id).await };
    let kept = secret_of(channel.id).read(operations, scope).await?;
    let secret = kept.and_then(|kept| String::from_utf8(kept.expose_secret().to_vec()).ok());
    let missing = || StoreError::Corrupt("the secret of an alert channel".to_owned());
    let secret = SecretString::from(secret.ok_or_else(missing)?);
    Ok(whole(channel.kind, shown.as_str(), secret))
}

async fn mail_to(operations: &Operations, user: Option<UserId>) -> OpResult<Option<AlertTarget>> {
    let address = addresses_of_user(operations, user).await?.into_iter().next();
    Ok(address.map(|address| AlertTarget::Mail { address: address.as_str().to_owned() }))
}

/// Checks that this installation sends alerts of a kind, and that mail has an address.
pub(crate) async fn require_target(operations: &Operations, kind: ChannelKind, owner: Option<UserId>) -> OpResult<()> {
    if !operations.sends_alerts(kind) {
        let message = format!("this server sends no alerts of the kind {kind}; its operator can allow them");
        return Err(OpError::failed_precondition(Reason::AlertsDisabled, message));
    }
    if kind != ChannelKind::Mail {
        return Ok(());
    }
    if owner.is_none() {
        let rule = "must not be MAIL for a channel of the workspace: each member creates an own one";
        return Err(OpError::invalid_field("kind", rule));
    }
    if mail_to(operations, owner).await?.is_none() {
        let message = "mail needs a verified address: add one with AddEmail";
        return Err(OpError::failed_precondition(Reason::AlertsDisabled, message));
    }
    Ok(())
}
