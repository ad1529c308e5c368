//! The interface in Rust, as the build script makes it of the protos in `proto/`: messages, server traits, the typed client and
//! the descriptor set.
//!
//! Generated code alone, and a package of its own, since it is the largest part of what is compiled and changes with the protos only.
//! The transport serves it; a Rust program that calls tradepost needs nothing but this with the feature `client`.

/// The interface as an encoded `google.protobuf.FileDescriptorSet`, imports included.
pub const DESCRIPTOR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tradepost.fds.bin"));

include!(concat!(env!("OUT_DIR"), "/methods.rs"));

mod generated {
    #![expect(clippy::allow_attributes, clippy::pedantic, reason = "generated code brings its own")]

    connectrpc::include_generated!("tradepost.rs");
}

pub use generated::{accounts, alerts, contracts, events, markets, trading};

/// The typed Rust client: `AccountsClient`, `AlertsClient`, `ContractsClient`, `EventsClient`, `MarketsClient` and `TradingClient` with their messages, and the transports to give them.
#[cfg(feature = "client")]
pub mod client {
    pub use super::generated::accounts::v1 as accounts;
    pub use super::generated::alerts::v1 as alerts;
    pub use super::generated::contracts::v1 as contracts;
    pub use super::generated::events::v1 as events;
    pub use super::generated::markets::v1 as markets;
    pub use super::generated::trading::v1 as trading;
    pub use connectrpc::client::{CallOptions, ClientConfig, Http2Connection, HttpClient};
    pub use connectrpc::{CodecFormat, ConnectError, ErrorCode, Protocol};
}
