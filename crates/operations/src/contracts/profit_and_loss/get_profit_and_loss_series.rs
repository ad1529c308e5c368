//! [`GetProfitAndLossSeries`]: how profit and loss went, day by day, week by week or month by month.

use crate::contracts::profit_and_loss::reports::report;
use tradepost_domain::contracts::ledger::report::{Figures, Grouping, Span, midnight_of};
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;

use super::reports::{Period, ReportOf};
use crate::rules;
use crate::{OpError, OpResult, Operations};

/// Most points of a series.
const MOST_POINTS: usize = 1_000;

/// A request for the series of profit and loss.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetProfitAndLossSeries {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The midnight of UTC at which the series begins; absent for 30 days before the end.
    pub from: Option<Timestamp>,
    /// Before this midnight of UTC; absent for the next one.
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
    /// Returns the points of a series in order, one for every day, week or month, also where nothing happened; at most 1 000.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` unless times that are given are midnights of UTC, the second after the first, for more
    /// points, for a bad filter, and for items that are to be chosen together with anything but their contract.
    pub async fn get_profit_and_loss_series(
        &self,
        caller: &Caller,
        command: GetProfitAndLossSeries,
    ) -> OpResult<Vec<ProfitAndLossPoint>> {
        let scope = rules::GET_PROFIT_AND_LOSS_SERIES.enter(&caller.principal, command.workspace_id)?;
        let period = Period { from: command.from, to: command.to };
        let report = report(self, scope, period, &command.of, Grouping::Nothing)?;
        let (from_day, to_day) = report.days();
        let begins = begins(command.span, from_day, to_day)?;
        let reports = self.to_show(caller, scope).reports();
        let (pending, changes) = reports.list_changes(scope, report.query(), command.span).await?;
        Ok(points(&begins, pending, &changes))
    }
}

/// Returns the first days of the spans between two days.
fn begins(span: Span, from_day: i64, to_day: i64) -> OpResult<Vec<i64>> {
    let (mut begins, mut day) = (vec![from_day], from_day);
    // Days are looked at one by one: a month is as long as the calendar says.
    while day.saturating_add(1) < to_day {
        day = day.saturating_add(1);
        if span.first_day(day) == day {
            begins.push(day);
        }
        if begins.len() > MOST_POINTS {
            let rule = format_args!("is too far from from: a series has at most {MOST_POINTS} points");
            return Err(OpError::invalid_field("to", rule));
        }
    }
    Ok(begins)
}

fn points(begins: &[i64], pending: i64, changes: &[(i64, Figures)]) -> Vec<ProfitAndLossPoint> {
    let (mut pending, mut changes) = (pending, changes.iter().peekable());
    let point = |begin: &i64| {
        let change = changes.next_if(|(day, _)| day == begin).map(|(_, figures)| *figures).unwrap_or_default();
        pending = pending.saturating_add(change.pending);
        ProfitAndLossPoint { at: midnight_of(*begin), figures: Figures { pending, ..change } }
    };
    begins.iter().map(point).collect()
}
