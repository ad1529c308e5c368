//! Reads of remediations, and of what is to become one.

use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::Value;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::contracts::remediation::{Remediation, RemediationKind};
use tradepost_domain::id::{OfRemediation, RemediationId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Page, PageRequest, RemediationFilter, Remediations, StoreResult, Worlds};
use uuid::Uuid;

use crate::rows::contracts::{purchase, remediation};
use crate::rows::uuid;
use crate::sql_text::in_worlds;
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
static UNDECIDED: LazyLock<String> = LazyLock::new(|| {
    let (uncertain, unknown) = (PurchaseStatus::Uncertain.code(), RemediationKind::OutcomeUnknown.code());
    format!(
        "SELECT {} FROM purchases p{{by}} WHERE status = {uncertain} AND updated_at <= $1{{worlds}} AND NOT EXISTS (\
         SELECT 1 FROM remediations r WHERE r.workspace_id = p.workspace_id AND r.subject_id = p.id AND r.kind = {unknown}) \
         ORDER BY updated_at LIMIT $2",
        select_list::<purchase::Entity>("p.", "")
    )
});

#[async_trait]
impl Remediations for SqlStore {
    async fn find_remediation(
        &self,
        scope: WorkspaceScope,
        id: RemediationId,
    ) -> StoreResult<Option<Seen<Remediation>>> {
        self.find(vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await
    }

    async fn find_remediations(
        &self,
        scope: WorkspaceScope,
        ids: &[RemediationId],
    ) -> StoreResult<Vec<Seen<Remediation>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }

    async fn list_remediations(
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

    async fn list_live_remediations_of(
        &self,
        scope: WorkspaceScope,
        subject: Subject,
    ) -> StoreResult<Vec<Seen<Remediation>>> {
        let id = Uuid::from_bytes(subject.id_bytes());
        let values = vec![uuid(scope.workspace_id()).into(), id.into(), subject.kind().code().into()];
        self.readable(&self.by_index(&LIVE_OF, "remediations_open"), values).await
    }

    async fn list_undecided_purchases(
        &self,
        worlds: Worlds,
        since: Timestamp,
        most: u32,
    ) -> StoreResult<Vec<Seen<Purchase>>> {
        let mut values: Vec<Value> = vec![since.as_micros().into(), i64::from(most).into()];
        let worlds = in_worlds("p.workspace_id", worlds, &mut values);
        let text = self.by_index(&UNDECIDED.replace("{worlds}", &worlds), "purchases_uncertain");
        self.readable(&text, values).await
    }
}
