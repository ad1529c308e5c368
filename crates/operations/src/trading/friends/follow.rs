//! [`OpenFriendActions`], [`BeginFriendAction`], [`RecordFriendAnswer`] and [`FriendReadings`]: what the engine does for people, and when it
//! reads. Not operations of the interface.

use tradepost_domain::id::{FriendId, WorkspaceId};
use tradepost_domain::trading::friend::{Friend, SendResult};
use tradepost_domain::trading::friend_list::FriendList;
use tradepost_ports::changes::{Caller, Changes};

use super::friend_moves::{friend_as_seen, move_friend};
use crate::commit::By;
use crate::rules::WRITE_ACCOUNTS;
use crate::{OpResult, Operations, Versioned};

/// A query for friends of whom something is asked and not settled, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenFriendActions {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum number.
    pub most: u32,
}

/// An announcement that an action is about to be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BeginFriendAction {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The friend.
    pub friend_id: FriendId,
    /// The version that the engine saw.
    pub expected_version: i64,
}

/// The answer to an action that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordFriendAnswer {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The friend.
    pub friend_id: FriendId,
    /// The answer.
    pub result: SendResult,
}

/// A query for when the friends of each account were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FriendReadings {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Returns friends of whom something is asked and not settled.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn open_friend_actions(
        &self,
        caller: &Caller,
        command: OpenFriendActions,
    ) -> OpResult<Vec<Versioned<Friend>>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let open = self.ports.store.friends().list_open(scope, command.most).await?;
        Ok(open.into_iter().map(Versioned::from).collect())
    }

    /// Returns when the friends of each account were read, as far as they were or a person asked for it.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn friend_readings(&self, caller: &Caller, command: FriendReadings) -> OpResult<Vec<FriendList>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let lists = self.ports.store.friends().list_readings(scope).await?;
        Ok(lists.into_iter().map(|list| list.into_display().0).collect())
    }

    /// Records that the action of a friend is about to be sent. Returns `None` where nothing waits to be sent.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition` with `VERSION_MISMATCH`.
    pub async fn begin_friend_action(
        &self,
        caller: &Caller,
        command: BeginFriendAction,
    ) -> OpResult<Option<Versioned<Friend>>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        let seen = friend_as_seen(self, scope, command.friend_id, Some(command.expected_version)).await?;
        let Some(sending) = seen.peek().clone().sending(at) else { return Ok(None) };
        let mut changes = Changes::by(caller);
        let begun = move_friend(self, &mut changes, By { caller, at }, seen, sending)?;
        self.commit(caller, changes).await?;
        Ok(Some(begun.into()))
    }

    /// Records the answer to an action that was sent. One that is settled already stays so.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn record_friend_answer(
        &self,
        caller: &Caller,
        command: RecordFriendAnswer,
    ) -> OpResult<Versioned<Friend>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let seen = friend_as_seen(self, scope, command.friend_id, None).await?;
            let next = seen.peek().clone().answered(command.result, at);
            if *seen.peek() == next {
                return Ok(seen.into());
            }
            let mut changes = Changes::by(caller);
            let answered = move_friend(self, &mut changes, By { caller, at }, seen, next)?;
            self.commit(caller, changes).await?;
            Ok(answered.into())
        })
        .await
    }
}
