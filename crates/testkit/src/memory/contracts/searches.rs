//! Look-ups by what users type.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::membership::{Membership, Status};
use tradepost_domain::accounts::user::User;
use tradepost_domain::contracts::contract::Contract;
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::{AccountId, ContractId, Id, InventoryItemId, MembershipId, PurchaseId};
use tradepost_domain::name_search::NameSearch;
use tradepost_domain::text::{ExternalId, Name};
use tradepost_domain::trading::trading_account::TradingAccount;
use tradepost_ports::record::Record;
use tradepost_ports::store::{PageRequest, Searches, StoreResult};

use crate::memory::MemoryStore;

impl MemoryStore {
    /// Returns the ids of matching records, the newest first.
    fn newest<T: Record, K>(&self, scope: WorkspaceScope, most: u32, wanted: impl Fn(&T) -> bool) -> Vec<Id<K>> {
        self.state().page(scope.workspace_id(), &PageRequest { before: None, limit: most }, wanted).ids
    }
}

#[async_trait]
impl Searches for MemoryStore {
    async fn search_purchases(
        &self,
        scope: WorkspaceScope,
        id: &ExternalId,
        most: u32,
    ) -> StoreResult<Vec<PurchaseId>> {
        Ok(self.newest(scope, most, |purchase: &Purchase| {
            purchase.terms.listing_id == *id || purchase.progress.order.as_ref().is_some_and(|order| order.id == *id)
        }))
    }
    async fn search_items(
        &self,
        scope: WorkspaceScope,
        listing: &ExternalId,
        most: u32,
    ) -> StoreResult<Vec<InventoryItemId>> {
        Ok(self.newest(scope, most, |item: &InventoryItem| item.sale_listing_id.as_ref() == Some(listing)))
    }
    async fn search_contracts(
        &self,
        scope: WorkspaceScope,
        search: &NameSearch,
        most: u32,
    ) -> StoreResult<Vec<ContractId>> {
        Ok(self.newest(scope, most, |contract: &Contract| search.finds(contract.name.as_str())))
    }
    async fn search_accounts(
        &self,
        scope: WorkspaceScope,
        search: &NameSearch,
        most: u32,
    ) -> StoreResult<Vec<AccountId>> {
        Ok(self.newest(scope, most, |account: &TradingAccount| search.finds(account.name.as_str())))
    }
    async fn search_members(
        &self,
        scope: WorkspaceScope,
        search: &NameSearch,
        most: u32,
    ) -> StoreResult<Vec<(MembershipId, Name)>> {
        let state = self.state();
        let mut found = Vec::new();
        for seen in state.several(scope.workspace_id(), |member: &Membership| member.status() == Status::Accepted) {
            let member = seen.peek();
            let user = member.user_id().and_then(|user| state.first(|found: &User| found.id == user));
            let name = user.map(|user| user.peek().display_name.clone());
            found.extend(name.filter(|name| search.finds(name.as_str())).map(|name| (member.id, name)));
        }
        found.sort_unstable_by_key(|(id, _)| std::cmp::Reverse(*id));
        found.truncate(most as usize);
        Ok(found)
    }
}
