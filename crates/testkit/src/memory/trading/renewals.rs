//! Reads of renewals.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, OfRenewal, RenewalId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::renewal::{Renewal, RenewalKind};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Page, PageRequest, RenewalFilter, Renewals, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl Renewals for MemoryStore {
    async fn find_renewals(&self, scope: WorkspaceScope, ids: &[RenewalId]) -> StoreResult<Vec<Seen<Renewal>>> {
        Ok(self.state().several(scope.workspace_id(), |renewal: &Renewal| ids.contains(&renewal.id)))
    }
    async fn list_renewals(
        &self,
        scope: WorkspaceScope,
        filter: RenewalFilter,
        page: PageRequest<OfRenewal>,
    ) -> StoreResult<Page<OfRenewal>> {
        Ok(self.state().page(scope.workspace_id(), &page, |renewal: &Renewal| {
            filter.account_id.is_none_or(|wanted| renewal.account_id == wanted)
                && filter.kind.is_none_or(|wanted| renewal.kind == wanted)
                && filter.status.is_none_or(|wanted| renewal.status == wanted)
                && filter.due_before.is_none_or(|before| renewal.is_open() && renewal.due_at < before)
        }))
    }
    async fn list_open_renewals_of(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
    ) -> StoreResult<Vec<Seen<Renewal>>> {
        let is_wanted = |renewal: &Renewal| renewal.is_open() && renewal.account_id == account;
        let mut open = self.state().several(scope.workspace_id(), is_wanted);
        open.sort_by_key(|seen| seen.peek().kind);
        Ok(open)
    }
    async fn list_due_renewals(
        &self,
        scope: WorkspaceScope,
        at: Timestamp,
        most: u32,
    ) -> StoreResult<Vec<Seen<Renewal>>> {
        let is_wanted = |renewal: &Renewal| renewal.is_open() && renewal.due_at <= at;
        let mut due = self.state().several(scope.workspace_id(), is_wanted);
        due.sort_by_key(|seen| (seen.peek().due_at, seen.peek().id));
        due.truncate(most as usize);
        Ok(due)
    }
    async fn list_ending_renewals(
        &self,
        scope: WorkspaceScope,
        kind: RenewalKind,
        before: Timestamp,
        most: u32,
    ) -> StoreResult<Vec<Seen<Renewal>>> {
        let is_wanted = |renewal: &Renewal| renewal.is_open() && renewal.kind == kind && renewal.expires_at < before;
        let mut ending = self.state().several(scope.workspace_id(), is_wanted);
        ending.sort_by_key(|seen| (seen.peek().expires_at, seen.peek().id));
        ending.truncate(most as usize);
        Ok(ending)
    }
}
