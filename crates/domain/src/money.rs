//! Money: whole cents, checked arithmetic, no floats.

use std::fmt;

/// An amount of the workspace's currency in cents, between 0 and 10^13.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cents(i64);

/// Why an amount was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    /// Below zero.
    #[error("an amount must not be negative")]
    Negative,
    /// Above 10^13 cents.
    #[error("an amount must not exceed {} cents", Cents::MAX.0)]
    TooLarge,
}

impl Cents {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// 10^13 cents, the most that one amount can be.
    pub const MAX: Self = Self(10_000_000_000_000);

    /// The amount of `cents` cents.
    ///
    /// # Errors
    /// [`MoneyError`] outside 0 to 10^13.
    ///
    /// ```
    /// use tradepost_domain::money::{Cents, MoneyError};
    ///
    /// assert_eq!(Cents::new(-1), Err(MoneyError::Negative));
    /// assert_eq!(Cents::new(1_250)?.get(), 1_250);
    /// # Ok::<(), MoneyError>(())
    /// ```
    pub const fn new(cents: i64) -> Result<Self, MoneyError> {
        if cents < 0 {
            Err(MoneyError::Negative)
        } else if cents > Self::MAX.0 {
            Err(MoneyError::TooLarge)
        } else {
            Ok(Self(cents))
        }
    }

    /// The number of cents.
    pub const fn get(self) -> i64 {
        self.0
    }

    /// The sum.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] above 10^13 cents.
    pub const fn plus(self, other: Self) -> Result<Self, MoneyError> {
        match self.0.checked_add(other.0) {
            Some(sum) => Self::new(sum),
            None => Err(MoneyError::TooLarge),
        }
    }

    /// The difference.
    ///
    /// # Errors
    /// [`MoneyError::Negative`] when `other` is the larger one.
    pub const fn minus(self, other: Self) -> Result<Self, MoneyError> {
        match self.0.checked_sub(other.0) {
            Some(difference) => Self::new(difference),
            None => Err(MoneyError::Negative),
        }
    }
}

impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cents", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_added_can_be_taken_away_again(a in 0..=10_000_000_000_000_i64, b in 0..=10_000_000_000_000_i64) {
            let (a, b) = (Cents::new(a)?, Cents::new(b)?);
            match a.plus(b) {
                Ok(sum) => prop_assert_eq!(sum.minus(b), Ok(a)),
                Err(refused) => prop_assert_eq!(refused, MoneyError::TooLarge),
            }
        }

        #[test]
        fn no_amount_leaves_its_range(cents in any::<i64>()) {
            prop_assert_eq!(Cents::new(cents).is_ok(), (0..=10_000_000_000_000).contains(&cents));
        }
    }
}
