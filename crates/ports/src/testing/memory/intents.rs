//! Reads of intents.

use async_trait::async_trait;
use tradepost_domain::access::WorkspaceScope;
use tradepost_domain::contract::{Contract, ContractStatus};
use tradepost_domain::id::{ContractId, IntentId, OfIntent};
use tradepost_domain::intent::{Intent, IntentStatus};
use tradepost_domain::time::Timestamp;

use super::MemoryStore;
use crate::changes::Seen;
use crate::store::{IntentFilter, Intents, Page, PageRequest, StoreResult};

fn most_of(mut found: Vec<Seen<Intent>>, most: u32) -> Vec<Seen<Intent>> {
    found.truncate(most as usize);
    found
}

#[async_trait]
impl Intents for MemoryStore {
    async fn find_intent(&self, scope: WorkspaceScope, id: IntentId) -> StoreResult<Option<Seen<Intent>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }

    async fn find_intents(&self, scope: WorkspaceScope, ids: &[IntentId]) -> StoreResult<Vec<Seen<Intent>>> {
        Ok(self.state().several(scope.workspace_id(), |intent: &Intent| ids.contains(&intent.terms.id)))
    }

    async fn list_intents(
        &self,
        scope: WorkspaceScope,
        filter: IntentFilter,
        page: PageRequest<OfIntent>,
    ) -> StoreResult<Page<OfIntent>> {
        Ok(self.state().page(scope.workspace_id(), &page, |intent: &Intent| {
            filter.contract_id.is_none_or(|wanted| intent.terms.contract_id == Some(wanted))
                && filter.kind.is_none_or(|wanted| intent.terms.kind == wanted)
                && filter.status.is_none_or(|wanted| intent.status == wanted)
        }))
    }

    async fn list_intents_in(
        &self,
        scope: WorkspaceScope,
        status: IntentStatus,
        after: Option<IntentId>,
        most: u32,
    ) -> StoreResult<Vec<Seen<Intent>>> {
        let is_wanted = |intent: &Intent| intent.status == status && after.is_none_or(|after| after < intent.terms.id);
        Ok(most_of(self.state().several(scope.workspace_id(), is_wanted), most))
    }

    async fn list_waiting_intents_of(
        &self,
        scope: WorkspaceScope,
        contract: ContractId,
        most: u32,
    ) -> StoreResult<Vec<Seen<Intent>>> {
        let is_wanted = |intent: &Intent| intent.status.is_waiting() && intent.terms.contract_id == Some(contract);
        Ok(most_of(self.state().several(scope.workspace_id(), is_wanted), most))
    }

    async fn list_overdue_intents(&self, until: Timestamp, most: u32) -> StoreResult<Vec<Seen<Intent>>> {
        let is_over = |intent: &Intent| intent.status.is_waiting() && intent.expires_at <= until;
        let mut found = self.state().all(is_over);
        found.sort_by_key(|seen| seen.peek().expires_at);
        Ok(most_of(found, most))
    }

    async fn list_stranded_intents(&self, most: u32) -> StoreResult<Vec<Seen<Intent>>> {
        let state = self.state();
        let stopped = |intent: &Intent, contract: ContractId| {
            let home = intent.terms.workspace_id.to_bytes();
            let contract = state.find::<Contract>(home, contract.to_bytes());
            contract.is_none_or(|contract| contract.peek().status != ContractStatus::Active)
        };
        let is_wanted = |intent: &Intent| {
            intent.status.is_waiting() && intent.terms.contract_id.is_some_and(|contract| stopped(intent, contract))
        };
        Ok(most_of(state.all(is_wanted), most))
    }
}
