//! Tokens, digests and codes under keys derived from the root secret, and sealing under the installation's own data key. It must
//! not know who holds a token or where a sealed value lies; it is told.

use std::fmt;

use aws_lc_rs::aead::{AES_256_GCM, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use aws_lc_rs::hkdf::{HKDF_SHA256, Salt};
use aws_lc_rs::hmac;
use secrecy::{ExposeSecret as _, SecretSlice, SecretString};
use subtle::ConstantTimeEq as _;
use tradepost_domain::api_key::TokenDigest;
use tradepost_ports::envelope::{DataKey, Envelopes as _};
use tradepost_ports::secrets::{DoesNotOpen, IssuedToken, NotAToken, Secrets, TokenKind};
use zeroize::Zeroizing;

use crate::envelope::{self, AesEnvelopes};
use crate::root_secret::RootSecret;
use crate::{random, token};

/// First byte of a value sealed under the root secret's own key: AES-256-GCM, then 12 bytes nonce, ciphertext, 16 bytes tag.
const SEALED_V1: u8 = 1;

/// The keys of an installation.
///
/// Each has one purpose and is derived from the [`RootSecret`]: the pepper of token digests, the key of code digests, the
/// key of page cursors, the key of the audit log, the key of fingerprints, the key that sealed before there was a data key.
pub struct Vault {
    pepper: hmac::Key,
    codes: hmac::Key,
    cursors: hmac::Key,
    audit: hmac::Key,
    fingerprints: hmac::Key,
    sealing: RandomizedNonceKey,
    data_key: Option<(u32, DataKey)>,
}

impl Vault {
    /// Derives the keys.
    #[expect(clippy::expect_used, reason = "AES-256-GCM takes every key of 32 bytes")]
    pub fn new(root: &RootSecret) -> Self {
        let hmac_key = |purpose| hmac::Key::new(hmac::HMAC_SHA256, root.derive(purpose).as_slice());
        Self {
            pepper: hmac_key("token digests"),
            codes: hmac_key("code digests"),
            cursors: hmac_key("page cursors"),
            audit: hmac_key("audit log"),
            fingerprints: hmac_key("fingerprints"),
            sealing: RandomizedNonceKey::new(&AES_256_GCM, root.derive("sealing").as_slice())
                .expect("a key of 32 bytes"),
            data_key: None,
        }
    }

    /// Seals under the installation's data key, which has this number, from now on. What was sealed before still opens.
    #[must_use]
    pub fn with_data_key(self, number: u32, key: DataKey) -> Self {
        Self { data_key: Some((number, key)), ..self }
    }

    fn digest_of(&self, token: &str) -> TokenDigest {
        TokenDigest(leading(&hmac::sign(&self.pepper, token.as_bytes())))
    }
}

impl Secrets for Vault {
    fn issue(&self, kind: TokenKind) -> IssuedToken {
        let secret = token::make(kind);
        IssuedToken { prefix: token::shown(&secret), digest: self.digest_of(secret.expose_secret()), secret }
    }

    fn digest(&self, kind: TokenKind, token: &str) -> Result<TokenDigest, NotAToken> {
        token::check(kind, token)?;
        Ok(self.digest_of(token))
    }

    fn numeric_code(&self) -> SecretString {
        random::eight_digits().into()
    }

    fn recovery_code(&self) -> SecretString {
        random::crockford().into()
    }

    /// A code counts as it is read, not as it is typed: small letters, hyphens, spaces and the letters that Crockford's
    /// base 32 leaves out (O for 0, I and L for 1) make no difference.
    fn code_digest(&self, belongs_to: &[u8], code: &str) -> [u8; 32] {
        let mut context = hmac::Context::with_key(&self.codes);
        // The length keeps owner and code apart: no owner's end can be taken for a code's beginning.
        context.update(&(belongs_to.len() as u64).to_be_bytes());
        context.update(belongs_to);
        context.update(as_read(code).expose_secret().as_bytes());
        leading(&context.sign())
    }

    fn same(&self, a: &[u8; 32], b: &[u8; 32]) -> bool {
        a.ct_eq(b).into()
    }

    fn cursor_mac(&self, cursor: &[u8]) -> [u8; 8] {
        leading(&hmac::sign(&self.cursors, cursor))
    }

    fn audit_mac(&self, canonical: &[u8]) -> [u8; 32] {
        leading(&hmac::sign(&self.audit, canonical))
    }

    fn fingerprint(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut context = hmac::Context::with_key(&self.fingerprints);
        for part in parts {
            // The length keeps the parts apart.
            context.update(&(part.len() as u64).to_be_bytes());
            context.update(part);
        }
        leading(&context.sign())
    }

    fn seal_for(&self, holder: &SecretSlice<u8>, plain: &[u8]) -> Vec<u8> {
        seal(&key_of(holder), HELD, plain)
    }

    fn open_for(&self, holder: &SecretSlice<u8>, sealed: &[u8]) -> Result<Vec<u8>, DoesNotOpen> {
        open(&key_of(holder), HELD, sealed)
    }

    fn seal(&self, place: &str, plain: &[u8]) -> Vec<u8> {
        match &self.data_key {
            Some((number, key)) => AesEnvelopes.seal(key, *number, place.as_bytes(), plain),
            None => seal(&self.sealing, place, plain),
        }
    }

    fn open(&self, place: &str, sealed: &[u8]) -> Result<Vec<u8>, DoesNotOpen> {
        match (&self.data_key, sealed.first()) {
            (Some((number, key)), Some(&envelope::FORM)) => {
                let opened = AesEnvelopes.open(key, *number, place.as_bytes(), sealed)?;
                Ok(opened.expose_secret().to_vec())
            }
            _ => open(&self.sealing, place, sealed),
        }
    }
}

/// The place of what is sealed under a key that its holder brings.
const HELD: &str = "held by its caller";

/// The key that comes of what a caller holds, by HKDF-SHA256 (RFC 5869).
#[expect(clippy::expect_used, reason = "HKDF-SHA256 gives 32 bytes, and AES-256-GCM takes every key of that length")]
fn key_of(holder: &SecretSlice<u8>) -> RandomizedNonceKey {
    let mut key = Zeroizing::new([0; 32]);
    Salt::new(HKDF_SHA256, b"tradepost held v1")
        .extract(holder.expose_secret())
        .expand(&[b"answers"], HKDF_SHA256)
        .and_then(|output| output.fill(key.as_mut_slice()))
        .expect("32 bytes can be derived");
    RandomizedNonceKey::new(&AES_256_GCM, key.as_slice()).expect("a key of 32 bytes")
}

#[expect(clippy::expect_used, reason = "AES-256-GCM seals anything up to 64 GiB")]
fn seal(key: &RandomizedNonceKey, place: &str, plain: &[u8]) -> Vec<u8> {
    let mut sealed = plain.to_vec();
    let nonce = key.seal_in_place_append_tag(bound_to(place), &mut sealed).expect("a value below 64 GiB");
    [[SEALED_V1].as_slice(), nonce.as_ref(), &sealed].concat()
}

fn open(key: &RandomizedNonceKey, place: &str, sealed: &[u8]) -> Result<Vec<u8>, DoesNotOpen> {
    let Some((&SEALED_V1, rest)) = sealed.split_first() else { return Err(DoesNotOpen) };
    let (nonce, ciphertext) = rest.split_first_chunk::<NONCE_LEN>().ok_or(DoesNotOpen)?;
    let mut opened = ciphertext.to_vec();
    let nonce = Nonce::assume_unique_for_key(*nonce);
    let length = key.open_in_place(nonce, bound_to(place), &mut opened).map_err(|_| DoesNotOpen)?.len();
    opened.truncate(length);
    Ok(opened)
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Vault(..)")
    }
}

/// What a sealed value is bound to: the version of its form and its place.
fn bound_to(place: &str) -> Aad<Vec<u8>> {
    Aad::from([[SEALED_V1].as_slice(), place.as_bytes()].concat())
}

/// The first bytes of an HMAC-SHA-256, which has 32.
fn leading<const N: usize>(tag: &hmac::Tag) -> [u8; N] {
    std::array::from_fn(|position| tag.as_ref()[position])
}

/// The code without what people add or confuse when they type it.
fn as_read(code: &str) -> SecretString {
    let read = code.chars().filter(|character| !matches!(character, '-' | ' ')).map(|character| match character {
        'o' | 'O' => '0',
        'i' | 'I' | 'l' | 'L' => '1',
        other => other.to_ascii_uppercase(),
    });
    read.collect::<String>().into()
}

#[cfg(test)]
mod tests;
