//! Memberships: a user in a workspace, from the invitation to the end.

mod governing;
mod invitation;

use time::Duration;

use crate::accounts::api_key::TokenDigest;
use crate::accounts::email::EmailAddress;
use crate::accounts::policy::{PolicySet, Role};
use crate::id::{MembershipId, UserId, WorkspaceId};
use crate::time::Timestamp;

pub use governing::{GovernError, Governor, RESEND_AFTER, Regrant, ResendError, TransferError};

/// How long an invitation can be accepted.
pub const INVITATION_LIFE: Duration = Duration::days(7);
/// Most live memberships of a workspace, invitations included.
pub const MOST_MEMBERS: i64 = 100;

/// A user in a workspace, or the invitation of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// Identifier.
    pub id: MembershipId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The address that was invited; absent for the founder of a workspace.
    pub invitee: Option<EmailAddress>,
    /// The role.
    pub role: Role,
    /// Offered policies while invited, granted ones afterwards.
    pub policies: PolicySet,
    /// The state.
    pub state: State,
    /// Whether the workspace is deleted: the membership is then suspended without rights until it is restored or removed.
    pub workspace_deleted: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// The state of a membership, with the data of that state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Invited and not answered yet.
    Invited {
        /// Until when it can be accepted.
        expires_at: Timestamp,
        /// Digest of the token in the mailed link; absent of one that was mailed before there were tokens.
        token: Option<TokenDigest>,
    },
    /// A member with rights.
    Accepted {
        /// The member.
        user_id: UserId,
    },
    /// A member without rights for the time being; the member's keys are refused.
    Suspended {
        /// The member.
        user_id: UserId,
    },
    /// Refused by the invited person.
    Declined,
    /// Revoked by the workspace.
    Revoked,
    /// Not answered in time.
    Expired,
    /// Ended by the workspace.
    Removed {
        /// The former member.
        user_id: UserId,
    },
    /// Ended by the member.
    Left {
        /// The former member.
        user_id: UserId,
    },
}

/// The states without their data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// See [`State::Invited`].
    Invited,
    /// See [`State::Accepted`].
    Accepted,
    /// See [`State::Suspended`].
    Suspended,
    /// See [`State::Declined`].
    Declined,
    /// See [`State::Revoked`].
    Revoked,
    /// See [`State::Expired`].
    Expired,
    /// See [`State::Removed`].
    Removed,
    /// See [`State::Left`].
    Left,
}

impl Status {
    /// Every status, in the order of the interface.
    pub const ALL: [Self; 8] = [
        Self::Invited,
        Self::Accepted,
        Self::Suspended,
        Self::Declined,
        Self::Revoked,
        Self::Expired,
        Self::Removed,
        Self::Left,
    ];

    /// The name, as in transitions.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Invited => "INVITED",
            Self::Accepted => "ACCEPTED",
            Self::Suspended => "SUSPENDED",
            Self::Declined => "DECLINED",
            Self::Revoked => "REVOKED",
            Self::Expired => "EXPIRED",
            Self::Removed => "REMOVED",
            Self::Left => "LEFT",
        }
    }

    /// A small number for storage, never reused.
    pub const fn code(self) -> i16 {
        match self {
            Self::Invited => 1,
            Self::Accepted => 2,
            Self::Suspended => 3,
            Self::Declined => 4,
            Self::Revoked => 5,
            Self::Expired => 6,
            Self::Removed => 7,
            Self::Left => 8,
        }
    }

    /// Returns the status with this stored number.
    pub fn from_code(code: i16) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.code() == code)
    }

    /// Whether it is the end.
    pub const fn is_terminal(self) -> bool {
        match self {
            Self::Invited | Self::Accepted | Self::Suspended => false,
            Self::Declined | Self::Revoked | Self::Expired | Self::Removed | Self::Left => true,
        }
    }
}

