//! Reads of the sums of the ledger, and of open items.

use std::collections::BTreeMap;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::ledger::report::{
    Breakdown, DayStart, Figures, GroupKey, Grouping, ReportFilter, Span, day_between, midnight_of,
};
use tradepost_domain::id::ContractId;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::time::Timestamp;

use crate::store::StoreResult;

/// The subject of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportQuery<'a> {
    /// The sums that it is read from, as [`ReportFilter::breakdown`] returns them.
    pub breakdown: Breakdown,
    /// The key that separates its rows.
    pub grouping: Grouping,
    /// The filter that narrows it.
    pub filter: &'a ReportFilter,
    /// From this day on, counted from 1970-01-01.
    pub from_day: i64,
    /// Before this day.
    pub to_day: i64,
    /// The beginnings of days that do not begin at the midnight of UTC of their date, in order: of `from_day` and `to_day`, and in a series
    /// of every day with which a span begins, also of a date that the zone never had. Where none is named, all days are those of UTC.
    pub starts: &'a [DayStart],
}

impl ReportQuery<'_> {
    /// Returns when a day begins.
    pub fn start_of(&self, day: i64) -> Timestamp {
        let start = self.starts.iter().find(|start| start.day == day);
        start.map_or_else(|| midnight_of(day), |start| start.at)
    }

    /// Returns the day under which an entry of this time counts.
    pub fn day_of(&self, at: Timestamp) -> i64 {
        day_between(at, |day| self.start_of(day))
    }

    /// Returns the changes of days, or of whole spans under their first day, by span. Changes that add up to zero are left out.
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
    /// The number of items.
    pub items: i64,
    /// How many of them have an unknown cost.
    pub uncosted: i64,
    /// The total cost of the others, in cents.
    pub cost: i64,
}

/// The sums of the ledger, kept by day and month with its entries, and the items that are not sold yet.
#[async_trait]
pub trait Reports: Send + Sync {
    /// Returns the sums by key, in the order of the keys, at most `most`; those that are all zero are left out. Pending profit is the
    /// amount at the end, the other figures are sums over the days of the query.
    async fn sum_figures(
        &self,
        scope: WorkspaceScope,
        query: ReportQuery<'_>,
        most: u32,
    ) -> StoreResult<Vec<(GroupKey, Figures)>>;
    /// Returns the final profit of a contract's purchases on a UTC day, counted from 1970-01-01, less its write-offs. Sales that were made
    /// elsewhere are left out. In cents, below zero for a loss.
    async fn sum_earned(&self, scope: WorkspaceScope, contract: ContractId, day: i64) -> StoreResult<i64>;
    /// Returns the changes of the figures by span, over all groups, each under its first reported day. They are in order, and spans without
    /// a change are left out. Before them comes the profit that was pending when the first day began.
    async fn list_changes(
        &self,
        scope: WorkspaceScope,
        query: ReportQuery<'_>,
        span: Span,
    ) -> StoreResult<(i64, Vec<(i64, Figures)>)>;
    /// Returns the items that are open at this moment, by key and variant, in no order.
    async fn sum_positions(
        &self,
        scope: WorkspaceScope,
        grouping: Grouping,
        filter: &ReportFilter,
    ) -> StoreResult<Vec<Position>>;
}
