//! Envelope encryption. Every secret is sealed under a data key. Data keys are stored sealed under a key-encryption key that storage never
//! sees.

use async_trait::async_trait;
use secrecy::{SecretBox, SecretSlice};
use tradepost_domain::accounts::workspace_key::WrappedKey;
use tradepost_domain::id::WorkspaceKeyId;
use tradepost_domain::text::Name;

use crate::secrets::UnsealError;

/// A key of 256 bits that seals secrets. Wiped when it is dropped.
pub type DataKey = SecretBox<[u8; 32]>;

/// The reason why a data key is not available.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyEncryptionError {
    /// The data key was sealed under another key-encryption key.
    #[error("the key was sealed under the key-encryption key {0}, which is not the one at hand")]
    OtherKey(Name),
    /// The bytes differ from those that were sealed for this key.
    #[error("the sealed key does not open: it was changed or moved")]
    DoesNotOpen,
    /// The holder of the key-encryption key does not answer. Nothing was done.
    #[error("the key-encryption key cannot be reached: {0}")]
    Unavailable(String),
}

/// Seals and opens data keys: a key derived from the root secret by default, or a service that keeps it.
#[async_trait]
pub trait KeyEncryption: Send + Sync {
    /// Returns the id of the key-encryption key that seals now.
    fn key_id(&self) -> Name;

    /// Returns whether the current key-encryption key sealed this data key. A data key that another one sealed is resealed at the next
    /// start.
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

/// Seals and opens secrets under data keys. The sealing is authenticated, so changed or moved bytes do not open.
pub trait Envelopes: Send + Sync {
    /// Returns a new data key.
    fn new_key(&self) -> DataKey;

    /// Seals a secret under the data key with this number. `place` identifies the one field where it may be opened.
    fn seal(&self, key: &DataKey, number: u32, place: &[u8], plain: &[u8]) -> Vec<u8>;

    /// Opens bytes that were sealed under the data key with this number for this place.
    ///
    /// # Errors
    /// [`UnsealError`] for anything else.
    fn open(&self, key: &DataKey, number: u32, place: &[u8], sealed: &[u8]) -> Result<SecretSlice<u8>, UnsealError>;
}