/// What can happen to a membership.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The invited person says yes.
    Accept {
        /// The accepting user.
        by: UserId,
    },
    /// The invited person says no.
    Decline,
    /// The workspace takes the invitation back.
    RevokeInvitation,
    /// The invitation was not answered in time.
    Expire,
    /// The member loses the rights for the time being.
    Suspend,
    /// The member gets the rights back.
    Reinstate,
    /// The workspace ends the membership.
    Remove,
    /// The member ends the membership.
    Leave,
    /// The workspace is removed, 30 days after it was deleted.
    Dissolve,
}

impl Event {
    /// The name, as in transitions.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accept { .. } => "accept",
            Self::Decline => "decline",
            Self::RevokeInvitation => "revoke_invitation",
            Self::Expire => "expire",
            Self::Suspend => "suspend",
            Self::Reinstate => "reinstate",
            Self::Remove => "remove",
            Self::Leave => "leave",
            Self::Dissolve => "dissolve",
        }
    }
}

/// Why an event cannot happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MembershipError {
    /// The invitation ran out.
    #[error("the invitation expired on {0}")]
    InvitationExpired(Timestamp),
    /// The invitation has not run out yet.
    #[error("the invitation can be accepted until {0}")]
    NotExpired(Timestamp),
    /// The owner cannot be suspended, removed or leave: transfer the workspace first.
    #[error("the owner of a workspace cannot be suspended, removed or leave; transfer ownership first")]
    Owner,
    /// A deleted workspace accepts no members.
    #[error("the workspace was deleted")]
    WorkspaceDeleted,
    /// The state of the membership has no such step.
    #[error("a membership that is {from} cannot {event}", from = .from.as_str(), event = .event.as_str())]
    Illegal {
        /// The current status.
        from: Status,
        /// What was to happen.
        event: Event,
    },
}

impl Membership {
    /// The invitation of `invitee`.
    pub fn invite(id: MembershipId, workspace_id: WorkspaceId, offer: Offer, at: Timestamp) -> Self {
        Self {
            id,
            workspace_id,
            invitee: Some(offer.invitee),
            role: offer.role,
            policies: offer.policies,
            state: State::Invited { expires_at: at.plus(INVITATION_LIFE), token: None },
            workspace_deleted: false,
            created_at: at,
            updated_at: at,
        }
    }

    /// The membership of the user who founds a workspace.
    pub const fn found(id: MembershipId, workspace_id: WorkspaceId, user_id: UserId, at: Timestamp) -> Self {
        Self {
            id,
            workspace_id,
            invitee: None,
            role: Role::Owner,
            policies: PolicySet::OPERATIONAL,
            state: State::Accepted { user_id },
            workspace_deleted: false,
            created_at: at,
            updated_at: at,
        }
    }

    /// The membership after the event.
    ///
    /// # Errors
    /// [`MembershipError`] when there is no such step; nothing else changes.
    pub fn apply(self, event: Event, at: Timestamp) -> Result<Self, MembershipError> {
        let state = match (self.state, event) {
            (State::Invited { .. }, Event::Accept { .. }) if self.workspace_deleted => {
                return Err(MembershipError::WorkspaceDeleted);
            }
            (State::Invited { expires_at, .. }, Event::Accept { by }) if at < expires_at => {
                State::Accepted { user_id: by }
            }
            (State::Invited { expires_at, .. }, Event::Accept { .. }) => {
                return Err(MembershipError::InvitationExpired(expires_at));
            }
            (State::Invited { .. }, Event::Dissolve) if self.workspace_deleted => State::Revoked,
            (State::Accepted { user_id } | State::Suspended { user_id }, Event::Dissolve) if self.workspace_deleted => {
                State::Removed { user_id }
            }
            (State::Invited { .. }, Event::Decline) => State::Declined,
            (State::Invited { .. }, Event::RevokeInvitation) => State::Revoked,
            (State::Invited { expires_at, .. }, Event::Expire) if at >= expires_at => State::Expired,
            (State::Invited { expires_at, .. }, Event::Expire) => return Err(MembershipError::NotExpired(expires_at)),
            (State::Accepted { .. } | State::Suspended { .. }, Event::Suspend | Event::Remove | Event::Leave)
                if self.role == Role::Owner =>
            {
                return Err(MembershipError::Owner);
            }
            (State::Accepted { user_id }, Event::Suspend) => State::Suspended { user_id },
            (State::Suspended { user_id }, Event::Reinstate) => State::Accepted { user_id },
            (State::Accepted { user_id } | State::Suspended { user_id }, Event::Remove) => State::Removed { user_id },
            (State::Accepted { user_id } | State::Suspended { user_id }, Event::Leave) => State::Left { user_id },
            (_, event) => return Err(MembershipError::Illegal { from: self.status(), event }),
        };
        Ok(Self { state, updated_at: at, ..self })
    }

