//! Recording what came of sending, with the health of the channel, and disabling a channel that no longer works.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::alerts::channel::{AlertChannel, ChannelDisabledReason};
use tradepost_domain::alerts::message::AlertMessage;
use tradepost_domain::alerts::progress::AlertProgress;
use tradepost_domain::events::webhook_delivery::Retry;
use tradepost_domain::id::AlertChannelId;
use tradepost_domain::text::ReasonText;
use tradepost_domain::time::Timestamp;
use tradepost_ports::alerts::AlertError;
use tradepost_ports::changes::{Caller, Changes, Seen};

use super::news::cut;
use crate::accounts::memberships::membership_changes::{addresses_of_managers, addresses_of_user, workspace_name};
use crate::mails::Notice;
use crate::{OpError, OpResult, Operations};

/// The attempts to record an outcome: the channel's progress changes with what is followed as well.
const ATTEMPTS: u64 = 12;

impl Operations {
    /// Records what came of sending claimed messages. Nothing is recorded if one has changed since it was claimed.
    pub(super) async fn record_answer(
        &self,
        scope: WorkspaceScope,
        channel: AlertChannelId,
        claimed: &[Seen<AlertMessage>],
        error: Option<&AlertError>,
    ) -> OpResult<()> {
        let at = self.now();
        let [.., random] = self.ports.ids.next(at);
        self.retrying_up_to(ATTEMPTS, || async {
            let relay = Caller::system();
            let mut changes = Changes::by(&relay);
            for message in claimed {
                changes.revise(message.clone(), |message| ended(message, error, random, at))?;
            }
            self.add_health(scope, channel, error, &mut changes).await?;
            self.commit(&relay, changes).await.map(drop)
        })
        .await
    }

    /// Records what came of a call that belongs to no message.
    pub(super) async fn record_call(
        &self,
        scope: WorkspaceScope,
        channel: AlertChannelId,
        error: Option<&AlertError>,
    ) -> OpResult<()> {
        self.retrying_up_to(ATTEMPTS, || async {
            let relay = Caller::system();
            let mut changes = Changes::by(&relay);
            self.add_health(scope, channel, error, &mut changes).await?;
            self.commit(&relay, changes).await.map(drop)
        })
        .await
    }

    async fn add_health(
        &self,
        scope: WorkspaceScope,
        channel: AlertChannelId,
        error: Option<&AlertError>,
        changes: &mut Changes,
    ) -> OpResult<()> {
        let (at, alerts) = (self.now(), self.ports.store.alerts());
        let found = alerts.find_alert_progress(scope, &[channel]).await?.into_iter().next();
        // The channel was deleted in the meantime.
        let Some(progress) = found else { return Ok(()) };
        let Some(error) = error else {
            if progress.peek().health.is_news(at) {
                let succeed = |progress: AlertProgress| progress.with_health(progress.health.succeeded(at));
                changes.revise(progress, |progress| Ok::<_, OpError>(succeed(progress)))?;
            }
            return Ok(());
        };
        let fail = |progress: AlertProgress| Ok::<_, OpError>(progress.with_health(progress.health.failed(at)));
        let is_failing = changes.revise(progress, fail)?.value.health.is_failing(at);
        let reason = match (error.is_final, is_failing) {
            (true, _) => ChannelDisabledReason::Removed,
            (false, true) => ChannelDisabledReason::Failing,
            (false, false) => return Ok(()),
        };
        let channel = alerts.find_channels(scope, &[channel]).await?.into_iter().next();
        match channel.filter(|channel| channel.peek().is_active()) {
            Some(channel) => self.disable_channel(changes, channel, reason).await,
            None => Ok(()),
        }
    }

    /// Disables a channel that no longer works. Its member is notified, or the managers of the workspace.
    async fn disable_channel(
        &self,
        changes: &mut Changes,
        channel: Seen<AlertChannel>,
        reason: ChannelDisabledReason,
    ) -> OpResult<()> {
        let at = self.now();
        let disabled = changes.revise(channel, |channel| channel.disable(reason, at))?.value;
        let about = About::from(&disabled).with(Fact::Cause, reason.as_str());
        changes.audit(AuditKind::AlertChannelDisabled, about);
        let concerned = match disabled.user_id {
            Some(user) => addresses_of_user(self, Some(user)).await?,
            None => addresses_of_managers(self, disabled.workspace_id).await?,
        };
        let workspace = workspace_name(self, disabled.workspace_id).await?;
        self.send_notice(changes, &concerned, &Notice::alert_channel_disabled(&workspace, &disabled, reason));
        tracing::warn!(channel = %disabled.id, reason = reason.as_str(), "alert channel disabled");
        Ok(())
    }
}

/// The message after a try.
fn ended(message: AlertMessage, error: Option<&AlertError>, random: u8, at: Timestamp) -> OpResult<AlertMessage> {
    let Some(error) = error else { return Ok(message.sent(at)) };
    let wish = error.retry_after.and_then(|pause| time::Duration::try_from(pause).ok());
    let retry = (!error.is_final).then_some(Retry { wish, random });
    Ok(message.failed(reason_of(error)?, retry, at))
}

/// Why a try failed, as it is stored.
pub(super) fn reason_of(error: &AlertError) -> OpResult<ReasonText> {
    let reason = error.reason.trim();
    cut(if reason.is_empty() { "the channel did not accept it" } else { reason })
}
