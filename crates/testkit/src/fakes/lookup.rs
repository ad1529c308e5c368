//! A marketplace for look-ups of purchases that gives the answer that a test set.

use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::text::Marketplace;

use crate::samples::text;
use tradepost_ports::purchase_lookup::{LookupFailed, LookupResult, PurchaseLookup};

/// Reaches the marketplace of one name for every workspace, and gives every caller the same answer until a test sets another one.
#[derive(Debug)]
pub struct FakeLookup {
    marketplace: Marketplace,
    answer: Mutex<Result<LookupResult, LookupFailed>>,
}

impl FakeLookup {
    /// Returns a marketplace without news.
    ///
    /// # Panics
    /// On a name that the domain rejects.
    pub fn of(marketplace: &str) -> Self {
        Self { marketplace: text(marketplace), answer: Mutex::new(Ok(LookupResult::Nothing)) }
    }

    /// Sets the answer from now on.
    pub fn say(&self, answer: Result<LookupResult, LookupFailed>) {
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = answer;
    }
}

#[async_trait]
impl PurchaseLookup for FakeLookup {
    fn reaches(&self, _: WorkspaceId, marketplace: &Marketplace) -> bool {
        self.marketplace == *marketplace
    }

    async fn look_up(&self, _: &Purchase) -> Result<LookupResult, LookupFailed> {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
