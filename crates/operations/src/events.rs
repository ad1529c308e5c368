//! events.v1.Events: the types of events, webhook endpoints, and deliveries.
//!
//! The log of status changes is the outbox. Each endpoint follows it from a place of its own; see
//! [`Operations::follow_events`](crate::Operations::follow_events).

mod event_types;
mod webhook_deliveries;
mod webhook_endpoints;

pub use event_types::*;
pub use webhook_deliveries::*;
pub use webhook_endpoints::*;
