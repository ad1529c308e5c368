//! A message: one problem or notice for one channel, and what came of sending it.

use super::topic::{AlertNews, AlertTopic, ProblemKey};
use crate::contracts::remediation::Severity;
use crate::events::webhook_delivery::{CLAIMED_FOR, NotDue, Retry};
use crate::id::{AlertChannelId, AlertMessageId, AlertRuleId, UserId, WorkspaceId};
use crate::names::names;
use crate::text::{Description, ReasonText};
use crate::time::Timestamp;
use crate::transition::Subject;

/// The state of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageState {
    /// It is sent once it is due.
    Waiting = 1,
    /// The channel accepted it.
    Sent = 2,
    /// Every try failed.
    Failed = 3,
    /// It was not sent.
    Dropped = 4,
}

names! { MessageState, "state of an alert message":
    Waiting => "WAITING",
    Sent => "SENT",
    Failed => "FAILED",
    Dropped => "DROPPED",
}

/// A message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlertMessage {
    /// Its own id.
    pub id: AlertMessageId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The channel.
    pub channel_id: AlertChannelId,
    /// The member whose own channel it is; absent for one of the workspace.
    pub user_id: Option<UserId>,
    /// The rule that asked for it; absent for a test.
    pub rule_id: Option<AlertRuleId>,
    /// What it is about.
    pub topic: AlertTopic,
    /// How severe it is.
    pub severity: Severity,
    /// The record that it is about.
    pub subject: Option<Subject>,
    /// What identifies the problem: a channel has one message of it.
    pub problem: ProblemKey,
    /// The title.
    pub title: ReasonText,
    /// More about it.
    pub detail: Option<Description>,
    /// The state.
    pub state: MessageState,
    /// The number of tries that were begun.
    pub tries: u8,
    /// When it or the next try is due, as long as it waits.
    pub due_at: Timestamp,
    /// Why the last try failed, or why it was dropped.
    pub error: Option<ReasonText>,
    /// When the problem ended, if that was before it was sent.
    pub resolved_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was sent, failed or dropped.
    pub done_at: Option<Timestamp>,
}

/// The channel that a message is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Addressed {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The channel.
    pub channel_id: AlertChannelId,
    /// The member whose own channel it is.
    pub user_id: Option<UserId>,
}

impl AlertMessage {
    /// A message to be sent at once, which no rule asked for.
    pub fn new(id: AlertMessageId, to: Addressed, news: AlertNews, at: Timestamp) -> Self {
        let AlertNews { topic, severity, kind: _, subject, problem, title, detail } = news;
        let Addressed { workspace_id, channel_id, user_id } = to;
        Self {
            id,
            workspace_id,
            channel_id,
            user_id,
            rule_id: None,
            topic,
            severity,
            subject,
            problem,
            title,
            detail,
            state: MessageState::Waiting,
            tries: 0,
            due_at: at,
            error: None,
            resolved_at: None,
            created_at: at,
            done_at: None,
        }
    }

    /// The same as a rule asks for it.
    #[must_use]
    pub fn asked_for(self, rule: AlertRuleId, due_at: Timestamp) -> Self {
        Self { rule_id: Some(rule), due_at, ..self }
    }

    /// Begins a try. The process that stores this owns the message until it is due again.
    ///
    /// # Errors
    /// [`NotDue`] when no try is due.
    pub fn claim(self, at: Timestamp) -> Result<Self, NotDue> {
        if self.state != MessageState::Waiting || at < self.due_at {
            return Err(NotDue);
        }
        Ok(Self { tries: self.tries.saturating_add(1), due_at: at.plus(CLAIMED_FOR), ..self })
    }

    /// Waits longer, without a try.
    #[must_use]
    pub fn postponed(self, until: Timestamp) -> Self {
        Self { due_at: self.due_at.max(until), ..self }
    }

    /// Ends a try that the channel accepted.
    #[must_use]
    pub fn sent(self, at: Timestamp) -> Self {
        Self { state: MessageState::Sent, error: None, done_at: Some(at), ..self }
    }

    /// Ends a try that failed: another one follows, or it was the last.
    #[must_use]
    pub fn failed(self, error: ReasonText, retry: Option<Retry>, at: Timestamp) -> Self {
        let error = Some(error);
        match retry.and_then(|retry| retry.after(self.tries, at)) {
            Some(due_at) => Self { due_at, error, ..self },
            None => Self { state: MessageState::Failed, error, done_at: Some(at), ..self },
        }
    }

    /// Ends it without a try.
    #[must_use]
    pub fn dropped(self, why: ReasonText, at: Timestamp) -> Self {
        Self { state: MessageState::Dropped, error: Some(why), done_at: Some(at), ..self }
    }

    /// The problem ended. Only a message that waits is changed by that.
    #[must_use]
    pub fn resolved(self, at: Timestamp) -> Self {
        let resolved_at = self.resolved_at.or((self.state == MessageState::Waiting).then_some(at));
        Self { resolved_at, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;
    use ::time::Duration;

    fn at(minute: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::minutes(minute))
    }

    fn message() -> AlertMessage {
        let to = Addressed {
            workspace_id: WorkspaceId::from_bytes([1; 16]),
            channel_id: AlertChannelId::from_bytes([2; 16]),
            user_id: None,
        };
        let (problem, title) = (Text::new("one").unwrap(), Text::new("title").unwrap());
        let (topic, severity) = (AlertTopic::Test, Severity::Info);
        let news = AlertNews { topic, severity, kind: None, subject: None, problem, title, detail: None };
        AlertMessage::new(AlertMessageId::from_bytes([3; 16]), to, news, at(0))
    }

    #[test]
    fn a_message_is_tried_eight_times_and_once_at_a_time() {
        let (mut message, retry) = (message(), Some(Retry { wish: None, random: 128 }));
        let claimed = message.clone().claim(at(0)).unwrap();
        assert_eq!((claimed.clone().claim(at(0)), claimed.claim(at(1)).unwrap().tries), (Err(NotDue), 2));
        while message.state == MessageState::Waiting {
            let due = message.due_at;
            message = message.claim(due).unwrap().failed(Text::new("no answer").unwrap(), retry, due);
        }
        assert_eq!((message.state, message.tries, message.done_at.is_some()), (MessageState::Failed, 8, true));
        assert_eq!(message.clone().claim(at(100_000)), Err(NotDue));
    }

    #[test]
    fn a_failure_that_is_final_ends_a_message() {
        let ended = message().claim(at(0)).unwrap().failed(Text::new("revoked").unwrap(), None, at(0));
        assert_eq!((ended.state, ended.tries), (MessageState::Failed, 1));
    }

    #[test]
    fn only_a_message_that_waits_hears_that_its_problem_ended() {
        assert_eq!(message().resolved(at(1)).resolved_at, Some(at(1)));
        assert_eq!(message().claim(at(0)).unwrap().sent(at(0)).resolved(at(1)).resolved_at, None);
        let dropped = message().postponed(at(5)).dropped(Text::new("disabled").unwrap(), at(1));
        assert_eq!((dropped.state, dropped.due_at), (MessageState::Dropped, at(5)));
    }
}
