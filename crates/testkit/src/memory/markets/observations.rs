//! The records of markets.

use std::collections::BTreeMap;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{ObservationId, OfObservation};
use tradepost_domain::markets::observation::MarketObservation;
use tradepost_domain::markets::price_history::{Candle, Tick, hour_of, start_of};
use tradepost_domain::markets::price_override::VariantOverride;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::VersionGuard;
use tradepost_ports::store::{
    ObservationFilter, ObservationSpan, Observations, Offer, Page, PageRequest, PriceSnapshot, Recorded, StoreResult,
    Together, Worlds,
};

use crate::memory::MemoryStore;
use crate::memory::state::{OnSale, Sightings, State};

impl Sightings {
    fn record(&mut self, observation: &MarketObservation) -> Recorded {
        let MarketObservation { id, workspace_id, snapshot, .. } = observation;
        let listing = (*workspace_id, snapshot.marketplace.clone(), snapshot.listing_id.clone());
        if let Some(known) = self.on_sale.get_mut(&listing) {
            if snapshot.observed_at < known.seen_at {
                return Recorded::Outdated;
            }
            known.seen_at = snapshot.observed_at;
            if snapshot.repeats(&known.snapshot) {
                return Recorded::Duplicate(known.told_by);
            }
        }
        let on_sale = OnSale { told_by: *id, snapshot: snapshot.clone(), seen_at: snapshot.observed_at };
        self.on_sale.insert(listing, on_sale);
        let tick = Candle::of(Tick { at: snapshot.observed_at, price: snapshot.listing.price });
        let hour = hour_of(snapshot.observed_at);
        let key = (*workspace_id, snapshot.listing.variant.clone(), snapshot.marketplace.clone(), hour);
        self.candles.entry(key).and_modify(|candle| *candle = candle.and(tick)).or_insert(tick);
        self.observations.insert((*workspace_id, *id), (observation.clone(), PriceSnapshot::default()));
        Recorded::Accepted
    }
}

impl State {
    /// Returns the reported prices of an observation's variant when it is recorded, except those of listings.
    fn reported_prices(&self, scope: WorkspaceScope, observation: &MarketObservation) -> PriceSnapshot {
        let variant = &observation.snapshot.listing.variant;
        let quotes =
            self.sightings.quotes.iter().filter(|((home, of, _), _)| (*home, of) == (scope.workspace_id(), variant));
        let given = self.several(scope.workspace_id(), |given: &VariantOverride| given.variant == *variant);
        PriceSnapshot {
            quotes: quotes.map(|(_, quote)| quote.clone()).collect(),
            asks: Vec::new(),
            given: given.into_iter().next().map(|seen| seen.into_display().0.given),
        }
    }

    pub(super) fn offers(&self, scope: WorkspaceScope, since: Timestamp) -> impl Iterator<Item = &OnSale> {
        let own = self.sightings.on_sale.iter().filter(move |((workspace, ..), _)| *workspace == scope.workspace_id());
        own.map(|(_, on_sale)| on_sale).filter(move |on_sale| on_sale.seen_at >= since)
    }
}

