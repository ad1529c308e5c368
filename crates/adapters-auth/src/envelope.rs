//! Data keys and what is sealed under them, by AES-256-GCM. It must not know what a secret is, nor where it is stored.
//!
//! A sealed secret is one byte for the form, four for the number of its key, twelve for the nonce, the ciphertext and sixteen
//! for the tag. Bound to it are the form, the number and the place, so that it opens nowhere else and under no other key.

use std::fmt;

use async_trait::async_trait;
use aws_lc_rs::aead::{AES_256_GCM, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use secrecy::{ExposeSecret as _, SecretBox, SecretSlice};
use tradepost_domain::accounts::workspace_key::WrappedKey;
use tradepost_domain::id::WorkspaceKeyId;
use tradepost_domain::text::Name;
use tradepost_ports::envelope::{DataKey, Envelopes, KeyEncryption, KeyEncryptionError};
use tradepost_ports::secrets::UnsealError;
use zeroize::Zeroizing;

use crate::random;
use crate::root_secret::RootSecret;

/// The form of what is sealed under a data key.
pub(crate) const FORM: u8 = 2;
/// Form and number.
const HEAD: usize = 5;

/// Seals under data keys.
#[derive(Debug, Clone, Copy, Default)]
pub struct AesEnvelopes;

impl Envelopes for AesEnvelopes {
    fn new_key(&self) -> DataKey {
        SecretBox::new(Box::new(random::bytes()))
    }

    fn seal(&self, key: &DataKey, number: u32, place: &[u8], plain: &[u8]) -> Vec<u8> {
        let head = head(number);
        let mut sealed = head.to_vec();
        sealed.extend(encrypt(&cipher(key), &bound_to(head, place), plain));
        sealed
    }

    fn open(&self, key: &DataKey, number: u32, place: &[u8], sealed: &[u8]) -> Result<SecretSlice<u8>, UnsealError> {
        let head = head(number);
        let rest = sealed.strip_prefix(&head).ok_or(UnsealError)?;
        decrypt(&cipher(key), &bound_to(head, place), rest).map(|plain| SecretSlice::from(plain.to_vec()))
    }
}

/// The key-encryption key that is derived from the root secret. One of a former root secret opens, too.
pub struct LocalKeyEncryption {
    newest: RandomizedNonceKey,
    former: Option<RandomizedNonceKey>,
    key_id: Name,
}

impl LocalKeyEncryption {
    /// Derives the key.
    #[expect(clippy::expect_used, reason = "eleven letters make a name")]
    pub fn new(root: &RootSecret) -> Self {
        Self { newest: derived(root), former: None, key_id: Name::new("root-secret").expect("a name") }
    }

    /// Opens what was sealed under another root secret, too.
    #[must_use]
    pub fn with_former(self, root: &RootSecret) -> Self {
        Self { former: Some(derived(root)), ..self }
    }
}

#[async_trait]
impl KeyEncryption for LocalKeyEncryption {
    fn key_id(&self) -> Name {
        self.key_id.clone()
    }

    /// Whether it opens under the newest root secret: the key's id is the same under all.
    fn is_current(&self, of: WorkspaceKeyId, wrapped: &WrappedKey) -> bool {
        wrapped.key_id == self.key_id && decrypt(&self.newest, &of.to_bytes(), &wrapped.bytes).is_ok()
    }

    async fn wrap(&self, of: WorkspaceKeyId, key: &DataKey) -> Result<WrappedKey, KeyEncryptionError> {
        let bytes = encrypt(&self.newest, &of.to_bytes(), key.expose_secret());
        Ok(WrappedKey { key_id: self.key_id(), bytes })
    }

    async fn unwrap(&self, of: WorkspaceKeyId, wrapped: &WrappedKey) -> Result<DataKey, KeyEncryptionError> {
        if wrapped.key_id != self.key_id {
            return Err(KeyEncryptionError::OtherKey(wrapped.key_id.clone()));
        }
        let mut ciphers = std::iter::once(&self.newest).chain(&self.former);
        let opened = ciphers.find_map(|cipher| decrypt(cipher, &of.to_bytes(), &wrapped.bytes).ok());
        let key = opened.ok_or(KeyEncryptionError::DoesNotOpen)?;
        let key = <[u8; 32]>::try_from(key.as_slice()).map_err(|_| KeyEncryptionError::DoesNotOpen)?;
        Ok(SecretBox::new(Box::new(key)))
    }
}

impl fmt::Debug for LocalKeyEncryption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LocalKeyEncryption(..)")
    }
}

fn derived(root: &RootSecret) -> RandomizedNonceKey {
    cipher(&SecretBox::new(Box::new(*root.derive("key encryption"))))
}

#[expect(clippy::expect_used, reason = "AES-256-GCM takes every key of 32 bytes")]
fn cipher(key: &DataKey) -> RandomizedNonceKey {
    RandomizedNonceKey::new(&AES_256_GCM, key.expose_secret()).expect("a key of 32 bytes")
}

fn head(number: u32) -> [u8; HEAD] {
    let [a, b, c, d] = number.to_be_bytes();
    [FORM, a, b, c, d]
}

