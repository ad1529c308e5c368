//! [`CreateAlertChannel`]: creates a channel, with its secret.

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::alerts::channel::{AlertChannel, ChannelKind, ChannelStatus, MOST_CHANNELS};
use tradepost_domain::alerts::progress::AlertProgress;
use tradepost_domain::events::health::Health;
use tradepost_domain::id::{UserId, WorkspaceId};
use tradepost_domain::transition::SubjectKind;
use tradepost_ports::changes::{Caller, Changes};

use super::access::{ShownAlertChannel, owner, require_change};
use super::targets::{GivenTarget, given, require_target, secret_of};
use crate::accounts::workspaces::whole_workspace::take_turn_in;
use crate::rules::{self, READ_TRADING};
use crate::secrets::data_keys::lost_race;
use crate::{OpError, OpResult, Operations, Reason, Versioned, fields};

/// Makes a channel.
#[derive(Debug)]
pub struct CreateAlertChannel {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Whether it is the caller's own.
    pub own: bool,
    /// The kind.
    pub kind: Option<ChannelKind>,
    /// The name.
    pub name: String,
    /// The chat of Telegram, or the URL of a webhook; else empty.
    pub target: String,
    /// The token of a Telegram bot, or the URL of Discord or a heartbeat; else empty.
    pub secret: SecretString,
}

/// A channel that was just created.
#[derive(Debug)]
pub struct CreatedAlertChannel {
    /// The channel.
    pub channel: ShownAlertChannel,
    /// The secret that signs the messages of a webhook. It is shown once.
    pub secret: Option<SecretString>,
}

impl Operations {
    /// Creates a channel. Its rules are about what happens from now on.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` naming the field; `failed_precondition`: `ALERTS_DISABLED`, `STEP_UP_REQUIRED`,
    /// `ALERT_LIMIT`; `internal` with `KEY_ENCRYPTION_UNAVAILABLE`.
    pub async fn create_alert_channel(
        &self,
        caller: &Caller,
        command: CreateAlertChannel,
    ) -> OpResult<CreatedAlertChannel> {
        let scope = rules::CREATE_ALERT_CHANNEL.enter(&caller.principal, command.workspace_id)?;
        let user_id = owner(caller, command.own)?;
        if user_id.is_some() {
            caller.principal.enter(command.workspace_id, READ_TRADING)?;
        }
        require_change(caller, command.workspace_id, user_id)?;
        let (channel, target) = self.new_channel(command, user_id)?;
        require_target(self, channel.kind, user_id).await?;
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            self.require_step_up_in(caller, scope, rules::CREATE_ALERT_CHANNEL, &mut changes).await?;
            let workspace = take_turn_in(self, scope, &mut changes).await?;
            if self.ports.store.alerts().find_channels_of(scope, user_id).await?.len() >= MOST_CHANNELS {
                let message =
                    format!("there are {MOST_CHANNELS} alert channels, which is the maximum; delete one first");
                return Err(OpError::failed_precondition(Reason::AlertLimit, message));
            }
            if let Some(secret) = &target.secret {
                secret_of(channel.id).keep(self, scope, secret.expose_secret().as_bytes(), &mut changes).await?;
            }
            // What was recorded before may have no position yet, and would be followed.
            self.place_transitions().await?;
            let last = self.ports.store.transitions().find_last(scope, SubjectKind::ALL).await?;
            let progress = AlertProgress::new(channel.id, channel.workspace_id, last, channel.created_at);
            changes.insert(channel.clone());
            changes.insert(progress.with_halt(workspace.trading_halt.map(|halt| halt.since)));
            changes.audit(AuditKind::AlertChannelCreated, &channel);
            self.commit(caller, changes).await.map(drop).map_err(lost_race)
        })
        .await?;
        let secret = target.secret.filter(|_| channel.kind == ChannelKind::Webhook);
        let channel = ShownAlertChannel { channel: Versioned::new(channel), health: Health::default() };
        Ok(CreatedAlertChannel { channel, secret })
    }

    fn new_channel(
        &self,
        command: CreateAlertChannel,
        user_id: Option<UserId>,
    ) -> OpResult<(AlertChannel, GivenTarget)> {
        let kind = command.kind.ok_or_else(|| OpError::invalid_field("kind", "is required"))?;
        let name = fields::text("name", &command.name)?;
        let target = given(self, kind, &command.target, command.secret)?;
        let at = self.now();
        let channel = AlertChannel {
            id: self.mint(),
            workspace_id: command.workspace_id,
            user_id,
            kind,
            name,
            target: target.shown.clone(),
            secret_hint: target.hint()?,
            status: ChannelStatus::Active,
            disabled_reason: None,
            created_at: at,
            updated_at: at,
        };
        Ok((channel, target))
    }
}
