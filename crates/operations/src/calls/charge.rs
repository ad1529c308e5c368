//! What the limiter has decided on a call.

use tradepost_ports::limiter::{RateClass, Verdict};

/// The limiter's verdict, for the headers of the response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charge {
    /// The class that was charged.
    pub class: RateClass,
    /// The limiter's answer.
    pub verdict: Verdict,
}
