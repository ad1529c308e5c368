//! Reads of imports and their rows.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{ImportId, OfImport};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::import::{Import, ImportRows, ImportStatus};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Imports, Page, PageRequest, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl Imports for MemoryStore {
    async fn find_imports(&self, scope: WorkspaceScope, ids: &[ImportId]) -> StoreResult<Vec<Seen<Import>>> {
        Ok(self.state().several(scope.workspace_id(), |import: &Import| ids.contains(&import.id)))
    }
    async fn find_import_rows(&self, scope: WorkspaceScope, id: ImportId) -> StoreResult<Option<Seen<ImportRows>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }
    async fn list_imports(
        &self,
        scope: WorkspaceScope,
        status: Option<ImportStatus>,
        page: PageRequest<OfImport>,
    ) -> StoreResult<Page<OfImport>> {
        let is_wanted = |import: &Import| status.is_none_or(|wanted| import.status == wanted);
        Ok(self.state().page(scope.workspace_id(), &page, is_wanted))
    }
    async fn list_overdue_imports(&self, until: Timestamp, most: u32) -> StoreResult<Vec<Seen<Import>>> {
        let is_overdue = |import: &Import| !import.status.is_terminal() && import.expires_at <= until;
        let mut found = self.state().all(is_overdue);
        found.sort_by_key(|import| (import.peek().expires_at, import.peek().id));
        found.truncate(most as usize);
        Ok(found)
    }
}
