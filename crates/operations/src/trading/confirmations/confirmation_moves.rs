//! Confirmations as they are seen before a change, and their steps with their rows in the log and their problems.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::remediation::{Evidence, Finding, RemediationKind};
use tradepost_domain::id::ConfirmationId;
use tradepost_domain::trading::confirmation::{Confirmation, ConfirmationStatus, StepError};
use tradepost_domain::transition::{Subject, Transition};
use tradepost_ports::changes::{AppendedRow, Changes, Revised, Seen};
use tradepost_ports::store::{StoreError, Unique};

use crate::commit::{By, Step};
use crate::contracts::Problems;
use crate::contracts::remediations::remediation_steps::{commit_problems, follow_problems};
use crate::results::require_version;
use crate::{OpError, OpResult, Operations, Reason, Versioned};

/// Returns a confirmation for a caller that reads or changes it, at the version that the caller saw, if it names one.
pub(crate) async fn confirmation_as_seen(
    operations: &Operations,
    scope: WorkspaceScope,
    id: ConfirmationId,
    expected_version: Option<i64>,
) -> OpResult<Seen<Confirmation>> {
    let found = operations.ports.store.confirmations().find(scope, id).await?;
    let confirmation = found.ok_or_else(|| OpError::not_found("confirmation"))?;
    require_version(&confirmation, expected_version)?;
    Ok(confirmation)
}

/// Adds a confirmation, and commits.
pub(super) async fn add_confirmation(
    operations: &Operations,
    by: By<'_>,
    scope: WorkspaceScope,
    confirmation: Confirmation,
) -> OpResult<Versioned<Confirmation>> {
    let mut changes = Changes::by(by.caller);
    changes.insert(confirmation.clone());
    let added = Revised { value: confirmation, version: 1 };
    log_step(operations, &mut changes, by, None, &added);
    follow_status(operations, &mut changes, by, scope, &added.value).await?;
    commit_confirmation(operations, by, changes).await?;
    Ok(added.into())
}

/// Replaces a confirmation that differs, and commits.
pub(super) async fn keep_confirmation(
    operations: &Operations,
    by: By<'_>,
    scope: WorkspaceScope,
    seen: Seen<Confirmation>,
    next: Confirmation,
) -> OpResult<Versioned<Confirmation>> {
    if *seen.peek() == next {
        return Ok(seen.into());
    }
    let mut changes = Changes::by(by.caller);
    let moved = move_confirmation(operations, &mut changes, by, ConfirmationChange { scope, seen, next }).await?;
    commit_confirmation(operations, by, changes).await?;
    Ok(moved.into())
}

/// A confirmation that was seen, and what it becomes.
pub(super) struct ConfirmationChange {
    pub(super) scope: WorkspaceScope,
    pub(super) seen: Seen<Confirmation>,
    pub(super) next: Confirmation,
}

/// Replaces a confirmation, with the row of its step if it takes one, and its problem.
pub(super) async fn move_confirmation(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    place: ConfirmationChange,
) -> OpResult<Revised<Confirmation>> {
    let ConfirmationChange { scope, seen, next } = place;
    let from = seen.peek().status;
    let moved = changes.revise(seen, |_| Ok::<_, OpError>(next))?;
    if moved.value.status != from {
        log_step(operations, changes, by, Some(from), &moved);
        follow_status(operations, changes, by, scope, &moved.value).await?;
    }
    Ok(moved)
}

/// Commits. One that another call recorded first is a conflict, so that it is read and decided again.
pub(super) async fn commit_confirmation(operations: &Operations, by: By<'_>, changes: Changes) -> OpResult<()> {
    match commit_problems(operations, by.caller, changes).await {
        Err(OpError { source: Some(StoreError::Duplicate(Unique::SeenConfirmation)), .. }) => {
            Err(StoreError::Conflict.into())
        }
        outcome => outcome.map(drop),
    }
}

fn log_step(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    from: Option<ConfirmationStatus>,
    after: &Revised<Confirmation>,
) {
    let confirmation = &after.value;
    let step = Step {
        subject: Subject::Confirmation(confirmation.id),
        from: from.map(ConfirmationStatus::as_str),
        to: confirmation.status.as_str(),
        version: after.version,
        trigger: confirmation.status.step(),
    };
    let logged = operations.transition(by.caller, confirmation.workspace_id, step, by.at);
    let evidence = Some(confirmation.shown.platform_id.clone());
    changes.append(AppendedRow::Transition(Transition { evidence, ..logged }));
}

/// Opens the problem of one that is strange, and ends it with the confirmation.
async fn follow_status(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    scope: WorkspaceScope,
    after: &Confirmation,
) -> OpResult<()> {
    let kind = RemediationKind::UnexpectedConfirmation;
    let is_strange = after.status == ConfirmationStatus::Strange;
    let evidence = Evidence { shown_by: Some(after.shown.platform_id.clone()), ..Evidence::default() };
    let found = if is_strange { vec![Finding { kind, evidence }] } else { Vec::new() };
    let resolved = (!after.is_open()).then_some(kind);
    let problems = Problems { scope, of: Subject::Confirmation(after.id), found, resolved };
    follow_problems(operations, changes, by, None, problems).await.map(drop)
}

impl From<StepError> for OpError {
    fn from(error: StepError) -> Self {
        let reason = match error {
            StepError::NotHere => Reason::ConfirmationNotAllowedHere,
            StepError::Status(_) | StepError::Attempts => Reason::IllegalStep,
        };
        Self::failed_precondition(reason, error.to_string())
    }
}
