//! [`RecordFriendList`]: the report of an engine of what the platform shows of an account's friends. Not an operation of the interface.

use std::collections::BTreeMap;

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::friend::{Friend, FriendKey, ShownFriend};
use tradepost_domain::trading::friend_list::FriendList;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::changes::{Caller, Changes, Seen};

use super::friend_moves::{insert_friend, move_friend, recorded_first};
use crate::commit::By;
use crate::rules::WRITE_ACCOUNTS;
use crate::{OpError, OpResult, Operations};

/// Friends that are changed in one commit.
const AT_ONCE: usize = 100;

/// A report of a whole list of friends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordFriendList {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Our account.
    pub account_id: AccountId,
    /// Every account that the platform shows in it.
    pub shown: Vec<ShownFriend>,
    /// When the reading began.
    pub began_at: Timestamp,
}

/// A change of one friend.
enum FriendChange {
    Added(Friend),
    Moved(Seen<Friend>, Friend),
}

impl Operations {
    /// Records a list of friends as the platform shows it: what it shows wins, and who is not in it is not related. An older reading than
    /// the last one changes nothing.
    ///
    /// # Errors
    /// `permission_denied`; `failed_precondition` with `CONFLICT` when others kept changing the same records. What was recorded until then
    /// stays so.
    pub async fn record_friend_list(&self, caller: &Caller, command: &RecordFriendList) -> OpResult<()> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        while self.retrying(|| self.record_some_friends(caller, scope, command)).await? {}
        self.retrying(|| self.record_reading(caller, scope, command)).await
    }

    /// Records a bounded part of what differs; returns whether there is more.
    async fn record_some_friends(
        &self,
        caller: &Caller,
        scope: WorkspaceScope,
        command: &RecordFriendList,
    ) -> OpResult<bool> {
        let at = self.market_now(command.workspace_id);
        let known = self.ports.store.friends().list_of(scope, command.account_id).await?;
        let mut found = self.changed_friends(command, known, at);
        let is_more = found.len() > AT_ONCE;
        found.truncate(AT_ONCE);
        if found.is_empty() {
            return Ok(false);
        }
        let (mut changes, by) = (Changes::by(caller), By { caller, at });
        for change in found {
            match change {
                FriendChange::Added(friend) => _ = insert_friend(self, &mut changes, by, friend),
                FriendChange::Moved(seen, next) => _ = move_friend(self, &mut changes, by, seen, next)?,
            }
        }
        self.commit(caller, changes).await.map_err(recorded_first)?;
        Ok(is_more)
    }

    fn changed_friends(
        &self,
        command: &RecordFriendList,
        known: Vec<Seen<Friend>>,
        at: Timestamp,
    ) -> Vec<FriendChange> {
        let mut shown: BTreeMap<PlatformUserId, &ShownFriend> =
            command.shown.iter().map(|shown| (shown.user, shown)).collect();
        let mut found = Vec::new();
        for seen in known {
            let next = seen.peek().clone().shown(shown.remove(&seen.peek().user), command.began_at, at);
            if *seen.peek() != next {
                found.push(FriendChange::Moved(seen, next));
            }
        }
        let key = || FriendKey { id: self.mint(), workspace_id: command.workspace_id, account_id: command.account_id };
        let added = shown.into_values().map(|shown| Friend::first_seen(key(), shown, command.began_at, at));
        found.extend(added.map(FriendChange::Added));
        found
    }

    async fn record_reading(&self, caller: &Caller, scope: WorkspaceScope, command: &RecordFriendList) -> OpResult<()> {
        let mut changes = Changes::by(caller);
        if let Some(seen) = self.ports.store.friends().find_reading(scope, command.account_id).await? {
            changes.revise(seen, |list| Ok::<_, OpError>(list.read(command.began_at)))?;
        } else {
            changes.insert(FriendList::unread(command.workspace_id, command.account_id).read(command.began_at));
        }
        self.commit(caller, changes).await.map(drop).map_err(recorded_first)
    }
}
