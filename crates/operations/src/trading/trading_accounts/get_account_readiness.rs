//! [`GetAccountReadiness`]: whether a trading account can take work now, and what keeps it from it.

use crate::trading::account_sessions::working_session::latest_session;
use crate::trading::trading_accounts::account_moves::account_as_seen;
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_domain::trading::trading_account::Check;
use tradepost_ports::changes::Caller;

use crate::rules;
use crate::{OpResult, Operations};

/// A request for the readiness of a trading account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetAccountReadiness {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
}

/// The readiness of a trading account for work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountReadiness {
    /// Every check, whether it holds or not.
    pub checks: Vec<Check>,
}

impl AccountReadiness {
    /// Returns whether every check holds.
    pub fn is_ready(&self) -> bool {
        self.checks.iter().all(|check| check.ok)
    }
}

impl Operations {
    /// Checks a trading account by its records: no external system is called.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_account_readiness(
        &self,
        caller: &Caller,
        command: GetAccountReadiness,
    ) -> OpResult<AccountReadiness> {
        let scope = rules::GET_ACCOUNT_READINESS.enter(&caller.principal, command.workspace_id)?;
        let account = account_as_seen(self, scope, command.account_id, None).await?;
        let latest = latest_session(self, scope, command.account_id).await?;
        let at = self.market_now(command.workspace_id);
        let mut checks = account.peek().readiness(at);
        checks.push(Check::of_token(latest.as_ref(), at));
        Ok(AccountReadiness { checks })
    }
}
