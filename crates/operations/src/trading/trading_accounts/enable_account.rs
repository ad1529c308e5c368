//! [`DisableAccount`] and [`EnableAccount`]: taking a trading account out of work, and letting it work again.

use crate::contracts::remediations::remediation_steps::commit_problems;
use crate::trading::trading_accounts::account_moves::account_as_seen;
use crate::trading::trading_accounts::account_moves::step_account;
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_domain::text::Description;
use tradepost_domain::trading::trading_account::{AccountEvent, TradingAccount};
use tradepost_ports::changes::{Caller, Changes};

use super::account_moves::AccountStep;
use crate::commit::By;
use crate::in_workspace::InWorkspace;
use crate::rules;
use crate::{OpResult, Operations, Versioned, fields};

/// Takes a trading account out of work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DisableAccount {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
    /// Why, in 1 to 512 characters; kept with the account and in the log of status changes.
    pub reason: Option<String>,
    /// The version that the caller saw, from 1; rejected when the account has another one.
    pub expected_version: Option<i64>,
}

/// Lets a trading account work again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnableAccount {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
    /// The version that the caller saw, from 1; rejected when the account has another one.
    pub expected_version: Option<i64>,
}

/// An operator's decision on an account.
struct Decision {
    event: AccountEvent,
    kind: AuditKind,
    reason: Option<Description>,
}

impl Operations {
    /// Disables a trading account: it gets no new work until an operator enables it. It completes the work that it began.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a bad reason or an expected version below 1, `not_found`,
    /// `failed_precondition`: `VERSION_MISMATCH`, `ILLEGAL_STEP` when it is disabled, banned or removed.
    pub async fn disable_account(
        &self,
        caller: &Caller,
        command: DisableAccount,
    ) -> OpResult<Versioned<TradingAccount>> {
        let scope = rules::DISABLE_ACCOUNT.enter(&caller.principal, command.workspace_id)?;
        let reason: Option<Description> =
            command.reason.as_deref().map(|reason| fields::text("reason", reason)).transpose()?;
        let account = InWorkspace { scope, id: command.account_id };
        let decision = Decision { event: AccountEvent::Disabled, kind: AuditKind::AccountDisabled, reason };
        self.decide_on_account(caller, account, command.expected_version, decision).await
    }

    /// Lets a trading account work again, once it was looked at: it is validated first, or restricted as it was.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an expected version below 1, `not_found`, `failed_precondition`:
    /// `VERSION_MISMATCH`, `ILLEGAL_STEP` unless it is disabled.
    pub async fn enable_account(&self, caller: &Caller, command: EnableAccount) -> OpResult<Versioned<TradingAccount>> {
        let scope = rules::ENABLE_ACCOUNT.enter(&caller.principal, command.workspace_id)?;
        let account = InWorkspace { scope, id: command.account_id };
        let decision = Decision { event: AccountEvent::Enabled, kind: AuditKind::AccountEnabled, reason: None };
        self.decide_on_account(caller, account, command.expected_version, decision).await
    }

    async fn decide_on_account(
        &self,
        caller: &Caller,
        account: InWorkspace<AccountId>,
        expected_version: Option<i64>,
        decision: Decision,
    ) -> OpResult<Versioned<TradingAccount>> {
        fields::expected_version(expected_version)?;
        let InWorkspace { scope, id } = account;
        let Decision { event, kind, reason } = decision;
        let at = self.market_now(scope.workspace_id());
        self.retrying(|| async {
            let account = account_as_seen(self, scope, id, expected_version).await?;
            let mut changes = Changes::by(caller);
            let step = AccountStep { scope, event, said: reason.clone() };
            let moved = step_account(self, &mut changes, By { caller, at }, account, step).await?;
            let about = About::from(&moved.value);
            changes.audit(kind, reason.iter().fold(about, |about, reason| about.with(Fact::Reason, reason)));
            commit_problems(self, caller, changes).await?;
            Ok(moved.into())
        })
        .await
    }
}
