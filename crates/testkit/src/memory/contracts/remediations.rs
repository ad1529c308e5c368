//! Reads of remediations.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::remediation::{Remediation, RemediationKind, RemediationStatus};
use tradepost_domain::id::{OfRemediation, RemediationId};
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Page, PageRequest, RemediationFilter, Remediations, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl Remediations for MemoryStore {
    async fn find(&self, scope: WorkspaceScope, id: RemediationId) -> StoreResult<Option<Seen<Remediation>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[RemediationId]) -> StoreResult<Vec<Seen<Remediation>>> {
        Ok(self.state().several(scope.workspace_id(), |remediation: &Remediation| ids.contains(&remediation.id)))
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: RemediationFilter,
        page: PageRequest<OfRemediation>,
    ) -> StoreResult<Page<OfRemediation>> {
        Ok(self.state().page(scope.workspace_id(), &page, |remediation: &Remediation| filter.admits(remediation)))
    }
    async fn list_live_of(&self, scope: WorkspaceScope, subject: Subject) -> StoreResult<Vec<Seen<Remediation>>> {
        let is_wanted = |remediation: &Remediation| remediation.is_live() && remediation.subject == subject;
        Ok(self.state().several(scope.workspace_id(), is_wanted))
    }
    async fn find_last_dismissed(
        &self,
        scope: WorkspaceScope,
        subject: Subject,
        kind: RemediationKind,
    ) -> StoreResult<Option<Seen<Remediation>>> {
        let is_wanted = |remediation: &Remediation| {
            let is_dismissed = remediation.status == RemediationStatus::Dismissed;
            is_dismissed && remediation.subject == subject && remediation.kind == kind
        };
        let found = self.state().several(scope.workspace_id(), is_wanted);
        Ok(found.into_iter().max_by_key(|seen| (seen.peek().updated_at, seen.peek().id)))
    }
}
