//! The entries between the midnight of UTC and the beginning of a day in a time zone: the sums have them under another day than the zone.

use sea_orm::Value;
use serde_json::{Value as Json, json};
use tradepost_domain::contracts::ledger::report::{DayStart, Figures, Grouping};
use tradepost_ports::store::ReportQuery;
use uuid::Uuid;

use crate::ledger_sums::{ALL_DAYS, FIGURES, figures_of_entries};
use crate::sql_text::index_hint;

use super::parts::PENDING;

/// What is added to a day for the key of its gap, so that it is behind the keys of all days.
const GAP: i64 = 2 * ALL_DAYS;

/// The entries of gaps, each of which has a key and says how often its figures and its pending figure count.
pub(super) struct Gaps(Vec<Json>);

impl Gaps {
    /// Returns the gaps of a report, as they change the figures between its days and the pending figure at its end.
    pub(super) fn of_report(query: &ReportQuery<'_>) -> Self {
        let times = |start: &DayStart| {
            let moves = start.moves().into_iter().filter(|(day, _)| *day < query.to_day);
            let reported = |(day, times): (i64, i64)| if day < query.from_day { (0, times) } else { (times, times) };
            let sum = moves.map(reported).fold((0, 0), |sum, (figures, pending)| (sum.0 + figures, sum.1 + pending));
            (sum != (0, 0)).then(|| gap(*start, sum.0, sum.1))
        };
        Self(query.starts.iter().filter_map(times).collect())
    }

    /// Returns the gaps of a series, each once under a key of its own.
    pub(super) fn of_series(query: &ReportQuery<'_>) -> Self {
        Self(query.starts.iter().map(|start| gap(*start, 1, 1)).collect())
    }

    /// Returns whether the sums of UTC are those of the zone, too.
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns what is appended to the statement of the sums.
    pub(super) fn union(self, of_entries: &OfEntries, values: &mut Vec<Value>, is_sqlite: bool) -> String {
        values.push(Json::Array(self.0).to_string().into());
        let list = values.len();
        let (list, cast) = if is_sqlite {
            (format!("json_each(${list})"), "")
        } else {
            (format!("json_array_elements(${list}::json)"), "::bigint")
        };
        let of = |place: usize| format!("(gap.value ->> {place}){cast}");
        let figure = |(name, figure): (&str, String)| {
            format!("({figure}) * {} AS {name}", of(if name == PENDING { 2 } else { 1 }))
        };
        let figures: Vec<String> = FIGURES.into_iter().zip(figures_of_entries()).map(figure).collect();
        format!(
            " UNION ALL SELECT {} AS group_column, {} FROM {list} gap CROSS JOIN ledger_entries e{} \
             WHERE e.workspace_id = $1 AND e.at >= {} AND e.at < {} AND e.contract_id IS NOT NULL{}",
            of_entries.group.as_deref().map_or_else(|| of(0), ToOwned::to_owned),
            figures.join(", "),
            index_hint("ledger_entries_at", is_sqlite),
            of(3),
            of(4),
            of_entries.narrowed
        )
    }
}

/// Which entries count, and under what.
pub(super) struct OfEntries {
    /// The group; `None` for the key of the gap.
    pub(super) group: Option<String>,
    /// The conditions of the filter.
    pub(super) narrowed: String,
}

fn gap(start: DayStart, figures: i64, pending: i64) -> Json {
    let gap = start.gap();
    json!([GAP.saturating_add(start.day), figures, pending, gap.start.as_micros(), gap.end.as_micros()])
}

/// The column of entries for a grouping.
pub(super) const fn column_of_entries(grouping: Grouping) -> Option<&'static str> {
    match grouping {
        Grouping::Nothing => None,
        Grouping::Contract => Some("e.contract_id"),
        Grouping::SellingContract => Some("e.selling_contract_id"),
        Grouping::Pool => Some("e.pool_id"),
        Grouping::Account => Some("e.account_name"),
        Grouping::BuyMarketplace => Some("e.marketplace"),
        Grouping::SellMarketplace => Some("e.sale_marketplace"),
        Grouping::ItemName => Some("e.market_hash_name"),
    }
}

/// The same as the sums have it: where an entry has none, the sums have nil or an empty text.
pub(super) fn group_of_entries(grouping: Grouping, values: &mut Vec<Value>) -> String {
    let Some(column) = column_of_entries(grouping) else { return "''".to_owned() };
    match grouping {
        Grouping::SellingContract | Grouping::Pool => {
            values.push(Uuid::nil().into());
            format!("coalesce({column}, ${})", values.len())
        }
        Grouping::SellMarketplace => format!("coalesce({column}, '')"),
        Grouping::Nothing | Grouping::Contract | Grouping::Account | Grouping::BuyMarketplace | Grouping::ItemName => {
            column.to_owned()
        }
    }
}

/// Returns the pending profit before the first day and the changes by day, from those of UTC and the sums of gaps behind them.
pub(super) fn moved(query: &ReportQuery<'_>, pending: i64, sums: Vec<(i64, Figures)>) -> (i64, Vec<(i64, Figures)>) {
    let (mut changes, gaps): (Vec<_>, Vec<_>) = sums.into_iter().partition(|(key, _)| *key < ALL_DAYS);
    let mut pending = pending;
    for (key, figures) in gaps {
        let start = query.starts.iter().filter(|start| GAP.saturating_add(start.day) == key);
        for (day, times) in start.flat_map(|start| start.moves()) {
            let figures = figures.times(times);
            if day < query.from_day {
                pending = pending.saturating_add(figures.pending);
            } else if day < query.to_day {
                changes.push((day, figures));
            }
        }
    }
    (pending, changes)
}
