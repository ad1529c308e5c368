//! Governing a membership: which member may change it, and what can change while it continues.

use super::{INVITATION_LIFE, Membership, OfferError, State, check_grant};
use crate::accounts::policy::{PolicySet, Role};
use crate::time::Timestamp;

use time::Duration;

/// How long after the last mail of an invitation another one can be sent.
pub const RESEND_AFTER: Duration = Duration::minutes(10);

/// The reason why a member cannot change a membership.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GovernError {
    /// Owner and admins are governed by the owner alone.
    #[error("only the owner of a workspace can change the membership of an owner or admin")]
    AboveGovernor,
    /// The owner keeps the role until ownership is transferred.
    #[error("a workspace always has an owner, who holds every policy; transfer ownership first")]
    LastOwner,
    /// Only members have a role and policies in force.
    #[error("the role and the policies of members alone can be changed")]
    NotMember,
    /// More would be given than can be.
    #[error(transparent)]
    Grant(#[from] OfferError),
}

/// Why an invitation cannot be sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ResendError {
    /// It was answered or revoked.
    #[error("the invitation is not pending")]
    NotPending,
    /// The last mail is too recent.
    #[error("the invitation can be sent again from {0} on")]
    TooSoon(Timestamp),
}

/// Why a workspace cannot change hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TransferError {
    /// Only the owner hands a workspace over.
    #[error("only the owner of a workspace can transfer it")]
    NotOwner,
    /// The target owns it.
    #[error("this member owns the workspace already")]
    OwnsAlready,
    /// The target is not an accepted member.
    #[error("only an accepted member can become the owner")]
    NotMember,
}

/// The role and rights of the member who governs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Governor {
    /// Role in the workspace.
    pub role: Role,
    /// Rights of the credential that is used.
    pub rights: PolicySet,
}

/// What is to change of a membership; what is absent stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Regrant {
    /// The role from now on.
    pub role: Option<Role>,
    /// The policies from now on.
    pub policies: Option<PolicySet>,
}

impl Governor {
    /// Whether the governor's role reaches as far as this membership.
    ///
    /// # Errors
    /// [`GovernError::AboveGovernor`] for an owner or admin, unless the governor is the owner.
    pub fn reaches(&self, membership: &Membership) -> Result<(), GovernError> {
        match (membership.role, self.role) {
            (Role::Member, _) | (_, Role::Owner) => Ok(()),
            (Role::Admin | Role::Owner, Role::Member | Role::Admin) => Err(GovernError::AboveGovernor),
        }
    }
}

impl Membership {
    /// The membership with another role or other policies, as `governor` may give them. What it holds already may stay,
    /// also where the governor does not hold it.
    ///
    /// # Errors
    /// [`GovernError`] says why not.
    pub fn regrant(self, change: Regrant, governor: Governor, at: Timestamp) -> Result<Self, GovernError> {
        governor.reaches(&self)?;
        if self.user_id().is_none() || self.status().is_terminal() {
            return Err(GovernError::NotMember);
        }
        if self.role == Role::Owner {
            return Err(GovernError::LastOwner);
        }
        let role = change.role.unwrap_or(self.role);
        let policies = change.policies.unwrap_or(self.policies);
        let added = policies.without(self.role.policies(self.policies));
        check_grant(role, added, governor)?;
        Ok(Self { role, policies, updated_at: at, ..self })
    }

    /// Returns the membership of a workspace that was deleted or restored.
    #[must_use]
    pub fn in_deleted_workspace(self, deleted: bool, at: Timestamp) -> Self {
        Self { workspace_deleted: deleted, updated_at: at, ..self }
    }

    /// The owner's membership and the one of the new owner, after the workspace has changed hands. Who owned it is an admin.
    ///
    /// # Errors
    /// [`TransferError`] says why not.
    pub fn hand_over(self, to: Self, at: Timestamp) -> Result<(Self, Self), TransferError> {
        if self.role != Role::Owner || !self.is_in_force() {
            return Err(TransferError::NotOwner);
        }
        if to.role == Role::Owner {
            return Err(TransferError::OwnsAlready);
        }
        if !to.is_in_force() || to.workspace_id != self.workspace_id {
            return Err(TransferError::NotMember);
        }
        let owner = Self { role: Role::Owner, policies: PolicySet::OPERATIONAL, updated_at: at, ..to };
        Ok((Self { role: Role::Admin, updated_at: at, ..self }, owner))
    }

