//! Groups of trading accounts.

mod create_account_group;
mod delete_account_group;
mod group_members;
mod read;
mod update_account_group;

pub use create_account_group::CreateAccountGroup;
pub use delete_account_group::DeleteAccountGroup;
pub use group_members::{AddAccountsToGroup, RemoveAccountsFromGroup};
pub use read::*;
pub use update_account_group::UpdateAccountGroup;