    /// Returns the status: the state without its data.
    pub const fn status(&self) -> Status {
        match self.state {
            State::Invited { .. } => Status::Invited,
            State::Accepted { .. } => Status::Accepted,
            State::Suspended { .. } => Status::Suspended,
            State::Declined => Status::Declined,
            State::Revoked => Status::Revoked,
            State::Expired => Status::Expired,
            State::Removed { .. } => Status::Removed,
            State::Left { .. } => Status::Left,
        }
    }

    /// The member, from the acceptance on.
    pub const fn user_id(&self) -> Option<UserId> {
        match self.state {
            State::Accepted { user_id }
            | State::Suspended { user_id }
            | State::Removed { user_id }
            | State::Left { user_id } => Some(user_id),
            State::Invited { .. } | State::Declined | State::Revoked | State::Expired => None,
        }
    }

    /// Until when the invitation can be accepted, while it is one.
    pub const fn expires_at(&self) -> Option<Timestamp> {
        match self.state {
            State::Invited { expires_at, .. } => Some(expires_at),
            State::Accepted { .. }
            | State::Suspended { .. }
            | State::Declined
            | State::Revoked
            | State::Expired
            | State::Removed { .. }
            | State::Left { .. } => None,
        }
    }

    /// Whether it is in force: accepted, in a workspace that is not deleted.
    pub const fn is_in_force(&self) -> bool {
        !self.workspace_deleted && matches!(self.state, State::Accepted { .. })
    }

    /// The policies in force: none unless accepted, and none in a workspace that is deleted.
    pub const fn rights(&self) -> PolicySet {
        match self.state {
            _ if self.workspace_deleted => PolicySet::NONE,
            State::Accepted { .. } => self.role.policies(self.policies),
            State::Invited { .. }
            | State::Suspended { .. }
            | State::Declined
            | State::Revoked
            | State::Expired
            | State::Removed { .. }
            | State::Left { .. } => PolicySet::NONE,
        }
    }
}

/// What an invitation offers to whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The address to invite.
    pub invitee: EmailAddress,
    /// The role offered, never owner.
    pub role: Role,
    /// The policies offered.
    pub policies: PolicySet,
}

/// Why a role or policies cannot be offered or given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OfferError {
    /// A workspace has one owner, who is made by transfer.
    #[error("ownership is transferred, not given")]
    Owner,
    /// Only the owner makes admins.
    #[error("only the owner of a workspace can make an admin")]
    AdminByOther,
    /// More than the maker holds.
    #[error("the offer contains policies that its maker does not hold")]
    ExceedsMaker,
    /// `identity` is a policy of keys.
    #[error("the policy identity can be held by an API key only")]
    Identity,
}

impl Offer {
    /// Checks that a member of role `maker_role` with the rights `maker` may make this offer.
    ///
    /// # Errors
    /// [`OfferError`] says why not.
    pub fn check(&self, maker_role: Role, maker: PolicySet) -> Result<(), OfferError> {
        check_grant(self.role, self.policies, Governor { role: maker_role, rights: maker })
    }
}

