//! Data keys, and the secrets that are sealed under them.

pub(crate) mod data_keys;
pub(crate) mod key_rollover;
pub(crate) mod resealing;
pub mod workspace_secrets;
