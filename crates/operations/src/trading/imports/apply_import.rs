//! [`ApplyImport`]: creates and updates the accounts of an import, or records its holdings, its purchases or its sales, in bounded commits.
//!
//! Each commit writes some records together with the outcomes of their rows. A call that ends in the middle leaves nothing to correct:
//! the next one continues with the rows that are left, and one after the last returns what was done.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::id::{ImportId, WorkspaceId};
use tradepost_domain::trading::import::{Import, ImportEvent, ImportKind, ImportRow, ImportStatus, RowOutcome};
use tradepost_ports::changes::{Caller, Changes, Seen};
use tradepost_ports::store::{StoreError, Unique};

use super::apply_rows::NextRows;
use super::import_moves::{ImportStep, import_as_seen, require_right_to, step_import};
use crate::commit::By;
use crate::results::require_version;
use crate::rules;
use crate::secrets::data_keys::lost_race;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// Rows that are applied in one commit.
const ROWS_AT_ONCE: usize = 25;

/// Applies an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApplyImport {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The import.
    pub import_id: ImportId,
    /// The version whose rows the caller saw; rejected when the import has another one and nothing of it is applied yet. Required.
    pub expected_version: Option<i64>,
}

/// How far a commit came.
enum Progress {
    /// Rows may be left.
    Part,
    /// Every row is applied.
    All(Versioned<Import>),
}

impl Operations {
    /// Applies an import: creates and updates the accounts of its rows, or records its holdings, its purchases or its sales. A row whose record
    /// cannot be created any longer fails for itself alone. An import that is applied is returned as it is.
    ///
    /// # Errors
    /// `permission_denied`, for holdings, purchases and sales without the policy `trading` as well; `invalid_argument` without an expected version or for one
    /// below 1; `failed_precondition` with `STEP_UP_REQUIRED`; `not_found` for the import, and for its group where it was deleted;
    /// `failed_precondition`: `VERSION_MISMATCH`, `ILLEGAL_STEP` when it was cancelled, or is an hour old; `internal` with `KEY_ENCRYPTION_UNAVAILABLE`. Rows that were
    /// applied until then stay applied.
    pub async fn apply_import(&self, caller: &Caller, command: ApplyImport) -> OpResult<Versioned<Import>> {
        let scope = rules::APPLY_IMPORT.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        if command.expected_version.is_none() {
            return Err(OpError::invalid_field("expectedVersion", "is required"));
        }
        loop {
            if let Progress::All(import) = self.retrying(|| self.apply_part(caller, scope, command)).await? {
                return Ok(import);
            }
        }
    }

    /// Applies the next rows in one commit, or ends the import where none is left. Only the end carries the key of the call: one that is
    /// made again under its key continues.
    async fn apply_part(&self, caller: &Caller, scope: WorkspaceScope, command: ApplyImport) -> OpResult<Progress> {
        let mut changes = Changes::detached(caller);
        self.require_step_up_in(caller, scope, rules::APPLY_IMPORT, &mut changes).await?;
        let import = import_as_seen(self, scope, command.import_id).await?;
        require_right_to(caller, import.peek().kind, command.workspace_id)?;
        match import.peek().status {
            ImportStatus::Applied => return Ok(Progress::All(import.into())),
            ImportStatus::Checked => require_version(&import, command.expected_version)?,
            ImportStatus::Applying | ImportStatus::Cancelled | ImportStatus::Expired => {}
        }
        // Before the content is read, which ends with the import.
        import.peek().clone().apply(ImportEvent::Continued, import.peek().tally, self.now())?;
        let rows = self.ports.store.imports().find_import_rows(scope, command.import_id).await?;
        let rows = rows.ok_or_else(|| OpError::internal(format!("import {} has no rows", command.import_id)))?;
        let left = rows.peek().rows.iter().filter(|row| row.outcome.is_pending());
        let next: Vec<ImportRow> = left.take(ROWS_AT_ONCE).cloned().collect();
        if next.is_empty() {
            let count = |wanted| rows.peek().rows.iter().filter(|row| row.outcome == wanted).count();
            let done = count(RowOutcome::Created).saturating_add(count(RowOutcome::Updated));
            return self.end_import(caller, scope, import, done).await.map(Progress::All);
        }
        let by = By { caller, at: self.now() };
        let next = NextRows { import: import.peek(), rows: next };
        let applied = match import.peek().kind {
            ImportKind::Accounts => self.apply_rows(&mut changes, by, scope, next).await?,
            ImportKind::Holdings => self.apply_holdings(&mut changes, by, scope, next).await?,
            ImportKind::Purchases => self.apply_purchases(&mut changes, by, scope, next).await?,
            ImportKind::Sales => self.apply_sales(&mut changes, by, scope, next).await?,
        };
        let rows = changes.revise(rows, |rows| Ok::<_, OpError>(rows.with(applied)))?;
        step_import(
            self,
            &mut changes,
            by,
            import,
            ImportStep { event: ImportEvent::Continued, tally: rows.value.tally() },
        )
        .await?;
        self.commit(caller, changes).await.map_err(lost_to_another).map_err(lost_race)?;
        Ok(Progress::Part)
    }

    async fn end_import(
        &self,
        caller: &Caller,
        scope: WorkspaceScope,
        import: Seen<Import>,
        done: usize,
    ) -> OpResult<Versioned<Import>> {
        let mut changes = Changes::by(caller);
        self.require_step_up_in(caller, scope, rules::APPLY_IMPORT, &mut changes).await?;
        let (by, tally) = (By { caller, at: self.now() }, import.peek().tally);
        let ended =
            step_import(self, &mut changes, by, import, ImportStep { event: ImportEvent::Applied, tally }).await?;
        changes.audit(AuditKind::ImportApplied, About::from(&ended.value).with(Fact::Count, &done));
        self.commit(caller, changes).await?;
        Ok(ended.into())
    }
}

/// Returns a conflict when another call was first with the name or number of an account, or with the asset or order of a holding.
fn lost_to_another(error: OpError) -> OpError {
    match error.source {
        Some(StoreError::Duplicate(
            Unique::AccountName | Unique::PlatformAccount | Unique::LiveAsset | Unique::PurchaseOrder,
        )) => StoreError::Conflict.into(),
        Some(_) | None => error,
    }
}
