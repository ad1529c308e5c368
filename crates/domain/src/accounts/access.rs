//! Access: what a credential may do, decided from the records as they are now.
//!
//! The rights of an API key are its own policies as far as its owner's membership holds them at the moment of use; they
//! are never copied. Those of a session are its user's, in every workspace where the user is a member, and `identity`, since
//! it is the person. A [`WorkspaceScope`] is the proof of that decision: storage hands out no record of a workspace
//! without one.

use crate::accounts::api_key::ApiKey;
use crate::accounts::membership::{Membership, Status};
use crate::accounts::policy::{Policy, PolicySet, Role};
use crate::accounts::session::Session;
use crate::accounts::user::User;
use crate::id::{ApiKeyId, MembershipId, SessionId, UserId, WorkspaceId};
use crate::network::Networks;
use crate::time::Timestamp;

pub use crate::accounts::principal_id::PrincipalId;

/// The caller of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Principal {
    /// A program with an API key.
    Key(KeyHolder),
    /// A person who has signed in.
    Session(SessionHolder),
    /// A person whom the process itself has found to be who they are; acts on their own records.
    Person(UserId),
    /// The process itself: the library, the command line on the server. Never made from a request.
    System,
    /// An unauthenticated caller, for operations that are open to all.
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

/// A session that was found to be live, with what its user may do where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionHolder {
    /// The session.
    pub session_id: SessionId,
    /// The first characters of its token, for logs.
    pub prefix: String,
    /// Who signed in.
    pub user_id: UserId,
    /// The user's place in each workspace of which they are a member now.
    pub workspaces: Vec<WorkspaceAccess>,
    /// The workspace of requests that name none, where the caller has chosen one.
    pub chosen: Option<WorkspaceId>,
}

/// A user's place in a workspace, with what the caller may do there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkspaceAccess {
    /// The user.
    pub user_id: UserId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The user's membership there.
    pub membership_id: MembershipId,
    /// The user's role there.
    pub role: Role,
    /// What the caller may do there now.
    pub rights: PolicySet,
    /// Whether the workspace is deleted, and can be restored or not.
    pub workspace_deleted: bool,
}

/// The prover of a second factor: a user, for one key or session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prover {
    /// Whose factor it is.
    pub user_id: UserId,
    /// For what it is proved.
    pub id: PrincipalId,
}

/// A session and when it ends if it is not used again.
#[derive(Debug, Clone, Copy)]
pub struct UnusedSession<'a> {
    /// The session.
    pub session: &'a Session,
    /// Its end without further use.
    pub ends_at: Timestamp,
}

/// The credential opens nothing. One answer for unknown, expired and revoked keys and sessions and disabled users.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no valid API key or session")]
pub struct NotAuthenticated;

/// The credential is good, and not for this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not allowed")]
pub struct Denied;

/// Why a workspace cannot be entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoEntry {
    /// It is not the caller's, whether it exists or not, or the right is missing.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// It is the caller's, and deleted.
    #[error("the workspace was deleted")]
    WorkspaceDeleted,
}

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
    let is_member = membership.is_in_force();
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

/// Returns the rights of a session now.
///
/// # Errors
/// [`NotAuthenticated`] when the session is over or its user disabled.
pub fn authenticate_session<'a>(
    session: UnusedSession<'_>,
    user: &User,
    memberships: impl IntoIterator<Item = &'a Membership>,
    at: Timestamp,
) -> Result<SessionHolder, NotAuthenticated> {
    let UnusedSession { session, ends_at } = session;
    if !session.is_live(user, ends_at, at) {
        return Err(NotAuthenticated);
    }
    let accepted = memberships.into_iter().filter(|membership| membership.status() == Status::Accepted);
    let workspaces = accepted.map(|membership| WorkspaceAccess {
        user_id: user.id,
        workspace_id: membership.workspace_id,
        membership_id: membership.id,
        role: membership.role,
        rights: membership.rights().or(PolicySet::of(&[Policy::Identity])),
        workspace_deleted: membership.workspace_deleted,
    });
    Ok(SessionHolder {
        session_id: session.id,
        prefix: session.prefix.clone(),
        user_id: user.id,
        workspaces: workspaces.collect(),
        chosen: None,
    })
}

impl KeyHolder {
    fn access(&self) -> Option<WorkspaceAccess> {
        self.is_member.then_some(WorkspaceAccess {
            user_id: self.user_id,
            workspace_id: self.workspace_id,
            membership_id: self.membership_id,
            role: self.role,
            rights: self.rights,
            workspace_deleted: false,
        })
    }
}

impl SessionHolder {
    fn access(&self, workspace: WorkspaceId) -> Option<WorkspaceAccess> {
        self.workspaces.iter().copied().find(|access| access.workspace_id == workspace)
    }

    /// Everything that the session's user may do in one workspace or another.
    pub fn rights_anywhere(&self) -> PolicySet {
        let own = PolicySet::of(&[Policy::Identity]);
        self.workspaces.iter().fold(own, |rights, access| rights.or(access.rights))
    }
}

impl Principal {
    /// The caller's place in a workspace.
    ///
    /// # Errors
    /// [`NoEntry::Denied`] for a workspace where the caller has none, whether it exists or not;
    /// [`NoEntry::WorkspaceDeleted`] for one of the caller's that is deleted.
    pub fn access_to(&self, workspace: WorkspaceId) -> Result<WorkspaceAccess, NoEntry> {
        let access = self.place_in(workspace).ok_or(Denied)?;
        if access.workspace_deleted { Err(NoEntry::WorkspaceDeleted) } else { Ok(access) }
    }

