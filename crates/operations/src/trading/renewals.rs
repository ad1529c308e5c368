//! Renewals of the tokens by which trading accounts stay signed in: what people ask for and cancel, and what an engine reports.

mod cancel_renewal;
mod follow_renewals;
mod read;
pub(crate) mod renewal_moves;
mod report_expiring_tokens;
mod request_renewal;

pub use cancel_renewal::CancelRenewal;
pub use follow_renewals::{BeginRenewal, CompleteRenewal, DueRenewals, RecordRenewalStep};
pub use read::*;
pub use report_expiring_tokens::ReportExpiringTokens;
pub use request_renewal::RequestRenewal;
