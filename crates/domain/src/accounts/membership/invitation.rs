//! The token of an invitation: what the mailed link shows it by, and how long.

use super::{Membership, State};
use crate::accounts::api_key::TokenDigest;
use crate::time::Timestamp;

impl Membership {
    /// Digest of the token in the mailed link, while it is an invitation.
    pub const fn token(&self) -> Option<TokenDigest> {
        match self.state {
            State::Invited { token, .. } => token,
            State::Accepted { .. }
            | State::Suspended { .. }
            | State::Declined
            | State::Revoked
            | State::Expired
            | State::Removed { .. }
            | State::Left { .. } => None,
        }
    }

    /// The invitation with a token, which takes the place of the one before.
    #[must_use]
    pub fn with_token(self, token: TokenDigest) -> Self {
        let state = match self.state {
            State::Invited { expires_at, .. } => State::Invited { expires_at, token: Some(token) },
            state @ (State::Accepted { .. }
            | State::Suspended { .. }
            | State::Declined
            | State::Revoked
            | State::Expired
            | State::Removed { .. }
            | State::Left { .. }) => state,
        };
        Self { state, ..self }
    }

    /// Until when it can be accepted, if it still can be at this time.
    pub fn acceptable_until(&self, at: Timestamp) -> Option<Timestamp> {
        self.expires_at().filter(|expires_at| at < *expires_at && !self.workspace_deleted)
    }
}

#[cfg(test)]
mod tests {
    use time::Duration;

    use super::*;
    use crate::accounts::email::EmailAddress;
    use crate::accounts::membership::{Event, Offer};
    use crate::accounts::policy::{PolicySet, Role};
    use crate::id::{MembershipId, UserId, WorkspaceId};

    fn at(days: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::days(days))
    }

    fn invitation() -> Membership {
        let invitee = EmailAddress::new("ada@example.com").unwrap();
        let offer = Offer { invitee, role: Role::Member, policies: PolicySet::NONE };
        Membership::invite(MembershipId::from_bytes([1; 16]), WorkspaceId::from_bytes([2; 16]), offer, at(0))
    }

    #[test]
    fn a_token_belongs_to_the_invitation_and_ends_with_it() {
        let invited = invitation().with_token(TokenDigest([7; 32]));
        assert_eq!((invited.token(), invited.acceptable_until(at(6))), (Some(TokenDigest([7; 32])), Some(at(7))));
        assert_eq!(invited.acceptable_until(at(7)), None);
        assert_eq!(invited.clone().in_deleted_workspace(true, at(1)).acceptable_until(at(1)), None);
        let member = invited.apply(Event::Accept { by: UserId::from_bytes([5; 16]) }, at(1)).unwrap();
        assert_eq!((member.token(), member.with_token(TokenDigest([8; 32])).token()), (None, None));
    }
}
