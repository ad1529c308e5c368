//! Reads of purchases.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::id::{ContractId, OfPurchase, PurchaseId, WorkspaceId};
use tradepost_domain::text::{AccountName, Marketplace, Text};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;
use tradepost_ports::record::Kind;
use tradepost_ports::store::{NamedRecord, PurchaseFilter, Records, StatusCounts};

use crate::contracts::name_filters::{WantedNames, statuses, text_filter};
use crate::paging::ListKey;
use crate::rules;
use crate::{Batch, OpError, OpResult, Operations, PageOf, StatusTally, Versioned, fields};

/// A request for one purchase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetPurchase {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The purchase.
    pub purchase_id: PurchaseId,
}

/// A request for several purchases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetPurchases {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The purchases, 1 to 200.
    pub purchase_ids: Vec<PurchaseId>,
}

/// A request for a page of purchases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListPurchases {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only purchases of this contract.
    pub contract_id: Option<ContractId>,
    /// Only purchases in this status, or in one of the others.
    pub status: Option<PurchaseStatus>,
    /// Further filters.
    pub wanted: WantedPurchases,
}

/// A request for the number of purchases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountPurchases {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Only purchases of this contract.
    pub contract_id: Option<ContractId>,
    /// Further filters.
    pub wanted: WantedPurchases,
}

/// Filters of purchases; by default there are none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WantedPurchases {
    /// Only in one of these statuses.
    pub statuses: Vec<PurchaseStatus>,
    /// Only of this market name; empty for all.
    pub market_hash_name: String,
    /// Only of market names that contain each of these parts, in upper or lower case, with spaces between; empty for all.
    pub name_contains: String,
    /// Only at this marketplace; empty for all.
    pub marketplace: String,
    /// Only with the trading account of this name; empty for all.
    pub account_name: String,
    /// Only recorded at this time or later, to the millisecond.
    pub from: Option<Timestamp>,
    /// Only recorded before this time, to the millisecond.
    pub to: Option<Timestamp>,
}

/// Filters of purchases that were checked.
struct PurchaseFilters {
    contract_id: Option<ContractId>,
    statuses: Vec<PurchaseStatus>,
    names: WantedNames,
    marketplace: Option<Marketplace>,
    account_name: Option<AccountName>,
    from: Option<Timestamp>,
    to: Option<Timestamp>,
}

impl PurchaseFilters {
    fn read(
        contract_id: Option<ContractId>,
        status: Option<PurchaseStatus>,
        wanted: &WantedPurchases,
    ) -> OpResult<Self> {
        fields::span(wanted.from, wanted.to)?;
        Ok(Self {
            contract_id,
            statuses: statuses(status, &wanted.statuses, PurchaseStatus::code),
            names: WantedNames::read(&wanted.market_hash_name, &wanted.name_contains)?,
            marketplace: text_filter("marketplace", &wanted.marketplace)?,
            account_name: text_filter("accountName", &wanted.account_name)?,
            from: wanted.from,
            to: wanted.to,
        })
    }

    fn key(&self, scope: WorkspaceScope) -> ListKey {
        let codes: Vec<i16> = self.statuses.iter().map(|status| status.code()).collect();
        let key = ListKey::of("purchases", scope).and_id(self.contract_id).and_codes(&codes);
        self.names
            .add_to(key)
            .and_text(self.marketplace.as_ref().map(Text::as_str))
            .and_text(self.account_name.as_ref().map(Text::as_str))
            .and_time(self.from)
            .and_time(self.to)
    }

    async fn find_names(self, on: &dyn Records, scope: WorkspaceScope) -> OpResult<Self> {
        let names = self.names.find(on, scope, NamedRecord::Purchase).await?;
        Ok(Self { names, ..self })
    }

    fn filter(&self) -> PurchaseFilter<'_> {
        PurchaseFilter {
            contract_id: self.contract_id,
            statuses: &self.statuses,
            names: self.names.filter(),
            marketplace: self.marketplace.as_ref(),
            account_name: self.account_name.as_ref(),
            from: self.from,
            to: self.to,
        }
    }

    /// Returns whether counters are kept of what the filters accept.
    const fn are_counted(&self) -> bool {
        self.names.is_any()
            && self.marketplace.is_none()
            && self.account_name.is_none()
            && self.from.is_none()
            && self.to.is_none()
    }
}

impl Operations {
    /// Returns one purchase.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_purchase(&self, caller: &Caller, command: GetPurchase) -> OpResult<Versioned<Purchase>> {
        let scope = rules::GET_PURCHASE.enter(&caller.principal, command.workspace_id)?;
        let found = self.ports.store.purchases().find(scope, command.purchase_id).await?;
        found.map(Versioned::from).ok_or_else(|| OpError::not_found("purchase"))
    }

    /// Returns several purchases in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_purchases(&self, caller: &Caller, command: GetPurchases) -> OpResult<Batch<Purchase, OfPurchase>> {
        let scope = rules::GET_PURCHASES.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("purchaseIds", &command.purchase_ids)?;
        let found = self.ports.store.purchases().find_many(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.terms.id))
    }

    /// Returns a page of purchases, the newest first. A page of several filters may be short, and have a cursor nevertheless.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a bad filter, a negative limit or a cursor that this list did not give out.
    pub async fn list_purchases(&self, caller: &Caller, command: ListPurchases) -> OpResult<PageOf<PurchaseId>> {
        let scope = rules::LIST_PURCHASES.enter(&caller.principal, command.workspace_id)?;
        let filters = PurchaseFilters::read(command.contract_id, command.status, &command.wanted)?;
        let key = filters.key(scope);
        let request = self.page_request::<OfPurchase>(&key, command.limit, &command.cursor)?;
        let records = self.to_show(caller, scope);
        let filters = filters.find_names(records, scope).await?;
        let page = records.purchases().list(scope, filters.filter(), request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts purchases: one entry for every status in the order of the list, zeros included. With filters besides contract and
    /// statuses, of the newest 5,000 that one filter finds.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a bad filter.
    pub async fn count_purchases(
        &self,
        caller: &Caller,
        command: CountPurchases,
    ) -> OpResult<StatusTally<PurchaseStatus>> {
        let scope = rules::COUNT_PURCHASES.enter(&caller.principal, command.workspace_id)?;
        let filters = PurchaseFilters::read(command.contract_id, None, &command.wanted)?;
        let records = self.to_show(caller, scope);
        let counted = if filters.are_counted() {
            let counts = records.counters().by_status(scope, Kind::Purchase, command.contract_id).await?;
            StatusCounts { counts, truncated: false }
        } else {
            let filters = filters.find_names(records, scope).await?;
            records.purchases().count(scope, filters.filter()).await?
        };
        Ok(StatusTally::of(PurchaseStatus::ALL, PurchaseStatus::code, &command.wanted.statuses, &counted))
    }
}
