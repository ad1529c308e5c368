//! [`EnableAlertChannel`] and [`DisableAlertChannel`]: whether messages are sent to a channel.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::alerts::channel::ChannelDisabledReason;
use tradepost_domain::alerts::progress::AlertProgress;
use tradepost_domain::id::{AlertChannelId, WorkspaceId};
use tradepost_domain::transition::SubjectKind;
use tradepost_ports::changes::{Caller, Changes};

use super::access::{ShownAlertChannel, channel_to_change, progress_of, shown_one};
use super::targets::require_target;
use crate::rules;
use crate::{OpError, OpResult, Operations, fields};

/// Stops messages to a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DisableAlertChannel {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The channel.
    pub channel_id: AlertChannelId,
    /// The version that the caller saw, from 1; rejected when the channel has another one.
    pub expected_version: Option<i64>,
}

/// Resumes messages to a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnableAlertChannel {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The channel.
    pub channel_id: AlertChannelId,
    /// The version that the caller saw, from 1; rejected when the channel has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Stops messages to a channel. Those that wait are dropped.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an expected version below 1, `not_found`, `failed_precondition`:
    /// `VERSION_MISMATCH`, `ILLEGAL_STEP` when it is disabled.
    pub async fn disable_alert_channel(
        &self,
        caller: &Caller,
        command: DisableAlertChannel,
    ) -> OpResult<ShownAlertChannel> {
        let scope = rules::DISABLE_ALERT_CHANNEL.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let at = self.now();
        let disabled = self
            .retrying(|| async {
                let (id, version) = (command.channel_id, command.expected_version);
                let seen = channel_to_change(self, caller, scope, id, version).await?;
                let mut changes = Changes::by(caller);
                let disabled = changes.revise(seen, |channel| channel.disable(ChannelDisabledReason::Person, at))?;
                changes.audit(AuditKind::AlertChannelDisabled, &disabled.value);
                self.commit(caller, changes).await?;
                Ok(disabled)
            })
            .await?;
        self.alerts.notify_one();
        shown_one(self, scope, disabled.into()).await
    }

    /// Resumes messages to a channel, for what happens from now on.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an expected version below 1, `not_found`, `failed_precondition`:
    /// `ALERTS_DISABLED`, `VERSION_MISMATCH`, `ILLEGAL_STEP` unless it is disabled.
    pub async fn enable_alert_channel(
        &self,
        caller: &Caller,
        command: EnableAlertChannel,
    ) -> OpResult<ShownAlertChannel> {
        let scope = rules::ENABLE_ALERT_CHANNEL.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let at = self.now();
        let enabled = self
            .retrying(|| async {
                let (id, version) = (command.channel_id, command.expected_version);
                let seen = channel_to_change(self, caller, scope, id, version).await?;
                require_target(self, seen.peek().kind, seen.peek().user_id).await?;
                let progress = progress_of(self, scope, id).await?;
                self.place_transitions().await?;
                let after = self.ports.store.transitions().find_last(scope, SubjectKind::ALL).await?;
                let workspace = self.ports.store.workspaces().find(scope).await?;
                let halted_since = workspace.and_then(|seen| seen.into_display().0.trading_halt).map(|halt| halt.since);
                let mut changes = Changes::by(caller);
                let enabled = changes.revise(seen, |channel| channel.enable(at))?;
                changes.revise(progress, |progress| {
                    let health = progress.health.resumed();
                    Ok::<_, OpError>(AlertProgress { after, halted_since, health, ..progress })
                })?;
                changes.audit(AuditKind::AlertChannelEnabled, &enabled.value);
                self.commit(caller, changes).await?;
                Ok(enabled)
            })
            .await?;
        shown_one(self, scope, enabled.into()).await
    }
}
