//! Renewals as they are seen before a change, and their steps with the rows in the log.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, RecordKey, RenewalId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::account_session::TokenExpiry;
use tradepost_domain::trading::renewal::{Issued, Renewal, RenewalEvent, RenewalKind, RenewalStatus, RenewalStepError};
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{AppendedRow, Changes, Revised, Seen};

use crate::commit::{By, Step};
use crate::results::require_version;
use crate::{OpError, OpResult, Operations, Reason};

/// Returns a renewal for a caller that reads or changes it, at the version that the caller saw, if it names one.
pub(super) async fn renewal_as_seen(
    operations: &Operations,
    scope: WorkspaceScope,
    id: RenewalId,
    expected_version: Option<i64>,
) -> OpResult<Seen<Renewal>> {
    let found = operations.ports.store.renewals().find_renewals(scope, &[id]).await?;
    let renewal = found.into_iter().next().ok_or_else(|| OpError::not_found("renewal"))?;
    require_version(&renewal, expected_version)?;
    Ok(renewal)
}

/// When a token is renewed that gets a new renewal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due {
    /// At its time, counted from now.
    InTime,
    /// Now, because a person wants it.
    Requested,
}

/// A renewal that is to be scheduled.
pub(crate) struct NewRenewal {
    pub(crate) scope: WorkspaceScope,
    pub(crate) account_id: AccountId,
    pub(crate) kind: RenewalKind,
    pub(crate) due: Due,
}

/// Schedules the renewal of a token.
pub(crate) fn schedule_renewal(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    NewRenewal { scope, account_id, kind, due }: NewRenewal,
    expiry: TokenExpiry,
) -> OpResult<Renewal> {
    let key: RecordKey<RenewalId> = RecordKey { workspace_id: scope.workspace_id(), id: operations.mint() };
    let issued = Issued { at: by.at, expires_at: end_of(kind, expiry) };
    let mut scheduled = Renewal::scheduled(key, account_id, kind, issued, draw_of(key.id));
    if due == Due::Requested {
        scheduled = scheduled.apply(RenewalEvent::Requested, by.at)?;
    }
    changes.insert(scheduled.clone());
    let new = Revised { value: scheduled.clone(), version: 1 };
    log_renewal(operations, changes, by, &new, Logged { from: None, trigger: "scheduled" });
    Ok(scheduled)
}

/// When the token of a kind ends.
pub(super) const fn end_of(kind: RenewalKind, expiry: TokenExpiry) -> Timestamp {
    match kind {
        RenewalKind::AccessToken => expiry.access,
        RenewalKind::RefreshToken => expiry.refresh,
    }
}

/// What spreads the times of renewals: the last byte of an id is random.
pub(super) fn draw_of(id: RenewalId) -> u8 {
    let [.., last] = id.to_bytes();
    last
}

/// Takes a step of a renewal.
pub(crate) fn step_renewal(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    seen: Seen<Renewal>,
    event: RenewalEvent,
) -> OpResult<Revised<Renewal>> {
    let from = seen.peek().status;
    let moved = changes.revise(seen, |renewal| renewal.apply(event, by.at))?;
    if moved.value.status != from {
        log_renewal(operations, changes, by, &moved, Logged { from: Some(from), trigger: event.name() });
    }
    Ok(moved)
}

/// The row that the log gets.
struct Logged {
    from: Option<RenewalStatus>,
    trigger: &'static str,
}

fn log_renewal(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    after: &Revised<Renewal>,
    Logged { from, trigger }: Logged,
) {
    let renewal = &after.value;
    let step = Step {
        subject: Subject::Renewal(renewal.id),
        from: from.map(RenewalStatus::as_str),
        to: renewal.status.as_str(),
        version: after.version,
        trigger,
    };
    changes.append(AppendedRow::Transition(operations.transition(by.caller, renewal.workspace_id, step, by.at)));
}

impl From<RenewalStepError> for OpError {
    fn from(error: RenewalStepError) -> Self {
        Self::failed_precondition(Reason::IllegalStep, error.to_string())
    }
}
