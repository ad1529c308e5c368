//! Changing a key that is live: its name, its bounds, and the secret it is known by.

use time::Duration;

use super::{ApiKey, CreateKeyError, next_reminder};
use crate::accounts::policy::{Policy, PolicySet};
use crate::accounts::principal_id::PrincipalId;
use crate::id::UserId;
use crate::network::Networks;
use crate::text::Name;
use crate::time::Timestamp;

/// The longest time for which a rotated key works alongside its successor, in seconds: a day.
pub const LONGEST_OVERLAP: u32 = 86_400;
/// The time for which it does when nothing is said, in seconds.
pub const USUAL_OVERLAP: u32 = LONGEST_OVERLAP;

/// The identity policy alone.
const IDENTITY: PolicySet = PolicySet::of(&[Policy::Identity]);

/// When a key ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expiry {
    /// Not by itself.
    Never,
    /// At this time.
    At(Timestamp),
}

/// What is to change of a key; what is absent stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeyChange {
    /// The name from now on.
    pub name: Option<Name>,
    /// The policies from now on.
    pub policies: Option<PolicySet>,
    /// The end from now on.
    pub expiry: Option<Expiry>,
    /// The networks from now on.
    pub networks: Option<Networks>,
}

/// Why a key cannot be changed or rotated so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ChangeKeyError {
    /// It was revoked.
    #[error("the key is revoked")]
    Revoked,
    /// It has expired.
    #[error("the key expired on {0}; make a new one")]
    Expired(Timestamp),
    /// It would hold more than its owner's membership.
    #[error("a key cannot hold policies that its owner does not hold")]
    ExceedsOwner,
    /// It is another user's, and would do more or be known by a secret that its owner does not have.
    #[error("only the user of a key can widen or rotate it; revoke it, and let its user create another one")]
    OfAnother,
    /// It would be a key that its changer could not make.
    #[error(transparent)]
    Create(#[from] CreateKeyError),
}

/// The caller that changes or rotates a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyChanger {
    /// The user behind the calling key or session; absent where the process itself calls.
    pub user: Option<UserId>,
    /// What the caller may do in the key's workspace.
    pub rights: PolicySet,
}

impl ApiKey {
    /// Returns the key after a change, bounded by the changer's rights and by what its owner's membership holds. What it holds
    /// already may stay, also where the changer does not hold it. Only its own user widens it.
    ///
    /// # Errors
    /// [`ChangeKeyError`] says why not.
    pub fn change(
        self,
        change: KeyChange,
        changer: KeyChanger,
        owner: PolicySet,
        at: Timestamp,
    ) -> Result<Self, ChangeKeyError> {
        self.require_live(at)?;
        let (before, policies) = (self.clone(), change.policies);
        let after = self.with(change, at)?;
        if changer.user != Some(before.owner_id) && before.is_narrower_than(&after) {
            return Err(ChangeKeyError::OfAnother);
        }
        if let Some(policies) = policies {
            // `identity` is never added to a key that is there: it would act as its owner, who did not give it.
            Self::may_hold(policies.without(before.policies), PrincipalId::Key(before.id), changer.rights)?;
            if !policies.without(IDENTITY).is_subset_of(owner) {
                return Err(ChangeKeyError::ExceedsOwner);
            }
        }
        Ok(after)
    }

    fn with(self, change: KeyChange, at: Timestamp) -> Result<Self, ChangeKeyError> {
        let (expires_at, remind_at) = match change.expiry {
            None => (self.expires_at, self.remind_at),
            Some(Expiry::Never) => (None, None),
            Some(Expiry::At(expiry)) => {
                Self::may_expire(Some(expiry), at)?;
                (Some(expiry), next_reminder(Some(expiry), at))
            }
        };
        Ok(Self {
            name: change.name.unwrap_or(self.name),
            policies: change.policies.unwrap_or(self.policies),
            networks: change.networks.unwrap_or(self.networks),
            expires_at,
            remind_at,
            ..self
        })
    }

