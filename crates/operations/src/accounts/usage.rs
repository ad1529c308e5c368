//! Usage and quotas.

mod get_quotas;
mod get_usage;

pub use get_quotas::{Bounds, GetQuotas};
pub use get_usage::{GetUsage, KeyUsage, ListKeyUsage};
