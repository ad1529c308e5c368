//! The second look at a listing that a contract would have bought at a marketplace that is only read.

use ::time::Duration;

use crate::money::Cents;
use crate::names::names;
use crate::time::Timestamp;

/// The time after the decision at which the listing is looked at again, by the market's clock.
pub const FOLLOWED_AFTER: Duration = Duration::minutes(10);
/// The time after the decision at which the listing counts as not shown, by the market's clock.
pub const FOLLOWED_FOR: Duration = Duration::hours(1);

/// Whether the listing of an intent was looked at again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FollowUp {
    /// It is looked at from this time on.
    Due(Timestamp),
    /// It was looked at.
    Done(SeenAgain),
}

/// A listing at the second look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenAgain {
    /// Whether it could still have been bought.
    pub outcome: FollowUpOutcome,
    /// Its price then, without fee; `None` unless it was on sale.
    pub price: Option<Cents>,
    /// When it was looked at.
    pub at: Timestamp,
}

/// Whether a listing could still have been bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FollowUpOutcome {
    /// It was on sale at the price of the decision, or for less.
    OnSale = 1,
    /// It was on sale at a higher price.
    PriceRaised = 2,
    /// It was sold or withdrawn.
    OffSale = 3,
    /// The marketplace did not show it within an hour of the decision.
    NotShown = 4,
}

names! { FollowUpOutcome, "outcome of a follow-up":
    OnSale => "ON_SALE",
    PriceRaised => "PRICE_RAISED",
    OffSale => "OFF_SALE",
    NotShown => "NOT_SHOWN",
}

/// A follow-up was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FollowUpError {
    /// Nothing would have been bought by it, or it was looked at.
    #[error("the listing of this intent is not looked at again")]
    NotFollowed,
    /// The time has not come.
    #[error("the listing is not looked at before {0}")]
    Early(
        /// When it is due.
        Timestamp,
    ),
}

impl FollowUp {
    /// Returns the follow-up of a decision that was made at this time.
    pub fn after(decided_at: Timestamp) -> Self {
        Self::Due(decided_at.plus(FOLLOWED_AFTER))
    }
}

impl SeenAgain {
    /// Returns a listing that would have been bought at `decided`; `price` is that of now, if it is on sale.
    pub fn of(decided: Cents, price: Option<Cents>, at: Timestamp) -> Self {
        let outcome = match price {
            Some(now) if now <= decided => FollowUpOutcome::OnSale,
            Some(_) => FollowUpOutcome::PriceRaised,
            None => FollowUpOutcome::OffSale,
        };
        Self { outcome, price, at }
    }

    /// Returns a listing that the marketplace did not show in time.
    pub const fn not_shown(at: Timestamp) -> Self {
        Self { outcome: FollowUpOutcome::NotShown, price: None, at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_at_the_same_price_or_less_would_still_have_been_bought() {
        let outcome = |price: Option<i64>| {
            let price = price.map(|price| Cents::new(price).unwrap());
            SeenAgain::of(Cents::new(1_000).unwrap(), price, Timestamp::MIN).outcome
        };
        assert_eq!(
            [Some(1_000), Some(999), Some(1_001), None].map(outcome),
            [FollowUpOutcome::OnSale, FollowUpOutcome::OnSale, FollowUpOutcome::PriceRaised, FollowUpOutcome::OffSale]
        );
    }
}
