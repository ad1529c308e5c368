//! What a password must be before it is hashed. Hashing and guess estimation are ports.

use std::fmt;

/// A password hash in PHC string form. Not a secret in the sense of a password, yet never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// A hash as made by the password port.
    pub fn new(phc: String) -> Self {
        Self(phc)
    }

    /// The PHC string.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(..)")
    }
}

/// Fewest characters of a password (NIST SP 800-63B-4, single factor).
pub const SHORTEST: usize = 15;
/// Most characters of a password.
pub const LONGEST: usize = 128;
/// Most bytes of a password in UTF-8, so that hashing costs the same for all.
pub const LONGEST_BYTES: usize = 512;
/// The least zxcvbn score that is accepted, of 0 to 4.
pub const LEAST_SCORE: u8 = 3;

/// Words that every guesser of a trading platform's passwords tries first.
const COMMON_WORDS: [&str; 10] =
    ["tradepost", "trading", "trade", "skins", "skin", "steam", "market", "password", "workspace", "counter"];

/// Why a password was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// Fewer than [`SHORTEST`] characters.
    #[error("must have at least {SHORTEST} characters")]
    TooShort,
    /// More than [`LONGEST`] characters or [`LONGEST_BYTES`] bytes.
    #[error("must have at most {LONGEST} characters")]
    TooLong,
    /// Easy to guess: a common pattern, or little more than words that belong to the account.
    #[error("is too easy to guess; use several unrelated words")]
    TooWeak,
    /// On a list of passwords that were stolen somewhere.
    #[error(
        "was stolen from another service and is on the lists of those who guess; use one that is used nowhere else"
    )]
    Breached,
}

/// Checks the length and what is left of a password when the words known to an attacker are taken out.
///
/// `context` holds words that belong to the account: parts of the e-mail address, names of its workspaces. What remains
/// without them and without digits and punctuation must still have eight characters.
///
/// # Errors
/// [`PasswordError`] says which rule broke. The score of [`LEAST_SCORE`] and the list of breached passwords are checked apart
/// from this.
///
/// ```
/// use tradepost_domain::accounts::password::{PasswordError, check};
///
/// assert_eq!(check("short", &[]), Err(PasswordError::TooShort));
/// assert_eq!(check("Trading2026Skins!", &[]), Err(PasswordError::TooWeak));
/// assert_eq!(check("copper lantern under seven bridges", &[]), Ok(()));
/// ```
pub fn check(password: &str, context: &[String]) -> Result<(), PasswordError> {
    let characters = password.chars().count();
    if characters < SHORTEST {
        return Err(PasswordError::TooShort);
    }
    if characters > LONGEST || password.len() > LONGEST_BYTES {
        return Err(PasswordError::TooLong);
    }
    let known = context.iter().map(|word| word.to_lowercase()).chain(COMMON_WORDS.map(str::to_owned));
    let left = known
        .filter(|word| word.chars().count() >= 3)
        .fold(password.to_lowercase(), |left, word| left.replace(&word, ""));
    if left.chars().filter(|c| c.is_alphabetic()).count() < 8 && has_known_words(password, &left) {
        return Err(PasswordError::TooWeak);
    }
    Ok(())
}

fn has_known_words(password: &str, left: &str) -> bool {
    left.chars().count() < password.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_is_counted_in_characters_and_bounded_in_bytes() {
        assert_eq!(check(&"é".repeat(14), &[]), Err(PasswordError::TooShort));
        assert_eq!(check(&"é".repeat(128), &[]), Ok(()));
        assert_eq!(check(&"é".repeat(129), &[]), Err(PasswordError::TooLong));
        assert_eq!(check(&"😀".repeat(128), &[]), Ok(()));
    }

    #[test]
    fn little_more_than_the_accounts_own_words_is_too_weak() {
        let context = ["ada".to_owned(), "lovelace".to_owned(), "example".to_owned()];
        assert_eq!(check("ada-lovelace-2026", &context), Err(PasswordError::TooWeak));
        assert_eq!(check("ada keeps geese in winter", &context), Ok(()));
    }

    #[test]
    fn a_password_without_known_words_is_left_to_the_guess_estimate() {
        assert_eq!(check("9481-7730-2615-0042", &[]), Ok(()));
    }
}
