//! Purchases: buy orders and their delivery.

mod advance_purchase;
mod cancel_purchase;
pub(crate) mod lifecycle_update;
mod read;
pub(crate) mod reconcile_purchase;
pub(crate) mod record_purchase;
mod record_purchase_outcome;
mod uncertain_purchases;

pub use advance_purchase::AdvancePurchase;
pub use cancel_purchase::CancelPurchase;
pub use read::*;
pub use reconcile_purchase::ReconcilePurchase;
pub use record_purchase::RecordPurchase;
pub use record_purchase_outcome::{PurchaseOutcome, RecordPurchaseOutcome};
