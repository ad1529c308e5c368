//! Reads of imports and their rows.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{ImportId, OfImport};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::import::{Import, ImportRows, ImportStatus};

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult};

/// Imports.
#[async_trait]
pub trait Imports: Send + Sync {
    /// Returns imports, in no order; missing ones are left out.
    async fn find_imports(&self, scope: WorkspaceScope, ids: &[ImportId]) -> StoreResult<Vec<Seen<Import>>>;
    /// Returns the rows of an import.
    async fn find_import_rows(&self, scope: WorkspaceScope, id: ImportId) -> StoreResult<Option<Seen<ImportRows>>>;
    /// Returns imports of the workspace, in a status if one is given.
    async fn list_imports(
        &self,
        scope: WorkspaceScope,
        status: Option<ImportStatus>,
        page: PageRequest<OfImport>,
    ) -> StoreResult<Page<OfImport>>;
    /// Returns imports of every workspace that did not end and whose time was over by then, the oldest first, for the process that
    /// expires them.
    async fn list_overdue_imports(&self, until: Timestamp, most: u32) -> StoreResult<Vec<Seen<Import>>>;
}
