//! The trade offers and trades of an account as the platform shows them, read once for all items that are followed in a pass: read for
//! each of them, what a pass reads would grow with the square of what is being delivered.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::game_platform::{Offer, PlatformResult, Trade};

use crate::context::Context;
use crate::error::EngineResult;

/// What was read in this pass.
#[derive(Debug, Default)]
pub(crate) struct PlatformSnapshot {
    offers: AccountReads<Offer>,
    trades: AccountReads<Trade>,
}

/// What was read of each account.
#[derive(Debug)]
struct AccountReads<T>(Mutex<HashMap<PlatformUserId, Arc<AccountRead<T>>>>);

/// A read of an account: its start, and the result. Another caller waits while it is read.
type AccountRead<T> = tokio::sync::Mutex<Option<(Timestamp, Arc<[T]>)>>;

impl<T> Default for AccountReads<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> AccountReads<T> {
    fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn for_account(&self, account: PlatformUserId) -> Arc<AccountRead<T>> {
        Arc::clone(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(account).or_default())
    }

    /// What was read of the account since then or before; read now if nothing was.
    async fn read_since(
        &self,
        account: PlatformUserId,
        since: Timestamp,
        read: impl Future<Output = PlatformResult<Vec<T>>> + Send,
    ) -> EngineResult<Arc<[T]>> {
        let reading = self.for_account(account);
        let mut known = reading.lock().await;
        if let Some((_, shown)) = known.as_ref().filter(|(from, _)| *from <= since) {
            return Ok(Arc::clone(shown));
        }
        let shown: Arc<[T]> = read.await?.into();
        *known = Some((since, Arc::clone(&shown)));
        Ok(shown)
    }
}

impl Context {
    /// What was read of offers and trades before is forgotten: another pass begins.
    pub(crate) fn begin_platform_reads(&self) {
        let PlatformSnapshot { offers, trades } = &self.state.platform.snapshot;
        offers.clear();
        trades.clear();
    }

    /// The offers whose status changed at this time or later, and maybe others, as they were when they were read in this pass.
    pub(crate) async fn offers_since(&self, account: PlatformUserId, since: Timestamp) -> EngineResult<Arc<[Offer]>> {
        self.state.platform.snapshot.offers.read_since(account, since, self.desk.platform.offers(account, since)).await
    }

    /// The same of the trades that began then or later.
    pub(crate) async fn trades_since(&self, account: PlatformUserId, since: Timestamp) -> EngineResult<Arc<[Trade]>> {
        self.state.platform.snapshot.trades.read_since(account, since, self.desk.platform.trades(account, since)).await
    }
}
