//! Reads of remediations, and of what is to become one.

use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::remediation::{Remediation, RemediationKind, RemediationStatus};
use tradepost_domain::id::{OfRemediation, RemediationId};
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Page, PageRequest, RemediationFilter, Remediations, StoreResult};
use uuid::Uuid;

use crate::rows::contracts::remediation;
use crate::rows::uuid;
use crate::store::SqlStore;
use crate::table::select_list;

static LIVE_OF: LazyLock<String> = LazyLock::new(|| {
    // OPEN to NEEDS_OPERATOR, as the index has them.
    format!(
        "SELECT {} FROM remediations{{by}} WHERE workspace_id = $1 AND subject_id = $2 AND subject_kind = $3 \
         AND status IN (1, 2, 3, 4)",
        select_list::<remediation::Entity>("", "")
    )
});
static LAST_DISMISSED: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {} FROM remediations{{by}} WHERE workspace_id = $1 AND subject_id = $2 AND kind = $3 \
         AND subject_kind = $4 AND status = {} ORDER BY updated_at DESC, id DESC LIMIT 1",
        select_list::<remediation::Entity>("", ""),
        RemediationStatus::Dismissed.code()
    )
});
#[async_trait]
impl Remediations for SqlStore {
    async fn find(&self, scope: WorkspaceScope, id: RemediationId) -> StoreResult<Option<Seen<Remediation>>> {
        self.find(vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[RemediationId]) -> StoreResult<Vec<Seen<Remediation>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: RemediationFilter,
        page: PageRequest<OfRemediation>,
    ) -> StoreResult<Page<OfRemediation>> {
        let mut equal = vec![("workspace_id", uuid(scope.workspace_id()).into())];
        equal.extend(filter.status.map(|wanted| ("status", wanted.code().into())));
        equal.extend(filter.kind.map(|wanted| ("kind", wanted.code().into())));
        equal.extend(filter.severity.map(|wanted| ("severity", wanted.code().into())));
        self.page("remediations", equal, page).await
    }
    async fn list_live_of(&self, scope: WorkspaceScope, subject: Subject) -> StoreResult<Vec<Seen<Remediation>>> {
        let id = Uuid::from_bytes(subject.id_bytes());
        let values = vec![uuid(scope.workspace_id()).into(), id.into(), subject.kind().code().into()];
        self.readable(&self.by_index(&LIVE_OF, "remediations_open"), values).await
    }
    async fn find_last_dismissed(
        &self,
        scope: WorkspaceScope,
        subject: Subject,
        kind: RemediationKind,
    ) -> StoreResult<Option<Seen<Remediation>>> {
        let (workspace, id) = (uuid(scope.workspace_id()), Uuid::from_bytes(subject.id_bytes()));
        let values = vec![workspace.into(), id.into(), kind.code().into(), subject.kind().code().into()];
        self.one(&self.by_index(&LAST_DISMISSED, "remediations_subject"), values).await
    }
}
