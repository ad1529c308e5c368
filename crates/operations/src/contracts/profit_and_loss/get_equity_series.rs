//! [`GetEquitySeries`]: what a workspace was worth day by day, and what it is worth now.

use tradepost_domain::accounts::preferences::TimeZone;
use tradepost_domain::contracts::equity::{Drawdown, EquityMark, HighWater, Worth};
use tradepost_domain::contracts::ledger::report::{ZoneDays, day_of, midnight_of};
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;

use super::reports::Period;
use super::worth::worth_of;
use crate::rules;
use crate::{OpError, OpResult, Operations};

/// Most days of a series.
const MOST_DAYS: i64 = 1_100;

/// A request for the series of equity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetEquitySeries {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The midnight of UTC at which the series begins; absent for 30 days before the end.
    pub from: Option<Timestamp>,
    /// Before this midnight of UTC; absent for the next one.
    pub to: Option<Timestamp>,
}

/// What a workspace was worth at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EquityPoint {
    /// The midnight with which its day begins.
    pub at: Timestamp,
    /// When it was taken.
    pub taken_at: Timestamp,
    /// The parts.
    pub worth: Worth,
    /// How far profit is below its highest value in the series so far.
    pub drawdown: Drawdown,
}

/// The response of [`Operations::get_equity_series`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EquitySeries {
    /// The marks of the days, in order. Days without one are left out.
    pub points: Vec<EquityPoint>,
    /// What the workspace is worth at this moment.
    pub now: EquityPoint,
}

impl EquitySeries {
    /// Returns the first point of the highest profit.
    pub fn highest(&self) -> &EquityPoint {
        self.points.iter().chain([&self.now]).rev().max_by_key(|point| point.worth.profit()).unwrap_or(&self.now)
    }

    /// Returns the largest drawdown in cents, with its share.
    pub fn largest_drawdown(&self) -> Drawdown {
        let drawdowns = self.points.iter().map(|point| point.drawdown);
        drawdowns.chain([self.now.drawdown]).max_by_key(|drawdown| drawdown.cents).unwrap_or_default()
    }
}

impl Operations {
    /// Returns what a workspace was worth at the end of days, as far as it was taken then, and what it is worth now. Drawdowns are
    /// compared with the highest profit of the points before; money that is put in or taken out is not a part of them.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` unless times that are given are midnights of UTC, the second after the first and at most
    /// 1 100 days later.
    pub async fn get_equity_series(&self, caller: &Caller, command: GetEquitySeries) -> OpResult<EquitySeries> {
        let scope = rules::GET_EQUITY_SERIES.enter(&caller.principal, command.workspace_id)?;
        let now = self.market_now(command.workspace_id);
        let utc = ZoneDays::of(TimeZone::utc());
        let (from_day, to_day) = Period { from: command.from, to: command.to }.days(&utc, now)?;
        if to_day.saturating_sub(from_day) > MOST_DAYS {
            let rule = format_args!("is too far from from: a series has at most {MOST_DAYS} days");
            return Err(OpError::invalid_field("to", rule));
        }
        let records = self.to_show(caller, scope);
        let marks = records.equity_marks().list(scope, from_day, to_day).await?;
        let worth = worth_of(self, records, scope).await?;
        let mut high = HighWater::default();
        let points = marks.iter().map(|mark| point(mark, &mut high)).collect();
        let drawdown = high.next(&worth);
        Ok(EquitySeries { points, now: EquityPoint { at: midnight_of(day_of(now)), taken_at: now, worth, drawdown } })
    }
}

fn point(mark: &EquityMark, high: &mut HighWater) -> EquityPoint {
    let EquityMark { day, taken_at, worth, .. } = *mark;
    EquityPoint { at: midnight_of(day), taken_at, worth, drawdown: high.next(&worth) }
}
