//! Randomness from the operating system, and texts of random characters in which each character is equally likely.

use aws_lc_rs::rand;

/// The digits of base 62, in ASCII order.
pub(crate) const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Crockford's base 32: no I, L, O, U.
const CROCKFORD: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Random bytes.
#[expect(clippy::expect_used, reason = "without randomness no secret can be made, and nothing else may replace it")]
pub(crate) fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    rand::fill(&mut bytes).expect("the operating system gives randomness");
    bytes
}

/// A text of `length` digits of base 62, by rejection sampling: a remainder would favour the first digits.
pub(crate) fn base62(length: usize) -> String {
    let candidates = std::iter::repeat_with(bytes::<64>).flatten();
    candidates
        .filter_map(|byte| BASE62.get(usize::from(byte & 0x3f)))
        .take(length)
        .map(|&digit| char::from(digit))
        .collect()
}

/// Eight decimal digits, by rejection sampling.
pub(crate) fn eight_digits() -> String {
    const CODES: u32 = 100_000_000;
    const UNBIASED: u32 = u32::MAX - u32::MAX % CODES;
    let mut candidates = std::iter::repeat_with(|| u32::from_le_bytes(bytes()));
    let number = candidates.find(|&candidate| candidate < UNBIASED).unwrap_or_default();
    format!("{:08}", number % CODES)
}

/// 24 digits of Crockford's base 32: 120 bits, five for each digit.
pub(crate) fn crockford() -> String {
    bytes::<24>().iter().map(|byte| char::from(CROCKFORD[usize::from(byte & 0x1f)])).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// How often each character comes in `samples` texts.
    fn frequencies(samples: usize, text: impl Fn() -> String) -> BTreeMap<char, usize> {
        let mut counts = BTreeMap::new();
        for character in std::iter::repeat_with(text).take(samples).flat_map(|text| text.chars().collect::<Vec<_>>()) {
            *counts.entry(character).or_default() += 1;
        }
        counts
    }

    /// Every one of `alphabet` comes, nothing else does, and none strays from its share by more than six deviations.
    fn assert_even(alphabet: &[u8], counts: &BTreeMap<char, usize>) {
        let seen: Vec<char> = counts.keys().copied().collect();
        assert_eq!(seen, alphabet.iter().map(|&byte| char::from(byte)).collect::<Vec<_>>());
        let share = counts.values().sum::<usize>() / alphabet.len();
        let tolerance = 6 * share.isqrt();
        assert!(counts.values().all(|count| count.abs_diff(share) < tolerance), "{counts:?}");
    }

    #[test]
    fn every_digit_of_base_62_is_equally_likely() {
        assert_even(BASE62, &frequencies(5_000, || base62(40)));
    }

    #[test]
    fn every_decimal_digit_is_equally_likely() {
        assert_even(b"0123456789", &frequencies(20_000, eight_digits));
    }

    #[test]
    fn every_digit_of_base_32_is_equally_likely() {
        assert_even(CROCKFORD, &frequencies(5_000, crockford));
    }

    #[test]
    fn texts_have_their_length() {
        assert_eq!(base62(40).len(), 40);
        assert_eq!(eight_digits().len(), 8);
        assert_eq!(crockford().len(), 24);
    }
}
