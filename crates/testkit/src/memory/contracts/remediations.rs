//! Reads of remediations.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::contracts::remediation::{Remediation, RemediationKind};
use tradepost_domain::id::{OfRemediation, RemediationId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Subject;

use crate::memory::MemoryStore;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Page, PageRequest, RemediationFilter, Remediations, StoreResult, Worlds};

#[async_trait]
impl Remediations for MemoryStore {
    async fn find_remediation(
        &self,
        scope: WorkspaceScope,
        id: RemediationId,
    ) -> StoreResult<Option<Seen<Remediation>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }

    async fn find_remediations(
        &self,
        scope: WorkspaceScope,
        ids: &[RemediationId],
    ) -> StoreResult<Vec<Seen<Remediation>>> {
        Ok(self.state().several(scope.workspace_id(), |remediation: &Remediation| ids.contains(&remediation.id)))
    }

    async fn list_remediations(
        &self,
        scope: WorkspaceScope,
        filter: RemediationFilter,
        page: PageRequest<OfRemediation>,
    ) -> StoreResult<Page<OfRemediation>> {
        Ok(self.state().page(scope.workspace_id(), &page, |remediation: &Remediation| {
            filter.status.is_none_or(|wanted| remediation.status == wanted)
                && filter.kind.is_none_or(|wanted| remediation.kind == wanted)
                && filter.severity.is_none_or(|wanted| remediation.severity == wanted)
        }))
    }

    async fn list_live_remediations_of(
        &self,
        scope: WorkspaceScope,
        subject: Subject,
    ) -> StoreResult<Vec<Seen<Remediation>>> {
        let is_wanted = |remediation: &Remediation| remediation.is_live() && remediation.subject == subject;
        Ok(self.state().several(scope.workspace_id(), is_wanted))
    }

    async fn list_undecided_purchases(
        &self,
        worlds: Worlds,
        since: Timestamp,
        most: u32,
    ) -> StoreResult<Vec<Seen<Purchase>>> {
        let state = self.state();
        let is_reported = |purchase: &Purchase| {
            let of_purchase = |remediation: &Remediation| {
                remediation.kind == RemediationKind::OutcomeUnknown
                    && remediation.subject == Subject::Purchase(purchase.terms.id)
            };
            state.first(of_purchase).is_some()
        };
        let mut found = state.all(|purchase: &Purchase| {
            purchase.status == PurchaseStatus::Uncertain
                && purchase.updated_at <= since
                && !is_reported(purchase)
                && state.is_in(worlds, purchase.terms.workspace_id)
        });
        found.sort_by_key(|seen| seen.peek().updated_at);
        found.truncate(most as usize);
        Ok(found)
    }
}
