//! The records of markets: observed listings, and their outcome. Written many rows at a time, separately from every commit.

use std::collections::HashMap;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{ObservationId, OfObservation};
use tradepost_domain::markets::observation::{ListingSnapshot, MarketObservation};
use tradepost_domain::markets::price_history::Candle;
use tradepost_domain::markets::pricing::{PriceOverride, Quote};
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::Cents;
use tradepost_domain::text::{ExternalId, MarketHashName, Marketplace};
use tradepost_domain::time::Timestamp;

use crate::changes::VersionGuard;
use crate::store::{Page, PageRequest, StoreResult, Worlds};

/// The most observations that are recorded at once.
pub const MOST_OBSERVATIONS: usize = 500;

/// The outcome of recording an observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
    /// It is new and is stored.
    Accepted,
    /// The stored observation says the same; the store records that the listing is still there.
    Duplicate(ObservationId),
    /// The listing was seen later than that. Nothing was written.
    Outdated,
}

/// The observations to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ObservationFilter<'a> {
    /// Only on this marketplace.
    pub marketplace: Option<&'a Marketplace>,
    /// Only of this market name.
    pub market_hash_name: Option<&'a MarketHashName>,
    /// Only recorded at this time or later, to the millisecond.
    pub since: Option<Timestamp>,
}

/// A listing as it was last seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The marketplace.
    pub marketplace: Marketplace,
    /// The marketplace's id of it.
    pub listing_id: ExternalId,
    /// Its price.
    pub price: Cents,
    /// The observation that reported this price first.
    pub observation_id: ObservationId,
    /// The time at which it was last seen.
    pub seen_at: Timestamp,
}

/// The requested part of the history of a variant, by hours since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryQuery<'a> {
    /// The variant.
    pub variant: &'a Variant,
    /// Only on this marketplace.
    pub marketplace: Option<&'a Marketplace>,
    /// The first hour.
    pub from: i64,
    /// The hour after the last.
    pub to: i64,
}

/// The reported prices of variants.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PriceData {
    /// The quotes of price sources.
    pub quotes: Vec<(Variant, Quote)>,
    /// The asks of marketplaces.
    pub asks: Vec<(Variant, Quote)>,
}

/// The reported prices of a variant at the time of a new observation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PriceSnapshot {
    /// The quotes of price sources.
    pub quotes: Vec<Quote>,
    /// The cheapest other listing of each marketplace, of those that were recorded together.
    pub asks: Vec<Quote>,
    /// The operator's price override; it may have expired by then.
    pub given: Option<PriceOverride>,
}

/// The two cheapest listings of each variant at each marketplace, of those that are recorded together.
#[derive(Debug)]
pub struct Together<'a>(HashMap<&'a Variant, Vec<Cheapest<'a>>>);

/// The cheapest listing at a marketplace, and the next one.
type Cheapest<'a> = (&'a ListingSnapshot, Option<&'a ListingSnapshot>);

impl<'a> Together<'a> {
    /// Returns the cheapest listings of observations that are recorded together.
    pub fn of(observations: &'a [MarketObservation]) -> Self {
        let mut all: HashMap<&Variant, Vec<Cheapest<'_>>> = HashMap::new();
        for seen in observations.iter().map(|observation| &observation.snapshot) {
            let places = all.entry(&seen.listing.variant).or_default();
            match places.iter_mut().find(|(first, _)| first.marketplace == seen.marketplace) {
                Some((first, second)) if is_cheaper(seen, first) => *second = Some(std::mem::replace(first, seen)),
                Some((_, second)) if second.is_none_or(|second| is_cheaper(seen, second)) => *second = Some(seen),
                Some(_) => {}
                None => places.push((seen, None)),
            }
        }
        Self(all)
    }

    /// Returns the other asks for the variant of one listing. The listing's own price is left out, because others did not ask it.
    pub fn other_asks(&self, seen: &ListingSnapshot) -> Vec<Quote> {
        let is_itself =
            |other: &ListingSnapshot| (&other.marketplace, &other.listing_id) == (&seen.marketplace, &seen.listing_id);
        let places = self.0.get(&seen.listing.variant).into_iter().flatten();
        let others = places.filter_map(|(first, second)| if is_itself(first) { *second } else { Some(*first) });
        others.map(|other| Quote::of_ask(other.marketplace.clone(), other.listing.price, other.observed_at)).collect()
    }
}

/// Compares two listings by price. At one price, the one that was seen later counts as cheaper.
fn is_cheaper(seen: &ListingSnapshot, than: &ListingSnapshot) -> bool {
    (seen.listing.price, than.observed_at) < (than.listing.price, seen.observed_at)
}