    /// Whether the other form of this key can do something that this one cannot: more, for longer, or from elsewhere.
    pub fn is_narrower_than(&self, other: &Self) -> bool {
        let lives_longer = match (self.expires_at, other.expires_at) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(own), Some(others)) => others > own,
        };
        lives_longer || !other.policies.is_subset_of(self.policies) || !self.networks.cover(&other.networks)
    }

    /// Whether this caller may have a new secret of the key. Only its own user may, because the key acts in its owner's name,
    /// and only through a key or session that holds every policy of it.
    ///
    /// # Errors
    /// [`ChangeKeyError`] says why not.
    pub fn may_be_handed_to(&self, changer: KeyChanger) -> Result<(), ChangeKeyError> {
        if changer.user != Some(self.owner_id) {
            return Err(ChangeKeyError::OfAnother);
        }
        if self.policies.is_subset_of(changer.rights) { Ok(()) } else { Err(CreateKeyError::ExceedsMaker.into()) }
    }

    /// Returns the key after its rotation: it expires after the overlap unless it expires before, without a reminder.
    ///
    /// # Errors
    /// [`ChangeKeyError`] unless it is live.
    pub fn retire(self, overlap_seconds: u32, at: Timestamp) -> Result<Self, ChangeKeyError> {
        self.require_live(at)?;
        let end = at.plus(Duration::seconds(overlap_seconds.into()));
        let expires_at = Some(self.expires_at.map_or(end, |expiry| expiry.min(end)));
        Ok(Self { expires_at, remind_at: None, ..self })
    }

    fn require_live(&self, at: Timestamp) -> Result<(), ChangeKeyError> {
        match (self.revoked_at, self.expires_at) {
            (Some(_), _) => Err(ChangeKeyError::Revoked),
            (None, Some(expiry)) if expiry <= at => Err(ChangeKeyError::Expired(expiry)),
            (None, _) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::api_key::TokenDigest;
    use crate::id::{ApiKeyId, MembershipId, WorkspaceId};

    const TRADING: PolicySet = PolicySet::of(&[Policy::Trading]);

    fn at(hours: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::hours(hours))
    }

    fn key(policies: PolicySet) -> ApiKey {
        ApiKey {
            id: ApiKeyId::from_bytes([1; 16]),
            workspace_id: WorkspaceId::from_bytes([2; 16]),
            owner_id: UserId::from_bytes([3; 16]),
            membership_id: MembershipId::from_bytes([4; 16]),
            name: Name::new("bot").unwrap(),
            prefix: "tpk_00000000".to_owned(),
            digest: TokenDigest([5; 32]),
            pepper: None,
            policies,
            networks: Networks::default(),
            expires_at: None,
            remind_at: None,
            revoked_at: None,
            created_at: at(0),
        }
    }

    fn own(rights: PolicySet) -> KeyChanger {
        KeyChanger { user: Some(UserId::from_bytes([3; 16])), rights }
    }

    fn anothers(rights: PolicySet) -> KeyChanger {
        KeyChanger { user: Some(UserId::from_bytes([9; 16])), rights }
    }

    fn policies(policies: PolicySet) -> KeyChange {
        KeyChange { policies: Some(policies), ..KeyChange::default() }
    }

    #[test]
    fn a_change_gives_no_more_than_the_caller_and_the_owner_hold() {
        let every = PolicySet::OPERATIONAL;
        let refused = key(TRADING).change(policies(every), own(TRADING), every, at(1));
        assert_eq!(refused, Err(CreateKeyError::ExceedsMaker.into()));
        let refused = key(TRADING).change(policies(every), own(every), TRADING, at(1));
        assert_eq!(refused, Err(ChangeKeyError::ExceedsOwner));
        assert_eq!(key(TRADING).change(policies(every), own(every), every, at(1)).unwrap().policies, every);
    }

    #[test]
    fn another_user_narrows_a_key_and_never_widens_it() {
        let every = PolicySet::OPERATIONAL;
        let before =
            ApiKey { expires_at: Some(at(3)), networks: Networks::parse(["192.0.2.0/24"]).unwrap(), ..key(every) };
        for wider in [
            policies(every.or(IDENTITY)),
            KeyChange { expiry: Some(Expiry::Never), ..KeyChange::default() },
            KeyChange { expiry: Some(Expiry::At(at(4))), ..KeyChange::default() },
            KeyChange { networks: Some(Networks::default()), ..KeyChange::default() },
        ] {
            let refused = before.clone().change(wider, anothers(PolicySet::EVERY), every, at(1));
            assert_eq!(refused, Err(ChangeKeyError::OfAnother));
        }
        for narrower in [policies(TRADING), KeyChange { expiry: Some(Expiry::At(at(2))), ..KeyChange::default() }] {
            assert!(before.clone().change(narrower, anothers(every), every, at(1)).is_ok());
        }
    }

    #[test]
    fn identity_may_stay_and_is_never_added() {
        let with = TRADING.or(IDENTITY);
        let refused = key(TRADING).change(policies(with), own(PolicySet::EVERY), PolicySet::OPERATIONAL, at(1));
        assert_eq!(refused, Err(CreateKeyError::IdentityByKey.into()));
        assert!(key(with).change(policies(with), own(PolicySet::NONE), TRADING, at(1)).is_ok());
    }

    #[test]
    fn what_is_not_named_stays() {
        let before = key(TRADING);
        let after = before.clone().change(KeyChange::default(), own(PolicySet::NONE), PolicySet::NONE, at(1));
        assert_eq!(after, Ok(before));
    }

    #[test]
    fn a_key_that_ended_is_neither_changed_nor_rotated() {
        let revoked = key(TRADING).revoke(at(1)).unwrap();
        let expired = ApiKey { expires_at: Some(at(2)), ..key(TRADING) };
        for (key, refused) in [(revoked, ChangeKeyError::Revoked), (expired, ChangeKeyError::Expired(at(2)))] {
            let changed = key.clone().change(KeyChange::default(), own(PolicySet::NONE), PolicySet::NONE, at(2));
            assert_eq!(changed, Err(refused));
            assert_eq!(key.retire(USUAL_OVERLAP, at(2)), Err(refused));
        }
    }

    #[test]
    fn a_rotated_key_ends_after_the_overlap_and_never_later_than_it_would_have() {
        assert_eq!(key(TRADING).retire(USUAL_OVERLAP, at(1)).unwrap().expires_at, Some(at(25)));
        let ending = ApiKey { expires_at: Some(at(3)), ..key(TRADING) };
        assert_eq!(ending.retire(USUAL_OVERLAP, at(1)).unwrap().expires_at, Some(at(3)));
        assert!(!key(TRADING).retire(0, at(1)).unwrap().is_live(at(1)));
    }

    #[test]
    fn a_secret_is_handed_only_to_who_could_do_as_much() {
        for exceeded in [IDENTITY, TRADING] {
            let refused = key(TRADING.or(IDENTITY)).may_be_handed_to(own(exceeded));
            assert_eq!(refused, Err(CreateKeyError::ExceedsMaker.into()));
        }
        assert_eq!(key(TRADING.or(IDENTITY)).may_be_handed_to(own(TRADING.or(IDENTITY))), Ok(()));
    }

    #[test]
    fn a_secret_is_handed_to_nobody_but_the_keys_own_user() {
        let without_user = KeyChanger { user: None, rights: PolicySet::EVERY };
        for other in [anothers(PolicySet::EVERY), without_user] {
            assert_eq!(key(TRADING).may_be_handed_to(other), Err(ChangeKeyError::OfAnother));
        }
    }

    #[test]
    fn a_key_is_widened_by_policies_time_and_place() {
        let office = Networks::parse(["192.0.2.0/24"]).unwrap();
        let before = ApiKey { expires_at: Some(at(5)), networks: office, ..key(TRADING) };
        for wider in [
            ApiKey { policies: PolicySet::OPERATIONAL, ..before.clone() },
            ApiKey { expires_at: Some(at(6)), ..before.clone() },
            ApiKey { expires_at: None, ..before.clone() },
            ApiKey { networks: Networks::default(), ..before.clone() },
        ] {
            assert!(before.is_narrower_than(&wider) && !wider.is_narrower_than(&before), "{wider:?}");
        }
        assert!(!before.is_narrower_than(&ApiKey { name: Name::new("other").unwrap(), ..before.clone() }));
    }
}
