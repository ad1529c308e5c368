//! Trading accounts as they are seen before a change, and the steps of their lives with their rows in the log.

use crate::contracts::remediations::remediation_steps::follow_problems;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::remediation::{RemediationKind, findings};
use tradepost_domain::id::{AccountGroupId, AccountId};
use tradepost_domain::text::{AccountName, Description};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trading_account::{
    AccountError, AccountEvent, AccountGone, AccountGroup, AccountStatus, GroupError, RenewalError, TradingAccount,
};
use tradepost_domain::transition::{Subject, Transition};
use tradepost_ports::changes::{AppendedRow, Changes, Revised, Seen};

use crate::commit::{By, Step};
use crate::contracts::Problems;
use crate::results::require_version;
use crate::{OpError, OpResult, Operations, Reason};

/// A step of an account's life in its workspace.
pub(crate) struct AccountStep {
    pub(crate) scope: WorkspaceScope,
    pub(crate) event: AccountEvent,
    /// The reason, if one was given.
    pub(crate) said: Option<Description>,
}

/// Returns an account for a caller that reads or changes it, at the version that the caller saw, if it names one.
pub(crate) async fn account_as_seen(
    operations: &Operations,
    scope: WorkspaceScope,
    id: AccountId,
    expected_version: Option<i64>,
) -> OpResult<Seen<TradingAccount>> {
    let found = operations.ports.store.trading_accounts().find(scope, id).await?;
    let account = found.ok_or_else(|| OpError::not_found("trading account"))?;
    require_version(&account, expected_version)?;
    Ok(account)
}

/// Returns an account that is not removed, of which a person asks for a list. The changes rely on it, and the refusal of an earlier request is
/// shown no longer.
pub(crate) fn account_to_list(
    changes: &mut Changes,
    seen: Seen<TradingAccount>,
    at: Timestamp,
) -> OpResult<TradingAccount> {
    if seen.peek().status.is_terminal() {
        return Err(AccountGone.into());
    }
    if seen.peek().refresh.is_some_and(|refresh| refresh.is_refused) {
        return Ok(changes.revise(seen, |account| Ok::<_, OpError>(account.asked_for_list(at)))?.value);
    }
    Ok(changes.rely_on(seen))
}

/// Requires that the notice of the platform was accepted for an account, if it is on record: the platform makes no trade before.
pub(crate) async fn require_acknowledged(
    operations: &Operations,
    scope: WorkspaceScope,
    name: &AccountName,
) -> OpResult<()> {
    match operations.ports.store.trading_accounts().find_named(scope, name).await? {
        Some(account) if !account.peek().may_trade() => Err(not_acknowledged()),
        Some(_) | None => Ok(()),
    }
}

/// Returns the error of an account for which no one has accepted the notice of the platform.
pub(crate) fn not_acknowledged() -> OpError {
    let message = "no one has accepted the platform's notice for the trading account";
    OpError::failed_precondition(Reason::TradesNotAcknowledged, message)
}

/// Returns a group for a caller that reads or changes it, at the version that the caller saw, if it names one.
pub(crate) async fn account_group_as_seen(
    operations: &Operations,
    scope: WorkspaceScope,
    id: AccountGroupId,
    expected_version: Option<i64>,
) -> OpResult<Seen<AccountGroup>> {
    let found = operations.ports.store.account_groups().find(scope, id).await?;
    let group = found.ok_or_else(|| OpError::not_found("account group"))?;
    require_version(&group, expected_version)?;
    Ok(group)
}

/// Takes a step of an account's life, with its row in the log, and with the problem that it shows or settles. What is
/// committed with it may open a remediation.
pub(crate) async fn step_account(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    seen: Seen<TradingAccount>,
    step: AccountStep,
) -> OpResult<Revised<TradingAccount>> {
    let AccountStep { scope, event, said } = step;
    let from = seen.peek().status;
    let moved = changes.revise(seen, |account| account.apply(event, said.clone(), by.at))?;
    let step = Step {
        subject: Subject::Account(moved.value.id),
        from: Some(from.as_str()),
        to: moved.value.status.as_str(),
        version: moved.version,
        trigger: event.name(),
    };
    let logged = operations.transition(by.caller, moved.value.workspace_id, step, by.at);
    changes.append(AppendedRow::Transition(Transition { reason: said, ..logged }));
    let to = moved.value.status;
    let found = findings::of_account(from, &moved.value).into_iter().collect();
    let problems = Problems { scope, of: step.subject, found, resolved: findings::resolved_with_account(from, to) };
    follow_problems(operations, changes, by, None, problems).await?;
    if matches!(to, AccountStatus::Banned | AccountStatus::Removed) && !moved.value.may_trade() {
        let resolved = Some(RemediationKind::AcknowledgeTrades);
        let problems = Problems { scope, of: step.subject, found: Vec::new(), resolved };
        follow_problems(operations, changes, by, None, problems).await?;
    }
    if to == AccountStatus::Removed && moved.value.has_foreign_key() {
        let resolved = Some(RemediationKind::UnexpectedApiKey);
        let problems = Problems { scope, of: step.subject, found: Vec::new(), resolved };
        follow_problems(operations, changes, by, None, problems).await?;
    }
    Ok(moved)
}

impl From<AccountError> for OpError {
    fn from(error: AccountError) -> Self {
        let reason = match &error {
            AccountError::IllegalStep { .. } => Reason::IllegalStep,
            AccountError::TooEarly { .. } => Reason::TooEarly,
            AccountError::HasOpenWork(_) => Reason::AccountAtWork,
            AccountError::Assigned { .. } => Reason::AccountAssigned,
        };
        Self::failed_precondition(reason, error.to_string())
    }
}

impl From<AccountGone> for OpError {
    fn from(error: AccountGone) -> Self {
        Self::failed_precondition(Reason::AccountRemoved, error.to_string())
    }
}

impl From<RenewalError> for OpError {
    fn from(error: RenewalError) -> Self {
        let reason = match &error {
            RenewalError::NotRequested | RenewalError::Begun => Reason::IllegalStep,
            RenewalError::HasPurchases { .. } => Reason::AccountAtWork,
        };
        Self::failed_precondition(reason, error.to_string())
    }
}

impl From<GroupError> for OpError {
    fn from(error: GroupError) -> Self {
        let reason = match &error {
            GroupError::Full { .. } => Reason::AccountGroupFull,
            GroupError::InUse { .. } => Reason::AccountGroupInUse,
        };
        Self::failed_precondition(reason, error.to_string())
    }
}
