//! The package `alerts.v1` of the interface: messages, server traits and the client, generated from `proto/alerts/v1`.

mod generated {
    #![expect(clippy::allow_attributes, clippy::pedantic, unreachable_pub, reason = "generated code brings its own")]

    connectrpc::include_generated!("package.rs");
}

pub use generated::alerts::v1;
