//! [`RefuseListReadings`]: an engine does not trade with an account of which a person wants the offers, friends or confirmations to be read. Not an
//! operation of the interface.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};

use super::account_moves::account_as_seen;
use crate::rules::WRITE_ACCOUNTS;
use crate::{OpError, OpResult, Operations};

/// A report of an engine that it does not trade with an account of which a person wants lists to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefuseListReadings {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
}

impl Operations {
    /// Records that the engine does not trade with an account: requests for its offers, friends and confirmations that have waited for 2 min end,
    /// and the account says so. Younger ones stay.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn refuse_list_readings(&self, caller: &Caller, command: RefuseListReadings) -> OpResult<()> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let seen = account_as_seen(self, scope, command.account_id, None).await?;
            let mut changes = Changes::by(caller);
            let ended = self.end_list_requests(&mut changes, scope, command.account_id, at).await?;
            let Some(requested_at) = ended else { return Ok(()) };
            let next = seen.peek().clone().list_refused(requested_at, at);
            if next != *seen.peek() {
                changes.revise(seen, |_| Ok::<_, OpError>(next))?;
            }
            self.commit(caller, changes).await?;
            Ok(())
        })
        .await
    }

    /// Ends the requests for lists of an account that are overdue; returns when the last of them was made.
    async fn end_list_requests(
        &self,
        changes: &mut Changes,
        scope: WorkspaceScope,
        account_id: AccountId,
        at: Timestamp,
    ) -> OpResult<Option<Timestamp>> {
        let store = &self.ports.store;
        let mut last: Option<Timestamp> = None;
        for reading in store.trade_offers().find_readings(scope, &[account_id]).await? {
            if let Some(asked) = reading.peek().overdue_request(at) {
                last = last.max(Some(asked));
                changes.revise(reading, |reading| Ok::<_, OpError>(reading.refused()))?;
            }
        }
        for list in store.confirmations().find_lists(scope, &[account_id]).await? {
            if let Some(asked) = list.peek().overdue_request(at) {
                last = last.max(Some(asked));
                changes.revise(list, |list| Ok::<_, OpError>(list.refused()))?;
            }
        }
        if let Some(list) = store.friends().find_reading(scope, account_id).await?
            && let Some(asked) = list.peek().overdue_request(at)
        {
            last = last.max(Some(asked));
            changes.revise(list, |list| Ok::<_, OpError>(list.refused()))?;
        }
        Ok(last)
    }
}
