//! Data keys, and the secrets that are sealed under them.

pub(crate) mod data_keys;
pub mod key_rollover;
pub(crate) mod opened_keys;
pub(crate) mod packing;
pub(crate) mod record_secrets;
pub mod resealing;
pub(crate) mod sealed_column;
pub mod workspace_secrets;
