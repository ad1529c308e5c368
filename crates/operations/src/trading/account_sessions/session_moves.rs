//! Sessions as they are seen before a change, and their steps with the rows in the log. With a session that no longer works end its secrets, its
//! renewals and the warning that its token ends.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::remediation::RemediationKind;
use tradepost_domain::id::{AccountId, AccountSessionId, RenewalId};
use tradepost_domain::trading::account_session::{AccountSession, SessionEvent, SessionStatus, SessionStepError};
use tradepost_domain::trading::renewal::RenewalEvent;
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{AppendedRow, Changes, Revised, Seen};

use super::session_tokens::{drop_session_code, drop_session_secrets};
use crate::commit::{By, Step};
use crate::contracts::Problems;
use crate::contracts::remediations::remediation_steps::follow_problems;
use crate::results::require_version;
use crate::trading::renewals::renewal_moves::step_renewal;
use crate::{OpError, OpResult, Operations, Reason};

/// Returns a session for a caller that reads or changes it, at the version that the caller saw, if it names one.
pub(super) async fn session_as_seen(
    operations: &Operations,
    scope: WorkspaceScope,
    id: AccountSessionId,
    expected_version: Option<i64>,
) -> OpResult<Seen<AccountSession>> {
    let found = operations.ports.store.account_sessions().find_account_sessions(scope, &[id]).await?;
    let session = found.into_iter().next().ok_or_else(|| OpError::not_found("account session"))?;
    require_version(&session, expected_version)?;
    Ok(session)
}

/// Adds a session that is being started, with its row in the log.
pub(super) fn begin_session(operations: &Operations, changes: &mut Changes, by: By<'_>, session: &AccountSession) {
    changes.insert(session.clone());
    let begun = Revised { value: session.clone(), version: 1 };
    log_session(operations, changes, by, &begun, Logged { from: None, trigger: "started" });
}

/// The row that the log gets.
struct Logged {
    from: Option<SessionStatus>,
    trigger: &'static str,
}

fn log_session(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    after: &Revised<AccountSession>,
    Logged { from, trigger }: Logged,
) {
    let session = &after.value;
    let step = Step {
        subject: Subject::AccountSession(session.id),
        from: from.map(SessionStatus::as_str),
        to: session.status.as_str(),
        version: after.version,
        trigger,
    };
    changes.append(AppendedRow::Transition(operations.transition(by.caller, session.workspace_id, step, by.at)));
}

/// A step of a session.
pub(crate) struct SessionStep {
    pub(crate) scope: WorkspaceScope,
    pub(crate) event: SessionEvent,
    /// The renewal whose end is part of the same changes.
    pub(crate) given_up: Option<RenewalId>,
}

impl SessionStep {
    pub(crate) const fn of(scope: WorkspaceScope, event: SessionEvent) -> Self {
        Self { scope, event, given_up: None }
    }
}

/// Takes a step of a session. What is committed with it may settle a problem.
pub(crate) async fn step_session(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    seen: Seen<AccountSession>,
    SessionStep { scope, event, given_up }: SessionStep,
) -> OpResult<Revised<AccountSession>> {
    let (from, trigger, had_code) = (seen.peek().status, event.name(), seen.peek().has_code);
    let is_taken = event == SessionEvent::CodeGiven;
    let moved = changes.revise(seen, |session| session.apply(event, by.at))?;
    let to = moved.value.status;
    if to != from {
        log_session(operations, changes, by, &moved, Logged { from: Some(from), trigger });
    }
    if !to.works() && !to.is_signing_in() && (from.works() || from.is_signing_in()) {
        drop_session_secrets(operations, scope, moved.value.id, changes).await?;
        let (store, account_id) = (&operations.ports.store, moved.value.account_id);
        for renewal in store.renewals().list_open_renewals_of(scope, account_id).await? {
            if Some(renewal.peek().id) != given_up {
                step_renewal(operations, changes, by, renewal, RenewalEvent::SessionEnded)?;
            }
        }
        settle_expiring(operations, changes, by, scope, account_id).await?;
    } else if had_code && !moved.value.has_code && !is_taken {
        drop_session_code(operations, scope, moved.value.id, changes).await?;
    }
    Ok(moved)
}

/// Settles the problem that an account's token ends soon.
pub(crate) async fn settle_expiring(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    scope: WorkspaceScope,
    account_id: AccountId,
) -> OpResult<()> {
    let resolved = Some(RemediationKind::TokenExpiring);
    let problems = Problems { scope, of: Subject::Account(account_id), found: Vec::new(), resolved };
    follow_problems(operations, changes, by, None, problems).await.map(drop)
}

impl From<SessionStepError> for OpError {
    fn from(error: SessionStepError) -> Self {
        Self::failed_precondition(Reason::IllegalStep, error.to_string())
    }
}
