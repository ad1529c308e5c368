//! Friends as they are seen before a change, and their steps with their rows in the log.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, FriendId};
use tradepost_domain::trading::friend::{Friend, FriendError};
use tradepost_domain::trading::trading_account::{AccountGone, TradingAccount};
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{AppendedRow, Changes, Revised, Seen};
use tradepost_ports::store::{StoreError, Unique};

use crate::commit::{By, Step};
use crate::results::require_version;
use crate::trading::trading_accounts::account_moves::account_as_seen;
use crate::{OpError, OpResult, Operations, Reason};

/// Returns a friend for a caller that reads or changes it, at the version that the caller saw, if it names one.
pub(crate) async fn friend_as_seen(
    operations: &Operations,
    scope: WorkspaceScope,
    id: FriendId,
    expected_version: Option<i64>,
) -> OpResult<Seen<Friend>> {
    let found = operations.ports.store.friends().find(scope, id).await?;
    let friend = found.ok_or_else(|| OpError::not_found("friend"))?;
    require_version(&friend, expected_version)?;
    Ok(friend)
}

/// Returns an account that is not removed. The changes rely on it.
pub(crate) async fn live_account(
    operations: &Operations,
    scope: WorkspaceScope,
    id: AccountId,
    changes: &mut Changes,
) -> OpResult<TradingAccount> {
    let account = changes.rely_on(account_as_seen(operations, scope, id, None).await?);
    if account.status.is_terminal() {
        return Err(AccountGone.into());
    }
    Ok(account)
}

/// Adds a friend, with the row of its first step.
pub(crate) fn insert_friend(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    friend: Friend,
) -> Revised<Friend> {
    changes.insert(friend.clone());
    let added = Revised { value: friend, version: 1 };
    log_step(operations, changes, by, None, &added);
    added
}

/// Replaces a friend, with the row of its step if it takes one.
pub(crate) fn move_friend(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    seen: Seen<Friend>,
    next: Friend,
) -> OpResult<Revised<Friend>> {
    let before = seen.peek().clone();
    let moved = changes.revise(seen, |_| Ok::<_, OpError>(next))?;
    log_step(operations, changes, by, Some(&before), &moved);
    Ok(moved)
}

fn log_step(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    before: Option<&Friend>,
    after: &Revised<Friend>,
) {
    let friend = &after.value;
    let Some(trigger) = friend.step_from(before) else { return };
    let step = Step {
        subject: Subject::Friend(friend.id),
        from: before.map(|before| before.relation.as_str()),
        to: friend.relation.as_str(),
        version: after.version,
        trigger,
    };
    changes.append(AppendedRow::Transition(operations.transition(by.caller, friend.workspace_id, step, by.at)));
}

/// Returns a conflict when another call recorded the same friend first, so that it is read and decided again.
pub(crate) fn recorded_first(error: OpError) -> OpError {
    match error.source {
        Some(StoreError::Duplicate(Unique::Friend | Unique::Address)) => StoreError::Conflict.into(),
        Some(_) | None => error,
    }
}

impl From<FriendError> for OpError {
    fn from(error: FriendError) -> Self {
        let reason = match &error {
            FriendError::Reached { .. } | FriendError::Impossible { .. } => Reason::IllegalStep,
            FriendError::InFlight { .. } => Reason::FriendActionInFlight,
        };
        Self::failed_precondition(reason, error.to_string())
    }
}
