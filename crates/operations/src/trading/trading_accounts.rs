//! Trading accounts.

pub(crate) mod account_fields;
mod account_loads;
pub(crate) mod account_moves;
pub(crate) mod account_recovery;
pub(crate) mod account_secrets;
mod acknowledge_trade_protection;
mod advance_account;
mod bulk_accounts;
mod create_account;
mod enable_account;
mod follow_refreshes;
mod get_account_login_code;
mod get_account_readiness;
mod giving;
mod giving_limits;
mod read;
mod record_account_health;
mod refresh_account;
mod remove_account;
mod reveal_revocation_code;
mod update_account;

pub use account_fields::{LimitsOfAccount, LimitsOfGiving};
pub use account_loads::AccountLoads;
pub use account_secrets::{AccountSecrets, ReadAccountSecrets};
pub use acknowledge_trade_protection::AcknowledgeTradeProtection;
pub use advance_account::AdvanceAccount;
pub use bulk_accounts::{AccountObjection, AccountResult, BulkAccounts, BulkAction};
pub use create_account::CreateAccount;
pub use enable_account::{DisableAccount, EnableAccount};
pub use follow_refreshes::{
    AccountOnRecord, AccountsToRefresh, BeginTokenRenewal, PostponeTokenRenewal, RecordAccountReading,
    RefuseAccountReading,
};
pub use get_account_login_code::GetAccountLoginCode;
pub use get_account_readiness::{AccountReadiness, GetAccountReadiness};
pub use giving::{DisableGiving, EnableGiving};
pub use giving_limits::SettleGivingLimits;
pub use read::*;
pub use record_account_health::RecordAccountHealth;
pub use refresh_account::{RefreshAccount, RefreshTradeToken};
pub use remove_account::RemoveAccount;
pub use reveal_revocation_code::RevealRevocationCode;
pub use update_account::UpdateAccount;
