//! The evidence of an absence in words. What it decides is not known here.

use std::fmt;

use super::{Absence, BalancesRead, ListingOutcome};
use crate::text::Description;

impl Absence {
    /// Returns the evidence in words, for the log of status changes.
    pub fn in_words(&self) -> Option<Description> {
        Description::new(&self.to_string()).ok()
    }
}

impl fmt::Display for Absence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first_lookup_at, last_lookup_at, listing, charge_excluded, balances } = self;
        write!(f, "no order at {first_lookup_at} and {last_lookup_at}; {listing}; ")?;
        match balances {
            Some(balances) => write!(f, "{balances}"),
            None if *charge_excluded => f.write_str("balance stated as unchanged"),
            None => f.write_str("balance lower"),
        }
    }
}

impl fmt::Display for ListingOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unexplained => f.write_str("buyer of the listing unknown"),
            Self::NotSold => f.write_str("listing not sold"),
            Self::SoldToAnother => f.write_str("listing sold to another customer"),
            Self::SoldByOrder(order) => write!(f, "listing sold to us by order {order} of another purchase"),
            Self::Stated => f.write_str("listing stated as on sale or sold to another buyer"),
        }
    }
}

impl fmt::Display for BalancesRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = |mills: u64| format!("{}.{:03}", mills / 1_000, mills % 1_000);
        let last = units(self.last);
        match self.before {
            Some(before) => write!(f, "balance {} before the call, {last} after the last look-up", units(before)),
            None => write!(f, "balance {last} after the last look-up, unknown before the call"),
        }
    }
}
