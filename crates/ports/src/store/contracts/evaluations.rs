//! Reads of evaluations.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::evaluation::{Decision, EvaluationRecord};
use tradepost_domain::id::{ContractId, EvaluationId, OfEvaluation};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;

use crate::store::{Page, PageRequest, StoreResult, Worlds};

/// Which evaluations to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EvaluationFilter<'a> {
    /// Only of this contract.
    pub contract_id: Option<ContractId>,
    /// Only those that decided so.
    pub decision: Option<Decision>,
    /// Only of listings that their marketplaces name so.
    pub listing_id: Option<&'a ExternalId>,
}

/// The evaluations of workspaces. They are never changed, and forgotten when they are old.
#[async_trait]
pub trait Evaluations: Send + Sync {
    /// Several evaluations, in no order; those that are not there are left out.
    async fn find_evaluations(&self, scope: WorkspaceScope, ids: &[EvaluationId])
    -> StoreResult<Vec<EvaluationRecord>>;
    /// Evaluations of the workspace.
    async fn list_evaluations(
        &self,
        scope: WorkspaceScope,
        filter: EvaluationFilter<'_>,
        page: PageRequest<OfEvaluation>,
    ) -> StoreResult<Page<OfEvaluation>>;
    /// Forgets evaluations of workspaces of these worlds that decided so before, at most so many, the oldest first; how many they were.
    async fn forget_evaluations(
        &self,
        worlds: Worlds,
        decision: Decision,
        before: Timestamp,
        most: u32,
    ) -> StoreResult<u64>;
}
