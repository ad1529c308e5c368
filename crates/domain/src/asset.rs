//! Names that the game platform gives to things: assets, games, inventory contexts, wear. Nothing here knows a chain.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

/// Identifier of an asset on the game platform: 1 to 20 decimal digits, the first not zero.
///
/// It names an item only until the next trade, which gives the item a new one.
///
/// ```
/// use tradepost_domain::asset::{AssetId, InvalidAssetId};
///
/// let id: AssetId = "27348562871".parse()?;
/// assert_eq!(id.as_str(), "27348562871");
/// assert_eq!("0123".parse::<AssetId>(), Err(InvalidAssetId));
/// # Ok::<(), InvalidAssetId>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AssetId(String);

/// The text is not an asset id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an asset id has 1 to 20 decimal digits and does not begin with 0")]
pub struct InvalidAssetId;

impl AssetId {
    /// The most digits an asset id has; the platform's ids are unsigned 64-bit numbers.
    pub const MAX_DIGITS: usize = 20;

    /// Takes an asset id as given.
    ///
    /// # Errors
    /// [`InvalidAssetId`] unless it matches `^[1-9][0-9]{0,19}$`.
    pub fn new(text: &str) -> Result<Self, InvalidAssetId> {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        if digits && !text.is_empty() && !text.starts_with('0') && text.len() <= Self::MAX_DIGITS {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidAssetId)
        }
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<NonZeroU64> for AssetId {
    /// The platform's ids are unsigned 64-bit numbers.
    fn from(number: NonZeroU64) -> Self {
        Self(number.to_string())
    }
}

impl FromStr for AssetId {
    type Err = InvalidAssetId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::new(text)
    }
}

impl fmt::Display for AssetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for AssetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The number of a game on the platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AppId(u32);

/// A number that names no game or no inventory context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPlace {
    /// A game's number is never zero.
    #[error("the number of a game is at least 1")]
    App,
    /// A context's number is between 1 and 2^63 - 1.
    #[error("the number of an inventory context lies between 1 and 2^63 - 1")]
    Context,
}

impl AppId {
    /// Counter-Strike 2.
    pub const CS2: Self = Self(730);

    /// The game with this number.
    ///
    /// # Errors
    /// [`InvalidPlace::App`] for zero.
    pub const fn new(number: u32) -> Result<Self, InvalidPlace> {
        if number == 0 { Err(InvalidPlace::App) } else { Ok(Self(number)) }
    }

    /// The number.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// For how many days the platform can reverse a trade of this game's items, and keeps them from being traded on: 7 for
    /// Counter-Strike 2, none for other games.
    pub const fn protection_days(self) -> u32 {
        if self.0 == Self::CS2.0 { 7 } else { 0 }
    }
}

impl Default for AppId {
    fn default() -> Self {
        Self::CS2
    }
}

/// The number of an inventory context: a game's inventory is cut into contexts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContextId(u64);

impl ContextId {
    /// Where Counter-Strike 2 keeps ordinary items.
    pub const ORDINARY: Self = Self(2);
    /// Where Counter-Strike 2 keeps items under trade protection; only their owner can see it.
    pub const PROTECTED: Self = Self(16);

    /// The context with this number.
    ///
    /// # Errors
    /// [`InvalidPlace::Context`] for zero and above 2^63 - 1.
    pub const fn new(number: u64) -> Result<Self, InvalidPlace> {
        if number == 0 || number > i64::MAX as u64 { Err(InvalidPlace::Context) } else { Ok(Self(number)) }
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// The wear of an item, between 0 and 1, kept as the decimal text that was seen.
///
/// It distinguishes items, so it is never rounded through a binary number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Wear(String);

/// The text is not a wear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a wear is a decimal number from 0 to 1 with at most 24 digits after the point")]
pub struct InvalidWear;

impl Wear {
    /// The most digits after the point.
    pub const MAX_FRACTION_DIGITS: u32 = 24;

    /// Takes a wear such as `0.0712`.
    ///
    /// # Errors
    /// [`InvalidWear`] unless it is a plain decimal number from 0 to 1.
    pub fn new(text: &str) -> Result<Self, InvalidWear> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let decimal = (1..=Self::MAX_FRACTION_DIGITS as usize).contains(&fraction.len())
            && fraction.bytes().all(|byte| byte.is_ascii_digit());
        let in_range = whole == "0" || (whole == "1" && fraction.bytes().all(|byte| byte == b'0'));
        if decimal && in_range { Ok(Self(text.to_owned())) } else { Err(InvalidWear) }
    }

    /// The decimal text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Wear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Wear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_asset_id_has_1_to_20_digits_and_no_leading_zero() {
        for good in ["1", "27348562871", "99999999999999999999"] {
            assert_eq!(AssetId::new(good).map(|id| id.to_string()), Ok(good.to_owned()));
        }
        for bad in ["", "0", "01", "-1", "1 ", "1a", "١", "100000000000000000000"] {
            assert_eq!(AssetId::new(bad), Err(InvalidAssetId), "{bad:?}");
        }
    }

    #[test]
    fn a_wear_is_a_decimal_from_0_to_1() {
        for good in ["0", "1", "0.07123456789012345", "1.000"] {
            assert_eq!(Wear::new(good).map(|wear| wear.to_string()), Ok(good.to_owned()));
        }
        for bad in ["", ".5", "0.", "1.01", "2", "-0.1", "1e-3", "0.1234567890123456789012345"] {
            assert_eq!(Wear::new(bad), Err(InvalidWear), "{bad:?}");
        }
    }

    #[test]
    fn trades_of_counter_strike_are_protected_for_7_days_and_those_of_no_other_game() {
        let days = |number| AppId::new(number).unwrap().protection_days();
        assert_eq!(([730, 440, 570, 252_490].map(days), AppId::CS2.protection_days()), ([7, 0, 0, 0], 7));
    }

    #[test]
    fn a_game_and_a_context_are_never_numbered_zero() {
        assert_eq!(AppId::new(0), Err(InvalidPlace::App));
        assert_eq!(ContextId::new(0), Err(InvalidPlace::Context));
        assert_eq!(ContextId::new(u64::MAX), Err(InvalidPlace::Context));
        assert_eq!(ContextId::new(16), Ok(ContextId::PROTECTED));
    }
}
