//! The key of `DMarket`, and the signature of a call.

use std::fmt;
use std::sync::Arc;

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair as _};
use secrecy::{ExposeSecret as _, SecretString};

/// The bytes of the seed; as many are the public key.
const SEED: usize = 32;

/// A key of an account at `DMarket`. Its `Debug` shows nothing of it.
#[derive(Clone)]
pub struct DMarketKey(Arc<Pair>);

struct Pair {
    pair: Ed25519KeyPair,
    public: String,
}

/// Why a text cannot be a key. No text of it holds a part of the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDMarketKey {
    /// It is not what `DMarket` shows as the private key.
    #[error("must be the private key as DMarket shows it: 128 hexadecimal digits")]
    Malformed,
    /// Its halves do not belong together.
    #[error("must be one whole private key: its second half does not belong to its first")]
    Mismatched,
}

impl fmt::Debug for DMarketKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DMarketKey")
    }
}

impl DMarketKey {
    /// Reads a key: the seed and the public key, in hexadecimal digits.
    ///
    /// # Errors
    /// [`InvalidDMarketKey`].
    pub fn parse(text: &SecretString) -> Result<Self, InvalidDMarketKey> {
        let bytes = from_hex(text.expose_secret().trim()).ok_or(InvalidDMarketKey::Malformed)?;
        let (seed, public) = bytes.split_at_checked(SEED).ok_or(InvalidDMarketKey::Malformed)?;
        if public.len() != SEED {
            return Err(InvalidDMarketKey::Malformed);
        }
        let pair = Ed25519KeyPair::from_seed_and_public_key(seed, public).map_err(|_| InvalidDMarketKey::Mismatched)?;
        let public = to_hex(pair.public_key().as_ref());
        Ok(Self(Arc::new(Pair { pair, public })))
    }

    /// The headers that sign a call to a path, with the query as it is sent, at a time in seconds since 1970.
    pub(crate) fn headers(&self, method: &str, target: &str, body: &[u8], seconds: i64) -> Vec<(&'static str, String)> {
        let date = seconds.to_string();
        let message = [method.as_bytes(), target.as_bytes(), body, date.as_bytes()].concat();
        let signature = to_hex(self.0.pair.sign(&message).as_ref());
        vec![
            ("x-api-key", self.0.public.clone()),
            ("x-sign-date", date),
            ("x-request-sign", format!("dmar ed25519 {signature}")),
        ]
    }
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    if !digits.iter().all(u8::is_ascii_hexdigit) || !digits.len().is_multiple_of(2) {
        return None;
    }
    let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
    digits.chunks(2).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = concat!(
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"
    );
    /// Computed by another implementation of Ed25519, over the parts in the order that the documents of `DMarket` give.
    const SIGNATURE: &str = concat!(
        "1a963530f0af5636742fb3a984ae7ae1499e4f23c06e6150366dcdc7c6fe51ff",
        "34881cf9890a684eacb793faa003b6b41aa771f516ff0b600d07d01207d5e207"
    );
    /// The same of a call with a query.
    const OF_QUERY: &str = concat!(
        "bfd6002edfb57a13e953c8cc18584556328d8a9afb31736dee0a5942b56c5181",
        "63d56a98ae2afefd364943a3362960d5dcc84bf62df05079cb6c2a41b869cf04"
    );

    #[test]
    fn a_call_is_signed_over_method_path_body_and_time_as_another_implementation_signs_it() {
        let key = DMarketKey::parse(&SecretString::from(KEY)).unwrap();
        let body = br#"{"filter":{"game":"a8db","includeP2p":false},"limit":"100"}"#;
        let headers = key.headers("POST", "/marketplace-api/v1/aggregated-prices", body, 1_767_225_600);
        assert_eq!(
            headers,
            [
                ("x-api-key", KEY.split_at(64).1.to_owned()),
                ("x-sign-date", "1767225600".to_owned()),
                ("x-request-sign", format!("dmar ed25519 {SIGNATURE}")),
            ]
        );
    }

    #[test]
    fn the_query_of_a_call_is_signed_as_it_is_sent() {
        let key = DMarketKey::parse(&SecretString::from(KEY)).unwrap();
        let target = "/marketplace-api/v2/offers?gameId=a8db&title=AWP+%7C+Asiimov+%28Field-Tested%29";
        let headers = key.headers("GET", target, &[], 1_767_225_600);
        let signed = headers.iter().find(|(name, _)| *name == "x-request-sign").map(|(_, value)| value.as_str());
        assert_eq!(signed, Some(format!("dmar ed25519 {OF_QUERY}").as_str()));
    }

    #[test]
    fn what_is_no_key_is_rejected_without_a_part_of_it() {
        let other = KEY.replace("0001", "ff01");
        for (text, expected) in [
            ("", InvalidDMarketKey::Malformed),
            ("secret", InvalidDMarketKey::Malformed),
            (KEY.split_at(64).0, InvalidDMarketKey::Malformed),
            (&KEY.replace('f', "g"), InvalidDMarketKey::Malformed),
            (&format!("{KEY}00"), InvalidDMarketKey::Malformed),
            (&other, InvalidDMarketKey::Mismatched),
        ] {
            let failed = DMarketKey::parse(&SecretString::from(text)).unwrap_err();
            assert_eq!(failed, expected);
            assert!(!failed.to_string().contains("secret"));
        }
    }

    #[test]
    fn debug_shows_nothing_of_a_key() {
        let key = DMarketKey::parse(&SecretString::from(KEY)).unwrap();
        assert_eq!(format!("{key:?}"), "DMarketKey");
    }
}
