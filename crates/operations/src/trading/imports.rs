//! Imports of trading accounts, of items that they hold, and of purchases and sales elsewhere: read and checked by one call, applied by
//! another.

mod apply_holdings;
mod apply_import;
mod apply_purchases;
mod apply_rows;
mod apply_sales;
mod cancel_import;
mod candidates;
mod check_holdings;
mod check_purchases;
mod check_rows;
mod check_sales;
mod content;
mod create_import;
mod expire_imports;
mod holdings;
mod import_moves;
mod read;

pub use apply_import::ApplyImport;
pub use cancel_import::CancelImport;
pub use create_import::{CreateImport, DefaultsOfImport};
pub use read::*;
