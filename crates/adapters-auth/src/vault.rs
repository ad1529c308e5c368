//! Tokens, digests and codes under keys derived from the root secret, and sealing under the installation's own data key. It must
//! not know who holds a token or where a sealed value lies; the caller passes both.

mod keys;

use std::fmt;

use aws_lc_rs::aead::{AES_256_GCM, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use aws_lc_rs::hkdf::{HKDF_SHA256, Salt};
use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use secrecy::{ExposeSecret as _, SecretSlice, SecretString};
use subtle::{Choice, ConstantTimeEq as _};
use tradepost_domain::accounts::api_key::{PepperId, TokenDigest};
use tradepost_ports::envelope::{DataKey, Envelopes as _};
use tradepost_ports::secrets::{AuditKeySource, IssuedToken, NotAToken, Secrets, TokenKind, UnsealError};
use zeroize::Zeroizing;

use crate::envelope::{self, AesEnvelopes};
use crate::root_secret::RootSecret;
use crate::{random, token};

use keys::{AUDIT, Keys, leading};

/// First byte of a value sealed under the root secret's own key: AES-256-GCM, then 12 bytes nonce, ciphertext, 16 bytes tag.
const SEALED_V1: u8 = 1;

/// The place of the key by which events of the audit log are checked once their root secret was taken away.
const AUDIT_KEY: &str = "installation.value/audit key of a former root secret";

/// The secrets of an installation: made under its newest root secret, and accepted under a former one, too.
pub struct Vault {
    // Boxed: some kilobytes each, which would lie in every future that opens a vault.
    newest: Box<Keys>,
    former: Option<Box<Keys>>,
    /// By which events are checked that were written under root secrets of before.
    gone: Vec<hmac::Key>,
    data_key: Option<(u32, DataKey)>,
}

impl Vault {
    /// Derives the keys.
    pub fn new(root: &RootSecret) -> Self {
        Self { newest: Box::new(Keys::of(root)), former: None, gone: Vec::new(), data_key: None }
    }

    /// Accepts what was made under another root secret, too.
    #[must_use]
    pub fn with_former(self, root: &RootSecret) -> Self {
        Self { former: Some(Box::new(Keys::of(root))), ..self }
    }

    /// Seals under the installation's data key, which has this number, from now on. What was sealed before still opens.
    #[must_use]
    pub fn with_data_key(self, number: u32, key: DataKey) -> Self {
        Self { data_key: Some((number, key)), ..self }
    }

    /// Of a root secret that is to be taken away, the key by which its events of the audit log are checked: sealed, for
    /// [`Vault::accept_audit_key`]. Nothing else can be done with it.
    pub fn seal_audit_key_of(&self, root: &RootSecret) -> Vec<u8> {
        self.seal(AUDIT_KEY, root.derive(AUDIT).as_slice())
    }

    /// Checks events of the audit log by this key, too.
    ///
    /// # Errors
    /// [`UnsealError`] unless [`Vault::seal_audit_key_of`] sealed it.
    pub fn accept_audit_key(&mut self, sealed: &[u8]) -> Result<(), UnsealError> {
        let key = Zeroizing::new(self.open(AUDIT_KEY, sealed)?);
        self.gone.push(hmac::Key::new(hmac::HMAC_SHA256, &key));
        Ok(())
    }

    /// The keys at hand, the newest first.
    fn at_hand(&self) -> impl Iterator<Item = &Keys> {
        std::iter::once(&*self.newest).chain(self.former.as_deref())
    }
}

impl Secrets for Vault {
    fn issue(&self, kind: TokenKind) -> IssuedToken {
        let secret = token::make(kind);
        IssuedToken { prefix: token::shown(&secret), digest: self.newest.token(secret.expose_secret()), secret }
    }

    fn digest(&self, kind: TokenKind, token: &str) -> Result<TokenDigest, NotAToken> {
        token::check(kind, token)?;
        Ok(self.newest.token(token))
    }

    fn former_digest(&self, kind: TokenKind, token: &str) -> Option<TokenDigest> {
        token::check(kind, token).ok()?;
        self.former.as_ref().map(|former| former.token(token))
    }

    fn pepper(&self) -> PepperId {
        self.newest.pepper_id
    }

    fn numeric_code(&self) -> SecretString {
        random::eight_digits().into()
    }

    fn recovery_code(&self) -> SecretString {
        random::crockford().into()
    }

    fn webhook_secret(&self) -> SecretString {
        format!("whsec_{}", STANDARD.encode(random::bytes::<32>())).into()
    }

    /// A code counts as it is read, not as it is typed: small letters, hyphens, spaces and the letters that Crockford's
    /// base 32 leaves out (O for 0, I and L for 1) make no difference.
    fn code_digest(&self, belongs_to: &[u8], code: &str) -> [u8; 32] {
        self.newest.code(belongs_to, &as_read(code))
    }

    fn is_code(&self, belongs_to: &[u8], code: &str, digest: &[u8; 32]) -> bool {
        let read = as_read(code);
        is_one_of(self.at_hand().map(|keys| keys.code(belongs_to, &read)), digest)
    }

    fn cursor_mac(&self, cursor: &[u8]) -> [u8; 8] {
        leading(&hmac::sign(&self.newest.cursors, cursor))
    }

    fn is_cursor_mac(&self, cursor: &[u8], mac: &[u8; 8]) -> bool {
        is_one_of(self.at_hand().map(|keys| leading(&hmac::sign(&keys.cursors, cursor))), mac)
    }

    fn audit_mac(&self, canonical: &[u8]) -> [u8; 32] {
        leading(&hmac::sign(&self.newest.audit, canonical))
    }

    fn audit_key_source(&self, canonical: &[u8], mac: &[u8; 32]) -> Option<AuditKeySource> {
        let is_by = |key: &hmac::Key| hmac::verify(key, canonical, mac).is_ok();
        if is_by(&self.newest.audit) {
            Some(AuditKeySource::Current)
        } else if self.former.as_ref().is_some_and(|former| is_by(&former.audit)) {
            Some(AuditKeySource::Former)
        } else {
            self.gone.iter().any(is_by).then_some(AuditKeySource::Removed)
        }
    }

    fn fingerprint(&self, parts: &[&[u8]]) -> [u8; 32] {
        self.newest.fingerprint(parts)
    }

    fn former_fingerprint(&self, parts: &[&[u8]]) -> Option<[u8; 32]> {
        self.former.as_ref().map(|former| former.fingerprint(parts))
    }

    fn seal_for(&self, holder: &SecretSlice<u8>, plain: &[u8]) -> Vec<u8> {
        seal(&key_of(holder), HELD, plain)
    }

    fn open_for(&self, holder: &SecretSlice<u8>, sealed: &[u8]) -> Result<Vec<u8>, UnsealError> {
        open(&key_of(holder), HELD, sealed)
    }

    fn seal(&self, place: &str, plain: &[u8]) -> Vec<u8> {
        match &self.data_key {
            Some((number, key)) => AesEnvelopes.seal(key, *number, place.as_bytes(), plain),
            None => seal(&self.newest.sealing, place, plain),
        }
    }

    fn open(&self, place: &str, sealed: &[u8]) -> Result<Vec<u8>, UnsealError> {
        match (&self.data_key, sealed.first()) {
            (Some((number, key)), Some(&envelope::FORM)) => {
                let opened = AesEnvelopes.open(key, *number, place.as_bytes(), sealed)?;
                Ok(opened.expose_secret().to_vec())
            }
            _ => self.at_hand().find_map(|keys| open(&keys.sealing, place, sealed).ok()).ok_or(UnsealError),
        }
    }
}

/// Whether a value is one of these, in a time that does not reveal which.
fn is_one_of<const N: usize>(made: impl Iterator<Item = [u8; N]>, value: &[u8; N]) -> bool {
    made.fold(Choice::from(0), |found, made| found | made.ct_eq(value)).into()
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

fn open(key: &RandomizedNonceKey, place: &str, sealed: &[u8]) -> Result<Vec<u8>, UnsealError> {
    let Some((&SEALED_V1, rest)) = sealed.split_first() else { return Err(UnsealError) };
    let (nonce, ciphertext) = rest.split_first_chunk::<NONCE_LEN>().ok_or(UnsealError)?;
    let mut opened = ciphertext.to_vec();
    let nonce = Nonce::assume_unique_for_key(*nonce);
    let length = key.open_in_place(nonce, bound_to(place), &mut opened).map_err(|_| UnsealError)?.len();
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
