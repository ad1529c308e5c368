//! The reads of the port: one statement each.

mod accounts;
mod alerts;
pub(crate) mod contracts;
mod events;
mod executions;
mod expired_records;
pub(crate) mod filtered;
mod markets;
mod trading;
mod transitions;
mod worlds;
