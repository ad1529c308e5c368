//! The process: core dumps, limits on descriptors, signals, waiting for a busy machine, the service manager, the log and its reloading, metrics,
//! the pages of the interface, and the listener with its orderly end.

pub(crate) mod busy;
pub(crate) mod core_dumps;
pub(crate) mod descriptors;
pub(crate) mod host;
mod interface_pages;
pub(crate) mod log;
pub(crate) mod metrics;
pub(crate) mod reload;
pub(crate) mod service_manager;
pub(crate) mod signals;
