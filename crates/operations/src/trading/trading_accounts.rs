//! Trading accounts.

pub(crate) mod account_fields;
mod account_loads;
pub(crate) mod account_moves;
pub(crate) mod account_recovery;
pub(crate) mod account_secrets;
mod advance_account;
mod create_account;
mod enable_account;
mod get_account_login_code;
mod get_account_readiness;
mod read;
mod record_account_health;
mod remove_account;
mod reveal_revocation_code;
mod update_account;

pub use account_fields::LimitsOfAccount;
pub use account_loads::AccountLoads;
pub use account_secrets::{AccountSecrets, ReadAccountSecrets};
pub use advance_account::AdvanceAccount;
pub use create_account::CreateAccount;
pub use enable_account::{DisableAccount, EnableAccount};
pub use get_account_login_code::GetAccountLoginCode;
pub use get_account_readiness::{AccountReadiness, GetAccountReadiness};
pub use read::*;
pub use record_account_health::RecordAccountHealth;
pub use remove_account::RemoveAccount;
pub use reveal_revocation_code::RevealRevocationCode;
pub use update_account::UpdateAccount;
