//! Reads of contracts, purchases, items and their chains.

use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::{FromQueryResult as _, Value};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::chain::AssetIdLink;
use tradepost_domain::contracts::contract::{Contract, ContractStatus, ContractType};
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::{ContractId, InventoryItemId, OfContract, OfInventoryItem, OfPurchase, PurchaseId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::record::{Kind, ONLY};
use tradepost_ports::store::{
    ContractFilter, ItemFilter, Page, PageRequest, PurchaseFilter, StoreResult, Trading, Worlds,
};
use uuid::Uuid;

use crate::classify::{DbOperation, classify};
use crate::rows::contracts::{asset_id_link, contract, inventory_item};
use crate::rows::{RowLocation, cell, id, uuid};
use crate::sql_text::in_worlds;
use crate::store::SqlStore;
use crate::table::select_list;

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
static ACTIVE: LazyLock<String> = LazyLock::new(|| {
    let (columns, active) = (select_list::<contract::Entity>("", ""), ContractStatus::Active.code());
    format!("SELECT {columns} FROM contracts WHERE id > $1 AND status = {active} ORDER BY id LIMIT $2")
});
static OVERDUE: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<contract::Entity>("", "");
    let open =
        ContractStatus::ALL.iter().filter(|status| status.can_be_closed()).map(|status| status.code().to_string());
    let open = open.collect::<Vec<_>>().join(", ");
    format!(
        "SELECT {columns} FROM contracts{{by}} WHERE ends_at <= $1 AND status IN ({open}){{worlds}} ORDER BY ends_at LIMIT $2"
    )
});
const LINK_OF_ASSET: &str = "SELECT inventory_item_id, step FROM asset_id_links WHERE workspace_id = $1 AND asset_id = $2 \
    ORDER BY inventory_item_id DESC, step DESC LIMIT 1";
const COUNTS: &str = "SELECT status, CAST(sum(n) AS bigint) FROM record_counts \
    WHERE workspace_id = $1 AND kind = $2 AND contract_id = $3 GROUP BY status ORDER BY status";

fn home(scope: WorkspaceScope) -> Value {
    uuid(scope.workspace_id()).into()
}

#[async_trait]
impl Trading for SqlStore {
    async fn find_contract(&self, scope: WorkspaceScope, id: ContractId) -> StoreResult<Option<Seen<Contract>>> {
        self.find(vec![home(scope), uuid(id).into()]).await
    }

    async fn find_contracts(&self, scope: WorkspaceScope, ids: &[ContractId]) -> StoreResult<Vec<Seen<Contract>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }

    async fn list_contracts(
        &self,
        scope: WorkspaceScope,
        filter: ContractFilter,
        page: PageRequest<OfContract>,
    ) -> StoreResult<Page<OfContract>> {
        let mut equal = vec![("workspace_id", home(scope))];
        equal.extend(filter.contract_type.map(|wanted| ("contract_type", wanted.code().into())));
        equal.extend(filter.status.map(|wanted| ("status", wanted.code().into())));
        self.page("contracts", equal, page).await
    }

    async fn list_active_contracts(&self, after: Option<ContractId>, most: u32) -> StoreResult<Vec<Seen<Contract>>> {
        let after = after.map_or(Uuid::nil(), uuid);
        self.readable(&ACTIVE, vec![after.into(), i64::from(most).into()]).await
    }

    async fn list_overdue_contracts(
        &self,
        worlds: Worlds,
        until: Timestamp,
        most: u32,
    ) -> StoreResult<Vec<Seen<Contract>>> {
        let mut values: Vec<Value> = vec![until.as_micros().into(), i64::from(most).into()];
        let worlds = in_worlds("workspace_id", worlds, &mut values);
        let text = self.by_index(&OVERDUE.replace("{worlds}", &worlds), "contracts_end");
        self.readable(&text, values).await
    }

    async fn count_contracts(
        &self,
        scope: WorkspaceScope,
        contract_type: Option<ContractType>,
    ) -> StoreResult<Vec<(i16, i64)>> {
        let mut values = vec![home(scope)];
        values.extend(contract_type.map(|wanted| Value::from(wanted.code())));
        let of_type = contract_type.map_or("", |_| " AND contract_type = $2");
        let text = format!(
            "SELECT status, count(*) FROM contracts WHERE workspace_id = $1{of_type} GROUP BY status ORDER BY status"
        );
        self.rows(&text, values).await?.iter().map(|row| Ok((cell(row, 0)?, cell(row, 1)?))).collect()
    }

    async fn find_purchase(&self, scope: WorkspaceScope, id: PurchaseId) -> StoreResult<Option<Seen<Purchase>>> {
        self.find(vec![home(scope), uuid(id).into()]).await
    }

    async fn find_purchases(&self, scope: WorkspaceScope, ids: &[PurchaseId]) -> StoreResult<Vec<Seen<Purchase>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }

    async fn list_purchases(
        &self,
        scope: WorkspaceScope,
        filter: PurchaseFilter,
        page: PageRequest<OfPurchase>,
    ) -> StoreResult<Page<OfPurchase>> {
        let mut equal = vec![("workspace_id", home(scope))];
        equal.extend(filter.contract_id.map(|wanted| ("contract_id", uuid(wanted).into())));
        equal.extend(filter.status.map(|wanted| ("status", wanted.code().into())));
        self.page("purchases", equal, page).await
    }

    async fn find_item(&self, scope: WorkspaceScope, id: InventoryItemId) -> StoreResult<Option<Seen<InventoryItem>>> {
        self.find(vec![home(scope), uuid(id).into()]).await
    }

    async fn find_items(
        &self,
        scope: WorkspaceScope,
        ids: &[InventoryItemId],
    ) -> StoreResult<Vec<Seen<InventoryItem>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }

    async fn find_item_of_purchase(
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

    async fn list_items(
        &self,
        scope: WorkspaceScope,
        filter: ItemFilter<'_>,
        page: PageRequest<OfInventoryItem>,
    ) -> StoreResult<Page<OfInventoryItem>> {
        let mut equal = vec![("workspace_id", home(scope))];
        equal.extend(filter.contract_id.map(|wanted| ("contract_id", uuid(wanted).into())));
        equal.extend(filter.status.map(|wanted| ("status", wanted.code().into())));
        equal.extend(filter.market_hash_name.map(|wanted| ("market_hash_name", wanted.as_str().into())));
        equal.extend(filter.account_name.map(|wanted| ("account_name", wanted.as_str().into())));
        self.page("inventory_items", equal, page).await
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

    async fn count_by_status(
        &self,
        scope: WorkspaceScope,
        kind: Kind,
        contract: Option<ContractId>,
    ) -> StoreResult<Vec<(i16, i64)>> {
        let contract = Uuid::from_bytes(contract.map_or(ONLY, ContractId::to_bytes));
        let rows = self.rows(COUNTS, vec![home(scope), kind.code().into(), contract.into()]).await?;
        rows.iter().map(|row| Ok((cell(row, 0)?, cell(row, 1)?))).collect()
    }
}
