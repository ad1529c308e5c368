//! trading.v1.Trading: the trading accounts of a workspace, groups of them, and their trade offers.
//!
//! The engine or an embedder uses further commands, which the interface does not offer. [`AdvanceAccount`] and
//! [`RecordAccountHealth`] report what happened to an account on the platform. [`RecordTradeOffer`], [`DraftTradeOffer`],
//! [`LoseTradeOffer`] and [`FindUnsentTradeOffer`] follow trade offers. [`ReadAccountSecrets`] reads an account's credentials,
//! [`AccountLoads`] the work of accounts. Nothing here calls the game platform.

mod account_fields;
mod account_loads;
mod account_moves;
mod account_secrets;
mod advance_account;
mod create_account;
mod create_account_group;
mod delete_account_group;
mod enable_account;
mod get_account;
mod get_account_group;
mod get_account_readiness;
mod get_trade_offer;
mod group_members;
mod list_account_groups;
mod list_accounts;
mod list_trade_offers;
mod record_account_health;
mod record_trade_offer;
mod remove_account;
mod update_account;
mod update_account_group;

pub use account_fields::LimitsOfAccount;
pub use account_loads::AccountLoads;
pub use account_secrets::{AccountSecrets, ReadAccountSecrets};
pub use advance_account::AdvanceAccount;
pub use create_account::CreateAccount;
pub use create_account_group::CreateAccountGroup;
pub use delete_account_group::DeleteAccountGroup;
pub use enable_account::{DisableAccount, EnableAccount};
pub use get_account::{GetAccount, GetAccounts};
pub use get_account_group::{GetAccountGroup, GetAccountGroups};
pub use get_account_readiness::{AccountReadiness, GetAccountReadiness};
pub use get_trade_offer::{GetTrade, GetTradeOffer, GetTradeOffers};
pub use group_members::{AddAccountsToGroup, RemoveAccountsFromGroup};
pub use list_account_groups::ListAccountGroups;
pub use list_accounts::{CountAccounts, ListAccounts};
pub use list_trade_offers::{CountTradeOffers, ListTradeOffers};
pub use record_account_health::RecordAccountHealth;
pub use record_trade_offer::{DraftTradeOffer, FindUnsentTradeOffer, LoseTradeOffer, RecordTradeOffer};
pub use remove_account::RemoveAccount;
pub use update_account::UpdateAccount;
pub use update_account_group::UpdateAccountGroup;
