//! Imports of trading accounts: read and checked by one call, applied by another.

mod apply_import;
mod apply_rows;
mod cancel_import;
mod candidates;
mod check_rows;
mod content;
mod create_import;
mod expire_imports;
mod import_moves;
mod read;

pub use apply_import::ApplyImport;
pub use cancel_import::CancelImport;
pub use create_import::{CreateImport, DefaultsOfImport};
pub use read::*;
