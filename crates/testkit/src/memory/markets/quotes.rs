//! The quotes of price sources.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::markets::pricing::Quote;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::text::{MarketHashName, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::VersionGuard;
use tradepost_ports::store::{PriceData, Quotes, ReadingTurn, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl Quotes for MemoryStore {
    async fn begin_reading(&self) -> StoreResult<Option<ReadingTurn>> {
        Ok(Arc::clone(&self.reading).try_lock_owned().ok().map(ReadingTurn::held_by))
    }
    async fn record(
        &self,
        scope: WorkspaceScope,
        guards: &[VersionGuard],
        quotes: &[(Variant, Quote)],
    ) -> StoreResult<u64> {
        let mut state = self.state();
        state.check_caller(guards)?;
        let mut new = 0;
        for (variant, quote) in quotes {
            let key = (scope.workspace_id(), variant.clone(), quote.source.clone());
            if state.sightings.quotes.get(&key).is_none_or(|known| known.observed_at < quote.observed_at) {
                state.sightings_mut().quotes.insert(key, quote.clone());
                new += 1;
            }
        }
        Ok(new)
    }
    async fn find(&self, scope: WorkspaceScope, names: &[MarketHashName], since: Timestamp) -> StoreResult<PriceData> {
        let state = self.state();
        let is_wanted = |variant: &Variant| names.contains(&variant.market_hash_name);
        let own = state
            .sightings
            .quotes
            .iter()
            .filter(|((workspace, variant, _), _)| *workspace == scope.workspace_id() && is_wanted(variant));
        let quotes = own.map(|((_, variant, _), quote)| (variant.clone(), quote.clone())).collect();
        let mut asks: BTreeMap<(Variant, Marketplace), Quote> = BTreeMap::new();
        for on_sale in state.offers(scope, since).filter(|on_sale| is_wanted(&on_sale.snapshot.listing.variant)) {
            let (variant, marketplace) = (&on_sale.snapshot.listing.variant, &on_sale.snapshot.marketplace);
            let ask = Quote::of_ask(marketplace.clone(), on_sale.snapshot.listing.price, on_sale.seen_at);
            let cheaper = |known: &Quote| {
                known.lowest_ask > ask.lowest_ask
                    || known.lowest_ask == ask.lowest_ask && known.observed_at < ask.observed_at
            };
            let key = (variant.clone(), marketplace.clone());
            if asks.get(&key).is_none_or(cheaper) {
                asks.insert(key, ask);
            }
        }
        Ok(PriceData { quotes, asks: asks.into_iter().map(|((variant, _), ask)| (variant, ask)).collect() })
    }
}
