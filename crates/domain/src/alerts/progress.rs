//! How far a channel has followed what happens, how much was sent to it lately, and how well that goes.

use ::time::Duration;

use super::topic::AlertTopic;
use crate::events::health::Health;
use crate::id::{AlertChannelId, TransitionId, WorkspaceId};
use crate::time::Timestamp;

/// The most messages of a channel,
pub const MOST_SENT: u32 = 20;
/// after so many no notice is sent, so that problems have the rest,
pub const MOST_BEFORE_NOTICES_WAIT: u32 = 10;
/// within this time.
pub const WINDOW: Duration = Duration::HOUR;
/// How often the URL of a heartbeat is called.
pub const BEAT: Duration = Duration::MINUTE;

/// The progress of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AlertProgress {
    /// The channel.
    pub channel_id: AlertChannelId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The last change of status that it has followed; `None` before the first change of the workspace.
    pub after: Option<TransitionId>,
    /// Since when trading is halted, as far as the channel knows.
    pub halted_since: Option<Timestamp>,
    /// When the window began in which messages are counted.
    pub window_began_at: Timestamp,
    /// The messages that were sent in it.
    pub sent_in_window: u32,
    /// When the URL of a heartbeat was last called.
    pub beaten_at: Option<Timestamp>,
    /// How well sending goes.
    pub health: Health,
}

impl AlertProgress {
    /// A channel that begins behind a change.
    pub fn new(
        channel_id: AlertChannelId,
        workspace_id: WorkspaceId,
        after: Option<TransitionId>,
        at: Timestamp,
    ) -> Self {
        Self {
            channel_id,
            workspace_id,
            after,
            halted_since: None,
            window_began_at: at,
            sent_in_window: 0,
            beaten_at: None,
            health: Health::default(),
        }
    }

    /// The same once it has followed the log up to a change.
    #[must_use]
    pub const fn moved_to(self, after: TransitionId) -> Self {
        Self { after: Some(after), ..self }
    }

    /// The same once it knows whether trading is halted.
    #[must_use]
    pub const fn with_halt(self, halted_since: Option<Timestamp>) -> Self {
        Self { halted_since, ..self }
    }

    /// The same with another health.
    #[must_use]
    pub const fn with_health(self, health: Health) -> Self {
        Self { health, ..self }
    }

    /// Counts a message about these topics. Notices alone have half of the room: many of them hold back no problem.
    ///
    /// # Errors
    /// The end of the window, when as many were sent in it as may be.
    pub fn count(self, topics: impl IntoIterator<Item = AlertTopic>, at: Timestamp) -> Result<Self, Timestamp> {
        let end = self.window_began_at.plus(WINDOW);
        if at >= end {
            return Ok(Self { window_began_at: at, sent_in_window: 1, ..self });
        }
        let is_notice = topics.into_iter().all(AlertTopic::is_notice);
        let most = if is_notice { MOST_BEFORE_NOTICES_WAIT } else { MOST_SENT };
        if self.sent_in_window >= most {
            return Err(end);
        }
        Ok(Self { sent_in_window: self.sent_in_window.saturating_add(1), ..self })
    }

    /// Begins a call of a heartbeat; `None` when none is due.
    #[must_use]
    pub fn beat(self, at: Timestamp) -> Option<Self> {
        let is_due = self.beaten_at.is_none_or(|last| at.since(last) >= BEAT || at < last);
        is_due.then_some(Self { beaten_at: Some(at), ..self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::seconds(second))
    }

    fn progress() -> AlertProgress {
        AlertProgress::new(AlertChannelId::from_bytes([1; 16]), WorkspaceId::from_bytes([2; 16]), None, at(0))
    }

    fn counted(topic: AlertTopic, times: u32) -> AlertProgress {
        (0..times).fold(progress(), |counted, _| counted.count([topic], at(10)).unwrap())
    }

    #[test]
    fn a_channel_gets_twenty_messages_an_hour() {
        let full = counted(AlertTopic::Problem, 20);
        assert_eq!(full.count([AlertTopic::LossLimit], at(3_599)), Err(at(3_600)));
        let next = full.count([AlertTopic::Problem], at(3_600)).unwrap();
        assert_eq!((next.window_began_at, next.sent_in_window), (at(3_600), 1));
    }

    #[test]
    fn notices_wait_after_ten_messages_and_problems_do_not() {
        let full = counted(AlertTopic::Bought, 10);
        assert_eq!(full.count([AlertTopic::Sold, AlertTopic::DailySummary], at(3_599)), Err(at(3_600)));
        assert_eq!(full.count([AlertTopic::Sold, AlertTopic::LossLimit], at(3_599)).unwrap().sent_in_window, 11);
    }

    #[test]
    fn a_heartbeat_is_called_once_a_minute() {
        let first = progress().beat(at(5)).unwrap();
        assert_eq!((first.beat(at(64)), first.beat(at(65)).unwrap().beaten_at), (None, Some(at(65))));
    }
}
