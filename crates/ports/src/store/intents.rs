//! Reads of intents.

use async_trait::async_trait;
use tradepost_domain::access::WorkspaceScope;
use tradepost_domain::id::{ContractId, IntentId, OfIntent};
use tradepost_domain::intent::{Intent, IntentKind, IntentStatus};
use tradepost_domain::time::Timestamp;

use super::{Page, PageRequest, StoreResult};
use crate::changes::Seen;

/// Which intents to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IntentFilter {
    /// Only for this contract.
    pub contract_id: Option<ContractId>,
    /// Only of this kind.
    pub kind: Option<IntentKind>,
    /// Only in this status.
    pub status: Option<IntentStatus>,
}

/// The intents of workspaces.
#[async_trait]
pub trait Intents: Send + Sync {
    /// An intent.
    async fn find_intent(&self, scope: WorkspaceScope, id: IntentId) -> StoreResult<Option<Seen<Intent>>>;
    /// Several intents, in no order; those that are not there are left out.
    async fn find_intents(&self, scope: WorkspaceScope, ids: &[IntentId]) -> StoreResult<Vec<Seen<Intent>>>;
    /// Intents of the workspace.
    async fn list_intents(
        &self,
        scope: WorkspaceScope,
        filter: IntentFilter,
        page: PageRequest<OfIntent>,
    ) -> StoreResult<Page<OfIntent>>;
    /// Intents of the workspace that stand in a status, made after this one, at most so many, the oldest first.
    async fn list_intents_in(
        &self,
        scope: WorkspaceScope,
        status: IntentStatus,
        after: Option<IntentId>,
        most: u32,
    ) -> StoreResult<Vec<Seen<Intent>>>;
    /// Intents for a contract for which nothing was done yet, at most so many, the oldest first.
    async fn list_waiting_intents_of(
        &self,
        scope: WorkspaceScope,
        contract: ContractId,
        most: u32,
    ) -> StoreResult<Vec<Seen<Intent>>>;
    /// Intents of every workspace for which nothing was done until their end, at most so many, the longest over first.
    async fn list_overdue_intents(&self, until: Timestamp, most: u32) -> StoreResult<Vec<Seen<Intent>>>;
    /// Intents of every workspace for which nothing was done yet, and whose contract takes on nothing new; at most so many.
    async fn list_stranded_intents(&self, most: u32) -> StoreResult<Vec<Seen<Intent>>>;
}
