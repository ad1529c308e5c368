//! The steps of a friend: what a person asks for, what is sent, and what the platform shows, which always wins.

#[cfg(test)]
mod tests;

use time::Duration;

use super::{
    ActionState, Friend, FriendAction, FriendFailure, FriendKey, FriendParts, FriendRelation, FriendRequest, Outlook,
    ShownFriend,
};
use crate::text::Description;
use crate::time::Timestamp;
use crate::trading::trade::PlatformUserId;

/// The time after which a list that does not show an action's effect proves that it had none.
///
/// Longer than a recorded call takes to be sent and answered, so that no call is in flight when it is repeated.
pub const SETTLES_WITHIN: Duration = Duration::seconds(60);

/// How often an action is sent before it is abandoned.
const MOST_ATTEMPTS: u32 = 3;

/// After this time a relation that did not change is recorded as seen again.
const SEEN_AGAIN_AFTER: Duration = Duration::days(1);

/// Why something cannot be asked for now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FriendError {
    /// The relation is what would come of it.
    #[error("the relation is {relation} already: {action} would change nothing")]
    Reached {
        /// What was asked for.
        action: FriendAction,
        /// The relation.
        relation: FriendRelation,
    },
    /// The relation does not allow it.
    #[error("{action} is not possible while the relation is {relation}")]
    Impossible {
        /// What was asked for.
        action: FriendAction,
        /// The relation.
        relation: FriendRelation,
    },
    /// The last action has no answer yet.
    #[error("the last action, {action}, has no answer yet")]
    InFlight {
        /// The last action.
        action: FriendAction,
    },
}

/// The result of a call that sends an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SendResult {
    /// It had its effect.
    Done,
    /// The platform rejected it.
    Rejected(FriendFailure),
    /// It certainly had no effect, and can be sent later.
    NotSent,
}

impl Friend {
    /// Returns another account that a person asks to add, of which nothing was seen yet.
    pub fn asked_for(key: FriendKey, user: PlatformUserId, note: Option<Description>, at: Timestamp) -> Self {
        let request = Some(FriendRequest::new(FriendAction::Add, at));
        Self(FriendParts { note, request, ..FriendParts::unrelated(key, user, at) })
    }

    /// Returns another account that the platform shows for the first time.
    pub fn first_seen(key: FriendKey, shown: &ShownFriend, read_at: Timestamp, at: Timestamp) -> Self {
        let seen_at = Some(read_at.min(at));
        let parts = FriendParts { seen_at, ..FriendParts::unrelated(key, shown.user, at) };
        Self(parts.showing(Some(shown)))
    }

    /// Returns the friend with what a person asks for. What waits for the engine is replaced, and asking again changes nothing.
    ///
    /// # Errors
    /// [`FriendError`].
    pub fn ask(self, action: FriendAction, at: Timestamp) -> Result<Self, FriendError> {
        let relation = self.0.relation;
        match self.0.request {
            Some(open) if open.state == ActionState::Uncertain => {
                return Err(FriendError::InFlight { action: open.action });
            }
            Some(open) if open.state == ActionState::Requested && open.action == action => return Ok(self),
            Some(_) | None => {}
        }
        match action.outlook(relation) {
            Outlook::Reached => Err(FriendError::Reached { action, relation }),
            Outlook::Impossible => Err(FriendError::Impossible { action, relation }),
            Outlook::Possible(_) => Ok(self.with_request(FriendRequest::new(action, at), at)),
        }
    }

    /// Returns the friend with a note of a person, if one was given.
    #[must_use]
    pub fn noted(self, note: Option<Description>) -> Self {
        Self(FriendParts { note: note.or(self.0.note), ..self.0 })
    }

    /// Returns the friend whose action is about to be sent: from now on it may have its effect. `None` where nothing waits to be sent.
    pub fn sending(self, at: Timestamp) -> Option<Self> {
        let request = self.0.request.filter(|request| request.state == ActionState::Requested)?;
        let attempts = request.attempts.saturating_add(1);
        let sent = FriendRequest { attempts, at, ..request.into_state(ActionState::Uncertain) };
        Some(self.with_request(sent, at))
    }

