//! The end of a channel: by its deletion, and with the membership of the member whose own channel it is.

use tradepost_domain::accounts::access::{Principal, WorkspaceScope};
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::membership::Membership;
use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::alerts::channel::AlertChannel;
use tradepost_ports::changes::{Changes, Seen};

use super::targets::secret_of;
use crate::{OpResult, Operations};

/// Removes a channel with its rules and its secret. Messages that wait are dropped.
pub(super) async fn remove_channel(
    operations: &Operations,
    scope: WorkspaceScope,
    changes: &mut Changes,
    channel: Seen<AlertChannel>,
) -> OpResult<()> {
    let (id, alerts) = (channel.peek().id, operations.ports.store.alerts());
    for rule in alerts.find_rules_of(scope, id).await? {
        changes.remove(rule);
    }
    // A rule that is created at the same time revises the progress: one of the two commits fails.
    for progress in alerts.find_alert_progress(scope, &[id]).await? {
        changes.remove(progress);
    }
    secret_of(id).remove(operations, scope, changes).await?;
    let removed = changes.remove(channel);
    changes.audit(AuditKind::AlertChannelDeleted, &removed);
    Ok(())
}

/// Removes the own channels of a member whose membership has ended.
pub(crate) async fn remove_channels_of(
    operations: &Operations,
    changes: &mut Changes,
    ended: &Membership,
) -> OpResult<()> {
    let scope = Principal::System.enter(ended.workspace_id, PolicySet::NONE)?;
    let Some(user_id) = ended.user_id() else { return Ok(()) };
    for channel in operations.ports.store.alerts().find_channels_of(scope, Some(user_id)).await? {
        remove_channel(operations, scope, changes, channel).await?;
    }
    Ok(())
}
