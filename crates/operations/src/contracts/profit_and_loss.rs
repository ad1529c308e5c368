//! Profit and loss: sums of the ledger by time and by item.

mod equity_marks;
mod get_equity_series;
mod get_item_profit_and_loss;
mod get_profit_and_loss;
mod get_profit_and_loss_series;
mod marked_day;
mod reports;
mod worth;

pub use get_equity_series::{EquityPoint, EquitySeries, GetEquitySeries};
pub use get_item_profit_and_loss::{GetItemProfitAndLoss, ItemProfitAndLoss};
pub use get_profit_and_loss::{ExportProfitAndLoss, GetProfitAndLoss, ProfitAndLoss};
pub use get_profit_and_loss_series::{GetProfitAndLossSeries, ProfitAndLossPoint};
pub(crate) use marked_day::MarkedDay;
pub(crate) use reports::values_of;
pub use reports::{ProfitAndLossRow, ReportOf};
