//! What the build script made of the protos: messages, server traits, the typed client and the descriptor set.

/// The interface as an encoded `google.protobuf.FileDescriptorSet`, imports included.
pub const DESCRIPTOR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tradepost.fds.bin"));

mod generated {
    #![expect(clippy::allow_attributes, clippy::pedantic, unreachable_pub, reason = "generated code brings its own")]

    connectrpc::include_generated!("tradepost.rs");
}

pub(crate) use generated::{accounts, contracts, markets, trading};

/// The typed Rust client: `AccountsClient`, `ContractsClient`, `MarketsClient` and `TradingClient` with their messages, and the transports to give them.
#[cfg(feature = "client")]
pub mod client {
    pub use super::generated::accounts::v1 as accounts;
    pub use super::generated::contracts::v1 as contracts;
    pub use super::generated::markets::v1 as markets;
    pub use super::generated::trading::v1 as trading;
    pub use connectrpc::client::{CallOptions, ClientConfig, Http2Connection, HttpClient};
    pub use connectrpc::{CodecFormat, ConnectError, ErrorCode, Protocol};
}
