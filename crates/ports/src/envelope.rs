//! Envelope encryption: every secret is sealed under a data key, and data keys are kept sealed under a key-encryption key that
//! storage never sees.

use async_trait::async_trait;
use secrecy::{SecretBox, SecretSlice};
use tradepost_domain::accounts::workspace_key::WrappedKey;
use tradepost_domain::id::WorkspaceKeyId;
use tradepost_domain::text::Name;

use crate::secrets::UnsealError;

/// A key of 256 bits that seals secrets. Wiped when it is dropped.
pub type DataKey = SecretBox<[u8; 32]>;

/// Why a data key cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyEncryptionError {
    /// It was sealed under another key-encryption key.
    #[error("the key was sealed under the key-encryption key {0}, which is not the one at hand")]
    OtherKey(Name),
    /// The bytes are not what was sealed for this key.
    #[error("the sealed key does not open: it was changed or moved")]
    DoesNotOpen,
    /// Whatever holds the key-encryption key does not answer. Nothing was done.
    #[error("the key-encryption key cannot be reached: {0}")]
    Unavailable(String),
}

/// Seals and opens data keys: a key derived from the root secret by default, or a service that keeps it.
#[async_trait]
pub trait KeyEncryption: Send + Sync {
    /// Which key-encryption key seals now.
    fn key_id(&self) -> Name;

    /// Whether the key-encryption key that seals now has sealed this data key. One that another has sealed is sealed anew at the
    /// next start.
    fn is_current(&self, _of: WorkspaceKeyId, wrapped: &WrappedKey) -> bool {
        wrapped.key_id == self.key_id()
    }

    /// Seals a data key for the record that will hold it.
    ///
    /// # Errors
    /// [`KeyEncryptionError::Unavailable`].
    async fn wrap(&self, of: WorkspaceKeyId, key: &DataKey) -> Result<WrappedKey, KeyEncryptionError>;

    /// Opens a data key.
    ///
    /// # Errors
    /// [`KeyEncryptionError`].
    async fn unwrap(&self, of: WorkspaceKeyId, wrapped: &WrappedKey) -> Result<DataKey, KeyEncryptionError>;
}

/// Seals and opens secrets under data keys: authenticated, so that what was changed or moved does not open.
pub trait Envelopes: Send + Sync {
    /// A new data key.
    fn new_key(&self) -> DataKey;

    /// Seals a secret under the data key with this number. `place` stands for the one field where it may be opened.
    fn seal(&self, key: &DataKey, number: u32, place: &[u8], plain: &[u8]) -> Vec<u8>;

    /// Opens what was sealed under the data key with this number for this place.
    ///
    /// # Errors
    /// [`UnsealError`] for anything else.
    fn open(&self, key: &DataKey, number: u32, place: &[u8], sealed: &[u8]) -> Result<SecretSlice<u8>, UnsealError>;
}
