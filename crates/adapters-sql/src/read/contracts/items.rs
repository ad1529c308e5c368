//! Reads of items and their chains.

use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::FromQueryResult as _;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::chain::AssetIdLink;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::id::{InventoryItemId, OfInventoryItem, PurchaseId};
use tradepost_domain::text::{AccountName, Marketplace};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{
    ItemFilter, ItemLock, Items, NameFilter, Page, PageRequest, RecordBatch, StatusCounts, StoreResult,
};
use uuid::Uuid;

use crate::classify::{DbOperation, classify};
use crate::read::contracts::{bounds, home};
use crate::read::filtered::{Filtered, Order};
use crate::rows::contracts::{asset_id_link, inventory_item};
use crate::rows::{RowLocation, cell, id, uuid};
use crate::store::SqlStore;
use crate::table::select_list;

static IN_STATUS: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<inventory_item::Entity>("", "");
    format!(
        "SELECT {columns} FROM inventory_items{{by}} WHERE workspace_id = $1 AND status = $2 AND id > $3 \
         ORDER BY id LIMIT $4"
    )
});
static ON_SALE: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<inventory_item::Entity>("", "");
    format!(
        "SELECT {columns} FROM inventory_items{{by}} WHERE workspace_id = $1 AND sale_marketplace = $2 AND status = $3 \
         AND id > $4 ORDER BY id LIMIT $5"
    )
});
/// The statuses that are not final, in the words of the index, so that the database knows that the index holds the rows.
static OF_ACCOUNT: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<inventory_item::Entity>("", "");
    format!(
        "SELECT {columns} FROM inventory_items{{by}} WHERE workspace_id = $1 AND account_name = $2 \
         AND status NOT IN (8, 10, 11) AND id > $3 ORDER BY id LIMIT $4"
    )
});

static ITEM_OF_PURCHASE: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<inventory_item::Entity>("", "");
    format!("SELECT {columns} FROM inventory_items{{by}} WHERE workspace_id = $1 AND purchase_id = $2")
});

/// One row without a link distinguishes an item whose chain ends before the step from a missing item.
static LINKS: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<asset_id_link::Entity>("l.", "");
    format!(
        "SELECT {columns} FROM inventory_items i LEFT JOIN asset_id_links l ON l.workspace_id = i.workspace_id \
         AND l.inventory_item_id = i.id AND l.step >= $3 \
         WHERE i.workspace_id = $1 AND i.id = $2 ORDER BY l.step LIMIT $4"
    )
});

const LINK_OF_ASSET: &str = "SELECT inventory_item_id, step FROM asset_id_links WHERE workspace_id = $1 AND asset_id = $2 \
    ORDER BY inventory_item_id DESC, step DESC LIMIT 1";

#[async_trait]
impl Items for SqlStore {
    async fn list_in(
        &self,
        scope: WorkspaceScope,
        status: ItemStatus,
        slice: RecordBatch<OfInventoryItem>,
    ) -> StoreResult<Vec<Seen<InventoryItem>>> {
        let mut values = vec![home(scope), status.code().into()];
        values.extend(bounds(&slice));
        self.readable(&self.by_index(&IN_STATUS, "inventory_items_status"), values).await
    }
    async fn list_on_sale(
        &self,
        scope: WorkspaceScope,
        marketplace: &Marketplace,
        status: ItemStatus,
        slice: RecordBatch<OfInventoryItem>,
    ) -> StoreResult<Vec<Seen<InventoryItem>>> {
        let mut values = vec![home(scope), marketplace.as_str().into(), status.code().into()];
        values.extend(bounds(&slice));
        self.readable(&self.by_index(&ON_SALE, "inventory_items_sale"), values).await
    }
    async fn list_of_account(
        &self,
        scope: WorkspaceScope,
        account: &AccountName,
        slice: RecordBatch<OfInventoryItem>,
    ) -> StoreResult<Vec<Seen<InventoryItem>>> {
        let mut values = vec![home(scope), account.as_str().into()];
        values.extend(bounds(&slice));
        self.readable(&self.by_index(&OF_ACCOUNT, "inventory_items_live_account"), values).await
    }
    async fn find(&self, scope: WorkspaceScope, id: InventoryItemId) -> StoreResult<Option<Seen<InventoryItem>>> {
        self.find(vec![home(scope), uuid(id).into()]).await
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[InventoryItemId]) -> StoreResult<Vec<Seen<InventoryItem>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn find_of_purchase(
        &self,
        scope: WorkspaceScope,
        purchase: PurchaseId,
    ) -> StoreResult<Option<Seen<InventoryItem>>> {
        let text = self.by_index(&ITEM_OF_PURCHASE, "inventory_items_purchase");
        self.one(&text, vec![home(scope), uuid(purchase).into()]).await
    }
    async fn find_link_of_asset(
        &self,
        scope: WorkspaceScope,
        asset: &AssetId,
    ) -> StoreResult<Option<(InventoryItemId, u32)>> {
        let row = self.row(LINK_OF_ASSET, vec![home(scope), asset.as_str().into()]).await?;
        let Some(row) = row else { return Ok(None) };
        let (item, step): (Uuid, i64) = (cell(&row, 0)?, cell(&row, 1)?);
        let at = RowLocation { table: "asset_id_links", home: uuid(scope.workspace_id()), key: item };
        Ok(Some((id(item), at.number("step", step)?)))
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: ItemFilter<'_>,
        page: PageRequest<OfInventoryItem>,
    ) -> StoreResult<Page<OfInventoryItem>> {
        if filter.names == NameFilter::OneOf(&[]) {
            return Ok(Page::of(Vec::new(), page.limit));
        }
        self.filtered_page(filtered(scope, &filter, self.is_sqlite()), page).await
    }
    async fn count(&self, scope: WorkspaceScope, filter: ItemFilter<'_>) -> StoreResult<StatusCounts> {
        if filter.names == NameFilter::OneOf(&[]) {
            return Ok(StatusCounts { counts: Vec::new(), truncated: false });
        }
        self.filtered_counts(filtered(scope, &filter, self.is_sqlite())).await
    }
    async fn list_links(
        &self,
        scope: WorkspaceScope,
        item: InventoryItemId,
        from_step: u32,
        limit: u32,
    ) -> StoreResult<Option<Vec<AssetIdLink>>> {
        let values = vec![home(scope), uuid(item).into(), i64::from(from_step).into(), i64::from(limit).into()];
        let rows = self.rows(&LINKS, values).await?;
        let Some(first) = rows.first() else { return Ok(None) };
        if cell::<Option<Uuid>>(first, 0)?.is_none() {
            return Ok(Some(Vec::new()));
        }
        let link = |row| {
            let row = asset_id_link::Model::from_query_result(row, "");
            asset_id_link::to_domain(&row.map_err(|error| classify(&error, DbOperation::Statement))?)
        };
        rows.iter().map(link).collect::<StoreResult<_>>().map(Some)
    }
}

