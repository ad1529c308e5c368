//! Reads of purchases.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::contracts::remediation::{Remediation, RemediationKind};
use tradepost_domain::id::{OfPurchase, PurchaseId};
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{
    Page, PageRequest, PurchaseFilter, Purchases, RecordBatch, StatusCounts, StoreResult, Worlds,
};

use crate::memory::MemoryStore;
use crate::memory::contracts::counted;

#[async_trait]
impl Purchases for MemoryStore {
    async fn list_open(
        &self,
        scope: WorkspaceScope,
        marketplace: &Marketplace,
        status: PurchaseStatus,
        slice: RecordBatch<OfPurchase>,
    ) -> StoreResult<Vec<Seen<Purchase>>> {
        Ok(self.batch(scope, &slice, |purchase: &Purchase| {
            purchase.is_live() && purchase.status == status && purchase.terms.marketplace == *marketplace
        }))
    }
    async fn list_undecided(&self, worlds: Worlds, since: Timestamp, most: u32) -> StoreResult<Vec<Seen<Purchase>>> {
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
    async fn find(&self, scope: WorkspaceScope, id: PurchaseId) -> StoreResult<Option<Seen<Purchase>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[PurchaseId]) -> StoreResult<Vec<Seen<Purchase>>> {
        Ok(self.state().several(scope.workspace_id(), |purchase: &Purchase| ids.contains(&purchase.terms.id)))
    }
    async fn find_of_order(
        &self,
        scope: WorkspaceScope,
        marketplace: &Marketplace,
        order_id: &ExternalId,
    ) -> StoreResult<Option<Seen<Purchase>>> {
        let has_it = |purchase: &Purchase| {
            purchase.terms.marketplace == *marketplace
                && purchase.progress.order.as_ref().is_some_and(|order| order.id == *order_id)
        };
        Ok(self.state().several(scope.workspace_id(), has_it).pop())
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: PurchaseFilter<'_>,
        page: PageRequest<OfPurchase>,
    ) -> StoreResult<Page<OfPurchase>> {
        let (state, workspace) = (self.state(), scope.workspace_id());
        let wanted = |purchase: &Purchase| filter.is_met_by(purchase);
        Ok(if filter.is_by_time() {
            state.page_by(workspace, &page, wanted, |purchase| Some(purchase.created_at))
        } else {
            state.page(workspace, &page, wanted)
        })
    }
    async fn count(&self, scope: WorkspaceScope, filter: PurchaseFilter<'_>) -> StoreResult<StatusCounts> {
        let met = self.state().several(scope.workspace_id(), |purchase: &Purchase| filter.is_met_by(purchase));
        Ok(counted(met.iter().map(|seen| seen.peek().status.code())))
    }
}
