//! The steps of remediations. A step of another record opens one, in its own commit, for each problem that it shows, and ends the ones
//! that it settles.

use crate::contracts::intents::intent_steps::commit_intent;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::remediation::{
    Finding, GradedFinding, Remediation, RemediationError, RemediationEvent, RemediationKind,
};
use tradepost_domain::id::{RecordKey, RemediationId};
use tradepost_domain::text::ReasonText;
use tradepost_domain::transition::{Subject, Transition};
use tradepost_ports::changes::{AppendedRow, Caller, Changes, Committed, Revised, Seen};
use tradepost_ports::store::{StoreError, Unique};

use crate::commit::{By, Step};
use crate::in_workspace::InWorkspace;
use crate::results::require_version;
use crate::{OpError, OpResult, Operations};

/// The changes in the problems of one record.
pub(crate) struct Problems {
    pub(crate) scope: WorkspaceScope,
    pub(crate) of: Subject,
    /// The problems that were found.
    pub(crate) found: Vec<Finding>,
    /// The one that no longer exists.
    pub(crate) resolved: Option<RemediationKind>,
}

fn begin_remediation(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    subject: InWorkspace<Subject>,
    graded: GradedFinding,
) -> OpResult<Revised<Remediation>> {
    let evidence = graded.finding.evidence.shown_by.clone();
    let key = RecordKey { workspace_id: subject.scope.workspace_id(), id: operations.mint() };
    let opened = Remediation::open_graded(key, subject.id, graded, by.at)
        .map_err(|error| OpError::invalid_field("subject", format_args!("is refused: {error}")))?;
    let step = Step {
        subject: Subject::Remediation(opened.id),
        from: None,
        to: opened.status.as_str(),
        version: 1,
        trigger: "opened",
    };
    let logged = operations.transition(by.caller, opened.workspace_id, step, by.at);
    changes.append(AppendedRow::Transition(Transition { evidence, ..logged }));
    changes.insert(opened.clone());
    Ok(Revised { value: opened, version: 1 })
}

/// Returns a remediation for a caller that changes it, at the version that the caller saw, if it names one.
pub(crate) async fn remediation_as_seen(
    operations: &Operations,
    scope: WorkspaceScope,
    id: RemediationId,
    expected_version: Option<i64>,
) -> OpResult<Seen<Remediation>> {
    let found = operations.ports.store.remediations().find(scope, id).await?;
    let remediation = found.ok_or_else(|| OpError::not_found("remediation"))?;
    require_version(&remediation, expected_version)?;
    Ok(remediation)
}

/// Moves a remediation by an event. The log gets a row for another status, and for another severity.
pub(crate) fn move_remediation(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    seen: Seen<Remediation>,
    event: RemediationEvent,
) -> Result<Revised<Remediation>, RemediationError> {
    let (from, severity, trigger) = (seen.peek().status, seen.peek().severity, event.name());
    let moved = changes.revise(seen, |remediation| remediation.apply(event, by.at))?;
    if (moved.value.status, moved.value.severity) != (from, severity) {
        let step = Step {
            subject: Subject::Remediation(moved.value.id),
            from: Some(from.as_str()),
            to: moved.value.status.as_str(),
            version: moved.version,
            trigger,
        };
        let logged = operations.transition(by.caller, moved.value.workspace_id, step, by.at);
        let reason = moved.value.reason.clone().map(ReasonText::widened);
        changes.append(AppendedRow::Transition(Transition { reason, ..logged }));
    }
    Ok(moved)
}

/// Adds the changes in a record's problems: an open one was seen again. It skips the remediation `except`, whose
/// own step the command that acts on it takes. Returns the remediation of the first finding.
pub(crate) async fn follow_problems(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    except: Option<RemediationId>,
    problems: Problems,
) -> OpResult<Option<Revised<Remediation>>> {
    let Problems { scope, of, found, resolved } = problems;
    if found.is_empty() && resolved.is_none() {
        return Ok(None);
    }
    let mut live = operations.ports.store.remediations().list_live_of(scope, of).await?;
    live.retain(|seen| Some(seen.peek().id) != except);
    let mut take = |kind| {
        let place = live.iter().position(|seen| seen.peek().kind == kind)?;
        Some(live.swap_remove(place))
    };
    if let Some(seen) = resolved.and_then(&mut take) {
        move_remediation(operations, changes, by, seen, RemediationEvent::Cleared)?;
    }
    let mut first = None;
    for finding in found {
        let remediation = match take(finding.kind) {
            Some(seen) => changes.revise(seen, |known| Ok::<_, OpError>(known.seen_again(by.at)))?,
            None => begin_remediation(operations, changes, by, InWorkspace { scope, id: of }, finding.into())?,
        };
        first.get_or_insert(remediation);
    }
    Ok(first)
}

/// Adds the changes in a problem of a record whose severity depends on more than its kind: it is opened, or was seen again and may be worse. An
/// open one never becomes less severe.
pub(crate) async fn follow_graded_problem(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    of: InWorkspace<Subject>,
    graded: GradedFinding,
) -> OpResult<()> {
    let live = operations.ports.store.remediations().list_live_of(of.scope, of.id).await?;
    let severity = graded.severity;
    match live.into_iter().find(|seen| seen.peek().kind == graded.finding.kind) {
        None => drop(begin_remediation(operations, changes, by, of, graded)?),
        Some(seen) if seen.peek().severity < severity => {
            move_remediation(operations, changes, by, seen, RemediationEvent::Raised { severity })?;
        }
        Some(seen) => drop(changes.revise(seen, |known| Ok::<_, OpError>(known.seen_again(by.at)))?),
    }
    Ok(())
}

/// Opens a remediation for what rejects a call, in a commit of its own: the call changes nothing else.
pub(crate) async fn open_separately(
    operations: &Operations,
    by: By<'_>,
    scope: WorkspaceScope,
    of: Subject,
    finding: &Finding,
) -> OpResult<()> {
    operations
        .retrying(|| async {
            let mut changes = Changes::detached(by.caller);
            let problems = Problems { scope, of, found: vec![finding.clone()], resolved: None };
            follow_problems(operations, &mut changes, by, None, problems).await?;
            commit_problems(operations, by.caller, changes).await.map(drop)
        })
        .await
}

/// Commits changes that may open a remediation. A duplicate is reported as a conflict, so that the caller reads it again.
pub(crate) async fn commit_problems(operations: &Operations, caller: &Caller, changes: Changes) -> OpResult<Committed> {
    match commit_intent(operations, caller, changes).await {
        Err(OpError { source: Some(StoreError::Duplicate(Unique::OpenRemediation)), .. }) => {
            Err(StoreError::Conflict.into())
        }
        outcome => outcome,
    }
}
