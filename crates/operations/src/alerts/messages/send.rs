//! Sending: the messages of a channel that are due are claimed and sent together, so that a digest, the end of quiet hours and a channel
//! that was full are one message each.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::alerts::channel::AlertChannel;
use tradepost_domain::alerts::message::AlertMessage;
use tradepost_domain::id::{AlertChannelId, RecordKey, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes, Revised, Seen};

use super::compose::Sender;
use super::news::cut;
use crate::accounts::memberships::membership_changes::{notification_scope, workspace_name};
use crate::alerts::channels::access::{is_entitled, progress_of};
use crate::alerts::channels::targets::target_of;
use crate::{OpError, OpResult, Operations};

/// The messages that are sent together.
const TOGETHER: u32 = 200;
/// The channels that are served at once.
const CHANNELS: u32 = 200;

/// A channel with messages that are due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DueChannel([[u8; 16]; 2]);

impl Operations {
    /// Waits until a message may be due that was not before; returns at once if one was since the last time.
    pub async fn alert_enqueued(&self) {
        self.alerts.notified().await;
    }

    /// Returns channels with messages that are due.
    ///
    /// # Errors
    /// `internal` when storage fails.
    pub async fn list_due_channels(&self) -> OpResult<Vec<DueChannel>> {
        let due = self.ports.store.alerts().list_due_channels(self.now(), CHANNELS).await?;
        Ok(due.into_iter().map(|key| DueChannel([key.workspace_id.to_bytes(), key.id.to_bytes()])).collect())
    }

    /// Sends the messages of a channel that are due, as one; returns `false` when nothing was sent. Any number of processes may do this at
    /// once. A person gets a message twice only if a process ends between the answer of the channel and the record of it.
    ///
    /// # Errors
    /// `internal` when storage fails.
    pub async fn send_due(&self, channel: DueChannel) -> OpResult<bool> {
        let DueChannel([workspace, id]) = channel;
        let key = RecordKey { workspace_id: WorkspaceId::from_bytes(workspace), id: AlertChannelId::from_bytes(id) };
        let scope = notification_scope(key.workspace_id)?;
        let alerts = self.ports.store.alerts();
        let due = alerts.list_due_messages(key, self.now(), TOGETHER).await?;
        if due.is_empty() {
            return Ok(false);
        }
        let channel = alerts.find_channels(scope, &[key.id]).await?.into_iter().next();
        let channel = match self.usable(scope, channel).await? {
            Ok(channel) => channel,
            Err(why) => return self.drop_messages(due, why).await.map(|()| true),
        };
        let target = target_of(self, scope, &channel).await?;
        let Some(target) = target.filter(|target| self.sends_alerts(target.kind())) else {
            let why = "this server sends no alerts of this kind, or the member has no verified address";
            return self.drop_messages(due, why).await.map(|()| true);
        };
        let Some(claimed) = self.claim_messages(scope, channel.id, due).await? else { return Ok(false) };
        let messages: Vec<&AlertMessage> = claimed.iter().map(Seen::peek).collect();
        let workspace = workspace_name(self, key.workspace_id).await?;
        let sender = Sender { public_url: &self.public_url, workspace_id: key.workspace_id, workspace, at: self.now() };
        let Some(text) = sender.text(&messages) else { return Ok(false) };
        let answer = self.send_alert(&target, &text).await?;
        match &answer {
            Ok(()) => tracing::debug!(channel = %channel.id, messages = messages.len(), "alert sent"),
            Err(error) => tracing::info!(channel = %channel.id, %error, "alert not accepted"),
        }
        self.record_answer(scope, channel.id, &claimed, answer.as_ref().err()).await?;
        Ok(true)
    }

    /// Returns the channel if messages can be sent to it now, or why they are dropped.
    async fn usable(
        &self,
        scope: WorkspaceScope,
        channel: Option<Seen<AlertChannel>>,
    ) -> OpResult<Result<AlertChannel, &'static str>> {
        let Some((channel, _)) = channel.map(Seen::into_display) else { return Ok(Err("the channel was deleted")) };
        if !channel.is_active() {
            return Ok(Err("the channel is disabled"));
        }
        let is_entitled = is_entitled(self, scope, channel.user_id).await?;
        Ok(if is_entitled { Ok(channel) } else { Err("the member may no longer read this") })
    }

    /// Makes the messages this process's for a minute, and counts one for the channel; `None` when another process was faster, or when as
    /// many were sent within the hour as may be. Then the messages wait for its end, and are sent as one.
    async fn claim_messages(
        &self,
        scope: WorkspaceScope,
        channel: AlertChannelId,
        due: Vec<Seen<AlertMessage>>,
    ) -> OpResult<Option<Vec<Seen<AlertMessage>>>> {
        let (relay, at) = (Caller::system(), self.now());
        let mut changes = Changes::by(&relay);
        let progress = progress_of(self, scope, channel).await?;
        let counted = progress.peek().count(due.iter().map(|message| message.peek().topic), at);
        let mut claimed = Vec::with_capacity(due.len());
        match counted {
            Ok(counted) => {
                changes.revise(progress, |_| Ok::<_, OpError>(counted))?;
                for message in due {
                    let Ok(message) = changes.revise(message, |message| message.claim(at)) else { return Ok(None) };
                    claimed.push(message);
                }
            }
            Err(until) => {
                changes.rely_on(progress);
                for message in due {
                    changes.revise(message, |message| Ok::<_, OpError>(message.postponed(until)))?;
                }
            }
        }
        match self.commit(&relay, changes).await {
            Ok(_) if claimed.is_empty() => Ok(None),
            Ok(_) => Ok(Some(claimed.into_iter().map(Revised::committed).collect())),
            Err(error) if error.is_conflict() => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn drop_messages(&self, due: Vec<Seen<AlertMessage>>, why: &str) -> OpResult<()> {
        let (relay, at, why) = (Caller::system(), self.now(), cut(why)?);
        let mut changes = Changes::by(&relay);
        for message in due {
            changes.revise(message, |message| Ok::<_, OpError>(message.dropped(why.clone(), at)))?;
        }
        match self.commit(&relay, changes).await {
            Err(error) if error.is_conflict() => Ok(()),
            done => done.map(drop),
        }
    }
}
