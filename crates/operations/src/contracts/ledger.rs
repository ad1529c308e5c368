//! The ledger: what each step of a purchase or an item posts, and reading it.

pub(crate) mod ledger_postings;
mod read;

pub use read::*;
