//! The search for item names by parts: a name is found by any of its parts, in any order, in upper or lower case.

use crate::text::{MarketHashName, Text, TextError};

/// The most parts of a search.
const MOST_PARTS: usize = 8;

/// The parts of item names that a caller searches for. A name is found if it contains each of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameSearch(Vec<String>);

/// Why a text cannot be searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NameSearchError {
    /// The text itself.
    #[error(transparent)]
    Text(#[from] TextError),
    /// More parts than a search takes.
    #[error("must have at most {MOST_PARTS} parts with spaces between")]
    TooManyParts,
}

impl NameSearch {
    /// Parses a text of parts with spaces between.
    ///
    /// # Errors
    /// [`NameSearchError`] for a text that is empty, longer than 100 characters, or has more than 8 parts.
    pub fn new(text: &str) -> Result<Self, NameSearchError> {
        let text = Text::<100>::new(text)?;
        let mut parts: Vec<String> = text.as_str().split_whitespace().map(str::to_ascii_lowercase).collect();
        parts.sort_unstable();
        parts.dedup();
        if parts.len() > MOST_PARTS { Err(NameSearchError::TooManyParts) } else { Ok(Self(parts)) }
    }

    /// The parts, in lower case.
    pub fn parts(&self) -> &[String] {
        &self.0
    }

    /// Returns whether a text contains every part. Only letters of ASCII are compared without case, as databases do.
    pub fn finds(&self, text: &str) -> bool {
        let text = text.to_ascii_lowercase();
        self.0.iter().all(|part| text.contains(part.as_str()))
    }

    /// Returns whether a name contains every part.
    pub fn finds_name(&self, name: &MarketHashName) -> bool {
        self.finds(name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_by_its_parts_in_any_order_and_case() {
        let name = MarketHashName::new("AK-47 | Redline (Field-Tested)").unwrap();
        for text in ["redline", "RED ak-47", "field  ak", "(Field-Tested)", "|"] {
            assert!(NameSearch::new(text).unwrap().finds_name(&name), "{text}");
        }
        for text in ["redlines", "ak 48"] {
            assert!(!NameSearch::new(text).unwrap().finds_name(&name), "{text}");
        }
    }

    #[test]
    fn a_search_has_at_most_8_parts() {
        assert!(NameSearch::new("1 2 3 4 5 6 7 8 1").is_ok());
        assert_eq!(NameSearch::new("1 2 3 4 5 6 7 8 9"), Err(NameSearchError::TooManyParts));
        assert_eq!(NameSearch::new(" "), Err(NameSearchError::Text(TextError::Empty)));
    }
}