#[async_trait]
impl Observations for MemoryStore {
    async fn record(
        &self,
        scope: WorkspaceScope,
        guards: &[VersionGuard],
        observations: &[MarketObservation],
    ) -> StoreResult<Vec<Recorded>> {
        let mut state = self.state();
        state.check_caller(guards)?;
        let recorded = observations.iter().map(|observation| state.sightings_mut().record(observation)).collect();
        let together = Together::of(observations);
        for observation in observations {
            let key = (scope.workspace_id(), observation.id);
            if state.sightings.observations.contains_key(&key) {
                let asks = together.other_asks(&observation.snapshot);
                let prices = PriceSnapshot { asks, ..state.reported_prices(scope, observation) };
                state.sightings_mut().observations.insert(key, (observation.clone(), prices));
            }
        }
        Ok(recorded)
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[ObservationId]) -> StoreResult<Vec<MarketObservation>> {
        let state = self.state();
        let found = ids.iter().filter_map(|id| state.sightings.observations.get(&(scope.workspace_id(), *id)));
        Ok(found.map(|(observation, _)| observation.clone()).collect())
    }
    async fn find_with_prices(
        &self,
        scope: WorkspaceScope,
        id: ObservationId,
    ) -> StoreResult<Option<(MarketObservation, PriceSnapshot)>> {
        Ok(self.state().sightings.observations.get(&(scope.workspace_id(), id)).cloned())
    }
    async fn replay(
        &self,
        scope: WorkspaceScope,
        span: ObservationSpan,
    ) -> StoreResult<Vec<(MarketObservation, PriceSnapshot)>> {
        let state = self.state();
        let is_wanted = |observation: &MarketObservation| {
            observation.workspace_id == scope.workspace_id()
                && (span.from..span.to).contains(&observation.recorded_at)
                && span.after.is_none_or(|after| after < observation.id)
        };
        let wanted = state.sightings.observations.values().filter(|(observation, _)| is_wanted(observation));
        Ok(wanted.take(span.limit as usize).cloned().collect())
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: ObservationFilter<'_>,
        page: PageRequest<OfObservation>,
    ) -> StoreResult<Page<OfObservation>> {
        let state = self.state();
        let wanted = |observation: &MarketObservation| {
            let snapshot = &observation.snapshot;
            observation.workspace_id == scope.workspace_id()
                && page.before.is_none_or(|before| observation.id < before)
                && filter.marketplace.is_none_or(|wanted| *wanted == snapshot.marketplace)
                && filter.market_hash_name.is_none_or(|name| *name == snapshot.listing.variant.market_hash_name)
                && filter.since.is_none_or(|since| observation.recorded_at >= since)
        };
        let newest_first = state.sightings.observations.values().rev().map(|(observation, _)| observation);
        let ids: Vec<ObservationId> =
            newest_first.filter(|observation| wanted(observation)).map(|observation| observation.id).collect();
        Ok(Page::of(ids, page.limit))
    }
    async fn count(&self, scope: WorkspaceScope, from: i64) -> StoreResult<Vec<(Marketplace, i64)>> {
        let mut counts = BTreeMap::new();
        for (observation, _) in self.state().sightings.observations.values() {
            if observation.workspace_id == scope.workspace_id() && hour_of(observation.recorded_at) >= from {
                *counts.entry(observation.snapshot.marketplace.clone()).or_default() += 1;
            }
        }
        Ok(counts.into_iter().collect())
    }
    async fn list_offers(
        &self,
        scope: WorkspaceScope,
        variant: &Variant,
        since: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<Offer>> {
        let state = self.state();
        let of_variant = state.offers(scope, since).filter(|on_sale| on_sale.snapshot.listing.variant == *variant);
        let mut offers: Vec<Offer> = of_variant
            .map(|on_sale| Offer {
                marketplace: on_sale.snapshot.marketplace.clone(),
                listing_id: on_sale.snapshot.listing_id.clone(),
                price: on_sale.snapshot.listing.price,
                observation_id: on_sale.told_by,
                seen_at: on_sale.seen_at,
            })
            .collect();
        offers.sort_by_key(|offer| (offer.price, offer.marketplace.clone(), offer.listing_id.clone()));
        offers.truncate(limit as usize);
        Ok(offers)
    }
    async fn keep(&self, scope: WorkspaceScope, ids: &[ObservationId]) -> StoreResult<()> {
        let mut state = self.state();
        for id in ids {
            state.sightings_mut().kept.insert((scope.workspace_id(), *id));
        }
        Ok(())
    }
    async fn forget(&self, worlds: Worlds, before: Timestamp, most: u32) -> StoreResult<u64> {
        let mut state = self.state();
        let hour = hour_of(before);
        let is_old = |observation: &MarketObservation| {
            hour_of(observation.recorded_at) < hour && state.is_in(worlds, observation.workspace_id)
        };
        let old = state
            .sightings
            .observations
            .iter()
            .filter(|(key, (seen, _))| is_old(seen) && !state.sightings.kept.contains(*key));
        let old: Vec<_> = old.map(|(key, _)| *key).collect();
        let old = &old[..old.len().min(most as usize)];
        for key in old {
            state.sightings_mut().observations.remove(key);
        }
        let mut on_sale = std::mem::take(&mut state.sightings_mut().on_sale);
        on_sale.retain(|(home, ..), on_sale| on_sale.seen_at >= start_of(hour) || !state.is_in(worlds, *home));
        state.sightings_mut().on_sale = on_sale;
        Ok(old.len() as u64)
    }
}
