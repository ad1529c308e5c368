//! Profit and loss: sums of the ledger by time and by item.

mod get_item_profit_and_loss;
mod get_profit_and_loss;
mod get_profit_and_loss_series;
mod reports;

pub use get_item_profit_and_loss::{GetItemProfitAndLoss, ItemProfitAndLoss};
pub use get_profit_and_loss::{ExportProfitAndLoss, GetProfitAndLoss, ProfitAndLoss};
pub use get_profit_and_loss_series::{GetProfitAndLossSeries, ProfitAndLossPoint};
pub use reports::{ProfitAndLossRow, ReportOf};
