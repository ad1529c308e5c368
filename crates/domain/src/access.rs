//! Access: what a credential may do, decided from the records as they are now.
//!
//! The rights of an API key are its own policies as far as its owner's membership holds them at the moment of use; they
//! are never copied. A [`WorkspaceScope`] is the proof of that decision: storage hands out no record of a workspace
//! without one.

use crate::api_key::ApiKey;
use crate::id::{ApiKeyId, MembershipId, UserId, WorkspaceId};
use crate::membership::{Membership, Status};
use crate::network::Networks;
use crate::policy::{Policy, PolicySet, Role};
use crate::time::Timestamp;
use crate::user::User;

/// Who calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Principal {
    /// A program with an API key.
    Key(KeyHolder),
    /// A person whom the process itself has found to be who they are; acts on their own records.
    Person(UserId),
    /// The process itself: the library, the command line on the server. Never made from a request.
    System,
    /// Nobody in particular, on operations that are open to all.
    Anonymous,
}

/// A key that was found to be live, with the rights it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyHolder {
    /// The key.
    pub key_id: ApiKeyId,
    /// Its first characters, for logs.
    pub prefix: String,
    /// Its owner.
    pub user_id: UserId,
    /// Its workspace.
    pub workspace_id: WorkspaceId,
    /// The owner's membership there.
    pub membership_id: MembershipId,
    /// The owner's role there.
    pub role: Role,
    /// Whether the membership is in force.
    pub is_member: bool,
    /// What the key may do now.
    pub rights: PolicySet,
    /// From where the key may be used.
    pub networks: Networks,
    /// From when on the key is refused.
    pub expires_at: Option<Timestamp>,
}

/// The credential opens nothing. One answer for unknown, expired and revoked keys and disabled users.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no valid API key")]
pub struct NotAuthenticated;

/// The credential is good, and not for this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not allowed")]
pub struct Denied;

/// Finds what a key may do now.
///
/// # Errors
/// [`NotAuthenticated`] when the key is expired or revoked or its owner disabled.
pub fn authenticate(
    key: &ApiKey,
    owner: &User,
    membership: &Membership,
    at: Timestamp,
) -> Result<KeyHolder, NotAuthenticated> {
    if !key.is_live(at) || owner.disabled {
        return Err(NotAuthenticated);
    }
    let is_member = membership.status() == Status::Accepted;
    // `identity` is the key's own: no membership holds it, and it works only while the membership does.
    let identity = if is_member { PolicySet::of(&[Policy::Identity]) } else { PolicySet::NONE };
    Ok(KeyHolder {
        key_id: key.id,
        prefix: key.prefix.clone(),
        user_id: key.owner_id,
        workspace_id: key.workspace_id,
        membership_id: key.membership_id,
        role: membership.role,
        is_member,
        rights: key.policies.and(membership.rights().or(identity)),
        networks: key.networks.clone(),
        expires_at: key.expires_at,
    })
}

impl Principal {
    /// Enters a workspace for something that any one of `any_of` allows.
    ///
    /// # Errors
    /// [`Denied`] for another workspace than the key's, whether it exists or not, and without one of the policies.
    pub fn enter(&self, workspace: WorkspaceId, any_of: PolicySet) -> Result<WorkspaceScope, Denied> {
        match self {
            Self::Key(key) if key.workspace_id == workspace && !key.rights.and(any_of).is_empty() => {
                Ok(WorkspaceScope { workspace })
            }
            Self::System => Ok(WorkspaceScope { workspace }),
            Self::Key(_) | Self::Person(_) | Self::Anonymous => Err(Denied),
        }
    }

    /// Enters a workspace for something that every member's key may do.
    ///
    /// # Errors
    /// [`Denied`] for another workspace than the key's, whether it exists or not, and when its owner is no member now.
    pub fn enter_as_member(&self, workspace: WorkspaceId) -> Result<WorkspaceScope, Denied> {
        match self {
            Self::Key(key) if key.workspace_id == workspace && key.is_member => Ok(WorkspaceScope { workspace }),
            Self::System => Ok(WorkspaceScope { workspace }),
            Self::Key(_) | Self::Person(_) | Self::Anonymous => Err(Denied),
        }
    }

    /// The user on whose own records the caller may act.
    ///
    /// # Errors
    /// [`Denied`] for a key without the policy `identity`.
    pub fn act_as_user(&self) -> Result<UserId, Denied> {
        match self {
            Self::Key(key) if key.rights.has(Policy::Identity) => Ok(key.user_id),
            Self::Person(user_id) => Ok(*user_id),
            Self::Key(_) | Self::System | Self::Anonymous => Err(Denied),
        }
    }

    /// The key that calls.
    ///
    /// # Errors
    /// [`Denied`] when no key does.
    pub fn key(&self) -> Result<&KeyHolder, Denied> {
        match self {
            Self::Key(key) => Ok(key),
            Self::Person(_) | Self::System | Self::Anonymous => Err(Denied),
        }
    }
}

/// The right to work in one workspace. Only [`Principal::enter`] and [`Principal::enter_as_member`] make one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkspaceScope {
    workspace: WorkspaceId,
}

impl WorkspaceScope {
    /// The workspace that was entered.
    pub const fn workspace_id(self) -> WorkspaceId {
        self.workspace
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holder(rights: &[Policy]) -> KeyHolder {
        KeyHolder {
            key_id: ApiKeyId::from_bytes([1; 16]),
            prefix: "tpk_00000000".to_owned(),
            user_id: UserId::from_bytes([2; 16]),
            workspace_id: WorkspaceId::from_bytes([3; 16]),
            membership_id: MembershipId::from_bytes([4; 16]),
            role: Role::Member,
            is_member: true,
            rights: PolicySet::of(rights),
            networks: Networks::default(),
            expires_at: None,
        }
    }

    #[test]
    fn a_key_enters_no_workspace_but_its_own() {
        let principal = Principal::Key(holder(&[Policy::Analytics]));
        assert!(principal.enter(WorkspaceId::from_bytes([3; 16]), PolicySet::EVERY).is_ok());
        assert_eq!(principal.enter(WorkspaceId::from_bytes([9; 16]), PolicySet::EVERY), Err(Denied));
    }

    #[test]
    fn a_key_without_identity_cannot_act_as_its_owner() {
        assert_eq!(Principal::Key(holder(&[Policy::Workspace])).act_as_user(), Err(Denied));
        assert!(Principal::Key(holder(&[Policy::Identity])).act_as_user().is_ok());
    }

    #[test]
    fn one_of_several_policies_is_enough() {
        let workspace = WorkspaceId::from_bytes([3; 16]);
        let reading = PolicySet::of(&[Policy::Analytics, Policy::Trading]);
        assert!(Principal::Key(holder(&[Policy::Trading])).enter(workspace, reading).is_ok());
        assert_eq!(Principal::Key(holder(&[Policy::Workspace])).enter(workspace, reading), Err(Denied));
    }
}
