//! [`AcceptFriend`], [`RemoveFriend`], [`BlockFriend`] and [`UnblockFriend`]: what a person asks for of another account that is on record.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{FriendId, WorkspaceId};
use tradepost_domain::trading::friend::{Friend, FriendAction};
use tradepost_ports::changes::{Caller, Changes};

use super::friend_moves::{friend_as_seen, live_account, move_friend};
use crate::commit::By;
use crate::in_workspace::InWorkspace;
use crate::rules;
use crate::{OpResult, Operations, Versioned, fields};

/// Declares a command that names a friend and the version that the caller saw.
macro_rules! commands {
    ($($(#[doc = $doc:literal])+ $command:ident;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $command {
            /// The workspace.
            pub workspace_id: WorkspaceId,
            /// The friend.
            pub friend_id: FriendId,
            /// The version that the caller saw, from 1; rejected when the friend has another one.
            pub expected_version: Option<i64>,
        }
    )+};
}

commands! {
    /// Accepts the request of another account.
    AcceptFriend;
    /// Ends a friendship, withdraws our request or declines theirs.
    RemoveFriend;
    /// Blocks another account.
    BlockFriend;
    /// Blocks another account no longer.
    UnblockFriend;
}

/// What a person asks for.
#[derive(Clone, Copy)]
struct Wish {
    action: FriendAction,
    kind: AuditKind,
    expected_version: Option<i64>,
}

impl Operations {
    /// Accepts the request of another account. The engine does it in one of its next passes.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an expected version below 1, `not_found`; `failed_precondition`:
    /// `VERSION_MISMATCH`, `ACCOUNT_REMOVED`, `ILLEGAL_STEP` unless they ask, `FRIEND_ACTION_IN_FLIGHT` while the last action has no
    /// answer.
    pub async fn accept_friend(&self, caller: &Caller, command: AcceptFriend) -> OpResult<Versioned<Friend>> {
        let scope = rules::ACCEPT_FRIEND.enter(&caller.principal, command.workspace_id)?;
        let expected_version = command.expected_version;
        let wish = Wish { action: FriendAction::Accept, kind: AuditKind::FriendAccepted, expected_version };
        self.ask_of_friend(caller, InWorkspace { scope, id: command.friend_id }, wish).await
    }

    /// Ends a friendship, withdraws our request or declines theirs.
    ///
    /// # Errors
    /// As [`Operations::accept_friend`]; `ILLEGAL_STEP` where there is nothing to end.
    pub async fn remove_friend(&self, caller: &Caller, command: RemoveFriend) -> OpResult<Versioned<Friend>> {
        let scope = rules::REMOVE_FRIEND.enter(&caller.principal, command.workspace_id)?;
        let expected_version = command.expected_version;
        let wish = Wish { action: FriendAction::Remove, kind: AuditKind::FriendRemoved, expected_version };
        self.ask_of_friend(caller, InWorkspace { scope, id: command.friend_id }, wish).await
    }

    /// Blocks another account.
    ///
    /// # Errors
    /// As [`Operations::accept_friend`]; `ILLEGAL_STEP` when it is blocked.
    pub async fn block_friend(&self, caller: &Caller, command: BlockFriend) -> OpResult<Versioned<Friend>> {
        let scope = rules::BLOCK_FRIEND.enter(&caller.principal, command.workspace_id)?;
        let expected_version = command.expected_version;
        let wish = Wish { action: FriendAction::Block, kind: AuditKind::FriendBlocked, expected_version };
        self.ask_of_friend(caller, InWorkspace { scope, id: command.friend_id }, wish).await
    }

    /// Blocks another account no longer.
    ///
    /// # Errors
    /// As [`Operations::accept_friend`]; `ILLEGAL_STEP` unless it is blocked.
    pub async fn unblock_friend(&self, caller: &Caller, command: UnblockFriend) -> OpResult<Versioned<Friend>> {
        let scope = rules::UNBLOCK_FRIEND.enter(&caller.principal, command.workspace_id)?;
        let expected_version = command.expected_version;
        let wish = Wish { action: FriendAction::Unblock, kind: AuditKind::FriendUnblocked, expected_version };
        self.ask_of_friend(caller, InWorkspace { scope, id: command.friend_id }, wish).await
    }

    async fn ask_of_friend(
        &self,
        caller: &Caller,
        friend: InWorkspace<FriendId>,
        wish: Wish,
    ) -> OpResult<Versioned<Friend>> {
        let (InWorkspace { scope, id }, Wish { action, kind, expected_version }) = (friend, wish);
        fields::expected_version(expected_version)?;
        let at = self.market_now(scope.workspace_id());
        self.retrying(|| async {
            let seen = friend_as_seen(self, scope, id, expected_version).await?;
            let mut changes = Changes::by(caller);
            live_account(self, scope, seen.peek().account_id, &mut changes).await?;
            let next = seen.peek().clone().ask(action, at)?;
            let asked = move_friend(self, &mut changes, By { caller, at }, seen, next)?;
            changes.audit(kind, &asked.value);
            self.commit(caller, changes).await?;
            Ok(asked.into())
        })
        .await
    }
}
