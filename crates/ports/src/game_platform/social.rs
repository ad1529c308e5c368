//! The social side of the game platform: friends and chats of trading accounts.
//!
//! Every call is made as one account. If a call that changes something ends with [`ExternalError::Unknown`], it may have had its effect: the
//! caller reads the list or the conversation before it repeats anything.

use async_trait::async_trait;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{ChatText, MessagePlace, ShownConversation, ShownMessage};
use tradepost_domain::trading::friend::{FriendAction, ShownFriend};
use tradepost_domain::trading::trade::PlatformUserId;

use crate::external::ExternalError;

/// The result of a call about friends or chats.
pub type SocialResult<T> = Result<T, ExternalError<SocialRefusal>>;

/// The reason why the platform rejected a call. It changed nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SocialRefusal {
    /// There is no such account.
    #[error("there is no such account")]
    NotFound,
    /// The list of friends is full.
    #[error("the list of friends is full")]
    ListFull,
    /// The other account does not allow it, or the relation does not.
    #[error("the other account or the relation does not allow it")]
    NotAllowed,
    /// The driver does not do this, or not for this account: it made no call. In words for people.
    #[error("{0}")]
    NotDone(String),
    /// Another reason, in the platform's own words.
    #[error("{0}")]
    Other(String),
}

/// A part of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessagePage {
    /// The messages, the newest first.
    pub messages: Vec<ShownMessage>,
    /// Whether there are older ones.
    pub more: bool,
}

/// A change of friends or chats that a driver is about to make. Each is one that a person asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SocialChange {
    /// An action on another account.
    Friend {
        /// The other account.
        user: PlatformUserId,
        /// The action.
        action: FriendAction,
    },
    /// A message is sent.
    Message {
        /// The partner.
        partner: PlatformUserId,
        /// The id by which its call names it.
        client_id: ExternalId,
    },
    /// A conversation is marked as read.
    Read {
        /// The partner.
        partner: PlatformUserId,
        /// Until when it was read.
        until: Timestamp,
    },
}

/// Friends and chats, for trading accounts that are signed in.
#[async_trait]
pub trait Social: Send + Sync {
    /// Returns every account to which this one is related, in no order.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn friends(&self, account: PlatformUserId) -> SocialResult<Vec<ShownFriend>>;

    /// Asks another account for friendship.
    ///
    /// # Errors
    /// [`ExternalError`]; rejected with [`SocialRefusal::NotFound`], [`ListFull`](SocialRefusal::ListFull), or
    /// [`NotAllowed`](SocialRefusal::NotAllowed) for an account that is blocked, blocks this one or is asked already.
    async fn add(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()>;

    /// Accepts the request of another account.
    ///
    /// # Errors
    /// [`ExternalError`]; rejected with [`SocialRefusal::ListFull`], or [`NotAllowed`](SocialRefusal::NotAllowed) where none was made.
    async fn accept(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()>;

    /// Ends a friendship, withdraws a request or declines one.
    ///
    /// # Errors
    /// [`ExternalError`]; rejected with [`SocialRefusal::NotAllowed`] where there is nothing to end.
    async fn remove(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()>;

    /// Blocks another account, which ends every relation to it.
    ///
    /// # Errors
    /// [`ExternalError`]; rejected with [`SocialRefusal::NotFound`].
    async fn block(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()>;

    /// Blocks another account no longer.
    ///
    /// # Errors
    /// [`ExternalError`]; rejected with [`SocialRefusal::NotAllowed`] where it is not blocked.
    async fn unblock(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()>;

    /// Returns the conversations of the account, in no order.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn conversations(&self, account: PlatformUserId) -> SocialResult<Vec<ShownConversation>>;

    /// Returns the newest messages of a conversation, or those before a place.
    ///
    /// # Errors
    /// [`ExternalError`]. A partner with whom there is no conversation has no messages.
    async fn messages(
        &self,
        account: PlatformUserId,
        partner: PlatformUserId,
        before: Option<MessagePlace>,
    ) -> SocialResult<MessagePage>;

    /// Sends a message, and returns its place. A platform that knows the client's id may use it to send the message once; a caller never
    /// relies on that.
    ///
    /// # Errors
    /// [`ExternalError`]; rejected with [`SocialRefusal::NotFound`] or [`NotAllowed`](SocialRefusal::NotAllowed).
    async fn say(
        &self,
        account: PlatformUserId,
        partner: PlatformUserId,
        text: &ChatText,
        client_id: &ExternalId,
    ) -> SocialResult<MessagePlace>;

    /// Marks a conversation as read until a time. A repeated call changes nothing.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn mark_read(&self, account: PlatformUserId, partner: PlatformUserId, until: Timestamp) -> SocialResult<()>;
}
