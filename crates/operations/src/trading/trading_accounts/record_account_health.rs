//! [`RecordAccountHealth`]: a report about a trading account on its platform.

use crate::trading::trading_accounts::account_moves::account_as_seen;
use tradepost_domain::contracts::remediation::findings;
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_domain::trading::trading_account::{AccountHealth, TradingAccount};
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{Caller, Changes};

use crate::commit::By;
use crate::contracts::Problems;
use crate::contracts::remediations::remediation_steps::{commit_problems, follow_problems};
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
    /// [`AdvanceAccount`](crate::trading::AdvanceAccount) reports the account's status. An API key that another than we registered opens
    /// `UNEXPECTED_API_KEY`, and one that is ours resolves it.
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
            let before = account.peek().health;
            let mut changes = Changes::by(caller);
            let seen = changes.revise(account, |account| account.seen(command.health, at))?;
            let problems = Problems {
                scope,
                of: Subject::Account(command.account_id),
                found: findings::of_health(before.as_ref(), &command.health).into_iter().collect(),
                resolved: findings::resolved_with_health(before.as_ref(), &command.health),
            };
            follow_problems(self, &mut changes, By { caller, at }, None, problems).await?;
            commit_problems(self, caller, changes).await?;
            Ok(seen.into())
        })
        .await
    }
}
