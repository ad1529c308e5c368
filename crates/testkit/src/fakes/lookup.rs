//! A marketplace that is asked about purchases, and says what it was told to say.

use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::text::Marketplace;

use crate::samples::text;
use tradepost_ports::purchase_lookup::{LookupFailed, LookupResult, PurchaseLookup};

/// Reaches the marketplace of one name for every workspace, and gives one answer to everybody until it is given another one.
#[derive(Debug)]
pub struct FakeLookup {
    marketplace: Marketplace,
    answer: Mutex<Result<LookupResult, LookupFailed>>,
}

impl FakeLookup {
    /// A marketplace that says nothing new.
    ///
    /// # Panics
    /// On a name that the domain refuses.
    pub fn of(marketplace: &str) -> Self {
        Self { marketplace: text(marketplace), answer: Mutex::new(Ok(LookupResult::Nothing)) }
    }

    /// Says this from now on.
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
