//! The interface in Rust, as build scripts make it of the protos in `proto/`: messages, server traits, the typed client and the descriptor
//! set.
//!
//! Each package of protos is a crate of generated code alone, since it is the largest part of what is compiled and changes with the protos
//! only. The transport serves it; a Rust program that calls tradepost needs nothing but this crate with the feature `client`.

pub use {
    tradepost_proto_accounts as accounts, tradepost_proto_alerts as alerts, tradepost_proto_contracts as contracts,
    tradepost_proto_events as events, tradepost_proto_markets as markets, tradepost_proto_trading as trading,
};

/// The interface as an encoded `google.protobuf.FileDescriptorSet`, imports included.
pub const DESCRIPTOR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tradepost.fds.bin"));

include!(concat!(env!("OUT_DIR"), "/methods.rs"));

/// The typed Rust client: `AccountsClient`, `AlertsClient`, `ContractsClient`, `EventsClient`, `MarketsClient` and `TradingClient` with their messages, and the transports to give them.
#[cfg(feature = "client")]
pub mod client {
    pub use super::accounts::v1 as accounts;
    pub use super::alerts::v1 as alerts;
    pub use super::contracts::v1 as contracts;
    pub use super::events::v1 as events;
    pub use super::markets::v1 as markets;
    pub use super::trading::v1 as trading;
    pub use connectrpc::client::{CallOptions, ClientConfig, Http2Connection, HttpClient};
    pub use connectrpc::{CodecFormat, ConnectError, ErrorCode, Protocol};
}
