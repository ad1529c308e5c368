//! Reads of sessions of trading accounts.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, AccountSessionId, OfAccountSession};
use tradepost_domain::trading::account_session::AccountSession;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{AccountSessionFilter, AccountSessions, Page, PageRequest, RecordBatch, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl AccountSessions for MemoryStore {
    async fn find_account_sessions(
        &self,
        scope: WorkspaceScope,
        ids: &[AccountSessionId],
    ) -> StoreResult<Vec<Seen<AccountSession>>> {
        Ok(self.state().several(scope.workspace_id(), |session: &AccountSession| ids.contains(&session.id)))
    }
    async fn list_account_sessions(
        &self,
        scope: WorkspaceScope,
        filter: AccountSessionFilter,
        page: PageRequest<OfAccountSession>,
    ) -> StoreResult<Page<OfAccountSession>> {
        Ok(self.state().page(scope.workspace_id(), &page, |session: &AccountSession| {
            filter.account_id.is_none_or(|wanted| session.account_id == wanted)
                && filter.status.is_none_or(|wanted| session.status == wanted)
        }))
    }
    async fn list_live_account_sessions(
        &self,
        scope: WorkspaceScope,
        slice: RecordBatch<OfAccountSession>,
    ) -> StoreResult<Vec<Seen<AccountSession>>> {
        Ok(self.batch(scope, &slice, AccountSession::is_live))
    }
    async fn find_live_account_session(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
    ) -> StoreResult<Option<Seen<AccountSession>>> {
        let is_it = |session: &AccountSession| session.is_live() && session.account_id == account;
        Ok(self.state().several(scope.workspace_id(), is_it).into_iter().next())
    }
}
