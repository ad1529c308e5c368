//! The transport of tradepost: Connect, gRPC and gRPC-Web on one port, from one set of handlers.

/// The generated messages, server traits and client.
pub mod proto {
    connectrpc::include_generated!("tradepost.rs");
}
