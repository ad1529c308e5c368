//! What goes over the wire, asked of a real server on a real socket in each of the three protocols.

mod answers;
mod browsers;
mod callers;
mod client;
mod connections;
mod hosting;
mod idempotency;
mod interface;
mod probe;
mod protocol;
mod requests;
mod unknown_names;
mod world;

use client::{Ask, PROTOCOLS, Wire};

/// The answers to the same call in all three protocols.
async fn in_every_protocol(wire: &Wire, ask: &Ask) -> String {
    let mut shown = Vec::new();
    for protocol in PROTOCOLS {
        shown.push(format!("== {protocol}\n{}\n", wire.ask(protocol, ask).await.show()));
    }
    shown.concat()
}
