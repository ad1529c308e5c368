//! The trade offers and trades of an account as the platform shows them, read once for all items that are followed in a pass: read for
//! each of them, what a pass reads would grow with the square of what is being delivered.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tradepost_domain::time::Timestamp;
use tradepost_domain::trade::PlatformUserId;
use tradepost_ports::game_platform::{Offer, PlatformResult, Trade};

use crate::Engine;
use crate::trouble::Tried;

/// What was read in this pass.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    offers: Readings<Offer>,
    trades: Readings<Trade>,
}

/// What was read of each account.
#[derive(Debug)]
struct Readings<T>(Mutex<HashMap<PlatformUserId, Arc<Reading<T>>>>);

/// What was read of an account: since when, and what. Whoever comes while it is read waits for it.
type Reading<T> = tokio::sync::Mutex<Option<(Timestamp, Arc<[T]>)>>;

impl Shown {
    /// Another pass begins.
    pub(crate) fn forget(&self) {
        self.offers.forget();
        self.trades.forget();
    }
}

impl<T> Default for Readings<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Readings<T> {
    fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn of(&self, account: PlatformUserId) -> Arc<Reading<T>> {
        Arc::clone(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(account).or_default())
    }

    /// What was read of the account since then or before; read now if nothing was.
    async fn since(
        &self,
        (account, since): (PlatformUserId, Timestamp),
        read: impl Future<Output = PlatformResult<Vec<T>>> + Send,
    ) -> Tried<Arc<[T]>> {
        let reading = self.of(account);
        let mut known = reading.lock().await;
        if let Some((_, shown)) = known.as_ref().filter(|(from, _)| *from <= since) {
            return Ok(Arc::clone(shown));
        }
        let shown: Arc<[T]> = read.await?.into();
        *known = Some((since, Arc::clone(&shown)));
        Ok(shown)
    }
}

impl Engine {
    /// The offers whose status changed at this time or later, and maybe others, as they were when they were read in this pass.
    pub(crate) async fn offers_shown(&self, account: PlatformUserId, since: Timestamp) -> Tried<Arc<[Offer]>> {
        self.shown.offers.since((account, since), self.desk.platform.offers(account, since)).await
    }

    /// The same of the trades that began then or later.
    pub(crate) async fn trades_shown(&self, account: PlatformUserId, since: Timestamp) -> Tried<Arc<[Trade]>> {
        self.shown.trades.since((account, since), self.desk.platform.trades(account, since)).await
    }
}
