//! [`RefreshFriends`]: asks for a new look at the friends of a trading account.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_domain::trading::friend_list::FriendList;
use tradepost_ports::changes::{Caller, Changes};

use super::friend_moves::recorded_first;
use crate::rules;
use crate::trading::trading_accounts::account_moves::{account_as_seen, account_to_list};
use crate::{OpError, OpResult, Operations};

/// Asks for a new look at the friends of a trading account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefreshFriends {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Our account.
    pub account_id: AccountId,
}

impl Operations {
    /// Asks for a new look at the friends of a trading account. The engine reads them in one of its next passes. One that does not trade with
    /// the account ends the request after 2 min.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition` with `ACCOUNT_REMOVED`.
    pub async fn refresh_friends(&self, caller: &Caller, command: RefreshFriends) -> OpResult<FriendList> {
        let scope = rules::REFRESH_FRIENDS.enter(&caller.principal, command.workspace_id)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            let account = account_as_seen(self, scope, command.account_id, None).await?;
            let account = account_to_list(&mut changes, account, at)?;
            let list = if let Some(seen) = self.ports.store.friends().find_reading(scope, account.id).await? {
                changes.revise(seen, |list| Ok::<_, OpError>(list.requested(at)))?.value
            } else {
                let list = FriendList::unread(command.workspace_id, account.id).requested(at);
                changes.insert(list);
                list
            };
            changes.audit(AuditKind::FriendsRefreshed, &account);
            self.commit(caller, changes).await.map_err(recorded_first)?;
            Ok(list)
        })
        .await
    }
}
