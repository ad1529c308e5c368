//! Inventory changes as they are seen before a decision, and their steps with the rows in the log and the problem that a step settles.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::remediation::RemediationKind;
use tradepost_domain::id::InventoryChangeId;
use tradepost_domain::text::ReasonText;
use tradepost_domain::trading::inventory_change::{ChangeClosed, ChangeStatus, InventoryChange};
use tradepost_domain::transition::{Subject, Transition};
use tradepost_ports::changes::{AppendedRow, Changes, Revised, Seen};

use crate::commit::{By, Step};
use crate::contracts::Problems;
use crate::contracts::remediations::remediation_steps::follow_problems;
use crate::results::require_version;
use crate::{OpError, OpResult, Operations, Reason};

/// An inventory change of a workspace that the caller has entered.
pub(crate) struct ChangeAsSeen {
    pub(crate) scope: WorkspaceScope,
    pub(crate) seen: Seen<InventoryChange>,
}

/// Returns an inventory change for a caller that reads or decides on it, at the version that the caller saw, if it names one.
pub(super) async fn change_as_seen(
    operations: &Operations,
    scope: WorkspaceScope,
    id: InventoryChangeId,
    expected_version: Option<i64>,
) -> OpResult<Seen<InventoryChange>> {
    let found = operations.ports.store.inventory_changes().find_inventory_changes(scope, &[id]).await?;
    let change = found.into_iter().next().ok_or_else(|| OpError::not_found("inventory change"))?;
    require_version(&change, expected_version)?;
    Ok(change)
}

/// Adds the row of a step to the log.
pub(super) fn log_change(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    from: Option<ChangeStatus>,
    after: &Revised<InventoryChange>,
) {
    let change = &after.value;
    let step = Step {
        subject: Subject::InventoryChange(change.id),
        from: from.map(ChangeStatus::as_str),
        to: change.status.as_str(),
        version: after.version,
        trigger: change.status.step(),
    };
    let logged = operations.transition(by.caller, change.workspace_id, step, by.at);
    let (reason, evidence) = (change.reason.clone().map(ReasonText::widened), change.trade_id.clone());
    changes.append(AppendedRow::Transition(Transition { reason, evidence, ..logged }));
}

/// Takes the decision of a person on a change. An orphan is none from then on.
pub(crate) async fn decide_on_change(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    change: ChangeAsSeen,
    decide: impl FnOnce(InventoryChange) -> Result<InventoryChange, ChangeClosed> + Send,
) -> OpResult<Revised<InventoryChange>> {
    let ChangeAsSeen { scope, seen } = change;
    let from = seen.peek().status;
    let decided = changes.revise(seen, decide)?;
    log_change(operations, changes, by, Some(from), &decided);
    let of = Subject::InventoryChange(decided.value.id);
    let problems = Problems { scope, of, found: Vec::new(), resolved: Some(RemediationKind::OrphanItem) };
    follow_problems(operations, changes, by, None, problems).await?;
    Ok(decided)
}

impl From<ChangeClosed> for OpError {
    fn from(error: ChangeClosed) -> Self {
        Self::failed_precondition(Reason::IllegalStep, error.to_string())
    }
}
