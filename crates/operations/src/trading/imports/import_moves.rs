//! Imports as they are seen before a change, and the steps of their lives with their rows in the log.

use tradepost_domain::accounts::access::{Principal, WorkspaceScope};
use tradepost_domain::id::{ImportId, WorkspaceId};
use tradepost_domain::trading::import::{Import, ImportError, ImportEvent, ImportKind, RowTally};
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{AppendedRow, Caller, Changes, Revised, Seen};

use super::content;
use crate::commit::{By, Step};
use crate::rules::{READ_TRADING, WRITE_TRADING};
use crate::{OpError, OpResult, Operations, Reason};

/// A step of an import's life.
#[derive(Clone, Copy)]
pub(crate) struct ImportStep {
    pub(crate) event: ImportEvent,
    /// The rows, counted after the step.
    pub(crate) tally: RowTally,
}

/// Checks that the caller may import this, in addition to what the operation asks for: holdings, purchases and sales are a part of what is
/// traded.
pub(crate) fn require_right_to(caller: &Caller, kind: ImportKind, workspace_id: WorkspaceId) -> OpResult<()> {
    match kind {
        ImportKind::Accounts => Ok(()),
        ImportKind::Holdings | ImportKind::Purchases | ImportKind::Sales => {
            Ok(caller.principal.enter(workspace_id, WRITE_TRADING).map(|_| ())?)
        }
    }
}

/// Checks that the caller may read the rows of such an import: items, and what was paid for them, are a part of what is traded.
pub(super) fn require_right_to_read(caller: &Caller, kind: ImportKind, workspace_id: WorkspaceId) -> OpResult<()> {
    match kind {
        ImportKind::Accounts => Ok(()),
        ImportKind::Holdings | ImportKind::Purchases | ImportKind::Sales => {
            Ok(caller.principal.enter(workspace_id, READ_TRADING).map(|_| ())?)
        }
    }
}

/// Returns an import.
pub(crate) async fn import_as_seen(
    operations: &Operations,
    scope: WorkspaceScope,
    id: ImportId,
) -> OpResult<Seen<Import>> {
    let found = operations.ports.store.imports().find_imports(scope, &[id]).await?;
    found.into_iter().next().ok_or_else(|| OpError::not_found("import"))
}

/// Takes a step of an import's life. A step to another status has a row in the log, and the last one destroys the content.
pub(crate) async fn step_import(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    seen: Seen<Import>,
    ImportStep { event, tally }: ImportStep,
) -> OpResult<Revised<Import>> {
    let from = seen.peek().status;
    let moved = changes.revise(seen, |import| import.apply(event, tally, by.at))?;
    let import = &moved.value;
    if import.status != from {
        let step = Step {
            subject: Subject::Import(import.id),
            from: Some(from.as_str()),
            to: import.status.as_str(),
            version: moved.version,
            trigger: event.name(),
        };
        changes.append(AppendedRow::Transition(operations.transition(by.caller, import.workspace_id, step, by.at)));
    }
    if import.status.is_terminal() {
        let scope = Principal::System.enter_as_member(import.workspace_id)?;
        content::place(import.id).remove(operations, scope, changes).await?;
    }
    Ok(moved)
}

impl From<ImportError> for OpError {
    fn from(error: ImportError) -> Self {
        let reason = match &error {
            ImportError::IllegalStep { .. } | ImportError::TooLate => Reason::IllegalStep,
            ImportError::TooEarly => Reason::TooEarly,
        };
        Self::failed_precondition(reason, error.to_string())
    }
}
