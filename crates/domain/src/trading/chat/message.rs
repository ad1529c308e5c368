//! One message: written by the partner or by us, and its status.

use std::ops::Deref;

use time::Duration;

use crate::id::{AccountId, ApiKeyId, ChatMessageId, ConversationId, UserId, WorkspaceId};
use crate::names::names;
use crate::time::Timestamp;

/// The time after which a reading that does not show a message proves that it was not sent.
///
/// Longer than a recorded call takes to be sent and answered.
pub const SETTLES_WITHIN: Duration = Duration::seconds(60);

/// How far the clocks of the platform and of this server may differ.
const CLOCKS_DIFFER_BY: Duration = Duration::minutes(2);

/// The status of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageStatus {
    /// Final: the partner wrote it.
    Received = 1,
    /// It waits for the engine.
    Draft = 2,
    /// Final: the platform shows it.
    Sent = 3,
    /// It may have been sent: the call has no answer.
    Uncertain = 4,
    /// It was not sent.
    Failed = 5,
}

names! { MessageStatus, "status of a chat message":
    Received => "RECEIVED",
    Draft => "DRAFT",
    Sent => "SENT",
    Uncertain => "UNCERTAIN",
    Failed => "FAILED",
}

/// Why a message was not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageFailure {
    /// The platform knows no such account.
    NotFound = 1,
    /// The platform rejected it: they are not friends, or messages are not allowed.
    Rejected = 2,
    /// The chat of the account was disabled before it was sent.
    ChatDisabled = 3,
    /// The call had no answer, and the platform does not show it.
    NotShown = 4,
}

names! { MessageFailure, "reason of a message that was not sent":
    NotFound => "NOT_FOUND",
    Rejected => "REJECTED",
    ChatDisabled => "CHAT_DISABLED",
    NotShown => "NOT_SHOWN",
}

/// The place of a message in its conversation, by which the platform identifies it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessagePlace {
    /// When the platform received it, to the second.
    pub sent_at: Timestamp,
    /// Its place among the messages of that second.
    pub ordinal: u32,
}

/// Who sent a message here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Author {
    /// A user, in person.
    User(UserId),
    /// A key.
    Key(ApiKeyId),
}

/// The record of a message within the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageKey {
    /// The record.
    pub id: ChatMessageId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Our account.
    pub account_id: AccountId,
    /// The conversation.
    pub conversation_id: ConversationId,
}

/// A message that a person sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draft {
    /// The record.
    pub key: MessageKey,
    /// The sender; `None` for the process itself.
    pub author: Option<Author>,
}

/// All fields of a message but its text, as a store keeps them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageParts {
    /// Its own id.
    pub id: ChatMessageId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Our account.
    pub account_id: AccountId,
    /// The conversation.
    pub conversation_id: ConversationId,
    /// Whether our account wrote it.
    pub is_from_us: bool,
    /// Its status.
    pub status: MessageStatus,
    /// Its place, once the platform shows it.
    pub place: Option<MessagePlace>,
    /// Who sent it here.
    pub author: Option<Author>,
    /// When the call was recorded that sends it, by the clock of the market.
    pub submitted_at: Option<Timestamp>,
    /// Why it was not sent.
    pub failure: Option<MessageFailure>,
    /// When it was recorded, by the clock of the server: it is kept for 90 days from then on.
    pub created_at: Timestamp,
}

/// A message that keeps every rule. Its text is stored separately, sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChatMessage(MessageParts);

/// A stored message breaks a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a chat message breaks a rule: {0}")]
pub struct CorruptMessage(pub &'static str);

/// The result of a call that sends a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SayResult {
    /// It was sent, and is at this place.
    Sent(MessagePlace),
    /// The platform rejected it.
    Rejected(MessageFailure),
    /// It certainly was not sent, and can be sent later.
    NotSent,
}

impl ChatMessage {
    /// Returns a message that a person sends.
    pub const fn draft(draft: Draft, logged_at: Timestamp) -> Self {
        let parts = MessageParts::new(draft.key, MessageStatus::Draft, true, logged_at);
        Self(MessageParts { author: draft.author, ..parts })
    }

    /// Returns a message that the platform shows and that was not sent here.
    pub const fn first_seen(key: MessageKey, is_from_us: bool, place: MessagePlace, logged_at: Timestamp) -> Self {
        let status = if is_from_us { MessageStatus::Sent } else { MessageStatus::Received };
        Self(MessageParts { place: Some(place), ..MessageParts::new(key, status, is_from_us, logged_at) })
    }

