//! Orders: submits purchases, reconciles those whose outcome is unknown, and executes intents.

pub(crate) mod intent_execution;
pub(crate) mod not_placed;
pub(crate) mod purchase_lookup;
pub(crate) mod reconciliation;
pub(crate) mod submission;
