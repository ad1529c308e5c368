//! [`DeleteAlertChannel`]: deletes a channel permanently.

use tradepost_domain::id::{AlertChannelId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use super::access::channel_to_change;
use super::removal::remove_channel;
use crate::rules;
use crate::{OpResult, Operations, fields};

/// Deletes a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeleteAlertChannel {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The channel.
    pub channel_id: AlertChannelId,
    /// The version that the caller saw, from 1; rejected when the channel has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Deletes a channel with its rules and its secret. Messages that wait are dropped.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an expected version below 1, `not_found`, `failed_precondition` with
    /// `VERSION_MISMATCH`.
    pub async fn delete_alert_channel(&self, caller: &Caller, command: DeleteAlertChannel) -> OpResult<()> {
        let scope = rules::DELETE_ALERT_CHANNEL.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let id = command.channel_id;
        self.retrying(|| async {
            let seen = channel_to_change(self, caller, scope, id, command.expected_version).await?;
            let mut changes = Changes::by(caller);
            remove_channel(self, scope, &mut changes, seen).await?;
            self.commit(caller, changes).await.map(drop)
        })
        .await?;
        self.alerts.notify_one();
        Ok(())
    }
}
