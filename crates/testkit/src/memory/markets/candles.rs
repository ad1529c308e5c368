//! The prices of hours.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::markets::price_history::Candle;
use tradepost_domain::time::Timestamp;
use tradepost_ports::store::{Candles, HistoryQuery, StoreResult, Worlds};

use crate::memory::MemoryStore;

#[async_trait]
impl Candles for MemoryStore {
    async fn read(&self, scope: WorkspaceScope, query: HistoryQuery<'_>) -> StoreResult<Vec<(i64, Candle)>> {
        let state = self.state();
        let mut candles: Vec<_> = state
            .sightings
            .candles
            .iter()
            .filter(|((workspace, variant, marketplace, hour), _)| {
                *workspace == scope.workspace_id()
                    && variant == query.variant
                    && query.marketplace.is_none_or(|wanted| wanted == marketplace)
                    && (query.from..query.to).contains(hour)
            })
            .map(|((.., marketplace, hour), candle)| (*hour, marketplace, *candle))
            .collect();
        candles.sort_by_key(|(hour, marketplace, _)| (*hour, *marketplace));
        Ok(candles.into_iter().map(|(hour, _, candle)| (hour, candle)).collect())
    }
    async fn form(&self, _worlds: Worlds, _since: Timestamp, _before: Timestamp) -> StoreResult<u64> {
        Ok(0)
    }
}
