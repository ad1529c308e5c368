//! Assignments: which trading accounts work for a pool.

mod assignments;
mod create_assignment;
mod delete_assignment;
mod read;
pub(crate) mod resolve_assignment;
mod update_assignment;

pub use assignments::AssignmentLimits;
pub use create_assignment::CreateAssignment;
pub use delete_assignment::DeleteAssignment;
pub use read::*;
pub use resolve_assignment::{AccountChoice, ResolveAssignment};
pub use update_assignment::UpdateAssignment;
