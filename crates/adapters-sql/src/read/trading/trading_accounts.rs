//! Reads of trading accounts, of their groups, and of what they are assigned to.

use std::num::NonZeroU64;
use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::{QueryResult, Value};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::id::{AccountId, OfAccount};
use tradepost_domain::text::{AccountName, Name};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_domain::trading::trading_account::{AccountStatus, Load, TradingAccount};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{AccountFilter, Page, PageRequest, StoreResult, TradingAccounts};
use uuid::Uuid;

use crate::rows::trading::trading_account;
use crate::rows::{RowLocation, cell, uuid};
use crate::sql_text::{NAMES_POSTGRES, NAMES_SQLITE, name_list, one_more};
use crate::store::SqlStore;
use crate::table::select_list;

static NAMED: LazyLock<String> = LazyLock::new(|| {
    let (columns, removed) = (select_list::<trading_account::Entity>("", ""), AccountStatus::Removed.code());
    format!("SELECT {columns} FROM trading_accounts WHERE workspace_id = $1 AND name = $2 AND status <> {removed}")
});
static ALL_NAMED: LazyLock<String> = LazyLock::new(|| {
    let (columns, removed) = (select_list::<trading_account::Entity>("", ""), AccountStatus::Removed.code());
    format!(
        "SELECT {columns} FROM trading_accounts{{by}} WHERE workspace_id = $1 AND name IN ({{names}}) \
         AND status <> {removed}"
    )
});
static NUMBERED: LazyLock<String> = LazyLock::new(|| {
    let (columns, removed) = (select_list::<trading_account::Entity>("", ""), AccountStatus::Removed.code());
    format!(
        "SELECT {columns} FROM trading_accounts{{by}} WHERE workspace_id = $1 AND platform_user_id IN ({{names}}) \
         AND platform = $3 AND status <> {removed}"
    )
});
static TO_REFRESH: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<trading_account::Entity>("", "");
    format!(
        "SELECT {columns} FROM trading_accounts{{by}} WHERE workspace_id = $1 AND refresh_waits = 1 \
         ORDER BY id LIMIT $2"
    )
});
/// Status 9 is REMOVED; as a literal, so that the index of the others is used.
const ELSEWHERE: &str = "SELECT DISTINCT platform_user_id FROM trading_accounts{by} \
    WHERE platform = $3 AND platform_user_id IN ({names}) AND status <> 9 AND workspace_id <> $1";
/// Counted by name in each table, so that its index is read; the statuses in which nothing is in hand are as that has them.
static LOADS: LazyLock<String> = LazyLock::new(|| {
    let purchases = PurchaseStatus::ALL.iter().filter(|status| !status.is_open()).map(|status| status.code());
    let items = ItemStatus::ALL.iter().filter(|status| status.is_terminal()).map(|status| status.code());
    let count = |table: &str, purchases: &str, items: &str, over: String| {
        format!(
            "SELECT account_name, {purchases} AS purchases, {items} AS items FROM {table} \
             WHERE workspace_id = $1 AND account_name IN ({{names}}) AND status NOT IN ({over}) GROUP BY account_name"
        )
    };
    let bought = count("purchases", "count(*)", "0", listed(purchases));
    let held = count("inventory_items{by}", "0", "count(*)", listed(items));
    format!(
        "SELECT account_name, CAST(sum(purchases) AS bigint), CAST(sum(items) AS bigint) \
         FROM ({bought} UNION ALL {held}) in_hand GROUP BY account_name ORDER BY account_name"
    )
});
/// The accounts of a group: `{ids}` gives them.
const IN_GROUP: &str = "SELECT id FROM trading_accounts WHERE workspace_id = $1 AND id < $2 AND id IN ({ids})";
const IDS_SQLITE: &str = "SELECT unhex(j.value) FROM account_groups g, \
    json_each('[\"' || replace(g.account_ids, ',', '\",\"') || '\"]') j \
    WHERE g.workspace_id = $1 AND g.id = $3 AND g.account_ids <> ''";
const IDS_POSTGRES: &str = "SELECT unnest(string_to_array(g.account_ids, ',')::uuid[]) FROM account_groups g \
    WHERE g.workspace_id = $1 AND g.id = $3 AND g.account_ids <> ''";

fn listed(codes: impl Iterator<Item = i16>) -> String {
    codes.map(|code| code.to_string()).collect::<Vec<_>>().join(", ")
}

/// Numbers as one value.
fn number_list(numbers: &[PlatformUserId]) -> Value {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    serde_json::Value::from(numbers).to_string().into()
}

