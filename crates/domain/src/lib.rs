//! The rules of tradepost, pure: no I/O, no async, no clock, no randomness, no panics.
//!
//! Every function is total: what a rule refuses comes back as a small error enum that says which rule broke. Time is a
//! parameter, money is checked, and data sits in the state it belongs to, so that an illegal record cannot be written down.
#![deny(missing_docs)]

pub mod access;
pub mod account_link;
pub mod api_key;
pub mod asset;
pub mod assignment;
pub mod audit;
pub mod authenticator;
pub mod chain;
pub mod contract;
pub mod email;
pub mod email_link;
pub mod evaluation;
pub mod exchange;
pub mod fees;
pub mod filter_set;
pub mod float_value;
pub mod guesses;
pub mod id;
pub mod idempotency;
pub mod intent;
pub mod inventory_item;
pub mod lease;
pub mod ledger;
pub mod listing;
pub mod mail;
pub mod matching;
pub mod membership;
pub mod money;
pub mod names;
pub mod network;
pub mod observation;
pub mod passkey;
pub mod password;
pub mod policy;
pub mod pool;
pub mod preferences;
pub mod price_history;
pub mod price_override;
pub mod pricing;
pub mod pricing_rules;
pub mod provider;
pub mod purchase;
pub mod remediation;
pub mod session;
pub mod sign_in;
pub mod step_up;
pub mod text;
pub mod time;
pub mod totp;
pub mod trade;
pub mod trade_offer;
pub mod trading_account;
pub mod transition;
pub mod usage;
pub mod user;
pub mod variant;
pub mod workspace;
pub mod workspace_key;
