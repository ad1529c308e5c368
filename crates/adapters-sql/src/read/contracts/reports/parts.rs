//! Of which sums a time is put together: of whole months where it has any, and of the days at its edges.

use sea_orm::Value;
use tradepost_domain::contracts::ledger::report::Span;

use crate::ledger_sums::{ALL_DAYS, FIGURES, Sums};

/// The figure that is reported as a total and not as a change.
pub(super) const PENDING: &str = "pending_cents";

/// By what the rows of a part are grouped.
#[derive(Debug, Clone, Copy)]
pub(super) enum GroupColumn {
    /// By a column.
    Column(&'static str),
    /// By nothing: all rows have this value.
    Constant(&'static str),
}

/// Sums from one day on and before another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) sums: Sums,
    from: i64,
    before: i64,
    /// Whether they lie in the reported time. If not, only their pending figure counts.
    is_reported: bool,
    /// How often their change of what is pending counts: once, not at all, or subtracted.
    pending: i64,
}

/// Returns the parts of a report: the figures between the days, and the pending figure at the end.
pub(super) fn of_report(from_day: i64, to_day: i64) -> Vec<Part> {
    let month = Span::Month.first_day(to_day);
    let mut parts = pending_before(month, from_day);
    let within = between(from_day, to_day, Span::Month);
    parts.extend(within.into_iter().map(|part| Part { pending: i64::from(part.from >= month), ..part }));
    parts
}

/// What was pending when a day began.
pub(super) fn before(day: i64) -> Vec<Part> {
    pending_before(Span::Month.first_day(day), day)
}

/// Returns every change between the days, in whole months if the span is a month.
pub(super) fn between(from_day: i64, to_day: i64, span: Span) -> Vec<Part> {
    let part = |sums, from, before| Part { sums, from, before, is_reported: true, pending: 1 };
    let (first, last) = (month_from(from_day), Span::Month.first_day(to_day));
    let mut parts = match span {
        Span::Month if first <= last => {
            vec![part(Sums::Days, from_day, first), part(Sums::Months, first, last), part(Sums::Days, last, to_day)]
        }
        Span::Day | Span::Week | Span::Month => vec![part(Sums::Days, from_day, to_day)],
    };
    parts.retain(|part| part.from < part.before);
    parts
}

/// What is pending now, less what came since a month began, and what came in its days before this one.
fn pending_before(month: i64, day: i64) -> Vec<Part> {
    let part = |sums, from, before, pending| Part { sums, from, before, is_reported: false, pending };
    let mut parts = vec![part(Sums::Days, ALL_DAYS, ALL_DAYS + 1, 1), part(Sums::Months, month, ALL_DAYS, -1)];
    if month < day {
        parts.push(part(Sums::Days, month, day, 1));
    }
    parts
}

/// The first day of the first month that begins on this day or later.
fn month_from(day: i64) -> i64 {
    /// From the first of a month so many days on lie in the next one.
    const LONGEST: i64 = 31;
    let month = Span::Month.first_day(day);
    if month == day { day } else { Span::Month.first_day(month.saturating_add(LONGEST)) }
}

impl Part {
    /// The statement that adds it up. `narrowed` is what else has to hold of its rows.
    fn select(&self, group_column: GroupColumn, narrowed: &str, values: &mut Vec<Value>) -> String {
        let times = |name: &str| if name == PENDING { self.pending } else { i64::from(self.is_reported) };
        let figure = |name: &&str| match times(name) {
            0 => format!("0 AS {name}"),
            ..0 => format!("-sum({name}) AS {name}"),
            1.. => format!("sum({name}) AS {name}"),
        };
        let figures: Vec<String> = FIGURES.iter().map(figure).collect();
        let (table, first_day) = (self.sums.table(), self.sums.first_day());
        values.extend([self.from.into(), self.before.into()]);
        let (from, before) = (values.len() - 1, values.len());
        let (group_column, grouped) = match group_column {
            GroupColumn::Column(column) => (column, format!(" GROUP BY {column}")),
            GroupColumn::Constant(constant) => (constant, String::new()),
        };
        format!(
            "SELECT {group_column} AS group_column, {} FROM {table} WHERE workspace_id = $1 AND telling = $2 \
             AND {first_day} >= ${from} AND {first_day} < ${before}{narrowed}{grouped}",
            figures.join(", ")
        )
    }
}

/// Returns the statement of all parts, each with the column by which its rows are grouped.
pub(super) fn select(parts: &[(Part, GroupColumn)], narrowed: &str, values: &mut Vec<Value>) -> String {
    let selects: Vec<String> =
        parts.iter().map(|(part, group_column)| part.select(*group_column, narrowed, values)).collect();
    selects.join(" UNION ALL ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Returns the change and the pending figure of a day: other numbers every day, some of them zero.
    const fn of_day(day: i64) -> (i64, i64) {
        (day * 7 % 5, day * 11 % 13 - 6)
    }

    /// 2026-01-15, and half a year later.
    const HISTORY: std::ops::Range<i64> = 20_468..20_650;

    fn tables() -> [BTreeMap<i64, (i64, i64)>; 2] {
        let [mut days, mut months] = [BTreeMap::<i64, (i64, i64)>::new(), BTreeMap::new()];
        for day in HISTORY {
            let add = |sum: &mut (i64, i64)| *sum = (sum.0 + of_day(day).0, sum.1 + of_day(day).1);
            add(days.entry(day).or_default());
            add(days.entry(ALL_DAYS).or_default());
            add(months.entry(Span::Month.first_day(day)).or_default());
        }
        [days, months]
    }

    /// What the parts come to, and how many rows they have.
    fn added_up(parts: &[Part], [days, months]: &[BTreeMap<i64, (i64, i64)>; 2]) -> ((i64, i64), usize) {
        let (mut sum, mut rows) = ((0, 0), 0);
        for part in parts {
            let table = match part.sums {
                Sums::Days => days,
                Sums::Months => months,
            };
            for (change, pending) in table.range(part.from..part.before).map(|(_, row)| row) {
                sum = (sum.0 + i64::from(part.is_reported) * change, sum.1 + part.pending * pending);
                rows += 1;
            }
        }
        (sum, rows)
    }

    fn changes(from: i64, to: i64) -> i64 {
        HISTORY.filter(|day| (from..to).contains(day)).map(|day| of_day(day).0).sum()
    }

    fn pending(to: i64) -> i64 {
        HISTORY.filter(|day| *day < to).map(|day| of_day(day).1).sum()
    }

    #[test]
    fn wherever_a_time_is_cut_its_parts_come_to_what_its_days_do() {
        let tables = tables();
        let ends = HISTORY.start - 40..HISTORY.end + 40;
        for from in ends.clone() {
            assert_eq!(added_up(&before(from), &tables).0, (0, pending(from)), "before {from}");
            for to in from + 1..ends.end {
                let expected = (changes(from, to), pending(to));
                assert_eq!(added_up(&of_report(from, to), &tables).0, expected, "{from} to {to}");
            }
        }
    }

    #[test]
    fn a_series_of_months_has_the_changes_of_its_days() {
        let tables = tables();
        for from in HISTORY {
            for to in (from + 1..HISTORY.end).step_by(3) {
                let expected = (changes(from, to), pending(to) - pending(from));
                for span in [Span::Day, Span::Week, Span::Month] {
                    assert_eq!(added_up(&between(from, to, span), &tables).0, expected, "{from} to {to} by {span}");
                }
            }
        }
    }

    #[test]
    fn a_month_is_read_from_months_alone_and_any_time_from_few_days() {
        let tables = tables();
        // February of seven months: its own row, those of March to July, and that of all days.
        assert_eq!(added_up(&of_report(20_485, 20_513), &tables).1, 1 + 5 + 1);
        for from in HISTORY {
            for to in from + 1..HISTORY.end {
                let rows = added_up(&of_report(from, to), &tables).1;
                assert!(rows <= 30 + 30 + 7 + 1, "{rows} rows from {from} to {to}");
            }
        }
    }
}
