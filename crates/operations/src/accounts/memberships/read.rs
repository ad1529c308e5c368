//! Reads of memberships.

use tradepost_domain::accounts::access::{Denied, NoEntry, Principal};
use tradepost_domain::accounts::membership::{Membership, Status};
use tradepost_domain::accounts::policy::Policy;
use tradepost_domain::id::{Id, MembershipId, OfMembership, UserId, WorkspaceId};
use tradepost_ports::changes::Caller;
use tradepost_ports::record::Kind;

use crate::paging::ListKey;
use crate::results::every_status;
use crate::rules::{self, READ_MEMBERS};
use crate::{Batch, OpError, OpResult, Operations, PageOf, StatusCount, Versioned, fields};

/// The membership to get.
#[derive(Debug, Clone, Copy)]
pub struct GetMembership {
    /// The membership.
    pub membership_id: MembershipId,
}

/// The memberships to get.
#[derive(Debug, Clone)]
pub struct GetMemberships {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The memberships, 1 to 200.
    pub membership_ids: Vec<MembershipId>,
}

/// The page of memberships to list.
#[derive(Debug, Clone)]
pub struct ListMemberships {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Only memberships with this status.
    pub status: Option<Status>,
    /// Page size; 0 for 50, at most 200.
    pub limit: i32,
    /// The place to continue from; empty for the first page.
    pub cursor: String,
}

/// Returns the membership as the caller may see it. Only managers of members and the invited user see the address of an invitation.
fn shown_to(principal: &Principal, found: Versioned<Membership>) -> Versioned<Membership> {
    match principal.access_to(found.value.workspace_id) {
        Ok(access) if !access.rights.has(Policy::Workspace) => {
            Versioned { value: Membership { invitee: None, ..found.value }, ..found }
        }
        Ok(_) | Err(_) => found,
    }
}

/// The memberships to count.
#[derive(Debug, Clone, Copy)]
pub struct CountMemberships {
    /// Only this user's.
    pub user_id: Option<UserId>,
    /// Only of this workspace.
    pub workspace_id: Option<WorkspaceId>,
}

impl Operations {
    /// Fetches a membership of the caller's workspace (a session's chosen one, if it has), or one of the caller's own in any
    /// workspace.
    ///
    /// # Errors
    /// `permission_denied` for a key that may read neither; `not_found`.
    pub async fn get_membership(&self, caller: &Caller, command: GetMembership) -> OpResult<Versioned<Membership>> {
        let home = caller.principal.home()?.ok_or(NoEntry::Denied(Denied));
        let home = home.and_then(|home| caller.principal.enter(home, READ_MEMBERS));
        let own = caller.principal.act_as_user();
        if let (Err(denied), Err(_)) = (&home, &own) {
            return Err((*denied).into());
        }
        if let Ok(scope) = home
            && let Some(found) = self.ports.store.memberships().find(scope, command.membership_id).await?
        {
            return Ok(shown_to(&caller.principal, found.into()));
        }
        let Ok(user_id) = own else { return Err(OpError::not_found("membership")) };
        let user = self.ports.store.users().find(user_id).await?.ok_or_else(|| OpError::not_found("membership"))?;
        let found = self.ports.store.memberships().find_own(user.peek(), command.membership_id).await?;
        found.map(Versioned::from).ok_or_else(|| OpError::not_found("membership"))
    }

    /// Fetches up to 200 memberships in the order asked for.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for none or too many ids.
    pub async fn get_memberships(
        &self,
        caller: &Caller,
        command: GetMemberships,
    ) -> OpResult<Batch<Membership, OfMembership>> {
        let scope = rules::GET_MEMBERSHIPS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("membershipIds", &command.membership_ids)?;
        let found = self.ports.store.memberships().find_many(scope, &ids).await?;
        let Batch { found, missing } = Batch::in_order(ids, found, |membership| membership.id);
        let shown = |found| shown_to(&caller.principal, found);
        Ok(Batch { found: found.into_iter().map(shown).collect(), missing })
    }

    /// Lists memberships, newest first.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for a negative limit or a foreign cursor.
    pub async fn list_memberships(
        &self,
        caller: &Caller,
        command: ListMemberships,
    ) -> OpResult<PageOf<Id<OfMembership>>> {
        let scope = rules::LIST_MEMBERSHIPS.enter(&caller.principal, command.workspace_id)?;
        let status = command.status.map(|status| status.code().to_be_bytes());
        let key = ListKey::of("memberships", scope).and(status.as_ref().map(<[u8; 2]>::as_slice));
        let request = self.page_request(&key, command.limit, &command.cursor)?;
        let page = self.ports.store.memberships().list(scope, command.status, request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts memberships by status, with all statuses in order and zeros included. Without a filter a key counts the memberships of its
    /// workspace, and a session those of its user.
    ///
    /// # Errors
    /// `permission_denied` for another user's memberships across workspaces, or another workspace than the caller's.
    pub async fn count_memberships(
        &self,
        caller: &Caller,
        command: CountMemberships,
    ) -> OpResult<Vec<StatusCount<Status>>> {
        let counts = match (command.user_id, command.workspace_id) {
            (None, None) => match &caller.principal {
                Principal::Session(session) => self.count_of_user(caller, session.user_id).await?,
                Principal::Key(_) | Principal::Person(_) | Principal::System | Principal::Anonymous => {
                    let workspace_id = caller.principal.home()?.ok_or(Denied)?;
                    self.count_in_workspace(caller, workspace_id).await?
                }
            },
            (None, Some(workspace_id)) => self.count_in_workspace(caller, workspace_id).await?,
            (Some(user_id), None) => self.count_of_user(caller, user_id).await?,
            (Some(user_id), Some(workspace_id)) => self.count_of_member(caller, user_id, workspace_id).await?,
        };
        Ok(every_status(&Status::ALL, Status::code, &counts))
    }

    async fn count_in_workspace(&self, caller: &Caller, workspace_id: WorkspaceId) -> OpResult<Vec<(i16, i64)>> {
        let scope = caller.principal.enter_as_member(workspace_id)?;
        Ok(self.ports.store.counters().by_status(scope, Kind::Membership, None).await?)
    }

    async fn count_of_user(&self, caller: &Caller, user_id: UserId) -> OpResult<Vec<(i16, i64)>> {
        if caller.principal.act_as_user()? != user_id {
            return Err(Denied.into());
        }
        let user = self.ports.store.users().find(user_id).await?.ok_or_else(|| OpError::not_found("user"))?;
        Ok(self.ports.store.memberships().count_own(user.peek()).await?)
    }

    async fn count_of_member(
        &self,
        caller: &Caller,
        user_id: UserId,
        workspace_id: WorkspaceId,
    ) -> OpResult<Vec<(i16, i64)>> {
        let scope = caller.principal.enter_as_member(workspace_id)?;
        let own = caller.principal.access_to(workspace_id)?;
        if own.user_id != user_id && !own.rights.has(Policy::Workspace) {
            return Err(Denied.into());
        }
        Ok(self.ports.store.memberships().count(scope, user_id).await?)
    }
}
