//! [`AdvanceAccount`]: what happened to a trading account on the platform.

use crate::contracts::remediations::remediation_steps::commit_problems;
use crate::trading::trading_accounts::account_moves::account_as_seen;
use crate::trading::trading_accounts::account_moves::step_account;
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_domain::text::Description;
use tradepost_domain::trading::trading_account::{AccountEvent, TradingAccount};
use tradepost_ports::changes::{Caller, Changes};

use super::account_moves::AccountStep;
use crate::commit::By;
use crate::rules::WRITE_ACCOUNTS;
use crate::{OpError, OpResult, Operations, Versioned};

/// A report of what happened to a trading account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdvanceAccount {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
    /// The external event; decisions of operators have operations of their own.
    pub event: AccountEvent,
    /// The reason; stored with the account and in the log of status changes.
    pub reason: Option<Description>,
}

impl Operations {
    /// Changes the status of a trading account by what happened on the platform. A repeated report of the current status changes nothing.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for what people decide; `not_found`; `failed_precondition`: `ILLEGAL_STEP` when
    /// it cannot happen in the account's status, `TOO_EARLY` for the end of a restriction that is in force.
    pub async fn advance_account(
        &self,
        caller: &Caller,
        command: AdvanceAccount,
    ) -> OpResult<Versioned<TradingAccount>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        if let AccountEvent::Disabled | AccountEvent::Enabled | AccountEvent::Removed(_) = command.event {
            return Err(OpError::invalid_field("event", "is for people to decide"));
        }
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let account = account_as_seen(self, scope, command.account_id, None).await?;
            if account.peek().has_reached(command.event) {
                return Ok(account.into());
            }
            let mut changes = Changes::by(caller);
            let step = AccountStep { scope, event: command.event, said: command.reason.clone() };
            let moved = step_account(self, &mut changes, By { caller, at }, account, step).await?;
            commit_problems(self, caller, changes).await?;
            Ok(moved.into())
        })
        .await
    }
}
