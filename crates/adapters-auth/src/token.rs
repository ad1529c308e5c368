//! The form of tokens: kind, 40 random characters, checksum. It must not know digests or keys.

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_ports::secrets::{NotAToken, TokenKind};

use crate::random::{self, BASE62};

const RANDOM_LENGTH: usize = 40;
const CHECKSUM_LENGTH: usize = 6;
/// Kind and underscore, four characters.
const KIND_LENGTH: usize = 4;
const LENGTH: usize = KIND_LENGTH + RANDOM_LENGTH + CHECKSUM_LENGTH;
const SHOWN_LENGTH: usize = 12;

/// What tokens of a kind begin with.
const fn prefix(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::ApiKey => "tpk_",
        TokenKind::Session => "tps_",
        TokenKind::EmailLink => "tpe_",
        TokenKind::Invitation => "tpi_",
    }
}

/// A new token.
pub(crate) fn make(kind: TokenKind) -> SecretString {
    let body = format!("{}{}", prefix(kind), random::base62(RANDOM_LENGTH));
    let checksum = checksum(&body);
    SecretString::from(body + &checksum)
}

/// The part of a token that may be shown and stored: eight of its 40 random characters, so 190 bits remain unknown.
pub(crate) fn shown(token: &SecretString) -> String {
    token.expose_secret().chars().take(SHOWN_LENGTH).collect()
}

/// Checks the form, so that junk and mistyped tokens cost no look-up.
pub(crate) fn check(kind: TokenKind, token: &str) -> Result<(), NotAToken> {
    let random_part = token.strip_prefix(prefix(kind)).ok_or(NotAToken)?;
    if token.len() != LENGTH || !random_part.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(NotAToken);
    }
    let (body, presented) = token.split_at(LENGTH - CHECKSUM_LENGTH);
    if presented == checksum(body) { Ok(()) } else { Err(NotAToken) }
}

/// The CRC-32 (IEEE 802.3) of all before it, as six digits of base 62, the most significant first.
fn checksum(body: &str) -> String {
    let mut rest = crc32fast::hash(body.as_bytes()) as usize;
    let mut digits = [b'0'; CHECKSUM_LENGTH];
    for digit in digits.iter_mut().rev() {
        *digit = BASE62[rest % BASE62.len()];
        rest /= BASE62.len();
    }
    digits.map(char::from).iter().collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn made(kind: TokenKind) -> String {
        make(kind).expose_secret().to_owned()
    }

    #[test]
    fn a_token_has_its_kind_forty_random_characters_and_a_checksum() {
        let token = made(TokenKind::ApiKey);
        assert_eq!(token.len(), 50);
        assert!(token.starts_with("tpk_"));
        assert!(made(TokenKind::Session).starts_with("tps_"));
        assert!(made(TokenKind::EmailLink).starts_with("tpe_"));
        assert_eq!(check(TokenKind::ApiKey, &token), Ok(()));
    }

    #[test]
    fn the_checksum_is_the_one_that_zlib_computes() {
        // CRC-32 0x6740AAF5 of the first 44 characters.
        let token = "tpk_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd1tEW6X";
        assert_eq!(check(TokenKind::ApiKey, token), Ok(()));
    }

    #[test]
    fn the_first_twelve_characters_may_be_shown() {
        let token = make(TokenKind::ApiKey);
        assert_eq!(shown(&token), token.expose_secret()[..12]);
    }

    #[test]
    fn a_token_of_one_kind_is_none_of_the_others() {
        let kinds = [TokenKind::ApiKey, TokenKind::Session, TokenKind::EmailLink, TokenKind::Invitation];
        for (kind, other) in kinds.into_iter().flat_map(|kind| kinds.map(|other| (kind, other))) {
            assert_eq!(check(other, &made(kind)).is_ok(), kind == other, "{kind:?} {other:?}");
        }
    }

    #[test]
    fn no_two_tokens_are_the_same() {
        assert_ne!(made(TokenKind::ApiKey), made(TokenKind::ApiKey));
    }

    #[test]
    fn a_changed_character_anywhere_is_noticed() {
        let token = made(TokenKind::ApiKey);
        for position in 0..token.len() {
            let mut changed = token.clone().into_bytes();
            changed[position] = if changed[position] == b'x' { b'y' } else { b'x' };
            assert_eq!(check(TokenKind::ApiKey, &String::from_utf8(changed).unwrap()), Err(NotAToken), "at {position}");
        }
    }

    #[test]
    fn characters_added_or_lost_are_noticed() {
        let token = made(TokenKind::ApiKey);
        for text in [&token[..49], &format!("{token}0"), &format!(" {token}"), &format!("{token}\n"), "tpk_", ""] {
            assert_eq!(check(TokenKind::ApiKey, text), Err(NotAToken), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn any_other_text_is_no_token(text in ".{0,64}") {
            prop_assert_eq!(check(TokenKind::ApiKey, &text), Err(NotAToken));
        }

        #[test]
        fn text_of_the_right_length_is_no_token(text in "tpk_\\PC{46}") {
            prop_assert_eq!(check(TokenKind::ApiKey, &text), Err(NotAToken));
        }
    }
}
