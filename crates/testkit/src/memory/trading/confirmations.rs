//! Reads of confirmations of trading accounts.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, ConfirmationId, OfConfirmation};
use tradepost_domain::text::{AccountName, ExternalId};
use tradepost_domain::trading::confirmation::Confirmation;
use tradepost_domain::trading::confirmation_list::ConfirmationList;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{ConfirmationFilter, Confirmations, Page, PageRequest, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl Confirmations for MemoryStore {
    async fn find(&self, scope: WorkspaceScope, id: ConfirmationId) -> StoreResult<Option<Seen<Confirmation>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[ConfirmationId]) -> StoreResult<Vec<Seen<Confirmation>>> {
        Ok(self.state().several(scope.workspace_id(), |confirmation: &Confirmation| ids.contains(&confirmation.id)))
    }
    async fn find_seen(
        &self,
        scope: WorkspaceScope,
        account_name: &AccountName,
        platform_id: &ExternalId,
    ) -> StoreResult<Option<Seen<Confirmation>>> {
        let is_it = |confirmation: &Confirmation| {
            confirmation.account_name == *account_name && confirmation.shown.platform_id == *platform_id
        };
        Ok(self.state().several(scope.workspace_id(), is_it).into_iter().next())
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: ConfirmationFilter<'_>,
        page: PageRequest<OfConfirmation>,
    ) -> StoreResult<Page<OfConfirmation>> {
        Ok(self.state().page(scope.workspace_id(), &page, |confirmation: &Confirmation| {
            filter.account_name.is_none_or(|wanted| confirmation.account_name == *wanted)
                && filter.status.is_none_or(|wanted| confirmation.status == wanted)
                && filter.kind.is_none_or(|wanted| confirmation.kind() == wanted)
        }))
    }
    async fn list_open_of(
        &self,
        scope: WorkspaceScope,
        account_name: &AccountName,
    ) -> StoreResult<Vec<Seen<Confirmation>>> {
        let is_wanted = |open: &Confirmation| open.is_open() && open.account_name == *account_name;
        let mut open = self.state().several(scope.workspace_id(), is_wanted);
        open.sort_by_key(|seen| seen.peek().id);
        Ok(open)
    }
    async fn list_open(&self, scope: WorkspaceScope, most: u32) -> StoreResult<Vec<Seen<Confirmation>>> {
        let mut open = self.state().several(scope.workspace_id(), Confirmation::is_open);
        open.sort_by_key(|seen| seen.peek().id);
        open.truncate(most as usize);
        Ok(open)
    }
    async fn find_lists(
        &self,
        scope: WorkspaceScope,
        accounts: &[AccountId],
    ) -> StoreResult<Vec<Seen<ConfirmationList>>> {
        Ok(self.state().several(scope.workspace_id(), |list: &ConfirmationList| accounts.contains(&list.account_id)))
    }
}