/// The observations to replay, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObservationSpan {
    /// Recorded at this time or later, to the millisecond.
    pub from: Timestamp,
    /// Recorded before this time, to the millisecond.
    pub to: Timestamp,
    /// The last one of the page before.
    pub after: Option<ObservationId>,
    /// The most observations at once.
    pub limit: u32,
}

/// The records of markets.
#[async_trait]
pub trait Markets: Send + Sync {
    /// Records observations of the workspace, at most [`MOST_OBSERVATIONS`] and each listing once. New ones are stored with the reported
    /// prices of their variant at that time, and counted in the prices of their hour. Returns the outcome of each, in their order. A store
    /// may write them in slices, and other writers may write between slices.
    ///
    /// # Errors
    /// [`StoreError::CallerChanged`](crate::store::StoreError::CallerChanged) when a guard does not hold, at the start or between two
    /// slices. After this or any other error, slices that were written by then remain. Recorded again, they are duplicates.
    async fn record_observations(
        &self,
        scope: WorkspaceScope,
        guards: &[VersionGuard],
        observations: &[MarketObservation],
    ) -> StoreResult<Vec<Recorded>>;
    /// Returns several observations, in no order; missing ones are left out.
    async fn find_observations(
        &self,
        scope: WorkspaceScope,
        ids: &[ObservationId],
    ) -> StoreResult<Vec<MarketObservation>>;
    /// Returns an observation with the prices that were reported when it was recorded.
    async fn find_observation_then(
        &self,
        scope: WorkspaceScope,
        id: ObservationId,
    ) -> StoreResult<Option<(MarketObservation, PriceSnapshot)>>;
    /// Returns observations of the workspace in the order of their ids, each with the prices that were reported when it was recorded.
    async fn replay_observations(
        &self,
        scope: WorkspaceScope,
        span: ObservationSpan,
    ) -> StoreResult<Vec<(MarketObservation, PriceSnapshot)>>;
    /// Returns ids of observations of the workspace.
    async fn list_observations(
        &self,
        scope: WorkspaceScope,
        filter: ObservationFilter<'_>,
        page: PageRequest<OfObservation>,
    ) -> StoreResult<Page<OfObservation>>;
    /// Counts the observations that were recorded from an hour since 1970 on, by marketplace and in the order of their names; zeros are
    /// left out.
    async fn count_observations(&self, scope: WorkspaceScope, from: i64) -> StoreResult<Vec<(Marketplace, i64)>>;
    /// Returns the listings of a variant that were seen at this time or later, the cheapest first.
    async fn list_offers(
        &self,
        scope: WorkspaceScope,
        variant: &Variant,
        since: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<Offer>>;
    /// Returns the prices of hours, by hour and marketplace; hours without any are left out.
    async fn read_candles(&self, scope: WorkspaceScope, query: HistoryQuery<'_>) -> StoreResult<Vec<(i64, Candle)>>;
    /// Adds a part of the observations before `before` to the prices of hours. It covers each workspace of these worlds that recorded any
    /// since the hour of `since`. For storage that keeps these prices apart from observations. Returns the number of observations. Reads
    /// return the same as before. An observation that is recorded afterwards with an earlier id does not appear in the prices of hours.
    async fn form_candles(&self, worlds: Worlds, since: Timestamp, before: Timestamp) -> StoreResult<u64>;
    /// Records quotes of variants, unless a later quote of the same source exists. Returns how many were new.
    ///
    /// # Errors
    /// [`StoreError::CallerChanged`](crate::store::StoreError::CallerChanged) when a guard does not hold: nothing was written then.
    async fn record_quotes(
        &self,
        scope: WorkspaceScope,
        guards: &[VersionGuard],
        quotes: &[(Variant, Quote)],
    ) -> StoreResult<u64>;
    /// Returns the recorded quotes of variants of these names. Returns the cheapest listing of each marketplace as well, among those that
    /// were seen at this time or later.
    async fn find_quotes(
        &self,
        scope: WorkspaceScope,
        names: &[MarketHashName],
        since: Timestamp,
    ) -> StoreResult<PriceData>;
    /// Keeps observations permanently, because other records refer to them.
    async fn keep_observations(&self, scope: WorkspaceScope, ids: &[ObservationId]) -> StoreResult<()>;
    /// Deletes observations of workspaces of these worlds that were recorded before the hour of this time, at most `most` at once. Deletes
    /// the listings that were not seen since, too. Returns the number of observations. Observations that are kept remain.
    async fn forget_observations(&self, worlds: Worlds, before: Timestamp, most: u32) -> StoreResult<u64>;
}
