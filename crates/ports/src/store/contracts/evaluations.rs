//! Reads of evaluations.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::evaluation::{Decision, EvaluationRecord};
use tradepost_domain::id::{ContractId, EvaluationId, OfEvaluation};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;

use crate::store::{Page, PageRequest, StoreResult, Worlds};

/// The evaluations to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EvaluationFilter<'a> {
    /// Only of this contract.
    pub contract_id: Option<ContractId>,
    /// Only those with this decision.
    pub decision: Option<Decision>,
    /// Only of listings with this id at their marketplace.
    pub listing_id: Option<&'a ExternalId>,
}

/// The evaluations of workspaces. They never change, and old ones are deleted.
#[async_trait]
pub trait Evaluations: Send + Sync {
    /// Returns several evaluations, in no order; missing ones are left out.
    async fn find_many(&self, scope: WorkspaceScope, ids: &[EvaluationId]) -> StoreResult<Vec<EvaluationRecord>>;
    /// Returns evaluations of the workspace.
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: EvaluationFilter<'_>,
        page: PageRequest<OfEvaluation>,
    ) -> StoreResult<Page<OfEvaluation>>;
    /// Deletes these worlds' evaluations before `before` with this decision, at most `most`, the oldest first. Returns their number.
    async fn forget(&self, worlds: Worlds, decision: Decision, before: Timestamp, most: u32) -> StoreResult<u64>;
}
