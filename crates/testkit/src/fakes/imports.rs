//! A reader of imports that gives what a test has put there.

use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use tradepost_ports::imports::{ImportContent, ImportReader, ReadAccount, ReadHolding, UnreadableImport};

/// Gives the same accounts and the same holdings for every content until a test sets others.
#[derive(Debug)]
pub struct FakeImportReader {
    accounts: Mutex<Result<Vec<ReadAccount>, UnreadableImport>>,
    holdings: Mutex<Vec<ReadHolding>>,
}

impl Default for FakeImportReader {
    fn default() -> Self {
        Self { accounts: Mutex::new(Ok(Vec::new())), holdings: Mutex::default() }
    }
}

impl FakeImportReader {
    /// Sets what every content is read as from now on.
    pub fn reads(&self, as_read: Result<Vec<ReadAccount>, UnreadableImport>) {
        *self.accounts.lock().unwrap_or_else(PoisonError::into_inner) = as_read;
    }

    /// Sets the holdings that every content is read as from now on.
    pub fn reads_holdings(&self, as_read: Vec<ReadHolding>) {
        *self.holdings.lock().unwrap_or_else(PoisonError::into_inner) = as_read;
    }
}

#[async_trait]
impl ImportReader for FakeImportReader {
    async fn read(&self, _content: ImportContent) -> Result<Vec<ReadAccount>, UnreadableImport> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn read_holdings(&self, _content: ImportContent) -> Result<Vec<ReadHolding>, UnreadableImport> {
        Ok(self.holdings.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }
}
