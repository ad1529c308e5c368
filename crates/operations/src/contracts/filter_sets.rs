//! Filter sets: which items a contract matches.

mod create_filter_set;
mod delete_filter_set;
pub(crate) mod filter_rules;
pub(crate) mod named_filter_sets;
mod read;
mod test_filter_set;
mod update_filter_set;

pub use create_filter_set::CreateFilterSet;
pub use delete_filter_set::DeleteFilterSet;
pub use filter_rules::{FilterFeatures, FilterRules, FilterSticker, SampleListing};
pub use read::*;
pub use test_filter_set::{SampleVerdict, TestFilterSet, TriedRules};
pub use update_filter_set::UpdateFilterSet;
