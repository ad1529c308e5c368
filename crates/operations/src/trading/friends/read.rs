//! Reads of friends.

use tradepost_domain::id::{AccountId, FriendId, OfFriend, WorkspaceId};
use tradepost_domain::trading::friend::{Friend, FriendRelation};
use tradepost_ports::changes::Caller;
use tradepost_ports::record::Kind;
use tradepost_ports::store::FriendFilter;

use super::friend_moves::friend_as_seen;
use crate::paging::ListKey;
use crate::results::every_status;
use crate::rules;
use crate::{Batch, OpResult, Operations, PageOf, StatusCount, Versioned, fields};

/// A request for one friend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetFriend {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The friend.
    pub friend_id: FriendId,
}

/// A request for several friends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetFriends {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The friends, 1 to 200.
    pub friend_ids: Vec<FriendId>,
}

/// A request for a page of friends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListFriends {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only of this account.
    pub account_id: Option<AccountId>,
    /// Only in this relation.
    pub relation: Option<FriendRelation>,
}

/// A request for the number of friends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountFriends {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Returns one friend.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_friend(&self, caller: &Caller, command: GetFriend) -> OpResult<Versioned<Friend>> {
        let scope = rules::GET_FRIEND.enter(&caller.principal, command.workspace_id)?;
        Ok(friend_as_seen(self, scope, command.friend_id, None).await?.into())
    }

    /// Returns several friends in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_friends(&self, caller: &Caller, command: GetFriends) -> OpResult<Batch<Friend, OfFriend>> {
        let scope = rules::GET_FRIENDS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("friendIds", &command.friend_ids)?;
        let found = self.ports.store.friends().find_many(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }

    /// Returns a page of friends, the newest first, those that are no longer related among them.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit or a cursor that this list did not give out.
    pub async fn list_friends(&self, caller: &Caller, command: ListFriends) -> OpResult<PageOf<FriendId>> {
        let scope = rules::LIST_FRIENDS.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("friends", scope)
            .and_id(command.account_id)
            .and_code(command.relation.map(FriendRelation::code));
        let request = self.page_request::<OfFriend>(&key, command.limit, &command.cursor)?;
        let filter = FriendFilter { account_id: command.account_id, relation: command.relation };
        let page = self.to_show(caller, scope).friends().list(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts friends: one entry for every relation in the order of the list, zeros included.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_friends(
        &self,
        caller: &Caller,
        command: CountFriends,
    ) -> OpResult<Vec<StatusCount<FriendRelation>>> {
        let scope = rules::COUNT_FRIENDS.enter(&caller.principal, command.workspace_id)?;
        let counted = self.to_show(caller, scope).counters().by_status(scope, Kind::Friend, None).await?;
        Ok(every_status(FriendRelation::ALL, FriendRelation::code, &counted))
    }
}
