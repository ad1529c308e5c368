//! Reads of evaluations.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::evaluation::{Decision, Evaluated, EvaluationRecord};
use tradepost_domain::id::{EvaluationId, OfEvaluation};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::store::{EvaluationFilter, Evaluations, Page, PageRequest, StoreResult, Worlds};

use crate::memory::MemoryStore;

fn is_of(evaluation: &EvaluationRecord, wanted: &ExternalId) -> bool {
    matches!(&evaluation.about, Evaluated::Listing { listing_id: Some(id), .. } if id == wanted)
}

#[async_trait]
impl Evaluations for MemoryStore {
    async fn find_many(&self, scope: WorkspaceScope, ids: &[EvaluationId]) -> StoreResult<Vec<EvaluationRecord>> {
        let state = self.state();
        let found = ids.iter().filter_map(|id| state.evaluations.get(&(scope.workspace_id(), *id)));
        Ok(found.cloned().collect())
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: EvaluationFilter<'_>,
        page: PageRequest<OfEvaluation>,
    ) -> StoreResult<Page<OfEvaluation>> {
        let state = self.state();
        let is_wanted = |evaluation: &&EvaluationRecord| {
            evaluation.workspace_id == scope.workspace_id()
                && filter.contract_id.is_none_or(|wanted| evaluation.contract_id == wanted)
                && filter.decision.is_none_or(|wanted| evaluation.decision == wanted)
                && filter.listing_id.is_none_or(|wanted| is_of(evaluation, wanted))
                && page.before.is_none_or(|before| evaluation.id < before)
        };
        let ids: Vec<_> = state.evaluations.values().rev().filter(is_wanted).map(|found| found.id).collect();
        Ok(Page::of(ids, page.limit))
    }
    async fn forget(&self, worlds: Worlds, decision: Decision, before: Timestamp, most: u32) -> StoreResult<u64> {
        let mut state = self.state();
        let is_old = |found: &&EvaluationRecord| {
            found.decision == decision && found.at < before && state.is_in(worlds, found.workspace_id)
        };
        let mut old: Vec<_> =
            state.evaluations.values().filter(is_old).map(|old| (old.at, old.id, old.workspace_id)).collect();
        old.sort_unstable();
        old.truncate(most as usize);
        for (_, id, workspace) in &old {
            state.evaluations.remove(&(*workspace, *id));
        }
        Ok(old.len() as u64)
    }
}
