//! Look-ups by what users type. An identifier is found by an index for each record that may have it; names are looked for in a bounded
//! number of records.

use async_trait::async_trait;
use sea_orm::QueryResult;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::membership::Status;
use tradepost_domain::id::{AccountId, ContractId, InventoryItemId, MembershipId, PurchaseId};
use tradepost_domain::name_search::NameSearch;
use tradepost_domain::text::{ExternalId, Name};
use tradepost_ports::store::{MOST_LOOKED_AT, PageRequest, Searches, StoreResult};
use uuid::Uuid;

use crate::read::contracts::home;
use crate::read::filtered::{Filtered, Order};
use crate::rows::{RowLocation, cell, id, uuid};
use crate::sql_text::{has_part, index_hint};
use crate::store::SqlStore;

/// Returns the statement of purchases of a listing or with an order. Orders are found at each marketplace, which the index by
/// marketplace names.
fn purchases_statement(is_sqlite: bool) -> String {
    let (places, listings, orders) = (
        index_hint("purchases_marketplace", is_sqlite),
        index_hint("purchases_listing", is_sqlite),
        index_hint("purchases_order", is_sqlite),
    );
    let place = |after: &str| {
        format!(
            "(SELECT marketplace FROM purchases{places} WHERE workspace_id = $1{after} ORDER BY marketplace LIMIT 1)"
        )
    };
    format!(
        "WITH RECURSIVE places(name) AS (SELECT {first} UNION ALL SELECT {next} FROM places WHERE name IS NOT NULL) \
         SELECT id FROM (SELECT id FROM purchases{listings} WHERE workspace_id = $1 AND listing_id = $2 \
         UNION SELECT (SELECT id FROM purchases{orders} WHERE workspace_id = $1 AND marketplace = name AND order_id = $2) \
         FROM places WHERE name IS NOT NULL) AS found WHERE id IS NOT NULL ORDER BY id DESC LIMIT $3",
        first = place(""),
        next = place(" AND marketplace > name"),
    )
}

const ITEMS: &str =
    "SELECT id FROM inventory_items{by} WHERE workspace_id = $1 AND sale_listing_id = $2 ORDER BY id DESC LIMIT $3";

/// Returns the statement of members whose names contain each part.
fn members_statement(parts: usize, is_sqlite: bool) -> String {
    let wanted: String = (0..parts).map(|part| format!(" AND {}", has_part("name", part + 3, is_sqlite))).collect();
    format!(
        "SELECT id, name FROM (SELECT m.id, u.display_name AS name FROM memberships m JOIN users u ON u.id = m.user_id \
         WHERE m.workspace_id = $1 AND m.status = {} ORDER BY m.id DESC LIMIT {MOST_LOOKED_AT}) AS looked_at \
         WHERE 1 = 1{wanted} ORDER BY id DESC LIMIT $2",
        Status::Accepted.code()
    )
}

#[async_trait]
impl Searches for SqlStore {
    async fn search_purchases(
        &self,
        scope: WorkspaceScope,
        id: &ExternalId,
        most: u32,
    ) -> StoreResult<Vec<PurchaseId>> {
        let values = vec![home(scope), id.as_str().into(), i64::from(most).into()];
        Ok(self.page_of(&purchases_statement(self.is_sqlite()), values, most).await?.ids)
    }
    async fn search_items(
        &self,
        scope: WorkspaceScope,
        listing: &ExternalId,
        most: u32,
    ) -> StoreResult<Vec<InventoryItemId>> {
        let values = vec![home(scope), listing.as_str().into(), i64::from(most).into()];
        Ok(self.page_of(&self.by_index(ITEMS, "inventory_items_sale_listing"), values, most).await?.ids)
    }
    async fn search_contracts(
        &self,
        scope: WorkspaceScope,
        search: &NameSearch,
        most: u32,
    ) -> StoreResult<Vec<ContractId>> {
        let mut list = Filtered::new("contracts", Order::Id, scope, self.is_sqlite());
        list.containing("name", search);
        Ok(self.filtered_page(list, PageRequest { before: None, limit: most }).await?.ids)
    }
    async fn search_accounts(
        &self,
        scope: WorkspaceScope,
        search: &NameSearch,
        most: u32,
    ) -> StoreResult<Vec<AccountId>> {
        let mut list = Filtered::new("trading_accounts", Order::Id, scope, self.is_sqlite());
        list.containing("name", search);
        Ok(self.filtered_page(list, PageRequest { before: None, limit: most }).await?.ids)
    }
    async fn search_members(
        &self,
        scope: WorkspaceScope,
        search: &NameSearch,
        most: u32,
    ) -> StoreResult<Vec<(MembershipId, Name)>> {
        let mut values = vec![home(scope), i64::from(most).into()];
        values.extend(search.parts().iter().map(|part| part.as_str().into()));
        let text = members_statement(search.parts().len(), self.is_sqlite());
        let home = uuid(scope.workspace_id());
        let member = |row: &QueryResult| {
            let key: Uuid = cell(row, 0)?;
            let at = RowLocation { table: "memberships", home, key };
            Ok((id(key), at.read("display_name", Name::new(&cell::<String>(row, 1)?))?))
        };
        self.readable_rows(&text, values, member).await
    }
}
