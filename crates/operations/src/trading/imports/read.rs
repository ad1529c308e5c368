//! Reads of imports and their rows.

use tradepost_domain::id::{ImportId, OfImport, WorkspaceId};
use tradepost_domain::trading::import::{Import, ImportRow, ImportStatus, RowOutcome};
use tradepost_ports::changes::Caller;
use tradepost_ports::record::Kind;

use super::import_moves::{import_as_seen, require_right_to_read};
use crate::paging::{ListKey, page_size};
use crate::results::every_status;
use crate::rules;
use crate::{Batch, OpError, OpResult, Operations, PageOf, StatusCount, Versioned, fields};

/// A request for one import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetImport {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The import.
    pub import_id: ImportId,
}

/// A request for several imports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetImports {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The imports, 1 to 200.
    pub import_ids: Vec<ImportId>,
}

/// A request for a page of imports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListImports {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only in this status.
    pub status: Option<ImportStatus>,
}

/// A request for the number of imports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountImports {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

/// A request for a page of the rows of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListImportRows {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The import.
    pub import_id: ImportId,
    /// The maximum of rows on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only with this outcome.
    pub outcome: Option<RowOutcome>,
}

impl Operations {
    /// Returns one import.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_import(&self, caller: &Caller, command: GetImport) -> OpResult<Versioned<Import>> {
        let scope = rules::GET_IMPORT.enter(&caller.principal, command.workspace_id)?;
        Ok(import_as_seen(self, scope, command.import_id).await?.into())
    }

    /// Returns several imports in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_imports(&self, caller: &Caller, command: GetImports) -> OpResult<Batch<Import, OfImport>> {
        let scope = rules::GET_IMPORTS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("importIds", &command.import_ids)?;
        let found = self.ports.store.imports().find_imports(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |import| import.id))
    }

    /// Returns a page of imports, the newest first.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for a negative limit, and for a cursor that this list did not give out.
    pub async fn list_imports(&self, caller: &Caller, command: ListImports) -> OpResult<PageOf<ImportId>> {
        let scope = rules::LIST_IMPORTS.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("imports", scope).and_code(command.status.map(ImportStatus::code));
        let request = self.page_request::<OfImport>(&key, command.limit, &command.cursor)?;
        let page = self.to_show(caller, scope).imports().list_imports(scope, command.status, request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts imports: one entry for every status in the order of the list, zeros included.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_imports(
        &self,
        caller: &Caller,
        command: CountImports,
    ) -> OpResult<Vec<StatusCount<ImportStatus>>> {
        let scope = rules::COUNT_IMPORTS.enter(&caller.principal, command.workspace_id)?;
        let counted = self.to_show(caller, scope).counters().by_status(scope, Kind::Import, None).await?;
        Ok(every_status(ImportStatus::ALL, ImportStatus::code, &counted))
    }

    /// Returns a page of the rows of an import, in the order of its content.
    ///
    /// # Errors
    /// `permission_denied`, for holdings, purchases and sales without a policy that reads what is traded as well; `invalid_argument` for a negative
    /// limit, and for a cursor that this list did not give out; `not_found`.
    pub async fn list_import_rows(&self, caller: &Caller, command: ListImportRows) -> OpResult<PageOf<ImportRow>> {
        let scope = rules::LIST_IMPORT_ROWS.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("import rows", scope)
            .and_id(Some(command.import_id))
            .and_code(command.outcome.map(RowOutcome::code));
        let after = self.read_cursor(&key, &command.cursor)?.map_or(0, u128::from_be_bytes);
        let limit = page_size(command.limit)? as usize;
        let import = import_as_seen(self, scope, command.import_id).await?;
        require_right_to_read(caller, import.peek().kind, command.workspace_id)?;
        let found = self.ports.store.imports().find_import_rows(scope, command.import_id).await?;
        let rows = found.ok_or_else(|| OpError::not_found("import"))?.into_display().0.rows;
        let is_wanted = |row: &ImportRow| {
            u128::from(row.number) > after && command.outcome.is_none_or(|wanted| row.outcome == wanted)
        };
        let mut entries: Vec<ImportRow> = rows.into_iter().filter(is_wanted).collect();
        let is_last = entries.len() <= limit;
        entries.truncate(limit);
        let last = entries.last().filter(|_| !is_last).map(|row| u128::from(row.number).to_be_bytes());
        let next_cursor = last.map(|last| self.write_cursor(&key, last)).unwrap_or_default();
        Ok(PageOf { entries, next_cursor })
    }
}
