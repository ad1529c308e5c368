//! What a person asks for, and whether it makes sense in a relation.

use super::FriendRelation;
use crate::names::names;
use crate::time::Timestamp;

/// What a person asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FriendAction {
    /// Ask for friendship, or accept if they ask.
    Add = 1,
    /// Accept their request.
    Accept = 2,
    /// End the friendship, withdraw our request or decline theirs.
    Remove = 3,
    /// Block them.
    Block = 4,
    /// Block them no longer.
    Unblock = 5,
}

names! { FriendAction, "action on a friend":
    Add => "ADD",
    Accept => "ACCEPT",
    Remove => "REMOVE",
    Block => "BLOCK",
    Unblock => "UNBLOCK",
}

/// The state of what a person asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActionState {
    /// It waits for the engine.
    Requested = 1,
    /// It was sent and has no answer.
    Uncertain = 2,
    /// It had its effect, or needed none.
    Done = 3,
    /// It had no effect.
    Failed = 4,
}

names! { ActionState, "state of an action":
    Requested => "REQUESTED",
    Uncertain => "UNCERTAIN",
    Done => "DONE",
    Failed => "FAILED",
}

impl ActionState {
    /// Returns whether the engine has something to do.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Requested | Self::Uncertain)
    }
}

/// Why an action had no effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FriendFailure {
    /// The list of friends is full.
    ListFull = 1,
    /// The platform rejected it: the other account allows no requests, or blocks us.
    Rejected = 2,
    /// The platform knows no such account.
    NotFound = 3,
    /// The relation has changed since it was asked for.
    Overtaken = 4,
    /// Several calls had no answer and no effect.
    NoAnswer = 5,
}

names! { FriendFailure, "reason of a failed action":
    ListFull => "LIST_FULL",
    Rejected => "REJECTED",
    NotFound => "NOT_FOUND",
    Overtaken => "OVERTAKEN",
    NoAnswer => "NO_ANSWER",
}

/// What a person asked for, and how far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FriendRequest {
    /// The action.
    pub action: FriendAction,
    /// Its state.
    pub state: ActionState,
    /// Why it failed.
    pub failure: Option<FriendFailure>,
    /// How often it was sent.
    pub attempts: u32,
    /// When it was asked for, or last sent.
    pub at: Timestamp,
}

impl FriendRequest {
    pub(super) const fn new(action: FriendAction, at: Timestamp) -> Self {
        Self { action, state: ActionState::Requested, failure: None, attempts: 0, at }
    }

    pub(super) const fn into_state(self, state: ActionState) -> Self {
        Self { state, failure: None, ..self }
    }

    pub(super) const fn failed(self, failure: FriendFailure) -> Self {
        Self { state: ActionState::Failed, failure: Some(failure), ..self }
    }
}

/// What a relation means for an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outlook {
    /// It can be done, and leads to this relation.
    Possible(FriendRelation),
    /// Its goal is reached.
    Reached,
    /// It cannot be done.
    Impossible,
}

impl FriendAction {
    /// Returns what a relation means for the action.
    ///
    /// ```
    /// use tradepost_domain::trading::friend::{FriendAction, FriendRelation, Outlook};
    ///
    /// assert_eq!(FriendAction::Accept.outlook(FriendRelation::TheyAsked), Outlook::Possible(FriendRelation::Friend));
    /// assert_eq!(FriendAction::Accept.outlook(FriendRelation::None), Outlook::Impossible);
    /// ```
    pub const fn outlook(self, relation: FriendRelation) -> Outlook {
        use FriendRelation as Is;
        match (self, relation) {
            (Self::Add, Is::None) => Outlook::Possible(Is::WeAsked),
            (Self::Add, Is::TheyAsked | Is::Ignored) | (Self::Accept, Is::TheyAsked) => Outlook::Possible(Is::Friend),
            (Self::Remove, Is::TheyAsked | Is::WeAsked | Is::Friend | Is::Ignored) | (Self::Unblock, Is::Blocked) => {
                Outlook::Possible(Is::None)
            }
            (Self::Block, Is::TheyAsked | Is::WeAsked | Is::Friend | Is::Ignored | Is::None) => {
                Outlook::Possible(Is::Blocked)
            }
            (Self::Add, Is::WeAsked | Is::Friend)
            | (Self::Accept, Is::Friend)
            | (Self::Remove, Is::None)
            | (Self::Block, Is::Blocked)
            | (Self::Unblock, Is::TheyAsked | Is::WeAsked | Is::Friend | Is::Ignored | Is::None) => Outlook::Reached,
            (Self::Add | Self::Remove, Is::Blocked)
            | (Self::Accept, Is::WeAsked | Is::Blocked | Is::Ignored | Is::None) => Outlook::Impossible,
        }
    }
}
