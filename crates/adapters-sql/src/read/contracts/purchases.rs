//! Reads of purchases.

use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::Value;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::contracts::remediation::RemediationKind;
use tradepost_domain::id::{OfPurchase, PurchaseId};
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{
    NameFilter, Page, PageRequest, PurchaseFilter, Purchases, RecordBatch, StatusCounts, StoreResult, Worlds,
};

use crate::read::contracts::{bounds, home};
use crate::read::filtered::{Filtered, Order, bound};
use crate::rows::contracts::purchase;
use crate::rows::uuid;
use crate::sql_text::in_worlds;
use crate::store::SqlStore;
use crate::table::select_list;

/// Not final, in the words of the index, so that the database knows that the index holds the rows.
pub(crate) const OPEN: &str = "status NOT IN (8, 9, 10, 12, 14)";
static OPEN_PURCHASES: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<purchase::Entity>("", "");
    format!(
        "SELECT {columns} FROM purchases{{by}} WHERE workspace_id = $1 AND marketplace = $2 AND status = $3 AND {OPEN} \
         AND id > $4 ORDER BY id LIMIT $5"
    )
});

static OF_ORDER: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<purchase::Entity>("", "");
    format!("SELECT {columns} FROM purchases{{by}} WHERE workspace_id = $1 AND marketplace = $2 AND order_id = $3")
});

static UNDECIDED: LazyLock<String> = LazyLock::new(|| {
    let (uncertain, unknown) = (PurchaseStatus::Uncertain.code(), RemediationKind::OutcomeUnknown.code());
    format!(
        "SELECT {} FROM purchases p{{by}} WHERE status = {uncertain} AND updated_at <= $1{{worlds}} AND NOT EXISTS (\
         SELECT 1 FROM remediations r WHERE r.workspace_id = p.workspace_id AND r.subject_id = p.id AND r.kind = {unknown}) \
         ORDER BY updated_at LIMIT $2",
        select_list::<purchase::Entity>("p.", "")
    )
});

#[async_trait]
impl Purchases for SqlStore {
    async fn list_open(
        &self,
        scope: WorkspaceScope,
        marketplace: &Marketplace,
        status: PurchaseStatus,
        slice: RecordBatch<OfPurchase>,
    ) -> StoreResult<Vec<Seen<Purchase>>> {
        let mut values = vec![home(scope), marketplace.as_str().into(), status.code().into()];
        values.extend(bounds(&slice));
        self.readable(&self.by_index(&OPEN_PURCHASES, "purchases_open"), values).await
    }
    async fn list_undecided(&self, worlds: Worlds, since: Timestamp, most: u32) -> StoreResult<Vec<Seen<Purchase>>> {
        let mut values: Vec<Value> = vec![since.as_micros().into(), i64::from(most).into()];
        let worlds = in_worlds("p.workspace_id", worlds, &mut values);
        let text = self.by_index(&UNDECIDED.replace("{worlds}", &worlds), "purchases_uncertain");
        self.readable(&text, values).await
    }
    async fn find(&self, scope: WorkspaceScope, id: PurchaseId) -> StoreResult<Option<Seen<Purchase>>> {
        self.find(vec![home(scope), uuid(id).into()]).await
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[PurchaseId]) -> StoreResult<Vec<Seen<Purchase>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn find_of_order(
        &self,
        scope: WorkspaceScope,
        marketplace: &Marketplace,
        order_id: &ExternalId,
    ) -> StoreResult<Option<Seen<Purchase>>> {
        let values = vec![home(scope), marketplace.as_str().into(), order_id.as_str().into()];
        self.one(&self.by_index(&OF_ORDER, "purchases_order"), values).await
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: PurchaseFilter<'_>,
        page: PageRequest<OfPurchase>,
    ) -> StoreResult<Page<OfPurchase>> {
        if filter.names == NameFilter::OneOf(&[]) {
            return Ok(Page::of(Vec::new(), page.limit));
        }
        self.filtered_page(filtered(scope, &filter, self.is_sqlite()), page).await
    }
    async fn count(&self, scope: WorkspaceScope, filter: PurchaseFilter<'_>) -> StoreResult<StatusCounts> {
        if filter.names == NameFilter::OneOf(&[]) {
            return Ok(StatusCounts { counts: Vec::new(), truncated: false });
        }
        self.filtered_counts(filtered(scope, &filter, self.is_sqlite())).await
    }
}

/// The filter whose index finds the purchases of a list: the one that usually leaves out most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Name,
    Account,
    Marketplace,
    Time,
    Contract,
    Status,
    Id,
}

impl By {
    const fn of(filter: &PurchaseFilter<'_>) -> Self {
        if matches!(filter.names, NameFilter::OneOf(_)) {
            return Self::Name;
        }
        let is_of_time =
            filter.from.is_some() || filter.to.is_some() || matches!(filter.names, NameFilter::Containing(_));
        if filter.contract_id.is_some() && !is_of_time {
            Self::Contract
        } else if filter.account_name.is_some() {
            Self::Account
        } else if filter.marketplace.is_some() {
            Self::Marketplace
        } else if is_of_time {
            Self::Time
        } else if filter.statuses.is_empty() {
            Self::Id
        } else {
            Self::Status
        }
    }

    const fn index(self) -> Option<&'static str> {
        match self {
            Self::Name => Some("purchases_name"),
            Self::Account => Some("purchases_account"),
            Self::Marketplace => Some("purchases_marketplace"),
            Self::Time => Some("purchases_time"),
            Self::Contract | Self::Status | Self::Id => None,
        }
    }
}

fn filtered(scope: WorkspaceScope, filter: &PurchaseFilter<'_>, is_sqlite: bool) -> Filtered {
    let by = By::of(filter);
    let order = if filter.is_by_time() {
        Order::Time { column: "created_at", from: filter.from.map(bound), to: filter.to.map(bound) }
    } else {
        Order::Id
    };
    let mut list = Filtered::new("purchases", order, scope, is_sqlite);
    if let Some(index) = by.index() {
        list.by_index(index);
    }
    if let Some(contract) = filter.contract_id {
        list.equal(by == By::Contract, "contract_id", uuid(contract).into());
    }
    if let Some(account) = filter.account_name {
        list.equal(by == By::Account, "account_name", account.as_str().into());
    }
    if let Some(marketplace) = filter.marketplace {
        list.equal(by == By::Marketplace, "marketplace", marketplace.as_str().into());
    }
    match filter.names {
        NameFilter::Any => {}
        NameFilter::OneOf(names) => {
            list.one_of(true, "market_hash_name", names.iter().map(|name| name.as_str().into()));
        }
        NameFilter::Containing(search) => list.containing("market_hash_name", search),
    }
    let is_found = matches!(by, By::Contract | By::Status);
    list.one_of(is_found, "status", filter.statuses.iter().map(|status| status.code().into()));
    list
}
