//! [`UpdateAlertChannel`]: changes name, target or secret of a channel.

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::alerts::channel::{AlertChannel, ChannelChange, ChannelKind};
use tradepost_domain::id::{AlertChannelId, WorkspaceId};
use tradepost_ports::alerts::AlertTarget;
use tradepost_ports::changes::{Caller, Changes};

use super::access::{ShownAlertChannel, channel_to_change, shown_one};
use super::targets::{GivenTarget, given, secret_of, target_of};
use crate::rules;
use crate::secrets::data_keys::lost_race;
use crate::{OpError, OpResult, Operations, fields};
use tradepost_domain::accounts::access::WorkspaceScope;

/// The changes to one channel; absent fields stay unchanged.
#[derive(Debug)]
pub struct UpdateAlertChannel {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The channel.
    pub channel_id: AlertChannelId,
    /// Another name.
    pub name: Option<String>,
    /// Another chat of Telegram, or another URL of a webhook.
    pub target: Option<String>,
    /// Another token of a Telegram bot, or another URL of Discord or a heartbeat.
    pub secret: Option<SecretString>,
    /// Whether a webhook gets another secret to sign with.
    pub new_signing_secret: bool,
    /// The version that the caller saw, from 1; rejected when the channel has another one.
    pub expected_version: Option<i64>,
}

/// A channel that was changed.
#[derive(Debug)]
pub struct UpdatedAlertChannel {
    /// The channel.
    pub channel: ShownAlertChannel,
    /// The new secret of a webhook. It is shown once.
    pub secret: Option<SecretString>,
}

impl UpdateAlertChannel {
    const fn changes_target(&self) -> bool {
        self.target.is_some() || self.secret.is_some() || self.new_signing_secret
    }
}

impl Operations {
    /// Changes a channel. Messages that wait go to the new target.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for bad fields, and when nothing is to change; `not_found`; `failed_precondition`:
    /// `VERSION_MISMATCH`, `STEP_UP_REQUIRED` for another target or secret; `internal` with `KEY_ENCRYPTION_UNAVAILABLE`.
    pub async fn update_alert_channel(
        &self,
        caller: &Caller,
        command: UpdateAlertChannel,
    ) -> OpResult<UpdatedAlertChannel> {
        let scope = rules::UPDATE_ALERT_CHANNEL.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let name = command.name.as_deref().map(|name| fields::text("name", name)).transpose()?;
        if name.is_none() && !command.changes_target() {
            return Err(OpError::invalid_field("name", "or target, secret or newSigningSecret are required"));
        }
        let at = self.now();
        let (changed, secret) = self
            .retrying(|| async {
                let (id, version) = (command.channel_id, command.expected_version);
                let seen = channel_to_change(self, caller, scope, id, version).await?;
                let mut changes = Changes::by(caller);
                let mut change = ChannelChange { name: name.clone(), ..ChannelChange::default() };
                let mut new_secret = None;
                if command.changes_target() {
                    self.require_step_up_in(caller, scope, rules::UPDATE_ALERT_CHANNEL, &mut changes).await?;
                    let given = self.changed_target(scope, seen.peek(), &command).await?;
                    (change.secret_hint, change.target) = (given.hint()?, given.shown);
                    if let Some(secret) = &given.secret {
                        secret_of(id).keep(self, scope, secret.expose_secret().as_bytes(), &mut changes).await?;
                    }
                    new_secret = given.secret.filter(|_| command.new_signing_secret);
                }
                let next = changes.revise(seen, |channel| Ok::<_, OpError>(channel.change(change.clone(), at)))?;
                changes.audit(AuditKind::AlertChannelUpdated, &next.value);
                self.commit(caller, changes).await.map_err(lost_race)?;
                Ok((next, new_secret))
            })
            .await?;
        Ok(UpdatedAlertChannel { channel: shown_one(self, scope, changed.into()).await?, secret })
    }

    /// The target with what changes of it; the rest is as it was.
    async fn changed_target(
        &self,
        scope: WorkspaceScope,
        channel: &AlertChannel,
        command: &UpdateAlertChannel,
    ) -> OpResult<GivenTarget> {
        let kind = channel.kind;
        if command.new_signing_secret && kind != ChannelKind::Webhook {
            return Err(OpError::invalid_field("newSigningSecret", format_args!("must not be set for {kind}")));
        }
        let (target, secret) = match target_of(self, scope, channel).await? {
            None | Some(AlertTarget::Mail { .. }) => (String::new(), SecretString::default()),
            Some(AlertTarget::Telegram { token, chat_id }) => (chat_id, token),
            Some(AlertTarget::Discord { url } | AlertTarget::Heartbeat { url }) => (String::new(), url),
            Some(AlertTarget::Webhook { url, .. }) => (url, SecretString::default()),
        };
        let target = command.target.clone().unwrap_or(target);
        let mut given = given(self, kind, &target, command.secret.clone().unwrap_or(secret))?;
        if kind == ChannelKind::Webhook && !command.new_signing_secret {
            given.secret = None;
        }
        Ok(given)
    }
}
