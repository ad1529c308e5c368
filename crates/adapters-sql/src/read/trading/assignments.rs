//! Reads of assignments of accounts and groups to pools.

use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::Value;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::assignment::{Assignee, Assignment};
use tradepost_domain::id::{AssignmentId, OfAssignment, PoolId};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{AssignmentFilter, Assignments, Page, PageRequest, StoreResult};

use crate::rows::contracts::assignment;
use crate::rows::uuid;
use crate::store::SqlStore;
use crate::table::select_list;

static ASSIGNED_TO: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<assignment::Entity>("", "");
    format!("SELECT {columns} FROM assignments WHERE workspace_id = $1 AND pool_id = $2 ORDER BY id")
});

#[async_trait]
impl Assignments for SqlStore {
    async fn find(&self, scope: WorkspaceScope, id: AssignmentId) -> StoreResult<Option<Seen<Assignment>>> {
        self.find(vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[AssignmentId]) -> StoreResult<Vec<Seen<Assignment>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: AssignmentFilter,
        page: PageRequest<OfAssignment>,
    ) -> StoreResult<Page<OfAssignment>> {
        let mut equal: Vec<(&str, Value)> = vec![("workspace_id", uuid(scope.workspace_id()).into())];
        equal.extend(filter.pool_id.map(|pool| ("pool_id", uuid(pool).into())));
        equal.extend(filter.account_id.map(|account| ("account_id", uuid(account).into())));
        self.page("assignments", equal, page).await
    }
    async fn list_to(&self, scope: WorkspaceScope, pool: PoolId) -> StoreResult<Vec<Seen<Assignment>>> {
        self.readable(&ASSIGNED_TO, vec![uuid(scope.workspace_id()).into(), uuid(pool).into()]).await
    }
    async fn count_of(&self, scope: WorkspaceScope, assignee: Assignee) -> StoreResult<i64> {
        let (column, id) = match assignee {
            Assignee::Account(id) => ("account_id", uuid(id)),
            Assignee::Group(id) => ("account_group_id", uuid(id)),
        };
        let text = format!("SELECT count(*) FROM assignments WHERE workspace_id = $1 AND {column} = $2");
        self.number(&text, vec![uuid(scope.workspace_id()).into(), id.into()]).await
    }
}
