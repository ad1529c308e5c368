//! [`AddFriend`]: asks another account of the platform for friendship.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_domain::text::Description;
use tradepost_domain::trading::friend::{Friend, FriendAction, FriendKey};
use tradepost_ports::changes::{Caller, Changes};

use super::friend_moves::{insert_friend, live_account, move_friend, recorded_first};
use crate::commit::By;
use crate::rules;
use crate::trading::trading_accounts::account_fields::platform_user_id;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// Asks another account for friendship.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddFriend {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Our account.
    pub account_id: AccountId,
    /// The platform's number of the other account, in decimal digits.
    pub platform_user_id: String,
    /// A note for people, at most 512 characters; empty for none.
    pub note: String,
}

impl Operations {
    /// Asks another account for friendship. The engine does it in one of its next passes; asking again changes nothing.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for a bad number, that of the account itself, or a bad note; `not_found`;
    /// `failed_precondition`: `ACCOUNT_REMOVED`, `ILLEGAL_STEP` when they are friends, asked or blocked already,
    /// `FRIEND_ACTION_IN_FLIGHT` while the last action has no answer.
    pub async fn add_friend(&self, caller: &Caller, command: AddFriend) -> OpResult<Versioned<Friend>> {
        let scope = rules::ADD_FRIEND.enter(&caller.principal, command.workspace_id)?;
        let user = platform_user_id(&command.platform_user_id)?;
        let note: Option<Description> = Some(command.note.as_str())
            .filter(|note| !note.is_empty())
            .map(|note| fields::text("note", note))
            .transpose()?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            let account = live_account(self, scope, command.account_id, &mut changes).await?;
            if account.platform_user_id == user {
                return Err(OpError::invalid_field("platformUserId", "is the number of the account itself"));
            }
            let (by, note) = (By { caller, at }, note.clone());
            let friend = if let Some(seen) = self.ports.store.friends().find_user(scope, account.id, user).await? {
                let next = seen.peek().clone().ask(FriendAction::Add, at)?.noted(note);
                move_friend(self, &mut changes, by, seen, next)?
            } else {
                let (workspace_id, account_id) = (command.workspace_id, command.account_id);
                let key = FriendKey { id: self.mint(), workspace_id, account_id };
                insert_friend(self, &mut changes, by, Friend::asked_for(key, user, note, at))
            };
            changes.audit(AuditKind::FriendAdded, &friend.value);
            self.commit(caller, changes).await.map_err(recorded_first)?;
            Ok(friend.into())
        })
        .await
    }
}