/// Checks that a member of this role with these rights may give a role with policies.
fn check_grant(role: Role, policies: PolicySet, by: Governor) -> Result<(), OfferError> {
    if !policies.is_subset_of(PolicySet::OPERATIONAL) {
        return Err(OfferError::Identity);
    }
    match role {
        Role::Owner => Err(OfferError::Owner),
        Role::Admin if by.role != Role::Owner || !PolicySet::OPERATIONAL.is_subset_of(by.rights) => {
            Err(OfferError::AdminByOther)
        }
        Role::Admin | Role::Member if policies.is_subset_of(by.rights) => Ok(()),
        Role::Admin | Role::Member => Err(OfferError::ExceedsMaker),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(days: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::days(days))
    }

    fn user() -> UserId {
        UserId::from_bytes([5; 16])
    }

    fn invitation() -> Membership {
        let offer = Offer {
            invitee: EmailAddress::new("ada@example.com").unwrap(),
            role: Role::Member,
            policies: PolicySet::EVERY.and(PolicySet::OPERATIONAL),
        };
        Membership::invite(MembershipId::from_bytes([1; 16]), WorkspaceId::from_bytes([2; 16]), offer, at(0))
    }

    #[test]
    fn an_invitation_gives_no_rights_until_it_is_accepted() {
        assert_eq!(invitation().rights(), PolicySet::NONE);
        let member = invitation().apply(Event::Accept { by: user() }, at(1)).unwrap();
        assert_eq!((member.rights(), member.user_id()), (PolicySet::OPERATIONAL, Some(user())));
    }

    #[test]
    fn accepting_twice_is_illegal() {
        let member = invitation().apply(Event::Accept { by: user() }, at(1)).unwrap();
        let event = Event::Accept { by: user() };
        assert_eq!(member.apply(event, at(1)), Err(MembershipError::Illegal { from: Status::Accepted, event }));
    }

    #[test]
    fn an_invitation_can_be_accepted_for_seven_days() {
        assert_eq!(
            invitation().apply(Event::Accept { by: user() }, at(7)),
            Err(MembershipError::InvitationExpired(at(7)))
        );
    }

    #[test]
    fn the_owner_cannot_leave() {
        let owner =
            Membership::found(MembershipId::from_bytes([1; 16]), WorkspaceId::from_bytes([2; 16]), user(), at(0));
        for event in [Event::Leave, Event::Remove, Event::Suspend] {
            assert_eq!(owner.clone().apply(event, at(1)), Err(MembershipError::Owner));
        }
    }

    #[test]
    fn a_suspended_member_has_no_rights_and_can_come_back() {
        let member = invitation().apply(Event::Accept { by: user() }, at(1)).unwrap();
        let suspended = member.clone().apply(Event::Suspend, at(2)).unwrap();
        assert_eq!(suspended.rights(), PolicySet::NONE);
        assert_eq!(suspended.apply(Event::Reinstate, at(3)).unwrap().rights(), member.rights());
    }

    #[test]
    fn nobody_offers_more_than_they_hold() {
        let offer = |role, policies| Offer { invitee: EmailAddress::new("ada@example.com").unwrap(), role, policies };
        let few = PolicySet::of(&[crate::accounts::policy::Policy::Workspace]);
        assert_eq!(offer(Role::Member, PolicySet::OPERATIONAL).check(Role::Member, few), Err(OfferError::ExceedsMaker));
        assert_eq!(offer(Role::Owner, few).check(Role::Owner, PolicySet::OPERATIONAL), Err(OfferError::Owner));
        assert_eq!(offer(Role::Admin, few).check(Role::Admin, PolicySet::OPERATIONAL), Err(OfferError::AdminByOther));
        assert_eq!(offer(Role::Member, few).check(Role::Member, few), Ok(()));
    }
}
