//! The audit log.

mod audit_events;
mod verify_audit_chain;

pub use audit_events::{ListAuditEvents, ListMyAuditEvents};
pub use verify_audit_chain::{VerifiedChain, VerifyAuditChain};