    /// Returns the friend after the call that sent its action was answered. Without an answer it stays as it is.
    #[must_use]
    pub fn answered(self, result: SendResult, at: Timestamp) -> Self {
        let Some(request) = self.0.request.filter(|request| request.state == ActionState::Uncertain) else {
            return self;
        };
        match result {
            SendResult::Rejected(failure) => self.with_request(request.failed(failure), at),
            SendResult::NotSent => {
                let attempts = request.attempts.saturating_sub(1);
                self.with_request(FriendRequest { attempts, ..request.into_state(ActionState::Requested) }, at)
            }
            SendResult::Done => {
                let mut next = self.with_request(request.into_state(ActionState::Done), at);
                if let Outlook::Possible(relation) = request.action.outlook(next.0.relation) {
                    next.0.relation = relation;
                    next.0.friend_since = next.0.friend_since.filter(|_| relation == FriendRelation::Friend);
                }
                // A list that was read before does not take the effect back.
                next.0.seen_at = next.0.seen_at.max(Some(at));
                next
            }
        }
    }

    /// Returns the friend with what a reading of the list shows of it, or that it does not show it. What is shown wins: it ends a request
    /// whose goal is reached or out of reach, and proves that an action without an answer had no effect.
    #[must_use]
    pub fn shown(self, shown: Option<&ShownFriend>, read_at: Timestamp, at: Timestamp) -> Self {
        if self.0.seen_at.is_some_and(|seen_at| read_at < seen_at) {
            return self;
        }
        let mut parts = self.0.clone().showing(shown);
        let relation = parts.relation;
        parts.request = parts.request.map(|request| judged(request, relation, read_at));
        let is_old = parts.seen_at.is_none_or(|seen_at| read_at.since(seen_at) >= SEEN_AGAIN_AFTER);
        if parts == self.0 && !is_old {
            return self;
        }
        parts.seen_at = Some(read_at);
        parts.updated_at = at.max(parts.updated_at);
        Self(parts)
    }

    /// Returns the name of the step that led from an earlier state to this one; `None` where only details differ.
    pub fn step_from(&self, before: Option<&Self>) -> Option<&'static str> {
        let state = |friend: &Self| friend.0.request.map(|request| (request.action, request.state));
        let Some(before) = before else {
            return Some(if self.0.request.is_some() { "requested" } else { "shown" });
        };
        let (was, is) = (state(before), state(self));
        if was == is {
            return (self.0.relation != before.0.relation).then_some("shown");
        }
        let was_sent = was.is_some_and(|(_, state)| state == ActionState::Uncertain);
        is.map(|(_, state)| match state {
            ActionState::Requested if was_sent => "not_sent",
            ActionState::Requested => "requested",
            ActionState::Uncertain => "sent",
            ActionState::Done => "done",
            ActionState::Failed => "failed",
        })
    }

    fn with_request(self, request: FriendRequest, at: Timestamp) -> Self {
        let updated_at = at.max(self.0.updated_at);
        Self(FriendParts { request: Some(request), updated_at, ..self.0 })
    }
}

impl FriendParts {
    const fn unrelated(key: FriendKey, user: PlatformUserId, at: Timestamp) -> Self {
        Self {
            id: key.id,
            workspace_id: key.workspace_id,
            account_id: key.account_id,
            user,
            relation: FriendRelation::None,
            name: None,
            friend_since: None,
            seen_at: None,
            note: None,
            request: None,
            created_at: at,
            updated_at: at,
        }
    }

    fn showing(self, shown: Option<&ShownFriend>) -> Self {
        let relation = shown.map_or(FriendRelation::None, |shown| shown.relation);
        let is_friend = relation == FriendRelation::Friend;
        let since = shown.and_then(|shown| shown.friend_since).or(self.friend_since);
        let name = shown.and_then(|shown| shown.name.clone()).or(self.name);
        Self { relation, name, friend_since: since.filter(|_| is_friend), ..self }
    }
}

/// Returns a request after a reading of the list that began at a time.
fn judged(request: FriendRequest, relation: FriendRelation, read_at: Timestamp) -> FriendRequest {
    // A reading from before the request shows nothing of it.
    if !request.state.is_open() || read_at < request.at {
        return request;
    }
    match (request.action.outlook(relation), request.state) {
        (Outlook::Reached, _) => request.into_state(ActionState::Done),
        (Outlook::Possible(_), ActionState::Uncertain) if read_at.since(request.at) >= SETTLES_WITHIN => {
            if request.attempts >= MOST_ATTEMPTS {
                request.failed(FriendFailure::NoAnswer)
            } else {
                request.into_state(ActionState::Requested)
            }
        }
        // It may still be in flight, and the relation may be that before it.
        (Outlook::Impossible, ActionState::Uncertain) if read_at.since(request.at) < SETTLES_WITHIN => request,
        (Outlook::Impossible, _) => request.failed(FriendFailure::Overtaken),
        (Outlook::Possible(_), _) => request,
    }
}
