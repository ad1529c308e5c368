//! Reads of what the ledger comes to, and of what is open.

use std::collections::BTreeMap;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::ledger::LedgerEntry;
use tradepost_domain::contracts::ledger::flow::Flow;
use tradepost_domain::contracts::ledger::report::{Breakdown, Figures, GroupKey, Grouping, ReportFilter, Span};
use tradepost_domain::id::{ContractId, PurchaseId};
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;

use crate::store::StoreResult;

/// What a report is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportQuery<'a> {
    /// Which sums it is read from; what [`ReportFilter::breakdown`] says.
    pub breakdown: Breakdown,
    /// By what its rows are told apart.
    pub grouping: Grouping,
    /// What it is narrowed to.
    pub filter: &'a ReportFilter,
    /// From this day of UTC on, counted from 1970-01-01.
    pub from_day: i64,
    /// Before this day.
    pub to_day: i64,
}

impl ReportQuery<'_> {
    /// The changes of days, or of whole spans under their first day, by span; those that come to nothing are left out.
    pub fn by_span(&self, span: Span, changes: impl IntoIterator<Item = (i64, Figures)>) -> Vec<(i64, Figures)> {
        let mut sums: BTreeMap<i64, Figures> = BTreeMap::new();
        for (day, figures) in changes {
            let sum = sums.entry(span.first_day(day).max(self.from_day)).or_default();
            *sum = sum.plus(figures);
        }
        sums.retain(|_, sum| *sum != Figures::default());
        sums.into_iter().collect()
    }
}

/// Open items of one variant under one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// The key.
    pub key: GroupKey,
    /// The variant.
    pub variant: Variant,
    /// How many there are.
    pub items: i64,
    /// What they cost together, in cents.
    pub cost: i64,
}

/// What the ledger comes to, kept by day and month with its entries; and what is not sold yet.
#[async_trait]
pub trait Reports: Send + Sync {
    /// The sums by key, in the order of the keys, at most so many; those that are all zero are left out. Pending profit is what
    /// stands at the end, the other figures are those of the days in between.
    async fn sum_figures(
        &self,
        scope: WorkspaceScope,
        query: ReportQuery<'_>,
        most: u32,
    ) -> StoreResult<Vec<(GroupKey, Figures)>>;
    /// What was earned for good on a day of UTC, counted from 1970-01-01, by what a contract bought, less what was given up of it: in
    /// cents, less than zero for a loss.
    async fn sum_earned(&self, scope: WorkspaceScope, contract: ContractId, day: i64) -> StoreResult<i64>;
    /// By how much each span changes the figures, whatever they are grouped by, under the first of its days that are told of: in
    /// order, spans without a change left out. Before them the profit that was pending when the first day began.
    async fn list_changes(
        &self,
        scope: WorkspaceScope,
        query: ReportQuery<'_>,
        span: Span,
    ) -> StoreResult<(i64, Vec<(i64, Figures)>)>;
    /// The items that are open at this moment, by key and variant, in no order.
    async fn sum_positions(
        &self,
        scope: WorkspaceScope,
        grouping: Grouping,
        filter: &ReportFilter,
    ) -> StoreResult<Vec<Position>>;
    /// The entries that were booked for a purchase and its item, the oldest first.
    async fn list_entries_of(&self, scope: WorkspaceScope, purchase: PurchaseId) -> StoreResult<Vec<LedgerEntry>>;
    /// What the entries of this time or later say was paid and received at a marketplace; and the same of the `late` ones among
    /// them, from another time on.
    async fn sum_flow(
        &self,
        scope: WorkspaceScope,
        marketplace: &Marketplace,
        (since, late): (Timestamp, Timestamp),
    ) -> StoreResult<(Flow, Flow)>;
}
