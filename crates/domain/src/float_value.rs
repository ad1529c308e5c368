//! The float value of an item: its wear as a number, exact, to be compared. The text that was seen is [`Wear`].

use std::fmt;
use std::str::FromStr;

use crate::asset::{InvalidWear, Wear};

/// A wear as a whole number of 10^-24: as fine as any [`Wear`], and compared without rounding.
///
/// ```
/// use tradepost_domain::asset::InvalidWear;
/// use tradepost_domain::float_value::FloatValue;
///
/// let value: FloatValue = "0.070".parse()?;
/// assert_eq!(value.to_string(), "0.07");
/// assert!(value < "0.07000000000000001".parse()?);
/// # Ok::<(), InvalidWear>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FloatValue(u128);

const ONE: u128 = 10_u128.pow(Wear::MAX_FRACTION_DIGITS);

impl FloatValue {
    /// As good as new.
    pub const MIN: Self = Self(0);
    /// As worn as can be.
    pub const MAX: Self = Self(ONE);

    /// Whether both are the same number to this many digits after the point, truncated or rounded.
    pub fn is_close_to(self, other: Self, digits: usize) -> bool {
        let rest = u32::try_from(digits).map_or(0, |digits| Wear::MAX_FRACTION_DIGITS.saturating_sub(digits));
        self.0.abs_diff(other.0) <= 10_u128.pow(rest)
    }

    /// In coarse steps, of which a value that is not lower never has a lower one: to be compared in one go.
    pub(crate) fn coarse(self) -> u32 {
        // The greatest value has 80 bits.
        u32::try_from(self.0 >> 48).unwrap_or(u32::MAX)
    }
}

impl From<&Wear> for FloatValue {
    fn from(wear: &Wear) -> Self {
        let (whole, fraction) = wear.as_str().split_once('.').unwrap_or((wear.as_str(), ""));
        let digits = whole.bytes().chain(fraction.bytes()).chain(std::iter::repeat(b'0'));
        let length = 1 + Wear::MAX_FRACTION_DIGITS as usize;
        Self(digits.take(length).fold(0, |number, digit| number * 10 + u128::from(digit - b'0')))
    }
}

impl FromStr for FloatValue {
    type Err = InvalidWear;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Wear::new(text).map(|wear| Self::from(&wear))
    }
}

impl fmt::Display for FloatValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fraction = format!("{:0width$}", self.0 % ONE, width = Wear::MAX_FRACTION_DIGITS as usize);
        match fraction.trim_end_matches('0') {
            "" => write!(f, "{}", self.0 / ONE),
            fraction => write!(f, "{}.{fraction}", self.0 / ONE),
        }
    }
}

impl fmt::Debug for FloatValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_ends_of_the_scale_are_0_and_1() {
        for (text, value) in
            [("0", FloatValue::MIN), ("0.000", FloatValue::MIN), ("1", FloatValue::MAX), ("1.0", FloatValue::MAX)]
        {
            assert_eq!(text.parse(), Ok(value));
        }
        assert_eq!((FloatValue::MIN.to_string(), FloatValue::MAX.to_string()), ("0".to_owned(), "1".to_owned()));
    }

    proptest! {
        #[test]
        fn a_value_is_written_as_it_was_read_but_for_zeros_at_the_end(digits in "[0-9]{0,23}[1-9]", zeros in 0..24_usize) {
            let shortest = format!("0.{digits}");
            let length = (shortest.len() + zeros).min("0.".len() + 24);
            let value: FloatValue = format!("{shortest:0<length$}").parse()?;
            prop_assert_eq!(value.to_string(), shortest.clone());
            prop_assert_eq!(shortest.parse(), Ok(value));
        }

        #[test]
        fn values_are_ordered_as_their_digits_are(one in "[0-9]{24}", other in "[0-9]{24}") {
            let value = |digits: &str| format!("0.{digits}").parse::<FloatValue>();
            prop_assert_eq!(value(&one)?.cmp(&value(&other)?), one.cmp(&other));
        }
    }
}