    /// Takes a message back from a store.
    ///
    /// # Errors
    /// [`CorruptMessage`] when the parts contradict each other.
    pub fn restore(parts: MessageParts) -> Result<Self, CorruptMessage> {
        use MessageStatus as Is;
        let is_shown = matches!(parts.status, Is::Received | Is::Sent);
        let rules = [
            (is_shown == parts.place.is_some(), "what the platform shows has a place, and nothing else has one"),
            (
                (parts.status == Is::Failed) == parts.failure.is_some(),
                "what failed has a reason, and nothing else has one",
            ),
            ((parts.status == Is::Received) != parts.is_from_us, "what was received is not ours"),
            (parts.status != Is::Uncertain || parts.submitted_at.is_some(), "what is uncertain was submitted"),
        ];
        match rules.into_iter().find(|(kept, _)| !kept) {
            Some((_, rule)) => Err(CorruptMessage(rule)),
            None => Ok(Self(parts)),
        }
    }

    /// Returns the message whose call is about to be made: from now on it may be sent. `None` unless it is a draft.
    pub fn submitting(self, at: Timestamp) -> Option<Self> {
        let is_draft = self.0.status == MessageStatus::Draft;
        let parts = MessageParts { status: MessageStatus::Uncertain, submitted_at: Some(at), ..self.0 };
        is_draft.then_some(Self(parts))
    }

    /// Returns the message after its call was answered. Without an answer it stays as it is.
    #[must_use]
    pub fn answered(self, result: SayResult) -> Self {
        if self.0.status != MessageStatus::Uncertain {
            return self;
        }
        match result {
            SayResult::Sent(place) => self.at_place(place),
            SayResult::Rejected(failure) => self.failed(failure),
            SayResult::NotSent => Self(MessageParts { status: MessageStatus::Draft, submitted_at: None, ..self.0 }),
        }
    }

    /// Returns the message once the platform shows it at a place.
    #[must_use]
    pub fn at_place(self, place: MessagePlace) -> Self {
        Self(MessageParts { status: MessageStatus::Sent, place: Some(place), failure: None, ..self.0 })
    }

    /// Returns the message once it certainly is not sent.
    #[must_use]
    pub fn failed(self, failure: MessageFailure) -> Self {
        Self(MessageParts { status: MessageStatus::Failed, failure: Some(failure), ..self.0 })
    }

    /// Returns whether the engine has something to do for it: it is to be sent, or its outcome is unknown.
    pub const fn is_open(&self) -> bool {
        matches!(self.0.status, MessageStatus::Draft | MessageStatus::Uncertain)
    }

    /// Returns whether it was submitted, and the platform may show it yet.
    pub const fn is_sought(&self) -> bool {
        match self.0.status {
            MessageStatus::Uncertain => true,
            MessageStatus::Failed => matches!(self.0.failure, Some(MessageFailure::NotShown)),
            MessageStatus::Received | MessageStatus::Draft | MessageStatus::Sent => false,
        }
    }

    /// Returns whether a message that the platform shows at a place may be this one.
    pub fn may_be_at(&self, place: MessagePlace) -> bool {
        self.is_sought() && self.sought_from().is_some_and(|from| from <= place.sent_at)
    }

    /// Returns the time from which on the platform would show it, if it was sent.
    pub fn sought_from(&self) -> Option<Timestamp> {
        self.0.submitted_at.map(|at| at.plus(-CLOCKS_DIFFER_BY))
    }

    /// Returns whether a reading that began at a time and does not show the message proves that it was not sent.
    pub fn is_disproven_by(&self, read_at: Timestamp) -> bool {
        let submitted = self.0.submitted_at.filter(|_| self.0.status == MessageStatus::Uncertain);
        submitted.is_some_and(|at| read_at.since(at) >= SETTLES_WITHIN)
    }

    /// Returns the name of the step that led from an earlier state to this one; `None` without a step.
    pub fn step_from(&self, before: Option<&Self>) -> Option<&'static str> {
        let was = before.map(|before| before.0.status);
        if was == Some(self.0.status) {
            return None;
        }
        Some(match (was, self.0.status) {
            (_, MessageStatus::Received) => "received",
            (None, MessageStatus::Draft) => "drafted",
            (Some(_), MessageStatus::Draft) => "not_sent",
            (None, MessageStatus::Sent) => "shown",
            (Some(_), MessageStatus::Sent) => "sent",
            (_, MessageStatus::Uncertain) => "submitted",
            (_, MessageStatus::Failed) => "failed",
        })
    }
}

impl MessageParts {
    const fn new(key: MessageKey, status: MessageStatus, is_from_us: bool, created_at: Timestamp) -> Self {
        Self {
            id: key.id,
            workspace_id: key.workspace_id,
            account_id: key.account_id,
            conversation_id: key.conversation_id,
            is_from_us,
            status,
            place: None,
            author: None,
            submitted_at: None,
            failure: None,
            created_at,
        }
    }
}

impl Deref for ChatMessage {
    type Target = MessageParts;

    fn deref(&self) -> &MessageParts {
        &self.0
    }
}
