//! Money: whole cents, checked arithmetic, no floats. The type of an amount says whose currency it is in.

use std::fmt;
use std::marker::PhantomData;

/// The currency of the workspace, in which contracts, budgets, books and reports are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct WorkspaceCurrency;

/// The currency in which a marketplace or a price source states its prices. It may be that of the workspace or another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct VenueCurrency;

/// An amount between 0 and 10^13 cents of one currency. Amounts of two currencies do not mix.
///
/// ```compile_fail,E0308
/// use tradepost_domain::money::{Cents, VenueCents};
///
/// Cents::ONE.plus(VenueCents::ONE);
/// ```
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Amount<Of> {
    cents: i64,
    of: PhantomData<Of>,
}

/// An amount of the workspace's currency.
pub type Cents = Amount<WorkspaceCurrency>;

/// An amount of the currency of a marketplace or price source: what an adapter reads and sends.
/// [`ExchangeRate`](crate::markets::exchange::ExchangeRate) converts it.
pub type VenueCents = Amount<VenueCurrency>;

/// Why an amount was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    /// Below zero.
    #[error("an amount must not be negative")]
    Negative,
    /// Above 10^13 cents.
    #[error("an amount must not exceed {} cents", Cents::MAX.get())]
    TooLarge,
}

// An amount is a number whatever its currency: derived, these would ask the currency to be one as well.
impl<Of> Copy for Amount<Of> {}
impl<Of> Clone for Amount<Of> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Of> Amount<Of> {
    /// Nothing.
    pub const ZERO: Self = Self::of(0);
    /// The least that anything costs.
    pub const ONE: Self = Self::of(1);
    /// 10^13 cents, the most that one amount can be.
    pub const MAX: Self = Self::of(10_000_000_000_000);

    const fn of(cents: i64) -> Self {
        Self { cents, of: PhantomData }
    }

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
        } else if cents > Self::MAX.cents {
            Err(MoneyError::TooLarge)
        } else {
            Ok(Self::of(cents))
        }
    }

    /// The number of cents.
    pub const fn get(self) -> i64 {
        self.cents
    }

    /// The amount with two decimals, for messages to users.
    pub const fn decimal(self) -> Decimal {
        Decimal(self.cents)
    }

    /// As many cents of a currency that is the same one. [`Conversion`](crate::markets::exchange::Conversion) knows when it is.
    pub(crate) const fn of_same_worth<To>(self) -> Amount<To> {
        Amount::of(self.cents)
    }

    /// The sum.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] above 10^13 cents.
    pub const fn plus(self, other: Self) -> Result<Self, MoneyError> {
        match self.cents.checked_add(other.cents) {
            Some(sum) => Self::new(sum),
            None => Err(MoneyError::TooLarge),
        }
    }

    /// The difference.
    ///
    /// # Errors
    /// [`MoneyError::Negative`] when `other` is the larger one.
    pub const fn minus(self, other: Self) -> Result<Self, MoneyError> {
        match self.cents.checked_sub(other.cents) {
            Some(difference) => Self::new(difference),
            None => Err(MoneyError::Negative),
        }
    }
}

impl<Of> fmt::Display for Amount<Of> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.cents, f)
    }
}

impl<Of> fmt::Debug for Amount<Of> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cents", self.cents)
    }
}

/// An amount that may be owed as well as owned: between -10^13 and 10^13 cents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SignedCents(i64);

impl SignedCents {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// The amount of `cents` cents.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] beyond 10^13 either way.
    pub const fn new(cents: i64) -> Result<Self, MoneyError> {
        if cents > Cents::MAX.cents || cents < -Cents::MAX.cents { Err(MoneyError::TooLarge) } else { Ok(Self(cents)) }
    }

    /// The number of cents.
    pub const fn get(self) -> i64 {
        self.0
    }

    /// The sum.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] beyond 10^13 cents either way.
    pub const fn plus(self, other: Self) -> Result<Self, MoneyError> {
        // Neither is beyond 10^13, so that the sum fits.
        Self::new(self.0.saturating_add(other.0))
    }

    /// The amount with two decimals, for messages to users.
    pub const fn decimal(self) -> Decimal {
        Decimal(self.0)
    }

    /// The same amount the other way round.
    #[must_use]
    pub const fn negated(self) -> Self {
        Self(self.0.saturating_neg())
    }

    /// The amount, if nothing is owed.
    ///
    /// # Errors
    /// [`MoneyError::Negative`] otherwise.
    pub const fn unsigned(self) -> Result<Cents, MoneyError> {
        Cents::new(self.0)
    }
}

impl From<Cents> for SignedCents {
    fn from(amount: Cents) -> Self {
        Self(amount.cents)
    }
}

impl fmt::Display for SignedCents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for SignedCents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cents", self.0)
    }
}

/// An amount of cents that is written with two decimals: 12.50.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal(i64);

impl Decimal {
    /// The amount of `cents` cents.
    pub const fn of(cents: i64) -> Self {
        Self(cents)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, cents) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        write!(f, "{sign}{}.{:02}", cents / 100, cents % 100)
    }
}

/// A currency by the three letters of ISO 4217. Whether there is such a currency is not looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency([u8; 3]);

/// The text is not a currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the three capital letters of a currency, such as USD")]
pub struct InvalidCurrency;

impl Currency {
    /// The default currency of a workspace.
    pub const USD: Self = Self(*b"USD");

    /// The currency with these letters.
    ///
    /// # Errors
    /// [`InvalidCurrency`] unless there are three capital letters.
    pub fn new(letters: &str) -> Result<Self, InvalidCurrency> {
        let bytes: [u8; 3] = letters.as_bytes().try_into().map_err(|_| InvalidCurrency)?;
        if bytes.iter().all(u8::is_ascii_uppercase) { Ok(Self(bytes)) } else { Err(InvalidCurrency) }
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|letter| fmt::Write::write_char(f, char::from(*letter)))
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
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
        fn what_is_owed_is_what_is_owned_the_other_way_round(cents in -10_000_000_000_000..=10_000_000_000_000_i64) {
            let amount = SignedCents::new(cents)?;
            prop_assert_eq!(amount.plus(amount.negated()), Ok(SignedCents::ZERO));
            prop_assert_eq!(amount.unsigned().is_ok(), cents >= 0);
        }

        #[test]
        fn no_amount_leaves_its_range(cents in any::<i64>()) {
            prop_assert_eq!(Cents::new(cents).is_ok(), (0..=10_000_000_000_000).contains(&cents));
        }
    }
    #[test]
    fn an_amount_for_users_has_two_decimals() {
        let shown = [0, 5, -5, 1_250, -123_456].map(|cents| SignedCents::new(cents).unwrap().decimal().to_string());
        assert_eq!(shown, ["0.00", "0.05", "-0.05", "12.50", "-1234.56"]);
        assert_eq!(Cents::ONE.decimal().to_string(), "0.01");
    }

    #[test]
    fn a_currency_has_three_capital_letters() {
        assert_eq!(Currency::new("EUR").map(|currency| currency.to_string()).as_deref(), Ok("EUR"));
        for refused in ["", "EU", "EURO", "eur", "E1R", "€"] {
            assert_eq!(Currency::new(refused), Err(InvalidCurrency), "{refused}");
        }
    }
}
