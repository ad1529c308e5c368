//! [`GetProfitAndLossSeries`]: how profit and loss went, day by day, week by week or month by month.

use crate::contracts::profit_and_loss::reports::report;
use tradepost_domain::contracts::ledger::report::{Figures, Grouping, Span};
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;

use super::reports::{Period, Report, ReportOf};
use crate::rules;
use crate::{OpError, OpResult, Operations};

/// Most points of a series.
const MOST_POINTS: usize = 1_000;
/// Most points of a series by days that do not begin at midnight of UTC: where each begins the entries of up to 14 h are read.
const MOST_POINTS_OF_A_ZONE: usize = 400;

/// A request for the series of profit and loss.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetProfitAndLossSeries {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The midnight of the time zone at which the series begins; absent for 30 days before the end.
    pub from: Option<Timestamp>,
    /// Before this midnight of the time zone; absent for the next one.
    pub to: Option<Timestamp>,
    /// The span that a point covers.
    pub span: Span,
    /// The filter.
    pub of: ReportOf,
}

/// One point of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProfitAndLossPoint {
    /// The midnight with which its time begins: the first of a series may begin later than its week or month.
    pub at: Timestamp,
    /// Profit and loss of its span, and the pending profit at its end.
    pub figures: Figures,
}

impl Operations {
    /// Returns the points of a series in order, one for every day, week or month, also where nothing happened; at most 1 000, and 400 by
    /// days that do not begin at midnight of UTC.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` unless times that are given are midnights of the time zone, the second after the first, for
    /// more points, for a bad filter or time zone, and for items that are to be chosen together with anything but their contract.
    pub async fn get_profit_and_loss_series(
        &self,
        caller: &Caller,
        command: GetProfitAndLossSeries,
    ) -> OpResult<Vec<ProfitAndLossPoint>> {
        let scope = rules::GET_PROFIT_AND_LOSS_SERIES.enter(&caller.principal, command.workspace_id)?;
        let period = Period { from: command.from, to: command.to };
        let report = report(self, scope, period, &command.of, Grouping::Nothing)?;
        let begins = begins(command.span, &report)?;
        let report = report.cut_at(&begins);
        if !report.starts().is_empty() && begins.len() > MOST_POINTS_OF_A_ZONE {
            return Err(too_long(MOST_POINTS_OF_A_ZONE));
        }
        let reports = self.to_show(caller, scope).reports();
        let (pending, changes) = reports.list_changes(scope, report.query(), command.span).await?;
        let zone = report.zone();
        let point = |(day, figures)| ProfitAndLossPoint { at: zone.start_of(day), figures };
        let has_time = |day: i64| zone.start_of(day) < zone.start_of(day.saturating_add(1));
        // A date that the time zone never had has no point.
        let is_shown = |(day, _): &(i64, Figures)| command.span != Span::Day || has_time(*day);
        let points = points(&begins, pending, &changes).into_iter().filter(is_shown);
        Ok(points.map(point).collect())
    }
}

fn too_long(most: usize) -> OpError {
    OpError::invalid_field("to", format_args!("is too far from from: a series has at most {most} points"))
}

/// Returns the first days of the spans of a report, also those that the time zone never had: the report is cut at each of them.
fn begins(span: Span, report: &Report) -> OpResult<Vec<i64>> {
    let (from_day, to_day) = report.days();
    let (mut begins, mut day) = (vec![from_day], from_day);
    // Days are looked at one by one: a month is as long as the calendar says.
    while day.saturating_add(1) < to_day {
        day = day.saturating_add(1);
        if span.first_day(day) == day {
            begins.push(day);
        }
        if begins.len() > MOST_POINTS {
            return Err(too_long(MOST_POINTS));
        }
    }
    Ok(begins)
}

/// Returns the figures of each point, under its first day.
fn points(begins: &[i64], pending: i64, changes: &[(i64, Figures)]) -> Vec<(i64, Figures)> {
    let (mut pending, mut changes) = (pending, changes.iter().peekable());
    let point = |begin: &i64| {
        let change = changes.next_if(|(day, _)| day == begin).map(|(_, figures)| *figures).unwrap_or_default();
        pending = pending.saturating_add(change.pending);
        (*begin, Figures { pending, ..change })
    };
    begins.iter().map(point).collect()
}
