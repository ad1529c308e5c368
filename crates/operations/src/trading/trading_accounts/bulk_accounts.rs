//! [`BulkAccounts`]: enables, disables or signs in several trading accounts at once, each as the operation for one account does.

use std::collections::BTreeSet;

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::id::{AccountGroupId, AccountId, AccountSessionId, WorkspaceId};
use tradepost_domain::text::Description;
use tradepost_domain::trading::account_session::Start;
use tradepost_domain::trading::trading_account::{AccountEvent, TradingAccount};
use tradepost_ports::changes::{Caller, Changes, Seen};

use super::account_moves::{AccountStep, account_group_as_seen, step_account};
use crate::accounts::workspaces::risk_notice::rely_on_acknowledged_risks;
use crate::commit::By;
use crate::contracts::remediations::remediation_steps::commit_problems;
use crate::rules;
use crate::trading::account_sessions::start_account_session::WantedSession;
use crate::{Code, OpError, OpResult, Operations, Reason, Versioned, fields};

/// The most accounts of one call.
const MOST: usize = 100;

/// What is done to each account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BulkAction {
    /// It works again, as after `EnableAccount`.
    Enable,
    /// It gets no new work, as after `DisableAccount`.
    Disable,
    /// The engine signs it in, as after `StartAccountSession`.
    StartSession,
}

/// A step of several trading accounts: those that are named, or those of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BulkAccounts {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The accounts, up to 100; none with a group.
    pub account_ids: Vec<AccountId>,
    /// The group that names them, with up to 100 accounts.
    pub account_group_id: Option<AccountGroupId>,
    /// What is done.
    pub action: BulkAction,
    /// Why they are disabled, in 1 to 512 characters.
    pub reason: Option<String>,
}

/// Why an account stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountObjection {
    /// The reason, as the operation for one account reports it.
    pub reason: Reason,
    /// What it means for this account.
    pub message: String,
}

/// What came of one account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountResult {
    /// The account.
    pub account_id: AccountId,
    /// The account after the step, or why it was not taken.
    pub outcome: Result<Versioned<TradingAccount>, AccountObjection>,
    /// The session that was started.
    pub account_session_id: Option<AccountSessionId>,
}

impl AccountResult {
    pub(super) fn done(account: Versioned<TradingAccount>) -> Self {
        Self { account_id: account.value.id, outcome: Ok(account), account_session_id: None }
    }

    fn signed_in_by(account: Versioned<TradingAccount>, session: AccountSessionId) -> Self {
        Self { account_session_id: Some(session), ..Self::done(account) }
    }

    pub(super) fn missing(account_id: AccountId) -> Self {
        Self::refused(account_id, OpError::not_found("trading account"))
    }

    pub(super) fn refused(account_id: AccountId, error: OpError) -> Self {
        let objection = AccountObjection { reason: error.reason, message: error.message };
        Self { account_id, outcome: Err(objection), account_session_id: None }
    }
}

/// Returns the accounts that a call names, each once.
pub(super) fn chosen_accounts(field: &str, given: &[AccountId]) -> OpResult<Vec<AccountId>> {
    if given.is_empty() || given.len() > MOST {
        return Err(OpError::invalid_field(field, format_args!("must have 1 to {MOST} ids")));
    }
    let mut seen = BTreeSet::new();
    Ok(given.iter().copied().filter(|id| seen.insert(*id)).collect())
}

/// Takes an account out of those that were found.
pub(super) fn take_account(found: &mut Vec<Seen<TradingAccount>>, id: AccountId) -> Option<Seen<TradingAccount>> {
    let place = found.iter().position(|seen| seen.peek().id == id)?;
    Some(found.swap_remove(place))
}