    /// Renews the invitation for another seven days. The token that was mailed before becomes invalid.
    ///
    /// # Errors
    /// [`ResendError`] unless it is pending and was not sent in the last ten minutes.
    pub fn renew(self, at: Timestamp) -> Result<Self, ResendError> {
        if !matches!(self.state, State::Invited { .. }) {
            return Err(ResendError::NotPending);
        }
        // A pending invitation changes only when it is sent.
        let earliest = self.updated_at.plus(RESEND_AFTER);
        if at < earliest {
            return Err(ResendError::TooSoon(earliest));
        }
        Ok(Self { state: State::Invited { expires_at: at.plus(INVITATION_LIFE), token: None }, updated_at: at, ..self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::email::EmailAddress;
    use crate::accounts::membership::{Event, MembershipError, Offer};
    use crate::accounts::policy::Policy;
    use crate::id::{MembershipId, UserId, WorkspaceId};

    const OWNER: Governor = Governor { role: Role::Owner, rights: PolicySet::OPERATIONAL };
    const ADMIN: Governor = Governor { role: Role::Admin, rights: PolicySet::OPERATIONAL };
    const CLERK: Governor = Governor { role: Role::Member, rights: PolicySet::of(&[Policy::Workspace]) };

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::minutes(minutes))
    }

    fn invitation(role: Role) -> Membership {
        let offer = Offer {
            invitee: EmailAddress::new("ada@example.com").unwrap(),
            role,
            policies: PolicySet::of(&[Policy::Trading]),
        };
        Membership::invite(MembershipId::from_bytes([1; 16]), WorkspaceId::from_bytes([2; 16]), offer, at(0))
    }

    fn user() -> UserId {
        UserId::from_bytes([5; 16])
    }

    fn member(role: Role) -> Membership {
        invitation(role).apply(Event::Accept { by: user() }, at(1)).unwrap()
    }

    fn role(role: Role) -> Regrant {
        Regrant { role: Some(role), policies: None }
    }

    fn policies(policies: &[Policy]) -> Regrant {
        Regrant { role: None, policies: Some(PolicySet::of(policies)) }
    }

    #[test]
    fn the_owner_alone_makes_and_governs_admins() {
        assert_eq!(member(Role::Member).regrant(role(Role::Admin), OWNER, at(2)).unwrap().role, Role::Admin);
        let refused = member(Role::Member).regrant(role(Role::Admin), ADMIN, at(2));
        assert_eq!(refused, Err(GovernError::Grant(OfferError::AdminByOther)));
        let refused = member(Role::Admin).regrant(role(Role::Member), ADMIN, at(2));
        assert_eq!(refused, Err(GovernError::AboveGovernor));
        assert_eq!(member(Role::Admin).regrant(role(Role::Member), OWNER, at(2)).unwrap().role, Role::Member);
    }

    #[test]
    fn nobody_gives_what_they_do_not_hold_and_what_is_held_may_stay() {
        let more = policies(&[Policy::Trading, Policy::Analytics]);
        let refused = member(Role::Member).regrant(more, CLERK, at(2));
        assert_eq!(refused, Err(GovernError::Grant(OfferError::ExceedsMaker)));
        let own = policies(&[Policy::Trading, Policy::Workspace]);
        assert!(member(Role::Member).regrant(own, CLERK, at(2)).is_ok());
    }

    #[test]
    fn the_owner_stays_the_owner_with_every_policy() {
        let owner =
            Membership::found(MembershipId::from_bytes([1; 16]), WorkspaceId::from_bytes([2; 16]), user(), at(0));
        for change in [role(Role::Member), policies(&[])] {
            assert_eq!(owner.clone().regrant(change, OWNER, at(1)), Err(GovernError::LastOwner));
            assert_eq!(owner.clone().regrant(change, ADMIN, at(1)), Err(GovernError::AboveGovernor));
        }
        let refused = member(Role::Member).regrant(role(Role::Owner), OWNER, at(2));
        assert_eq!(refused, Err(GovernError::Grant(OfferError::Owner)));
    }

    #[test]
    fn who_is_no_member_has_nothing_to_change() {
        let left = member(Role::Member).apply(Event::Leave, at(2)).unwrap();
        for membership in [invitation(Role::Member), left] {
            assert_eq!(membership.regrant(policies(&[]), OWNER, at(3)), Err(GovernError::NotMember));
        }
    }

    #[test]
    fn handing_over_leaves_exactly_one_owner() {
        let owner =
            Membership::found(MembershipId::from_bytes([9; 16]), WorkspaceId::from_bytes([2; 16]), user(), at(0));
        let (was, is) = owner.clone().hand_over(member(Role::Member), at(2)).unwrap();
        assert_eq!((was.role, is.role, is.rights()), (Role::Admin, Role::Owner, PolicySet::OPERATIONAL));
        assert_eq!(was.clone().hand_over(is, at(3)), Err(TransferError::NotOwner));
        assert_eq!(owner.clone().hand_over(owner.clone(), at(2)), Err(TransferError::OwnsAlready));
        let suspended = member(Role::Admin).apply(Event::Suspend, at(2)).unwrap();
        for other in [invitation(Role::Member), suspended] {
            assert_eq!(owner.clone().hand_over(other, at(3)), Err(TransferError::NotMember));
        }
    }

    #[test]
    fn a_membership_in_a_deleted_workspace_has_no_rights_until_it_is_restored() {
        let before = member(Role::Admin);
        let deleted = before.clone().in_deleted_workspace(true, at(2));
        assert_eq!((deleted.rights(), deleted.is_in_force()), (PolicySet::NONE, false));
        assert_eq!(deleted.in_deleted_workspace(false, at(3)).rights(), before.rights());
        let invited = invitation(Role::Member).in_deleted_workspace(true, at(2));
        assert_eq!(invited.apply(Event::Accept { by: user() }, at(3)), Err(MembershipError::WorkspaceDeleted));
    }

    #[test]
    fn an_invitation_is_sent_again_after_ten_minutes_and_lives_seven_days_from_then() {
        assert_eq!(invitation(Role::Member).renew(at(9)), Err(ResendError::TooSoon(at(10))));
        let renewed = invitation(Role::Member).renew(at(10)).unwrap();
        assert_eq!(renewed.expires_at(), Some(at(10).plus(INVITATION_LIFE)));
        assert_eq!(member(Role::Member).renew(at(10)), Err(ResendError::NotPending));
    }
}
