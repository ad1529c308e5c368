//! The process: limits on descriptors, signals, the log and its reloading, metrics, and the listener with its orderly end.

pub(crate) mod descriptors;
pub(crate) mod host;
pub(crate) mod log;
pub(crate) mod metrics;
pub(crate) mod reload;
pub(crate) mod signals;
