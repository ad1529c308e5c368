//! Reads of providers, of what was seen of them, and of what names them.

use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::Value;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::ContractStatus;
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::id::{OfProvider, ProviderId};
use tradepost_domain::markets::provider::{Provider, ProviderHealth, ProviderKind, ProviderStatus, ProviderUses};
use tradepost_domain::text::{Marketplace, Name};
use tradepost_domain::trading::trading_account::AccountStatus;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Page, PageRequest, Providers, StoreResult};
use uuid::Uuid;

use crate::read::contracts::purchases::OPEN;
use crate::rows::markets::provider;
use crate::rows::{RowLocation, cell, uuid};
use crate::store::SqlStore;
use crate::table::select_list;

static NAMED: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<provider::Entity>("", "");
    format!("SELECT {columns} FROM providers WHERE workspace_id = $1 AND kind = $2 AND name = $3")
});
static OF_DRIVER: LazyLock<String> = LazyLock::new(|| {
    let (columns, enabled) = (select_list::<provider::Entity>("", ""), ProviderStatus::Enabled.code());
    format!(
        "SELECT {columns} FROM providers WHERE driver = $1 AND name = $2 AND status = {enabled} AND id > $3 ORDER BY id LIMIT $4"
    )
});
static OF_KIND: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<provider::Entity>("", "");
    format!("SELECT {columns} FROM providers WHERE driver = $1 AND kind = $2 AND id > $3 ORDER BY id LIMIT $4")
});
/// Contracts, purchases, items and accounts, by kind of provider; `{named}` holds for contracts that name it.
static OF_MARKETPLACE: LazyLock<String> = LazyLock::new(|| {
    let bought = listed(PurchaseStatus::ALL.iter().filter(|status| !status.is_open()).map(|status| status.code()));
    let sold = listed(ItemStatus::ALL.iter().filter(|status| status.is_terminal()).map(|status| status.code()));
    let live = live_contracts();
    format!(
        "SELECT ({live}), \
         (SELECT count(*) FROM purchases{{by}} WHERE workspace_id = $1 AND marketplace = $2 AND status NOT IN ({bought}) AND {OPEN}), \
         (SELECT count(*) FROM inventory_items WHERE workspace_id = $1 AND sale_marketplace = $2 AND status NOT IN ({sold})), \
         CAST(0 AS bigint)"
    )
});
static OF_SOURCE: LazyLock<String> =
    LazyLock::new(|| format!("SELECT ({}), CAST(0 AS bigint), CAST(0 AS bigint), CAST(0 AS bigint)", live_contracts()));
static OF_PLATFORM: LazyLock<String> = LazyLock::new(|| {
    let removed = AccountStatus::Removed.code();
    format!(
        "SELECT CAST(0 AS bigint), CAST(0 AS bigint), CAST(0 AS bigint), \
         (SELECT count(*) FROM trading_accounts WHERE workspace_id = $1 AND platform = $2 AND status <> {removed})"
    )
});
const NAMED_SQLITE: &str = "EXISTS (SELECT 1 FROM json_each({list}) named WHERE named.value = $2)";
const NAMED_POSTGRES: &str = "$2 IN (SELECT json_array_elements_text({list}))";

fn live_contracts() -> String {
    let ended = listed(ContractStatus::ALL.iter().filter(|status| status.is_terminal()).map(|status| status.code()));
    format!("SELECT count(*) FROM contracts WHERE workspace_id = $1 AND status NOT IN ({ended}) AND {{named}}")
}

fn listed(codes: impl Iterator<Item = i16>) -> String {
    codes.map(|code| code.to_string()).collect::<Vec<_>>().join(", ")
}

#[async_trait]
impl Providers for SqlStore {
    async fn find(&self, scope: WorkspaceScope, id: ProviderId) -> StoreResult<Option<Seen<Provider>>> {
        self.find(vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[ProviderId]) -> StoreResult<Vec<Seen<Provider>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn find_named(
        &self,
        scope: WorkspaceScope,
        kind: ProviderKind,
        name: &Marketplace,
    ) -> StoreResult<Option<Seen<Provider>>> {
        let key = vec![uuid(scope.workspace_id()).into(), kind.code().into(), name.as_str().into()];
        self.one(&NAMED, key).await
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        kind: Option<ProviderKind>,
        page: PageRequest<OfProvider>,
    ) -> StoreResult<Page<OfProvider>> {
        let mut equal: Vec<(&str, Value)> = vec![("workspace_id", uuid(scope.workspace_id()).into())];
        equal.extend(kind.map(|kind| ("kind", kind.code().into())));
        self.page("providers", equal, page).await
    }
    async fn list_of_driver(
        &self,
        driver: &Name,
        name: &Marketplace,
        after: Option<ProviderId>,
        most: u32,
    ) -> StoreResult<Vec<Seen<Provider>>> {
        let after = after.map_or(Uuid::nil(), uuid);
        let values = vec![driver.as_str().into(), name.as_str().into(), after.into(), i64::from(most).into()];
        self.readable(&OF_DRIVER, values).await
    }
    async fn list_of_kind(
        &self,
        driver: &Name,
        kind: ProviderKind,
        after: Option<ProviderId>,
        most: u32,
    ) -> StoreResult<Vec<Seen<Provider>>> {
        let after = after.map_or(Uuid::nil(), uuid);
        let values = vec![driver.as_str().into(), kind.code().into(), after.into(), i64::from(most).into()];
        self.readable(&OF_KIND, values).await
    }
    async fn find_healths(&self, scope: WorkspaceScope, ids: &[ProviderId]) -> StoreResult<Vec<Seen<ProviderHealth>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn count_uses(
        &self,
        scope: WorkspaceScope,
        kind: ProviderKind,
        name: &Marketplace,
    ) -> StoreResult<ProviderUses> {
        let named = |sqlite: &str, postgres: &str| {
            let condition = self.pick(NAMED_SQLITE, NAMED_POSTGRES);
            condition.replace("{list}", self.pick(sqlite, postgres))
        };
        let text = match kind {
            ProviderKind::Marketplace => {
                let text = OF_MARKETPLACE.replace("{named}", &named("marketplaces", "marketplaces::json"));
                self.by_index(&text, "purchases_open")
            }
            ProviderKind::PriceSource => {
                let sources = named("price_reference, '$.sources'", "price_reference::json -> 'sources'");
                OF_SOURCE.replace("{named}", &sources)
            }
            ProviderKind::GamePlatform => OF_PLATFORM.clone(),
        };
        let workspace = uuid(scope.workspace_id());
        let Some(row) = self.row(&text, vec![workspace.into(), name.as_str().into()]).await? else {
            return Ok(ProviderUses::default());
        };
        let at = RowLocation { table: "providers", home: workspace, key: Uuid::nil() };
        let count = |column| at.number("name", cell::<i64>(&row, column)?);
        Ok(ProviderUses { contracts: count(0)?, purchases: count(1)?, items: count(2)?, accounts: count(3)? })
    }
}