impl Operations {
    /// Enables or disables each account, or starts a session of each, in one commit. Returns a result for each, in the order asked for, or by id
    /// for a group: what one of them rejects keeps no other back, and none is changed by half.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for no accounts or too many, for ids and a group, and for a bad reason; `not_found` for the
    /// group; to start sessions `failed_precondition`: `STEP_UP_REQUIRED`, `RISKS_NOT_ACKNOWLEDGED`. Of one account: `NOT_FOUND`,
    /// `ILLEGAL_STEP`; `ACCOUNT_REMOVED`, `ACCOUNT_WITHOUT_PASSWORD`, `SESSION_OPEN`.
    pub async fn bulk_accounts(&self, caller: &Caller, command: BulkAccounts) -> OpResult<Vec<AccountResult>> {
        let scope = rules::BULK_ACCOUNTS.enter(&caller.principal, command.workspace_id)?;
        let said: Option<Description> =
            command.reason.as_deref().map(|reason| fields::text("reason", reason)).transpose()?;
        let (event, kind) = match command.action {
            BulkAction::Enable => (AccountEvent::Enabled, AuditKind::AccountEnabled),
            BulkAction::Disable => (AccountEvent::Disabled, AuditKind::AccountDisabled),
            BulkAction::StartSession if said.is_some() => {
                let rule = "must be absent where sessions are started: it is kept nowhere";
                return Err(OpError::invalid_field("reason", rule));
            }
            BulkAction::StartSession => return self.start_sessions(caller, scope, &command).await,
        };
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            let ids = self.bulk_selection(scope, &command, &mut changes).await?;
            let mut found = self.ports.store.trading_accounts().find_many(scope, &ids).await?;
            let (mut results, mut is_changed) = (Vec::with_capacity(ids.len()), false);
            for id in ids {
                let Some(seen) = take_account(&mut found, id) else {
                    results.push(AccountResult::missing(id));
                    continue;
                };
                if let Err(error) = seen.peek().clone().apply(event, said.clone(), at) {
                    results.push(AccountResult::refused(id, error.into()));
                    continue;
                }
                let step = AccountStep { scope, event, said: said.clone() };
                let moved = step_account(self, &mut changes, By { caller, at }, seen, step).await?;
                let about = About::from(&moved.value);
                changes.audit(kind, said.iter().fold(about, |about, reason| about.with(Fact::Reason, reason)));
                results.push(AccountResult::done(moved.into()));
                is_changed = true;
            }
            if is_changed {
                commit_problems(self, caller, changes).await?;
            }
            Ok(results)
        })
        .await
    }

    /// Begins to sign each account in, as `StartAccountSession` does. The engine begins one sign-in every 10 s at most.
    async fn start_sessions(
        &self,
        caller: &Caller,
        scope: WorkspaceScope,
        command: &BulkAccounts,
    ) -> OpResult<Vec<AccountResult>> {
        let by = By { caller, at: self.market_now(command.workspace_id) };
        let start = Start { uses_stored_code: true, is_automatic: false };
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            self.require_step_up_in(caller, scope, rules::BULK_ACCOUNTS, &mut changes).await?;
            rely_on_acknowledged_risks(self, scope, &mut changes).await?;
            let ids = self.bulk_selection(scope, command, &mut changes).await?;
            let mut found = self.ports.store.trading_accounts().find_many(scope, &ids).await?;
            let (mut results, mut is_changed) = (Vec::with_capacity(ids.len()), false);
            for account_id in ids {
                let Some(seen) = take_account(&mut found, account_id) else {
                    results.push(AccountResult::missing(account_id));
                    continue;
                };
                let wanted = WantedSession { scope, account_id, start };
                match self.start_session(&mut changes, by, wanted).await {
                    Err(refused) if refused.code == Code::FailedPrecondition => {
                        results.push(AccountResult::refused(account_id, refused));
                    }
                    started => {
                        let started = started?;
                        changes.audit(AuditKind::AccountSessionStarted, &started);
                        results.push(AccountResult::signed_in_by(seen.into(), started.id));
                        is_changed = true;
                    }
                }
            }
            if is_changed {
                self.commit_session(caller, changes).await?;
            }
            Ok(results)
        })
        .await
    }

    /// Returns the accounts that a call is about. Those of a group stay in it until the commit.
    async fn bulk_selection(
        &self,
        scope: WorkspaceScope,
        command: &BulkAccounts,
        changes: &mut Changes,
    ) -> OpResult<Vec<AccountId>> {
        let Some(group_id) = command.account_group_id else {
            return chosen_accounts("accountIds", &command.account_ids);
        };
        if !command.account_ids.is_empty() {
            return Err(OpError::invalid_field("accountIds", "must be empty with `accountGroupId`"));
        }
        let group = changes.rely_on(account_group_as_seen(self, scope, group_id, None).await?);
        if group.account_ids.len() > MOST {
            let rule = format_args!("names a group of more than {MOST} accounts; name some of them in `accountIds`");
            return Err(OpError::invalid_field("accountGroupId", rule));
        }
        Ok(group.account_ids.iter().copied().collect())
    }
}
