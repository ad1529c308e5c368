//! A conversation of a trading account with one partner: what is unread, and until when it was read.

use std::ops::Deref;

use super::MessagePlace;
use crate::id::{AccountId, ConversationId, WorkspaceId};
use crate::time::Timestamp;
use crate::trading::trade::PlatformUserId;

/// The most unread messages that are counted.
const MOST_UNREAD: u32 = 999;

/// A conversation as the platform shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownConversation {
    /// The partner.
    pub partner: PlatformUserId,
    /// When the last message was sent.
    pub last_message_at: Timestamp,
    /// How many messages are unread.
    pub unread: u32,
}

/// Whether a conversation has unread messages. Conversations are counted by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reading {
    /// Everything was read.
    Read = 1,
    /// Some messages are unread.
    Unread = 2,
}

impl Reading {
    /// Returns the number under which it is stored.
    pub const fn code(self) -> i16 {
        self as i16
    }
}

/// The record of a conversation within the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConversationKey {
    /// The record.
    pub id: ConversationId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Our account.
    pub account_id: AccountId,
    /// The partner.
    pub partner: PlatformUserId,
}

/// All fields of a conversation, as a store keeps them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConversationParts {
    /// Its own id.
    pub id: ConversationId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Our account.
    pub account_id: AccountId,
    /// The partner.
    pub partner: PlatformUserId,
    /// When the last message was sent.
    pub last_message_at: Option<Timestamp>,
    /// How many messages are unread.
    pub unread: u32,
    /// Until when it was read here.
    pub read_until: Option<Timestamp>,
    /// Whether the platform is still to be informed of that.
    pub is_unreported: bool,
    /// The last message up to which every one that the platform showed is recorded.
    pub recorded_to: Option<MessagePlace>,
    /// When it was recorded.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A conversation that keeps every rule. Its parts are read through [`Deref`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conversation(ConversationParts);

/// A stored conversation breaks a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a conversation breaks a rule: {0}")]
pub struct CorruptConversation(pub &'static str);

impl Conversation {
    /// Returns a conversation of which nothing was seen yet.
    pub const fn new(key: ConversationKey, at: Timestamp) -> Self {
        Self(ConversationParts {
            id: key.id,
            workspace_id: key.workspace_id,
            account_id: key.account_id,
            partner: key.partner,
            last_message_at: None,
            unread: 0,
            read_until: None,
            is_unreported: false,
            recorded_to: None,
            created_at: at,
            updated_at: at,
        })
    }

    /// Takes a conversation back from a store.
    ///
    /// # Errors
    /// [`CorruptConversation`] when the parts contradict each other.
    pub fn restore(parts: ConversationParts) -> Result<Self, CorruptConversation> {
        let rules = [
            (!parts.is_unreported || parts.read_until.is_some(), "only what was read is reported"),
            (parts.unread <= MOST_UNREAD, "at most 999 messages are counted as unread"),
            (parts.created_at <= parts.updated_at, "it is not changed before it is made"),
        ];
        match rules.into_iter().find(|(kept, _)| !kept) {
            Some((_, rule)) => Err(CorruptConversation(rule)),
            None => Ok(Self(parts)),
        }
    }

    /// Returns whether it has unread messages.
    pub const fn reading(&self) -> Reading {
        if self.0.unread == 0 { Reading::Read } else { Reading::Unread }
    }

    /// Returns the conversation as the platform shows it. What was read here stays read until a later message comes.
    #[must_use]
    pub fn shown(self, shown: &ShownConversation, at: Timestamp) -> Self {
        let last_message_at = self.0.last_message_at.max(Some(shown.last_message_at));
        let is_read_here = self.0.is_unreported && self.0.read_until >= Some(shown.last_message_at);
        let unread = if is_read_here { 0 } else { shown.unread.min(MOST_UNREAD) };
        self.changed(ConversationParts { last_message_at, unread, ..self.0 }, at)
    }

    /// Returns the conversation once every message up to a place is recorded.
    #[must_use]
    pub fn recorded(self, to: MessagePlace, at: Timestamp) -> Self {
        let last_message_at = self.0.last_message_at.max(Some(to.sent_at));
        let recorded_to = self.0.recorded_to.max(Some(to));
        self.changed(ConversationParts { last_message_at, recorded_to, ..self.0 }, at)
    }

    /// Returns the conversation once a person has read it until a time, or until its last message. An earlier time than before changes
    /// nothing.
    #[must_use]
    pub fn read(self, until: Option<Timestamp>, at: Timestamp) -> Self {
        let Some(until) = until.or(self.0.last_message_at) else { return self };
        if self.0.read_until.is_some_and(|read| until <= read) && self.0.unread == 0 {
            return self;
        }
        let read_until = self.0.read_until.max(Some(until));
        let unread = if read_until >= self.0.last_message_at { 0 } else { self.0.unread };
        self.changed(ConversationParts { read_until, unread, is_unreported: true, ..self.0 }, at)
    }

    /// Returns the conversation once the platform was informed that it was read until a time.
    #[must_use]
    pub fn reported(self, until: Timestamp, at: Timestamp) -> Self {
        let is_unreported = self.0.is_unreported && self.0.read_until > Some(until);
        self.changed(ConversationParts { is_unreported, ..self.0 }, at)
    }

    fn changed(self, parts: ConversationParts, at: Timestamp) -> Self {
        if parts == self.0 {
            return self;
        }
        Self(ConversationParts { updated_at: at.max(self.0.updated_at), ..parts })
    }
}

impl Deref for Conversation {
    type Target = ConversationParts;

    fn deref(&self) -> &ConversationParts {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use time::Duration;

    use super::*;

    fn second(second: i64) -> Timestamp {
        Timestamp::MIN.plus(Duration::seconds(second))
    }

    fn shown(last: i64, unread: u32) -> ShownConversation {
        let partner = PlatformUserId::new(NonZeroU64::MIN);
        ShownConversation { partner, last_message_at: second(last), unread }
    }

    fn conversation() -> Conversation {
        let key = ConversationKey {
            id: ConversationId::from_bytes([1; 16]),
            workspace_id: WorkspaceId::from_bytes([2; 16]),
            account_id: AccountId::from_bytes([3; 16]),
            partner: PlatformUserId::new(NonZeroU64::MIN),
        };
        Conversation::new(key, second(0)).shown(&shown(10, 2), second(20))
    }

    #[test]
    fn what_was_read_here_stays_read_until_a_later_message_comes() {
        let read = conversation().read(None, second(30));
        assert_eq!((read.unread, read.read_until, read.is_unreported), (0, Some(second(10)), true));
        assert_eq!(read.shown(&shown(10, 2), second(31)).unread, 0);
        assert_eq!(read.shown(&shown(40, 3), second(41)).unread, 3);
    }

    #[test]
    fn an_earlier_time_changes_nothing() {
        let read = conversation().read(None, second(30));
        assert_eq!(read.read(Some(second(5)), second(31)), read);
    }

    #[test]
    fn a_part_that_was_read_leaves_the_rest_unread() {
        assert_eq!(conversation().read(Some(second(9)), second(30)).unread, 2);
    }

    #[test]
    fn the_platform_is_informed_again_if_more_was_read_in_the_meantime() {
        let read = conversation().read(None, second(30)).shown(&shown(40, 1), second(41)).read(None, second(50));
        assert!(read.reported(second(10), second(51)).is_unreported);
        assert!(!read.reported(second(40), second(51)).is_unreported);
    }
}
