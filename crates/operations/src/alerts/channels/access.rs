//! The callers that may see and change a channel with its rules and messages, and channels as they are seen and shown.

use std::collections::HashMap;

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::alerts::channel::{AlertChannel, ChannelStatusUnchanged};
use tradepost_domain::alerts::progress::AlertProgress;
use tradepost_domain::events::health::Health;
use tradepost_domain::id::{AlertChannelId, UserId, WorkspaceId};
use tradepost_ports::changes::{Caller, Seen};

use crate::results::require_version;
use crate::rules::{READ_TRADING, WRITE_WORKSPACE};
use crate::{OpError, OpResult, Operations, Reason, Versioned};

/// A channel as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownAlertChannel {
    /// The record that users maintain.
    pub channel: Versioned<AlertChannel>,
    /// How well sending goes.
    pub health: Health,
}

impl From<ChannelStatusUnchanged> for OpError {
    fn from(error: ChannelStatusUnchanged) -> Self {
        Self::failed_precondition(Reason::IllegalStep, error.to_string())
    }
}

/// Returns whether a caller sees what belongs to a member, or to the workspace.
pub(crate) fn is_seen_by(caller: &Caller, owner: Option<UserId>) -> bool {
    owner.is_none_or(|owner| caller.principal.act_as_user().is_ok_and(|user| user == owner))
}

/// Checks that a caller may change what belongs to the workspace. What belongs to a member is seen by that member alone, and may be changed.
pub(crate) fn require_change(caller: &Caller, workspace_id: WorkspaceId, owner: Option<UserId>) -> OpResult<()> {
    if owner.is_none() {
        caller.principal.enter(workspace_id, WRITE_WORKSPACE)?;
    }
    Ok(())
}

/// Returns the owner of the channels that a caller asks for: the caller, or the workspace.
pub(crate) fn owner(caller: &Caller, is_own: bool) -> OpResult<Option<UserId>> {
    Ok(if is_own { Some(caller.principal.act_as_user()?) } else { None })
}

/// Returns whether the owner of a channel may read what alerts say: the workspace, and a member with the right.
pub(crate) async fn is_entitled(
    operations: &Operations,
    scope: WorkspaceScope,
    owner: Option<UserId>,
) -> OpResult<bool> {
    let Some(user) = owner else { return Ok(true) };
    let member = operations.ports.store.memberships().find_member(scope, user).await?;
    Ok(member.is_some_and(|member| !member.peek().rights().and(READ_TRADING).is_empty()))
}

/// Returns a channel that the caller sees, at the version that the caller saw, if it names one.
pub(crate) async fn channel_as_seen(
    operations: &Operations,
    caller: &Caller,
    scope: WorkspaceScope,
    id: AlertChannelId,
    expected_version: Option<i64>,
) -> OpResult<Seen<AlertChannel>> {
    let found = operations.ports.store.alerts().find_channels(scope, &[id]).await?;
    let seen = found.into_iter().find(|channel| is_seen_by(caller, channel.peek().user_id));
    let channel = seen.ok_or_else(|| OpError::not_found("alert channel"))?;
    require_version(&channel, expected_version)?;
    Ok(channel)
}

/// Returns a channel that the caller may change.
pub(crate) async fn channel_to_change(
    operations: &Operations,
    caller: &Caller,
    scope: WorkspaceScope,
    id: AlertChannelId,
    expected_version: Option<i64>,
) -> OpResult<Seen<AlertChannel>> {
    let channel = channel_as_seen(operations, caller, scope, id, None).await?;
    require_change(caller, scope.workspace_id(), channel.peek().user_id)?;
    require_version(&channel, expected_version)?;
    Ok(channel)
}

/// Returns the progress of a channel.
pub(crate) async fn progress_of(
    operations: &Operations,
    scope: WorkspaceScope,
    id: AlertChannelId,
) -> OpResult<Seen<AlertProgress>> {
    let found = operations.ports.store.alerts().find_alert_progress(scope, &[id]).await?;
    found.into_iter().next().ok_or_else(|| OpError::not_found("alert channel"))
}

/// Returns channels with their health.
pub(crate) async fn shown(
    operations: &Operations,
    scope: WorkspaceScope,
    channels: Vec<Versioned<AlertChannel>>,
) -> OpResult<Vec<ShownAlertChannel>> {
    let ids: Vec<AlertChannelId> = channels.iter().map(|channel| channel.value.id).collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let progress = operations.ports.store.alerts().find_alert_progress(scope, &ids).await?;
    let health: HashMap<_, _> = progress.iter().map(|seen| (seen.peek().channel_id, seen.peek().health)).collect();
    // A channel that was deleted between the two reads has none.
    let health = |id| health.get(&id).copied().unwrap_or_default();
    Ok(channels.into_iter().map(|channel| ShownAlertChannel { health: health(channel.value.id), channel }).collect())
}

/// Returns one channel with its health.
pub(crate) async fn shown_one(
    operations: &Operations,
    scope: WorkspaceScope,
    channel: Versioned<AlertChannel>,
) -> OpResult<ShownAlertChannel> {
    let shown = shown(operations, scope, vec![channel]).await?.pop();
    shown.ok_or_else(|| OpError::not_found("alert channel"))
}
