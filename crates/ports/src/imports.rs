//! Reading accounts that other programs keep, and lists of items that accounts hold, bought or sold.

use async_trait::async_trait;
use secrecy::{SecretSlice, SecretString};

pub use tradepost_domain::trading::import::{HoldingField, ImportFormat, ReadField, ReasonCode};

/// The most bytes of a content.
pub const MOST_CONTENT_BYTES: usize = 4 * 1024 * 1024;

/// The most encrypted files of a content. Deriving the key of one takes many milliseconds.
pub const MOST_ENCRYPTED: usize = 200;

/// What is to be read.
#[derive(Debug)]
pub struct ImportContent {
    /// How it is written.
    pub format: ImportFormat,
    /// The content.
    pub bytes: SecretSlice<u8>,
    /// The passphrase of what is encrypted.
    pub passphrase: Option<SecretString>,
}

/// An account as it was read. Nothing of it is checked. Its `Debug` shows no secret.
#[derive(Debug, Clone, Default)]
pub struct ReadAccount {
    /// The platform's number.
    pub platform_user_id: Option<String>,
    /// The name for people.
    pub name: Option<String>,
    /// The other fields. Secrets of the mobile authenticator are in Base64.
    pub fields: Vec<(ReadField, SecretString)>,
    /// Why the account could not be read; nothing else is known then.
    pub fault: Option<ReadFault>,
}

/// A holding, or the purchase or the sale of an item, as it was read. Nothing of it is checked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadHolding {
    /// The fields that are given, each once.
    pub fields: Vec<(HoldingField, String)>,
    /// Why it could not be read; the fields that could be are known then.
    pub fault: Option<ReadFault>,
}

/// Why one account or holding of a content could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadFault {
    /// The kind of reason.
    pub code: ReasonCode,
    /// What was found, for people. Never a part of the content.
    pub detail: String,
}

/// Why a content could not be read at all. A text completes the name of the field and has no part of the content: "must …".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnreadableImport {
    /// It is not of its format.
    #[error("{0}")]
    Content(String),
    /// The passphrase is missing, or opens nothing.
    #[error("{0}")]
    Passphrase(String),
    /// The reader failed.
    #[error("{0}")]
    Failed(String),
}

impl ReadAccount {
    /// Returns a field.
    pub fn field(&self, field: ReadField) -> Option<&SecretString> {
        self.fields.iter().find(|(of, _)| *of == field).map(|(_, value)| value)
    }
}

/// Reads accounts that other programs keep, and holdings.
#[async_trait]
pub trait ImportReader: Send + Sync + 'static {
    /// Returns the accounts of a content in their order, those that cannot be read included. At most
    /// [`tradepost_domain::trading::import::MOST_ROWS`].
    ///
    /// # Errors
    /// [`UnreadableImport`].
    async fn read(&self, content: ImportContent) -> Result<Vec<ReadAccount>, UnreadableImport>;

    /// Returns the holdings of a content in their order, or its purchases or sales, which are written in the same way; those that cannot be read
    /// included. At most [`tradepost_domain::trading::import::MOST_ROWS`]. They are written as JSON or as comma-separated values.
    ///
    /// # Errors
    /// [`UnreadableImport`]; also for every other format.
    async fn read_holdings(&self, content: ImportContent) -> Result<Vec<ReadHolding>, UnreadableImport>;
}
