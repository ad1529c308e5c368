//! Envelopes that hide nothing but keep their place and key: for tests only.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use async_trait::async_trait;
use secrecy::{ExposeSecret as _, SecretBox, SecretSlice};
use tradepost_domain::accounts::workspace_key::WrappedKey;
use tradepost_domain::id::WorkspaceKeyId;
use tradepost_domain::text::Name;

use crate::samples::text;
use tradepost_ports::envelope::{DataKey, Envelopes, KeyEncryption, KeyEncryptionError};
use tradepost_ports::secrets::UnsealError;

/// Counted keys; a sealed value follows its key, number and place.
#[derive(Debug, Default)]
pub struct FakeEnvelopes {
    made: AtomicU8,
}

impl Envelopes for FakeEnvelopes {
    fn new_key(&self) -> DataKey {
        SecretBox::new(Box::new([self.made.fetch_add(1, Ordering::SeqCst) + 1; 32]))
    }

    fn seal(&self, key: &DataKey, number: u32, place: &[u8], plain: &[u8]) -> Vec<u8> {
        [beginning(key, number, place).as_slice(), plain].concat()
    }

    fn open(&self, key: &DataKey, number: u32, place: &[u8], sealed: &[u8]) -> Result<SecretSlice<u8>, UnsealError> {
        let plain = sealed.strip_prefix(beginning(key, number, place).as_slice()).ok_or(UnsealError)?;
        Ok(SecretSlice::from(plain.to_vec()))
    }
}

fn beginning(key: &DataKey, number: u32, place: &[u8]) -> Vec<u8> {
    [key.expose_secret().as_slice(), &number.to_be_bytes(), place, b"="].concat()
}

/// Keeps data keys as they are, behind the id of their record, and can be unavailable.
#[derive(Debug)]
pub struct FakeKeyEncryption {
    key_id: Name,
    is_out: AtomicBool,
}

impl Default for FakeKeyEncryption {
    fn default() -> Self {
        Self::called("fake")
    }
}

impl FakeKeyEncryption {
    /// Returns one whose key-encryption key has this id. It opens data keys that other ids have sealed.
    pub fn called(key_id: &str) -> Self {
        Self { key_id: text(key_id), is_out: AtomicBool::new(false) }
    }

    /// Ends or restores the connection.
    pub fn set_out(&self, is_out: bool) {
        self.is_out.store(is_out, Ordering::SeqCst);
    }

    fn answer<T>(&self, answer: Result<T, KeyEncryptionError>) -> Result<T, KeyEncryptionError> {
        let out = || KeyEncryptionError::Unavailable("the fake is out".to_owned());
        if self.is_out.load(Ordering::SeqCst) { Err(out()) } else { answer }
    }
}

#[async_trait]
impl KeyEncryption for FakeKeyEncryption {
    fn key_id(&self) -> Name {
        self.key_id.clone()
    }

    async fn wrap(&self, of: WorkspaceKeyId, key: &DataKey) -> Result<WrappedKey, KeyEncryptionError> {
        let bytes = [of.to_bytes().as_slice(), key.expose_secret()].concat();
        self.answer(Ok(WrappedKey { key_id: self.key_id(), bytes }))
    }

    async fn unwrap(&self, of: WorkspaceKeyId, wrapped: &WrappedKey) -> Result<DataKey, KeyEncryptionError> {
        let key = wrapped.bytes.strip_prefix(&of.to_bytes()).and_then(|key| <[u8; 32]>::try_from(key).ok());
        self.answer(key.map(|key| SecretBox::new(Box::new(key))).ok_or(KeyEncryptionError::DoesNotOpen))
    }
}
