//! The ledger: what each step of a purchase or an item posts, and reading it.

pub(crate) mod ledger_postings;
pub(crate) mod pool_entries;
mod read;

pub use read::*;
