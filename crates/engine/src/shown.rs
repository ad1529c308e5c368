//! The trade offers of an account as the platform shows them, read once for all items that are followed in a pass: read for each of
//! them, what a pass reads would grow with the square of what is being delivered.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tradepost_domain::time::Timestamp;
use tradepost_domain::trade::PlatformUserId;
use tradepost_ports::game_platform::Offer;

use crate::Engine;
use crate::trouble::Tried;

/// What was read of an account: since when, and what. Whoever comes while it is read waits for it.
type Reading = tokio::sync::Mutex<Option<(Timestamp, Arc<[Offer]>)>>;

/// What was read in this pass.
#[derive(Debug, Default)]
pub(crate) struct Shown(Mutex<HashMap<PlatformUserId, Arc<Reading>>>);

impl Shown {
    /// Another pass begins.
    pub(crate) fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn of(&self, account: PlatformUserId) -> Arc<Reading> {
        Arc::clone(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(account).or_default())
    }
}

impl Engine {
    /// The offers whose status changed at this time or later, and maybe others, as they were when they were read in this pass.
    pub(crate) async fn offers_shown(&self, account: PlatformUserId, since: Timestamp) -> Tried<Arc<[Offer]>> {
        let reading = self.shown.of(account);
        let mut read = reading.lock().await;
        if let Some((_, offers)) = read.as_ref().filter(|(from, _)| *from <= since) {
            return Ok(Arc::clone(offers));
        }
        let offers: Arc<[Offer]> = self.desk.platform.offers(account, since).await?.into();
        *read = Some((since, Arc::clone(&offers)));
        Ok(offers)
    }
}
