//! `GetUser` and `GetUsers`: the profile of a user, for users who share a workspace with them.

use tradepost_domain::accounts::access::{Denied, NoEntry, Principal, WorkspaceScope};
use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::accounts::user::User;
use tradepost_domain::id::{OfUser, UserId};
use tradepost_ports::changes::Caller;

use crate::{Batch, OpError, OpResult, Operations, fields};

/// The user to get.
#[derive(Debug, Clone, Copy)]
pub struct GetUser {
    /// The user.
    pub user_id: UserId,
}

/// The users to get.
#[derive(Debug, Clone)]
pub struct GetUsers {
    /// The users, 1 to 200.
    pub user_ids: Vec<UserId>,
}

impl Operations {
    /// Fetches a user who is an accepted or suspended member of a workspace of the caller's: the key's, or any one of a
    /// session's user. Of the record only id and name may be shown to others.
    ///
    /// # Errors
    /// `permission_denied` for a key without any policy; `not_found`, whether or not there is such a user.
    pub async fn get_user(&self, caller: &Caller, command: GetUser) -> OpResult<User> {
        let found = self.get_users(caller, GetUsers { user_ids: vec![command.user_id] }).await?.found;
        found.into_iter().next().map(|user| user.value).ok_or_else(|| OpError::not_found("user"))
    }

    /// Fetches up to 200 users in the order asked for, as [`Operations::get_user`] does.
    ///
    /// # Errors
    /// `permission_denied` for a key without any policy; `invalid_argument` for none or too many ids.
    pub async fn get_users(&self, caller: &Caller, command: GetUsers) -> OpResult<Batch<User, OfUser>> {
        let (viewer, scopes) = view(&caller.principal)?;
        let ids = fields::batch("userIds", &command.user_ids)?;
        let found = self.ports.store.users().find_fellows(viewer, &scopes, &ids).await?;
        Ok(Batch::in_order(ids, found, |user| user.id))
    }
}

/// Returns the reading user and the workspaces whose members they may see.
fn view(principal: &Principal) -> Result<(UserId, Vec<WorkspaceScope>), NoEntry> {
    match principal {
        Principal::Key(key) => Ok((key.user_id, vec![principal.enter(key.workspace_id, PolicySet::EVERY)?])),
        Principal::Session(session) => {
            let access = session.workspaces.iter().filter(|access| !access.workspace_deleted);
            let workspaces = access.map(|access| access.workspace_id);
            let scopes = workspaces.map(|workspace| principal.enter_as_member(workspace)).collect::<Result<_, _>>()?;
            Ok((session.user_id, scopes))
        }
        Principal::Person(user) => Ok((*user, Vec::new())),
        Principal::System | Principal::Anonymous => Err(Denied.into()),
    }
}
