//! Reads of imports and their rows.

use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::Value;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{ImportId, OfImport};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::import::{Import, ImportRows, ImportStatus};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Imports, Page, PageRequest, StoreResult};

use crate::rows::trading::import;
use crate::rows::uuid;
use crate::store::SqlStore;
use crate::table::select_list;

/// Statuses 2 and 3 are CHECKED and APPLYING; as literals, so that the index of these alone is used.
static OVERDUE: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<import::Entity>("", "");
    format!(
        "SELECT {columns} FROM imports{{by}} WHERE status IN (2, 3) AND expires_at <= $1 ORDER BY expires_at, id LIMIT $2"
    )
});

#[async_trait]
impl Imports for SqlStore {
    async fn find_imports(&self, scope: WorkspaceScope, ids: &[ImportId]) -> StoreResult<Vec<Seen<Import>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn find_import_rows(&self, scope: WorkspaceScope, id: ImportId) -> StoreResult<Option<Seen<ImportRows>>> {
        self.find(vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await
    }
    async fn list_imports(
        &self,
        scope: WorkspaceScope,
        status: Option<ImportStatus>,
        page: PageRequest<OfImport>,
    ) -> StoreResult<Page<OfImport>> {
        let mut equal: Vec<(&str, Value)> = vec![("workspace_id", uuid(scope.workspace_id()).into())];
        equal.extend(status.map(|status| ("status", status.code().into())));
        self.page("imports", equal, page).await
    }
    async fn list_overdue_imports(&self, until: Timestamp, most: u32) -> StoreResult<Vec<Seen<Import>>> {
        let values: Vec<Value> = vec![until.as_micros().into(), i64::from(most).into()];
        self.readable(&self.by_index(&OVERDUE, "imports_open"), values).await
    }
}
