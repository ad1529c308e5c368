//! [`RecordAccountHealth`]: a report about a trading account on its platform.

use crate::trading::trading_accounts::account_moves::account_as_seen;
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_domain::trading::trading_account::{AccountHealth, TradingAccount};
use tradepost_ports::changes::{Caller, Changes};

use crate::rules::WRITE_ACCOUNTS;
use crate::{OpResult, Operations, Versioned};

/// A report of a trading account's health.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordAccountHealth {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
    /// The report.
    pub health: AccountHealth,
}

impl Operations {
    /// Records the health of a trading account, replacing an older report. A report that is not newer changes nothing.
    /// [`AdvanceAccount`](crate::trading::AdvanceAccount) reports the account's status.
    ///
    /// # Errors
    /// `permission_denied`; `not_found`; `failed_precondition` with `ACCOUNT_REMOVED`.
    pub async fn record_account_health(
        &self,
        caller: &Caller,
        command: RecordAccountHealth,
    ) -> OpResult<Versioned<TradingAccount>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let account = account_as_seen(self, scope, command.account_id, None).await?;
            if !account.peek().is_news(&command.health) {
                return Ok(account.into());
            }
            let mut changes = Changes::by(caller);
            let seen = changes.revise(account, |account| account.seen(command.health, at))?;
            self.commit(caller, changes).await?;
            Ok(seen.into())
        })
        .await
    }
}
