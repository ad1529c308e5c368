//! Users.

mod delete_user;
mod get_current_user;
mod operator_recovery;
mod read;
pub(crate) mod register_user;
mod update_user;

pub use get_current_user::CurrentUser;
pub use operator_recovery::{FactorsReset, OperatorRecovery, ResetLink};
pub use read::*;
pub use register_user::RegisterUser;
pub use update_user::UpdateUser;
