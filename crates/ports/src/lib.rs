//! The traits that tradepost needs from external systems, and the values that cross them.
//!
//! Storage reads return [`changes::Seen`] values, and all writes of an operation are one [`changes::Changes`]; see [`store`]. The crate
//! `tradepost-testkit` has an in-memory store, fakes for the other ports, and the contract suites that every adapter has to pass.
#![deny(missing_docs)]

pub mod alerts;
pub mod bot_check;
pub mod changes;
pub mod clock;
pub mod connector;
pub mod envelope;
pub mod exchange_rates;
pub mod external;
mod factors;
pub mod game_platform;
pub mod imports;
pub mod limiter;
pub mod linking;
pub mod mailer;
pub mod marketplace;
pub mod metrics;
mod ports;
pub mod price_source;
pub mod provider_probe;
pub mod purchase_lookup;
pub mod record;
pub mod secrets;
pub mod store;
pub mod webhooks;

pub use changes::held;
pub use factors::{passkeys, passwords, totp};
pub use ports::Ports;
