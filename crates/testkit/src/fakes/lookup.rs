//! A marketplace for look-ups of purchases that gives the answer that a test set.

use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::text::Marketplace;

use crate::samples::text;
use tradepost_ports::purchase_lookup::{AbsenceReading, LookupFailed, LookupResult, PurchaseLookup};

/// Reaches the marketplace of one name for every workspace, and gives every caller the same answer until a test sets another one.
#[derive(Debug)]
pub struct FakeLookup {
    marketplace: Marketplace,
    answer: Mutex<Result<LookupResult, LookupFailed>>,
    reading: Mutex<Result<AbsenceReading, LookupFailed>>,
}

impl FakeLookup {
    /// Returns a marketplace without news.
    ///
    /// # Panics
    /// On a name that the domain rejects.
    pub fn of(marketplace: &str) -> Self {
        let reading = Mutex::new(Err(LookupFailed("no reading was set".to_owned())));
        Self { marketplace: text(marketplace), answer: Mutex::new(Ok(LookupResult::Nothing)), reading }
    }

    /// Sets the answer from now on.
    pub fn say(&self, answer: Result<LookupResult, LookupFailed>) {
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = answer;
    }

    /// Sets what is read of the absence of an order from now on.
    pub fn show(&self, reading: Result<AbsenceReading, LookupFailed>) {
        *self.reading.lock().unwrap_or_else(PoisonError::into_inner) = reading;
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

    async fn read_absence(&self, _: &Purchase) -> Result<AbsenceReading, LookupFailed> {
        self.reading.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