/// The filter whose index finds the items of a list: the one that usually leaves out most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Lock,
    Name,
    Contract,
    Account,
    Marketplace,
    Status,
    Id,
}

impl By {
    const fn of(filter: &ItemFilter<'_>) -> Self {
        if filter.is_by_lock() {
            Self::Lock
        } else if matches!(filter.names, NameFilter::OneOf(_)) {
            Self::Name
        } else if filter.contract_id.is_some() {
            Self::Contract
        } else if filter.account_name.is_some() {
            Self::Account
        } else if filter.sale_marketplace.is_some() {
            Self::Marketplace
        } else if filter.statuses.is_empty() {
            Self::Id
        } else {
            Self::Status
        }
    }

    const fn index(self) -> Option<&'static str> {
        match self {
            Self::Lock => Some("inventory_items_locked"),
            Self::Name => Some("inventory_items_name"),
            Self::Account => Some("inventory_items_account"),
            Self::Marketplace => Some("inventory_items_sale"),
            Self::Contract | Self::Status | Self::Id => None,
        }
    }
}

fn filtered(scope: WorkspaceScope, filter: &ItemFilter<'_>, is_sqlite: bool) -> Filtered {
    let by = By::of(filter);
    let order = match filter.lock {
        Some(ItemLock::LockedAt(at)) => {
            Order::Time { column: "locked_until", from: Some(at.as_micros().saturating_add(1)), to: None }
        }
        Some(ItemLock::FreeAt(_)) | None => Order::Id,
    };
    let mut list = Filtered::new("inventory_items", order, scope, is_sqlite);
    if let Some(index) = by.index() {
        list.by_index(index);
    }
    if let Some(contract) = filter.contract_id {
        list.equal(by == By::Contract, "contract_id", uuid(contract).into());
    }
    if let Some(account) = filter.account_name {
        list.equal(by == By::Account, "account_name", account.as_str().into());
    }
    if let Some(marketplace) = filter.sale_marketplace {
        list.equal(by == By::Marketplace, "sale_marketplace", marketplace.as_str().into());
    }
    match filter.names {
        NameFilter::Any => {}
        NameFilter::OneOf(names) => {
            let names = names.iter().map(|name| name.as_str().into());
            list.one_of(by == By::Name, "market_hash_name", names);
        }
        NameFilter::Containing(search) => list.containing("market_hash_name", search),
    }
    if let Some(ItemLock::FreeAt(at)) = filter.lock {
        list.over("locked_until", at);
    }
    // The index by marketplace is in the order of ids for each status.
    let statuses = if by == By::Marketplace && filter.statuses.is_empty() { ItemStatus::ALL } else { filter.statuses };
    let is_found = matches!(by, By::Contract | By::Status | By::Marketplace);
    list.one_of(is_found, "status", statuses.iter().map(|status| status.code().into()));
    list
}