    fn place_in(&self, workspace: WorkspaceId) -> Option<WorkspaceAccess> {
        match self {
            Self::Key(key) => key.access().filter(|access| access.workspace_id == workspace),
            Self::Session(session) => session.access(workspace),
            Self::Person(_) | Self::System | Self::Anonymous => None,
        }
    }

    /// The workspace of a request that names none: a key's own, or the one that a session has chosen, if it has.
    ///
    /// # Errors
    /// [`Denied`] when neither a key nor a session calls.
    pub const fn home(&self) -> Result<Option<WorkspaceId>, Denied> {
        match self {
            Self::Key(key) => Ok(Some(key.workspace_id)),
            Self::Session(session) => Ok(session.chosen),
            Self::Person(_) | Self::System | Self::Anonymous => Err(Denied),
        }
    }

    /// The same caller as far as one workspace is concerned.
    #[must_use]
    pub fn within(&self, workspace: WorkspaceId) -> Self {
        match self {
            Self::Session(session) => Self::Session(SessionHolder {
                workspaces: session.access(workspace).into_iter().collect(),
                ..session.clone()
            }),
            Self::Key(_) | Self::Person(_) | Self::System | Self::Anonymous => self.clone(),
        }
    }

    /// Returns the prover of a second factor; `None` for a caller without a credential.
    pub const fn prover(&self) -> Option<Prover> {
        match self {
            Self::Key(key) => Some(Prover { user_id: key.user_id, id: PrincipalId::Key(key.key_id) }),
            Self::Session(session) => {
                Some(Prover { user_id: session.user_id, id: PrincipalId::Session(session.session_id) })
            }
            Self::Person(_) | Self::System | Self::Anonymous => None,
        }
    }

    /// The first characters of the caller's token, for logs.
    pub fn token_prefix(&self) -> Option<&str> {
        match self {
            Self::Key(key) => Some(&key.prefix),
            Self::Session(session) => Some(&session.prefix),
            Self::Person(_) | Self::System | Self::Anonymous => None,
        }
    }

    /// Enters a workspace for something that any one of `any_of` allows.
    ///
    /// # Errors
    /// [`NoEntry::Denied`] for a workspace that is not the caller's, whether it exists or not, and without one of the
    /// policies; [`NoEntry::WorkspaceDeleted`] for one of the caller's that is deleted.
    pub fn enter(&self, workspace: WorkspaceId, any_of: PolicySet) -> Result<WorkspaceScope, NoEntry> {
        let may = match self {
            Self::Key(key) => key.workspace_id == workspace && !key.rights.and(any_of).is_empty(),
            Self::Session(_) => !self.access_to(workspace)?.rights.and(any_of).is_empty(),
            Self::System => true,
            Self::Person(_) | Self::Anonymous => false,
        };
        if may { Ok(WorkspaceScope { workspace }) } else { Err(Denied.into()) }
    }

    /// Enters a deleted workspace to restore it. Only its owner can, with a session.
    ///
    /// # Errors
    /// [`Denied`] for every other caller, whether the workspace exists or not, and for a workspace that is not deleted.
    pub fn enter_deleted(&self, workspace: WorkspaceId) -> Result<WorkspaceScope, Denied> {
        let own = self.place_in(workspace).filter(|access| access.workspace_deleted && access.role == Role::Owner);
        own.map(|_| WorkspaceScope { workspace }).ok_or(Denied)
    }

    /// Enters a workspace for an operation that is open to every member and every member's key.
    ///
    /// # Errors
    /// [`NoEntry::Denied`] for another workspace than the key's, whether it exists or not. The same if the user of the key or
    /// session is not an accepted member. [`NoEntry::WorkspaceDeleted`] for a deleted workspace of the session's user.
    pub fn enter_as_member(&self, workspace: WorkspaceId) -> Result<WorkspaceScope, NoEntry> {
        match self {
            Self::System => Ok(WorkspaceScope { workspace }),
            Self::Key(_) | Self::Session(_) | Self::Person(_) | Self::Anonymous => {
                self.access_to(workspace).map(|_| WorkspaceScope { workspace })
            }
        }
    }

    /// The user on whose own records the caller may act.
    ///
    /// # Errors
    /// [`Denied`] for a key without the policy `identity`.
    pub fn act_as_user(&self) -> Result<UserId, Denied> {
        match self {
            Self::Key(key) if key.rights.has(Policy::Identity) => Ok(key.user_id),
            Self::Session(SessionHolder { user_id, .. }) | Self::Person(user_id) => Ok(*user_id),
            Self::Key(_) | Self::System | Self::Anonymous => Err(Denied),
        }
    }

    /// The user who acts in person. No key does, whatever it holds.
    ///
    /// # Errors
    /// [`Denied`] unless a person has signed in.
    pub const fn act_in_person(&self) -> Result<UserId, Denied> {
        match self {
            Self::Session(SessionHolder { user_id, .. }) | Self::Person(user_id) => Ok(*user_id),
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
            Self::Session(_) | Self::Person(_) | Self::System | Self::Anonymous => Err(Denied),
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
mod tests;
