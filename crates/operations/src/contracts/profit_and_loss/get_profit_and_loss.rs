//! [`GetProfitAndLoss`] and [`ExportProfitAndLoss`]: profit and loss of a period, from the days of the ledger.

use crate::contracts::profit_and_loss::reports::report;
use crate::contracts::profit_and_loss::reports::rows_of;
use tradepost_domain::contracts::ledger::report::Grouping;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;

use super::reports::{Period, ProfitAndLossRow, ReportOf};
use crate::rules;
use crate::{OpError, OpResult, Operations};

/// Most rows of an answer.
const MOST_ROWS: u32 = 5_000;
/// Most rows of an export.
const MOST_EXPORTED: u32 = 50_000;

/// A request for profit and loss.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetProfitAndLoss {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The midnight of the time zone at which the period begins; absent for 30 days before the end.
    pub from: Option<Timestamp>,
    /// Before this midnight of the time zone; absent for the next one.
    pub to: Option<Timestamp>,
    /// The grouping of the rows.
    pub group_by: Grouping,
    /// The filter.
    pub of: ReportOf,
}

/// A request for all rows of profit and loss.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportProfitAndLoss {
    /// The report.
    pub report: GetProfitAndLoss,
}

/// The response of [`Operations::get_profit_and_loss`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfitAndLoss {
    /// The rows in the order of their keys. Those of nothing but zeros are left out.
    pub rows: Vec<ProfitAndLossRow>,
    /// Whether there are more rows than the response has.
    pub truncated: bool,
}

impl Operations {
    /// Returns profit and loss of a period, at most 5,000 rows. Pending profit is the amount at its end; open items are those
    /// at this moment, whatever the period is.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` unless times that are given are midnights of the time zone, the second after the first, for a
    /// bad filter or time zone, and for items that are to be grouped or chosen together with anything but their contract.
    pub async fn get_profit_and_loss(&self, caller: &Caller, command: GetProfitAndLoss) -> OpResult<ProfitAndLoss> {
        let scope = rules::GET_PROFIT_AND_LOSS.enter(&caller.principal, command.workspace_id)?;
        let period = Period { from: command.from, to: command.to };
        let report = report(self, scope, period, &command.of, command.group_by)?;
        let records = self.to_show(caller, scope);
        let mut rows = rows_of(self, records, scope, &report, MOST_ROWS.saturating_add(1)).await?;
        let truncated = rows.len() > MOST_ROWS as usize;
        rows.truncate(MOST_ROWS as usize);
        Ok(ProfitAndLoss { rows, truncated })
    }

    /// Returns all rows of profit and loss of a period, for a file.
    ///
    /// # Errors
    /// As [`Operations::get_profit_and_loss`]; `invalid_argument` for more than 50 000 rows, too.
    pub async fn export_profit_and_loss(
        &self,
        caller: &Caller,
        command: ExportProfitAndLoss,
    ) -> OpResult<Vec<ProfitAndLossRow>> {
        let command = command.report;
        let scope = rules::EXPORT_PROFIT_AND_LOSS.enter(&caller.principal, command.workspace_id)?;
        let period = Period { from: command.from, to: command.to };
        let report = report(self, scope, period, &command.of, command.group_by)?;
        let rows = rows_of(self, self.to_show(caller, scope), scope, &report, MOST_EXPORTED.saturating_add(1)).await?;
        if rows.len() > MOST_EXPORTED as usize {
            let rule = format_args!("gives more than {MOST_EXPORTED} rows; narrow the report");
            return Err(OpError::invalid_field("groupBy", rule));
        }
        Ok(rows)
    }
}
