//! Look-ups by what users type: an identifier of an external system, or parts of a name.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, ContractId, InventoryItemId, MembershipId, PurchaseId};
use tradepost_domain::name_search::NameSearch;
use tradepost_domain::text::{ExternalId, Name};

use crate::store::StoreResult;

/// Look-ups by what users type. Each returns at most `most` records, the newest first; of those with names the newest
/// `MOST_LOOKED_AT` are looked through.
#[async_trait]
pub trait Searches: Send + Sync {
    /// Returns purchases of a listing, or with an order, at any marketplace.
    async fn search_purchases(&self, scope: WorkspaceScope, id: &ExternalId, most: u32)
    -> StoreResult<Vec<PurchaseId>>;
    /// Returns items that are on sale under a listing, or were sold under it.
    async fn search_items(
        &self,
        scope: WorkspaceScope,
        listing: &ExternalId,
        most: u32,
    ) -> StoreResult<Vec<InventoryItemId>>;
    /// Returns contracts by their names.
    async fn search_contracts(
        &self,
        scope: WorkspaceScope,
        search: &NameSearch,
        most: u32,
    ) -> StoreResult<Vec<ContractId>>;
    /// Returns trading accounts by their names.
    async fn search_accounts(
        &self,
        scope: WorkspaceScope,
        search: &NameSearch,
        most: u32,
    ) -> StoreResult<Vec<AccountId>>;
    /// Returns members who have accepted by the names of their users, with these names.
    async fn search_members(
        &self,
        scope: WorkspaceScope,
        search: &NameSearch,
        most: u32,
    ) -> StoreResult<Vec<(MembershipId, Name)>>;
}
