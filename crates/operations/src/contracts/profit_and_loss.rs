//! Profit and loss: sums of the ledger by time and by item.

mod equity_marks;
mod get_equity_series;
mod get_item_profit_and_loss;
mod get_profit_and_loss;
mod get_profit_and_loss_series;
mod reports;
mod worth;

pub(crate) use equity_marks::MarkedDay;
pub use get_equity_series::{EquityPoint, EquitySeries, GetEquitySeries};
pub use get_item_profit_and_loss::{GetItemProfitAndLoss, ItemProfitAndLoss};
pub use get_profit_and_loss::{ExportProfitAndLoss, GetProfitAndLoss, ProfitAndLoss};
pub use get_profit_and_loss_series::{GetProfitAndLossSeries, ProfitAndLossPoint};
pub use reports::{ProfitAndLossRow, ReportOf};
