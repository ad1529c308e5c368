//! Reads of intents.

use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::{QueryResult, Value};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::{ApprovalMode, ContractStatus};
use tradepost_domain::contracts::intent::{
    FollowUpOutcome, Intent, IntentKind, IntentStatus, LOOKS, Moment, UNSERVED_LIFETIME,
};
use tradepost_domain::id::{ContractId, IntentId, InventoryItemId, OfIntent};
use tradepost_domain::money::Cents;
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{
    IntentFilter, Intents, Page, PageRequest, ProposalQuery, Proposals, ProposedListings, ProposedPurchases,
    StoreError, StoreResult, Worlds, WouldBuyFilter, WouldBuySum,
};
use uuid::Uuid;

use crate::read::filtered::{Filtered, Order};
use crate::rows::contracts::intent;
use crate::rows::{RowLocation, cell, uuid};
use crate::sql_text::in_worlds;
use crate::store::SqlStore;
use crate::table::select_list;

/// PROPOSED and APPROVED, as the index has them.
const WAITING: &str = "status IN (1, 2)";

fn intents(which: &str) -> String {
    format!("SELECT {} FROM intents i{{by}} WHERE {which}", select_list::<intent::Entity>("i.", ""))
}

static IN_STATUS: LazyLock<String> =
    LazyLock::new(|| intents("workspace_id = $1 AND status = $2 AND id > $3 ORDER BY id LIMIT $4"));
static WAITING_OF: LazyLock<String> =
    LazyLock::new(|| intents(&format!("workspace_id = $1 AND contract_id = $2 AND {WAITING} ORDER BY id LIMIT $3")));
static OVERDUE: LazyLock<String> = LazyLock::new(|| {
    let approved = IntentStatus::Approved.code();
    intents(&format!(
        "{WAITING}{{worlds}} AND expires_at <= $1 AND held_until <= $2 AND (status <> {approved} OR looks >= {LOOKS} \
         OR held_until <= $3) ORDER BY expires_at LIMIT $4"
    ))
});
static STRANDED: LazyLock<String> = LazyLock::new(|| {
    let active = ContractStatus::Active.code();
    intents(&format!(
        "{WAITING} AND contract_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM contracts c \
         WHERE c.workspace_id = i.workspace_id AND c.id = i.contract_id AND c.status = {active}) \
         ORDER BY expires_at LIMIT $1"
    ))
});

static TO_FOLLOW_UP: LazyLock<String> = LazyLock::new(|| {
    intents(
        "workspace_id = $1 AND marketplace = $2 AND follow_up_at IS NOT NULL AND follow_up_outcome IS NULL \
         AND follow_up_at <= $3 ORDER BY follow_up_at LIMIT $4",
    )
});

/// The number and the sums of what would have been bought, by outcome; of one contract, or of all.
fn would_buys(of_contract: bool) -> String {
    let of_contract = if of_contract { " AND contract_id = $4" } else { "" };
    let sum = |what: &str| format!("CAST(coalesce(sum({what}), 0) AS bigint)");
    format!(
        "SELECT follow_up_outcome, count(*), {}, {} FROM intents{{by}} WHERE workspace_id = $1 AND follow_up_at IS NOT NULL \
         AND created_at >= $2 AND created_at < $3{of_contract} GROUP BY follow_up_outcome",
        sum("price_cents + platform_fee_cents"),
        sum("fair_value_cents")
    )
}

/// The proposals of a contract of one kind that count, by an index that has the contract's intents by status.
fn proposals(which: Proposals) -> String {
    let which = match which {
        Proposals::Waiting => WAITING.to_owned(),
        // They end at once, and in no other way.
        Proposals::Dry => {
            format!("status = {} AND approval_mode = {}", IntentStatus::Cancelled.code(), ApprovalMode::DryRun.code())
        }
    };
    format!("FROM intents i{{by}} WHERE workspace_id = $1 AND contract_id = $2 AND kind = $3 AND {which}")
}