fn bound_to(head: [u8; HEAD], place: &[u8]) -> Vec<u8> {
    [head.as_slice(), place].concat()
}

/// Nonce, ciphertext and tag.
#[expect(clippy::expect_used, reason = "AES-256-GCM seals anything up to 64 GiB")]
fn encrypt(cipher: &RandomizedNonceKey, bound: &[u8], plain: &[u8]) -> Vec<u8> {
    let mut sealed = plain.to_vec();
    let nonce = cipher.seal_in_place_append_tag(Aad::from(bound), &mut sealed).expect("a value below 64 GiB");
    [nonce.as_ref().as_slice(), &sealed].concat()
}

fn decrypt(cipher: &RandomizedNonceKey, bound: &[u8], sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, UnsealError> {
    let (nonce, ciphertext) = sealed.split_first_chunk::<NONCE_LEN>().ok_or(UnsealError)?;
    let mut opened = Zeroizing::new(ciphertext.to_vec());
    let nonce = Nonce::assume_unique_for_key(*nonce);
    let length = cipher.open_in_place(nonce, Aad::from(bound), &mut opened).map_err(|_| UnsealError)?.len();
    opened.truncate(length);
    Ok(opened)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key_encryption(byte: u8) -> LocalKeyEncryption {
        LocalKeyEncryption::new(&RootSecret::from_bytes([byte; 32]))
    }

    #[test]
    fn a_secret_opens_under_its_key_number_and_place_only() {
        let [key, other] = [AesEnvelopes.new_key(), AesEnvelopes.new_key()];
        let sealed = AesEnvelopes.seal(&key, 7, b"here", b"hunter2");
        assert_eq!(sealed.len(), HEAD + NONCE_LEN + 7 + 16);
        let opened = AesEnvelopes.open(&key, 7, b"here", &sealed).unwrap();
        assert_eq!(opened.expose_secret(), b"hunter2");
        assert!(AesEnvelopes.open(&other, 7, b"here", &sealed).is_err());
        assert!(AesEnvelopes.open(&key, 8, b"here", &sealed).is_err());
        assert!(AesEnvelopes.open(&key, 7, b"elsewhere", &sealed).is_err());
        let mut renumbered = sealed.clone();
        renumbered[4] = 8;
        assert!(AesEnvelopes.open(&key, 8, b"here", &renumbered).is_err());
    }

    #[test]
    fn no_changed_byte_and_no_cut_goes_unnoticed() {
        let key = AesEnvelopes.new_key();
        let sealed = AesEnvelopes.seal(&key, 1, b"here", b"a secret");
        for position in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[position] ^= 1;
            assert!(AesEnvelopes.open(&key, 1, b"here", &changed).is_err(), "{position}");
            assert!(AesEnvelopes.open(&key, 1, b"here", &sealed[..position]).is_err(), "{position}");
        }
    }

    #[test]
    fn the_same_secret_is_sealed_differently_each_time() {
        let key = AesEnvelopes.new_key();
        assert_ne!(AesEnvelopes.seal(&key, 1, b"here", b"same"), AesEnvelopes.seal(&key, 1, b"here", b"same"));
    }

    #[tokio::test]
    async fn a_data_key_opens_under_its_own_root_secret_and_for_its_own_record_only() {
        let (of, other) = (WorkspaceKeyId::from_bytes([1; 16]), WorkspaceKeyId::from_bytes([2; 16]));
        let key = AesEnvelopes.new_key();
        let wrapped = key_encryption(7).wrap(of, &key).await.unwrap();
        let opened = key_encryption(7).unwrap(of, &wrapped).await.unwrap();
        assert_eq!(opened.expose_secret(), key.expose_secret());
        assert!(!wrapped.bytes.windows(32).any(|bytes| bytes == key.expose_secret()));
        assert_eq!(key_encryption(7).unwrap(other, &wrapped).await.unwrap_err(), KeyEncryptionError::DoesNotOpen);
        assert_eq!(key_encryption(8).unwrap(of, &wrapped).await.unwrap_err(), KeyEncryptionError::DoesNotOpen);
        let elsewhere = WrappedKey { key_id: Name::new("kms").unwrap(), ..wrapped };
        let refused = key_encryption(7).unwrap(of, &elsewhere).await.unwrap_err();
        assert_eq!(refused, KeyEncryptionError::OtherKey(Name::new("kms").unwrap()));
    }

    #[tokio::test]
    async fn a_data_key_opens_under_the_former_root_secret_and_is_sealed_under_the_newest() {
        let (of, key) = (WorkspaceKeyId::from_bytes([1; 16]), AesEnvelopes.new_key());
        let both = key_encryption(8).with_former(&RootSecret::from_bytes([7; 32]));
        let before = key_encryption(7).wrap(of, &key).await.unwrap();
        let again = both.wrap(of, &both.unwrap(of, &before).await.unwrap()).await.unwrap();
        assert_eq!(key_encryption(8).unwrap(of, &again).await.unwrap().expose_secret(), key.expose_secret());
        assert_eq!([both.is_current(of, &before), both.is_current(of, &again)], [false, true]);
        assert_eq!(key_encryption(7).unwrap(of, &again).await.unwrap_err(), KeyEncryptionError::DoesNotOpen);
    }
}
