//! The transport of tradepost: Connect, gRPC and gRPC-Web on one port, from one set of handlers.
//!
//! Only this crate serves protobuf, and it knows no storage: a handler turns a request into a command, calls
//! [`tradepost_operations::Operations`] and turns the value back. [`Transport`] is what an application holds: a router to
//! mount, or a listener served.
//!
//! A call passes, from the outside in: the admission of its connection, the host (tonic), the edge (request id, client address,
//! names that the server answers to, bodies of bare refusals), the front (what an application answers before the interface),
//! the access log, the caller's deadline, the cookies of browsers, the protocol library, and its interceptors: outcome,
//! authentication, idempotency, strict JSON.

mod access_log;
mod authentication;
mod browser;
mod client_address;
mod connections;
mod convert;
mod deadline;
mod edge;
mod error;
mod handlers;
mod idempotency;
mod outcome;
mod rate_limit;
mod server;
mod settings;
mod strict_json;
mod tls;

#[cfg(test)]
mod wire_tests;

pub use client_address::{ClientAddress, InvalidProxy, TrustedProxies};
pub use server::{Front, ServeError, Transport};
pub use settings::TransportSettings;
#[doc(hidden)]
pub use strict_json::has_only_known_names;
pub use tls::{Tls, TlsError};