/// What is proposed to be bought: the number, the sum, and the same of a part.
fn proposed_purchases(which: Proposals) -> String {
    let part =
        |what: &str, of: &str| format!("CAST(coalesce(sum(CASE WHEN {of} THEN {what} ELSE 0 END), 0) AS bigint)");
    let cost = "max_buy_price_cents";
    format!(
        "SELECT count(*), {}, CAST(coalesce(sum({cost}), 0) AS bigint), {}, {}, max(created_at) {}",
        part("1", "created_at >= $4"),
        part(cost, "created_at >= $5"),
        part("1", "market_hash_name = $6"),
        proposals(which)
    )
}

/// The items that are proposed for sale, and whether one of them is among them.
fn proposed_listings(which: Proposals) -> String {
    let of_item = "CAST(coalesce(sum(CASE WHEN inventory_item_id = $4 THEN 1 ELSE 0 END), 0) AS bigint)";
    format!("SELECT count(DISTINCT inventory_item_id), {of_item} {}", proposals(which))
}

fn cents(sum: i64) -> Cents {
    Cents::new(sum.min(Cents::MAX.get())).unwrap_or(Cents::MAX)
}

#[async_trait]
impl Intents for SqlStore {
    async fn find(&self, scope: WorkspaceScope, id: IntentId) -> StoreResult<Option<Seen<Intent>>> {
        self.find(vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[IntentId]) -> StoreResult<Vec<Seen<Intent>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: IntentFilter,
        page: PageRequest<OfIntent>,
    ) -> StoreResult<Page<OfIntent>> {
        let mut equal = vec![("workspace_id", uuid(scope.workspace_id()).into())];
        equal.extend(filter.contract_id.map(|wanted| ("contract_id", uuid(wanted).into())));
        equal.extend(filter.kind.map(|wanted| ("kind", wanted.code().into())));
        equal.extend(filter.status.map(|wanted| ("status", wanted.code().into())));
        self.page("intents", equal, page).await
    }
    async fn list_in(
        &self,
        scope: WorkspaceScope,
        status: IntentStatus,
        after: Option<IntentId>,
        most: u32,
    ) -> StoreResult<Vec<Seen<Intent>>> {
        let after = after.map_or(Uuid::nil(), uuid);
        let values =
            vec![uuid(scope.workspace_id()).into(), status.code().into(), after.into(), i64::from(most).into()];
        self.readable(&self.by_index(&IN_STATUS, "intents_status"), values).await
    }
    async fn list_waiting_of(
        &self,
        scope: WorkspaceScope,
        contract: ContractId,
        most: u32,
    ) -> StoreResult<Vec<Seen<Intent>>> {
        let values = vec![uuid(scope.workspace_id()).into(), uuid(contract).into(), i64::from(most).into()];
        self.readable(&self.by_index(&WAITING_OF, "intents_contract_status"), values).await
    }
    async fn list_overdue(&self, worlds: Worlds, at: Moment, most: u32) -> StoreResult<Vec<Seen<Intent>>> {
        let unserved = at.server.plus(-UNSERVED_LIFETIME);
        let times = [at.market, at.server, unserved].map(|time| time.as_micros().into());
        let mut values: Vec<Value> = times.into_iter().chain([i64::from(most).into()]).collect();
        let worlds = in_worlds("workspace_id", worlds, &mut values);
        let text = self.by_index(&OVERDUE.replace("{worlds}", &worlds), "intents_waiting");
        self.readable(&text, values).await
    }
    async fn sum_proposed_purchases(
        &self,
        scope: WorkspaceScope,
        contract: ContractId,
        query: ProposalQuery<'_>,
    ) -> StoreResult<ProposedPurchases> {
        let text = self.by_index(&proposed_purchases(query.which), "intents_contract_status");
        let of_contract: [Value; 3] =
            [uuid(scope.workspace_id()).into(), uuid(contract).into(), IntentKind::Buy.code().into()];
        let asked: [Value; 3] =
            [query.open_since.as_micros().into(), query.today.as_micros().into(), query.item_name.as_str().into()];
        let row = self.row(&text, of_contract.into_iter().chain(asked).collect()).await?;
        let row = row.ok_or_else(|| StoreError::Bug("a sum without a row".to_owned()))?;
        let at = RowLocation { table: "intents", home: uuid(scope.workspace_id()), key: uuid(contract) };
        let last_at: Option<i64> = cell(&row, 5)?;
        Ok(ProposedPurchases {
            quantity: at.number("id", cell::<i64>(&row, 0)?)?,
            open: at.number("created_at", cell::<i64>(&row, 1)?)?,
            cost: cents(cell(&row, 2)?),
            cost_today: cents(cell(&row, 3)?),
            of_item_name: at.number("market_hash_name", cell::<i64>(&row, 4)?)?,
            last_at: at.time_some("created_at", last_at)?,
        })
    }
    async fn count_proposed_listings(
        &self,
        scope: WorkspaceScope,
        contract: ContractId,
        which: Proposals,
        item: InventoryItemId,
    ) -> StoreResult<ProposedListings> {
        let text = self.by_index(&proposed_listings(which), "intents_contract_status");
        let (kind, item) = (IntentKind::List.code(), uuid(item));
        let values = vec![uuid(scope.workspace_id()).into(), uuid(contract).into(), kind.into(), item.into()];
        let row = self.row(&text, values).await?;
        let row = row.ok_or_else(|| StoreError::Bug("a count without a row".to_owned()))?;
        let at = RowLocation { table: "intents", home: uuid(scope.workspace_id()), key: uuid(contract) };
        let (items, of_item): (i64, i64) = (cell(&row, 0)?, cell(&row, 1)?);
        Ok(ProposedListings { items: at.number("inventory_item_id", items)?, has_item: of_item > 0 })
    }
    async fn list_would_buys(
        &self,
        scope: WorkspaceScope,
        contract: Option<ContractId>,
        page: PageRequest<OfIntent>,
    ) -> StoreResult<Page<OfIntent>> {
        let mut list = Filtered::new("intents", Order::Id, scope, self.is_sqlite());
        list.by_index(if contract.is_some() { "intents_contract_followed" } else { "intents_followed" });
        list.present("follow_up_at");
        if let Some(contract) = contract {
            list.equal(true, "contract_id", uuid(contract).into());
        }
        self.filtered_page(list, page).await
    }
    async fn list_to_follow_up(
        &self,
        scope: WorkspaceScope,
        marketplace: &Marketplace,
        until: Timestamp,
        most: u32,
    ) -> StoreResult<Vec<Seen<Intent>>> {
        let values = vec![
            uuid(scope.workspace_id()).into(),
            marketplace.as_str().into(),
            until.as_micros().into(),
            i64::from(most).into(),
        ];
        self.readable(&self.by_index(&TO_FOLLOW_UP, "intents_follow_up_due"), values).await
    }
    async fn sum_would_buys(&self, scope: WorkspaceScope, filter: WouldBuyFilter) -> StoreResult<Vec<WouldBuySum>> {
        let WouldBuyFilter { contract_id, from, to } = filter;
        let index = if contract_id.is_some() { "intents_contract_followed_at" } else { "intents_followed_at" };
        let home = uuid(scope.workspace_id());
        let mut values: Vec<Value> = vec![home.into(), from.as_micros().into(), to.as_micros().into()];
        values.extend(contract_id.map(|id| Value::from(uuid(id))));
        let at = RowLocation { table: "intents", home, key: Uuid::nil() };
        let rows = self.rows(&self.by_index(&would_buys(contract_id.is_some()), index), values).await?;
        let sum = |row: &QueryResult| {
            let outcome: Option<i16> = cell(row, 0)?;
            Ok(WouldBuySum {
                outcome: outcome
                    .map(|code| at.code("follow_up_outcome", code, FollowUpOutcome::from_code))
                    .transpose()?,
                count: at.number("id", cell::<i64>(row, 1)?)?,
                cost: cents(cell(row, 2)?),
                fair_value: cents(cell(row, 3)?),
            })
        };
        rows.iter().map(sum).collect()
    }
    async fn list_stranded(&self, most: u32) -> StoreResult<Vec<Seen<Intent>>> {
        let text = self.by_index(&STRANDED, "intents_waiting");
        self.readable(&text, vec![i64::from(most).into()]).await
    }
}
