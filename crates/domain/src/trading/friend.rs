//! Friends of a trading account: the relation that the platform shows, and what a person asks for.
//!
//! A [`Friend`] can be read freely but only made by [`Friend::asked_for`] and [`Friend::first_seen`], changed by its own methods, and
//! read back from a store by [`Friend::restore`]. How the platform is called is not known here.

mod action;
mod machine;

use std::ops::Deref;

use crate::id::{AccountId, FriendId, WorkspaceId};
use crate::names::names;
use crate::text::{Description, Name};
use crate::time::Timestamp;
use crate::trading::trade::PlatformUserId;

pub use action::{ActionState, FriendAction, FriendFailure, FriendRequest, Outlook};
pub use machine::{FriendError, SETTLES_WITHIN, SendResult};

/// How an account and another one are related, as the platform last showed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FriendRelation {
    /// They ask for friendship.
    TheyAsked = 1,
    /// We ask for friendship.
    WeAsked = 2,
    /// They are friends.
    Friend = 3,
    /// We block them.
    Blocked = 4,
    /// They asked, and the request is ignored.
    Ignored = 5,
    /// They are not related.
    None = 6,
}

names! { FriendRelation, "relation of a friend":
    TheyAsked => "THEY_ASKED",
    WeAsked => "WE_ASKED",
    Friend => "FRIEND",
    Blocked => "BLOCKED",
    Ignored => "IGNORED",
    None => "NONE",
}

/// Another account as the platform shows it in the list of an account's friends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownFriend {
    /// The platform's number of it.
    pub user: PlatformUserId,
    /// The relation.
    pub relation: FriendRelation,
    /// The name that it has given itself, where it is shown.
    pub name: Option<Name>,
    /// Since when they are friends, where it is shown.
    pub friend_since: Option<Timestamp>,
}

/// The record of a friend within the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FriendKey {
    /// The record.
    pub id: FriendId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Our account.
    pub account_id: AccountId,
}

/// All fields of a friend, as a store keeps them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FriendParts {
    /// Its own id.
    pub id: FriendId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Our account.
    pub account_id: AccountId,
    /// The platform's number of the other account.
    pub user: PlatformUserId,
    /// The relation.
    pub relation: FriendRelation,
    /// The name of the other account, as last seen.
    pub name: Option<Name>,
    /// Since when they are friends.
    pub friend_since: Option<Timestamp>,
    /// When the platform showed the relation, to the day.
    pub seen_at: Option<Timestamp>,
    /// What a person noted when adding it.
    pub note: Option<Description>,
    /// What a person last asked for.
    pub request: Option<FriendRequest>,
    /// When it was recorded.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A friend that keeps every rule. Its parts are read through [`Deref`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Friend(FriendParts);

/// A stored friend breaks a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a friend breaks a rule: {0}")]
pub struct CorruptFriend(pub &'static str);

impl Friend {
    /// Takes a friend back from a store.
    ///
    /// # Errors
    /// [`CorruptFriend`] when the parts contradict each other.
    pub fn restore(parts: FriendParts) -> Result<Self, CorruptFriend> {
        match parts.broken_rule() {
            Some(rule) => Err(CorruptFriend(rule)),
            None => Ok(Self(parts)),
        }
    }

    /// Returns whether the engine has something to do for it.
    pub fn is_open(&self) -> bool {
        self.0.request.as_ref().is_some_and(|request| request.state.is_open())
    }
}

impl Deref for Friend {
    type Target = FriendParts;

    fn deref(&self) -> &FriendParts {
        &self.0
    }
}

impl FriendParts {
    /// The first rule that the parts break. Every record that is made here breaks none.
    fn broken_rule(&self) -> Option<&'static str> {
        let failed = |request: &FriendRequest| (request.state == ActionState::Failed) == request.failure.is_some();
        let rules = [
            (self.request.as_ref().is_none_or(failed), "what failed has a reason, and nothing else has one"),
            (self.request.is_some() || self.seen_at.is_some(), "it was asked for or seen"),
            (self.created_at <= self.updated_at, "it is not changed before it is made"),
        ];
        rules.into_iter().find(|(kept, _)| !kept).map(|(_, rule)| rule)
    }
}
