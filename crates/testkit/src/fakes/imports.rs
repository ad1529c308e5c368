//! A reader of imports that gives what a test has put there.

use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use tradepost_ports::imports::{ImportContent, ImportReader, ReadAccount, UnreadableImport};

/// Gives the same accounts for every content until a test sets others.
#[derive(Debug)]
pub struct FakeImportReader(Mutex<Result<Vec<ReadAccount>, UnreadableImport>>);

impl Default for FakeImportReader {
    fn default() -> Self {
        Self(Mutex::new(Ok(Vec::new())))
    }
}

impl FakeImportReader {
    /// Sets what every content is read as from now on.
    pub fn reads(&self, as_read: Result<Vec<ReadAccount>, UnreadableImport>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = as_read;
    }
}

#[async_trait]
impl ImportReader for FakeImportReader {
    async fn read(&self, _content: ImportContent) -> Result<Vec<ReadAccount>, UnreadableImport> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
