//! Short texts that people and outside systems give: names, market names, listing ids.
//!
//! All are stored in Unicode normal form C, trimmed, without control characters or the bidirectional overrides that can
//! make one name look like another.

use std::borrow::Borrow;
use std::fmt;

use unicode_normalization::{UnicodeNormalization as _, is_nfc};

/// Why a text was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// Nothing is left after trimming.
    #[error("must not be empty")]
    Empty,
    /// More characters than the field takes.
    #[error("must have at most {most} characters")]
    TooLong {
        /// The most characters allowed.
        most: usize,
    },
    /// A control or bidirectional formatting character.
    #[error("must not contain control or text-direction characters")]
    Control,
}

/// A text of 1 to `MOST` characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text<const MOST: usize>(String);

/// A name that a person gives: workspace, key, passkey, contract. 1 to 64 characters.
pub type Name = Text<64>;
/// A description of 1 to 512 characters; fields that may be empty hold an `Option`.
pub type Description = Text<512>;
/// The reason of an action. 1 to 200 characters.
pub type ReasonText = Text<200>;
/// The game market's name of an item variant, such as `AK-47 | Redline (Field-Tested)`. 1 to 256 characters.
pub type MarketHashName = Text<256>;
/// Name of a marketplace, 1 to 64 characters.
pub type Marketplace = Text<64>;
/// Name of a trading account, 1 to 64 characters.
pub type AccountName = Text<64>;
/// The version of a text that people acknowledge, 1 to 16 characters.
pub type NoticeVersion = Text<16>;
/// An identifier that an outside system gave: a listing, an order, a trade. 1 to 128 characters.
pub type ExternalId = Text<128>;

impl<const MOST: usize> Text<MOST> {
    /// Returns the same text as a longer type.
    #[must_use]
    pub fn widened<const MORE: usize>(self) -> Text<MORE> {
        const { assert!(MOST <= MORE, "a text does not fit into a shorter type") };
        Text(self.0)
    }

    /// Takes a text as given: trimmed, in normal form C.
    ///
    /// # Errors
    /// [`TextError`] when it is empty, too long or holds control characters.
    pub fn new(text: &str) -> Result<Self, TextError> {
        let text = text.trim();
        let text: String = if is_nfc(text) { text.to_owned() } else { text.nfc().collect() };
        if text.is_empty() {
            return Err(TextError::Empty);
        }
        if text.chars().count() > MOST {
            return Err(TextError::TooLong { most: MOST });
        }
        if text.chars().any(|c| c.is_control() || is_direction_mark(c)) {
            return Err(TextError::Control);
        }
        Ok(Self(text))
    }

    /// The replacement of a name whose user or workspace is deleted.
    pub fn deleted() -> Self {
        Self("(deleted)".to_owned())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A text is compared as what it says, so that it is found in a set by a `str`.
impl<const MOST: usize> Borrow<str> for Text<MOST> {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl From<u64> for ExternalId {
    /// The decimal digits: many outside systems number what they keep.
    fn from(number: u64) -> Self {
        Self(number.to_string())
    }
}

impl From<[u8; 16]> for ExternalId {
    /// In hexadecimal, which every outside system takes for a key of ours.
    fn from(bytes: [u8; 16]) -> Self {
        Self(format!("{:032x}", u128::from_be_bytes(bytes)))
    }
}

/// Unicode's explicit formatting characters of the bidirectional algorithm (UAX #9).
pub(crate) const fn is_direction_mark(c: char) -> bool {
    matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

impl<const MOST: usize> fmt::Display for Text<MOST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<const MOST: usize> fmt::Debug for Text<MOST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_trimmed_and_normalised() {
        assert_eq!(Name::new("  Cafe\u{301} ").map(|name| name.to_string()), Ok("Café".to_owned()));
    }

    #[test]
    fn a_name_has_1_to_64_characters() {
        assert_eq!(Name::new("   "), Err(TextError::Empty));
        assert!(Name::new(&"é".repeat(64)).is_ok());
        assert_eq!(Name::new(&"é".repeat(65)), Err(TextError::TooLong { most: 64 }));
    }

    #[test]
    fn a_name_that_turns_the_reading_direction_is_refused() {
        assert_eq!(Name::new("pay\u{202E}gro"), Err(TextError::Control));
        assert_eq!(Name::new("a\nb"), Err(TextError::Control));
    }
}
