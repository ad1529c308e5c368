//! Records of `trading.v1` on the wire.

pub(crate) mod account_sessions;
pub(crate) mod chats;
pub(crate) mod confirmations;
pub(crate) mod friends;
pub(crate) mod imports;
pub(crate) mod renewals;
pub(crate) mod snapshots;
pub(crate) mod trade_offers;
mod trading_accounts;

pub(crate) use trading_accounts::{account, account_result, check, giving_limits, group, limits, secrets};
