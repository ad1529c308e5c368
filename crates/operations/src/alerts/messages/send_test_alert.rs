//! [`SendTestAlert`]: sends a test to a channel, and waits for the answer.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::alerts::channel::AlertChannel;
use tradepost_domain::alerts::message::{Addressed, AlertMessage};
use tradepost_domain::alerts::topic::{AlertNews, AlertTopic};
use tradepost_domain::contracts::remediation::Severity;
use tradepost_domain::id::{AlertChannelId, AlertMessageId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::alerts::{AlertError, AlertTarget};
use tradepost_ports::changes::{Caller, Changes};

use super::compose::Sender;
use super::news::{cut, hex};
use super::outcomes::reason_of;
use crate::accounts::memberships::membership_changes::workspace_name;
use crate::alerts::channels::access::channel_to_change;
use crate::alerts::channels::targets::{require_target, target_of};
use crate::rules;
use crate::{OpError, OpResult, Operations, Reason, Versioned};

/// Sends a test to a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SendTestAlert {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The channel.
    pub channel_id: AlertChannelId,
}

impl Operations {
    /// Sends a test to a channel, also to a disabled one, and returns the message after its only try; of a heartbeat, calls its URL. The
    /// health of the channel does not count it.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition` with `ALERTS_DISABLED`.
    pub async fn send_test_alert(&self, caller: &Caller, command: SendTestAlert) -> OpResult<Versioned<AlertMessage>> {
        let scope = rules::SEND_TEST_ALERT.enter(&caller.principal, command.workspace_id)?;
        let (channel, _) = channel_to_change(self, caller, scope, command.channel_id, None).await?.into_display();
        require_target(self, channel.kind, channel.user_id).await?;
        let target = target_of(self, scope, &channel).await?.ok_or_else(|| {
            OpError::failed_precondition(Reason::AlertsDisabled, "the member has no verified address")
        })?;
        let at = self.now();
        let test = test(self.mint(), &channel, at)?.claim(at).map_err(|error| OpError::internal(error.to_string()))?;
        // The test is recorded once it has an answer: the key of a repeated call belongs to the same commit.
        let answer = self.try_once(&target, &test).await?;
        let ended = match answer {
            Ok(()) => test.sent(self.now()),
            Err(error) => test.failed(reason_of(&error)?, None, self.now()),
        };
        let mut changes = Changes::by(caller);
        changes.insert(ended.clone());
        changes.audit(AuditKind::AlertChannelTested, &channel);
        self.commit(caller, changes).await?;
        Ok(Versioned::new(ended))
    }

    async fn try_once(&self, target: &AlertTarget, test: &AlertMessage) -> OpResult<Result<(), AlertError>> {
        if let AlertTarget::Heartbeat { url } = target {
            return Ok(self.ports.alerts.beat(url).await);
        }
        let workspace = workspace_name(self, test.workspace_id).await?;
        let (public_url, workspace_id, at) = (self.public_url.as_str(), test.workspace_id, self.now());
        let sender = Sender { public_url, workspace_id, workspace, at };
        let written = sender.text(&[test]).ok_or_else(|| OpError::internal("a test has no text".to_owned()))?;
        self.send_alert(target, &written).await
    }
}

fn test(id: AlertMessageId, channel: &AlertChannel, at: Timestamp) -> OpResult<AlertMessage> {
    let news = AlertNews {
        topic: AlertTopic::Test,
        severity: Severity::Info,
        kind: None,
        subject: None,
        problem: cut(&format!("test:{}", hex(id.to_bytes())))?,
        title: cut(&format!("A test of the channel {}", channel.name))?,
        detail: None,
    };
    let AlertChannel { id: channel_id, workspace_id, user_id, .. } = *channel;
    Ok(AlertMessage::new(id, Addressed { workspace_id, channel_id, user_id }, news, at))
}
