//! Several texts as one secret: each with its length before it. A missing text has none.

use secrecy::{ExposeSecret as _, SecretString};

/// Appends texts of up to 65,535 bytes, of which missing ones count, too. A longer one is treated as missing: callers limit lengths.
pub(crate) fn pack<'a>(packed: &mut Vec<u8>, texts: impl IntoIterator<Item = Option<&'a SecretString>>) {
    for text in texts {
        let bytes = text.map(|text| text.expose_secret().as_bytes()).unwrap_or_default();
        let (length, bytes) = u16::try_from(bytes.len()).map_or((0, [].as_slice()), |length| (length, bytes));
        packed.extend(length.to_be_bytes());
        packed.extend(bytes);
    }
}

/// Bytes are not packed texts.
#[derive(Debug)]
pub(crate) struct NotPacked;

/// What is left of packed texts.
pub(crate) struct Packed<'a>(pub(crate) &'a [u8]);

impl Packed<'_> {
    /// Returns the next text, if it is not missing.
    pub(crate) fn next_text(&mut self) -> Result<Option<SecretString>, NotPacked> {
        let (length, behind) = self.0.split_first_chunk::<2>().ok_or(NotPacked)?;
        let length = usize::from(u16::from_be_bytes(*length));
        let (bytes, behind) = behind.split_at_checked(length).ok_or(NotPacked)?;
        self.0 = behind;
        let text = std::str::from_utf8(bytes).map_err(|_| NotPacked)?;
        Ok(Some(text).filter(|text| !text.is_empty()).map(SecretString::from))
    }

    /// Returns whether nothing is left.
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_missing_ones_are_unpacked_in_their_order() {
        let (one, other) = (SecretString::from("one"), SecretString::from("o\u{f6}ther"));
        let mut packed = Vec::new();
        pack(&mut packed, [Some(&one), None, Some(&other)]);
        let mut left = Packed(&packed);
        let texts: Vec<Option<String>> = std::iter::from_fn(|| left.next_text().ok())
            .map(|text| text.map(|text| text.expose_secret().to_owned()))
            .collect();
        assert_eq!(texts, [Some("one".to_owned()), None, Some("o\u{f6}ther".to_owned())]);
        assert!(left.is_empty());
    }

    #[test]
    fn bytes_that_end_early_unpack_to_nothing() {
        let mut packed = Vec::new();
        pack(&mut packed, [Some(&SecretString::from("one"))]);
        for cut in 0..packed.len() {
            assert!(Packed(&packed[..cut]).next_text().is_err(), "{cut}");
        }
    }
}
