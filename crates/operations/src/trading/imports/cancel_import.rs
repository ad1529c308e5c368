//! [`CancelImport`]: cancels an import and destroys its content.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{ImportId, WorkspaceId};
use tradepost_domain::trading::import::{Import, ImportEvent};
use tradepost_ports::changes::{Caller, Changes};

use super::import_moves::{ImportStep, import_as_seen, step_import};
use crate::commit::By;
use crate::results::require_version;
use crate::rules;
use crate::{OpResult, Operations, Versioned, fields};

/// Cancels an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CancelImport {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The import.
    pub import_id: ImportId,
    /// The version that the caller saw, from 1; rejected when the import has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Cancels an import that is not applied, and destroys its content. Rows that were applied before stay applied.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for an expected version below 1; `not_found`; `failed_precondition`:
    /// `VERSION_MISMATCH`, `ILLEGAL_STEP` when it is applied, cancelled or expired.
    pub async fn cancel_import(&self, caller: &Caller, command: CancelImport) -> OpResult<Versioned<Import>> {
        let scope = rules::CANCEL_IMPORT.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let at = self.now();
        self.retrying(|| async {
            let import = import_as_seen(self, scope, command.import_id).await?;
            require_version(&import, command.expected_version)?;
            let (mut changes, tally) = (Changes::by(caller), import.peek().tally);
            let step = ImportStep { event: ImportEvent::Cancelled, tally };
            let cancelled = step_import(self, &mut changes, By { caller, at }, import, step).await?;
            changes.audit(AuditKind::ImportCancelled, &cancelled.value);
            self.commit(caller, changes).await?;
            Ok(cancelled.into())
        })
        .await
    }
}