fn load(workspace: Uuid, row: &QueryResult) -> StoreResult<(AccountName, Load)> {
    let at = RowLocation { table: "purchases", home: workspace, key: Uuid::nil() };
    let name = at.read("account_name", AccountName::new(&cell::<String>(row, 0)?))?;
    let (purchases, items): (i64, i64) = (cell(row, 1)?, cell(row, 2)?);
    Ok((name, Load { open_purchases: at.number("status", purchases)?, items: at.number("status", items)? }))
}

#[async_trait]
impl TradingAccounts for SqlStore {
    async fn find(&self, scope: WorkspaceScope, id: AccountId) -> StoreResult<Option<Seen<TradingAccount>>> {
        self.find(vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[AccountId]) -> StoreResult<Vec<Seen<TradingAccount>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn find_named(&self, scope: WorkspaceScope, name: &AccountName) -> StoreResult<Option<Seen<TradingAccount>>> {
        self.one(&NAMED, vec![uuid(scope.workspace_id()).into(), name.as_str().into()]).await
    }
    async fn find_all_named(
        &self,
        scope: WorkspaceScope,
        names: &[AccountName],
    ) -> StoreResult<Vec<Seen<TradingAccount>>> {
        let text = ALL_NAMED.replace("{names}", self.pick(NAMES_SQLITE, NAMES_POSTGRES));
        let values = vec![uuid(scope.workspace_id()).into(), name_list(names)];
        self.readable(&self.by_index(&text, "trading_accounts_name"), values).await
    }
    async fn find_numbered(
        &self,
        scope: WorkspaceScope,
        platform: &Name,
        numbers: &[PlatformUserId],
    ) -> StoreResult<Vec<Seen<TradingAccount>>> {
        let text = NUMBERED.replace("{names}", self.pick(NAMES_SQLITE, NAMES_POSTGRES));
        let values = vec![uuid(scope.workspace_id()).into(), number_list(numbers), platform.as_str().into()];
        self.readable(&self.by_index(&text, "trading_accounts_number"), values).await
    }
    async fn list_elsewhere(
        &self,
        scope: WorkspaceScope,
        platform: &Name,
        numbers: &[PlatformUserId],
    ) -> StoreResult<Vec<PlatformUserId>> {
        let text = ELSEWHERE.replace("{names}", self.pick(NAMES_SQLITE, NAMES_POSTGRES));
        let values = vec![uuid(scope.workspace_id()).into(), number_list(numbers), platform.as_str().into()];
        let rows = self.rows(&self.by_index(&text, "trading_accounts_anywhere"), values).await?;
        let at = RowLocation { table: "trading_accounts", home: Uuid::nil(), key: Uuid::nil() };
        let number = |row: &QueryResult| {
            let number: String = cell(row, 0)?;
            at.read("platform_user_id", number.parse::<NonZeroU64>().map(PlatformUserId::new))
        };
        rows.iter().map(number).collect()
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: AccountFilter,
        page: PageRequest<OfAccount>,
    ) -> StoreResult<Page<OfAccount>> {
        let Some(group) = filter.group_id else {
            let mut equal: Vec<(&str, Value)> = vec![("workspace_id", uuid(scope.workspace_id()).into())];
            equal.extend(filter.status.map(|status| ("status", status.code().into())));
            return self.page("trading_accounts", equal, page).await;
        };
        let before = page.before.map_or(Uuid::max(), uuid);
        let mut values: Vec<Value> =
            vec![uuid(scope.workspace_id()).into(), before.into(), uuid(group).into(), one_more(page.limit)];
        let mut text = IN_GROUP.replace("{ids}", self.pick(IDS_SQLITE, IDS_POSTGRES));
        if let Some(status) = filter.status {
            values.push(status.code().into());
            text.push_str(" AND status = $5");
        }
        text.push_str(" ORDER BY id DESC LIMIT $4");
        self.page_of(&text, values, page.limit).await
    }
    async fn list_to_refresh(&self, scope: WorkspaceScope, most: u32) -> StoreResult<Vec<Seen<TradingAccount>>> {
        let text = self.by_index(&TO_REFRESH, "trading_accounts_refresh");
        self.readable(&text, vec![uuid(scope.workspace_id()).into(), i64::from(most).into()]).await
    }
    async fn find_loads(&self, scope: WorkspaceScope, names: &[AccountName]) -> StoreResult<Vec<(AccountName, Load)>> {
        // SQLite prefers the index of all items with an account to that of the live ones.
        let text = LOADS.replace("{names}", self.pick(NAMES_SQLITE, NAMES_POSTGRES));
        let text = self.by_index(&text, "inventory_items_live_account");
        let workspace = uuid(scope.workspace_id());
        let rows = self.rows(&text, vec![workspace.into(), name_list(names)]).await?;
        rows.iter().map(|row| load(workspace, row)).collect()
    }
}
