//! What is known of markets: what was seen of listings, and what came of it. Written many rows at a time, beside every commit.

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

/// Most observations that are recorded at once.
pub const MOST_OBSERVATIONS: usize = 500;

/// What became of an observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
    /// It says something new and is stored.
    Accepted,
    /// This one says it already; that the listing still stands is noted.
    Duplicate(ObservationId),
    /// The listing was seen later than that. Nothing was written.
    Outdated,
}

/// Which observations to list.
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
    /// Where.
    pub marketplace: Marketplace,
    /// The marketplace's id of it.
    pub listing_id: ExternalId,
    /// What it costs.
    pub price: Cents,
    /// The observation that told the price first.
    pub observation_id: ObservationId,
    /// When it was seen last.
    pub seen_at: Timestamp,
}

/// Which part of the history of a variant to read, by hours since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryQuery<'a> {
    /// Of what.
    pub variant: &'a Variant,
    /// Only on this marketplace.
    pub marketplace: Option<&'a Marketplace>,
    /// The first hour.
    pub from: i64,
    /// The hour after the last.
    pub to: i64,
}

/// What is told of the prices of variants.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PriceData {
    /// By price sources.
    pub quotes: Vec<(Variant, Quote)>,
    /// By the listings of marketplaces.
    pub asks: Vec<(Variant, Quote)>,
}

/// What was told of the prices of a variant when something new was seen of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PriceSnapshot {
    /// By price sources.
    pub quotes: Vec<Quote>,
    /// By the cheapest other listing of each marketplace, of those that were recorded together.
    pub asks: Vec<Quote>,
    /// By a person; it may have been over by then.
    pub given: Option<PriceOverride>,
}

/// The two cheapest listings of each variant at each marketplace, of those that are recorded together.
#[derive(Debug)]
pub struct Together<'a>(HashMap<&'a Variant, Vec<Cheapest<'a>>>);

/// The cheapest listing at a marketplace, and the one after it.
type Cheapest<'a> = (&'a ListingSnapshot, Option<&'a ListingSnapshot>);

impl<'a> Together<'a> {
    /// Those of observations that are recorded together.
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

    /// What the others ask for the variant of one of them: its own price is nothing that others say of it.
    pub fn asks_beside(&self, seen: &ListingSnapshot) -> Vec<Quote> {
        let is_itself =
            |other: &ListingSnapshot| (&other.marketplace, &other.listing_id) == (&seen.marketplace, &seen.listing_id);
        let places = self.0.get(&seen.listing.variant).into_iter().flatten();
        let others = places.filter_map(|(first, second)| if is_itself(first) { *second } else { Some(*first) });
        others.map(|other| Quote::of_ask(other.marketplace.clone(), other.listing.price, other.observed_at)).collect()
    }
}

/// Of two at one price the one that was seen later.
fn is_cheaper(seen: &ListingSnapshot, than: &ListingSnapshot) -> bool {
    (seen.listing.price, than.observed_at) < (than.listing.price, seen.observed_at)
}

/// Which observations to go through, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObservationSpan {
    /// Recorded at this time or later, to the millisecond.
    pub from: Timestamp,
    /// Recorded before this time, to the millisecond.
    pub to: Timestamp,
    /// The last one of the page before.
    pub after: Option<ObservationId>,
    /// Most of them at once.
    pub limit: u32,
}

/// What is known of markets.
#[async_trait]
pub trait Markets: Send + Sync {
    /// Records observations of the workspace, at most [`MOST_OBSERVATIONS`] and each listing once: what is new is stored with
    /// what is told of its variant's prices at that time, and counted in the prices of its hour. What became of each, in their
    /// order. A store may write them in slices, between which others write.
    ///
    /// # Errors
    /// [`StoreError::CallerChanged`](crate::store::StoreError::CallerChanged) when a guard does not hold, at the start or between two
    /// slices. After this or any other error what was written by then stays; recorded again, it is a duplicate.
    async fn record_observations(
        &self,
        scope: WorkspaceScope,
        guards: &[VersionGuard],
        observations: &[MarketObservation],
    ) -> StoreResult<Vec<Recorded>>;
    /// Several observations, in no order; those that are not there are left out.
    async fn find_observations(
        &self,
        scope: WorkspaceScope,
        ids: &[ObservationId],
    ) -> StoreResult<Vec<MarketObservation>>;
    /// An observation, with what was told of prices when it was recorded.
    async fn find_observation_then(
        &self,
        scope: WorkspaceScope,
        id: ObservationId,
    ) -> StoreResult<Option<(MarketObservation, PriceSnapshot)>>;
    /// Observations of the workspace in the order of their ids, each with what was told of prices when it was recorded.
    async fn replay_observations(
        &self,
        scope: WorkspaceScope,
        span: ObservationSpan,
    ) -> StoreResult<Vec<(MarketObservation, PriceSnapshot)>>;
    /// Observations of the workspace.
    async fn list_observations(
        &self,
        scope: WorkspaceScope,
        filter: ObservationFilter<'_>,
        page: PageRequest<OfObservation>,
    ) -> StoreResult<Page<OfObservation>>;
    /// How many observations were recorded from an hour since 1970 on, by marketplace and in the order of their names; zeros are
    /// left out.
    async fn count_observations(&self, scope: WorkspaceScope, from: i64) -> StoreResult<Vec<(Marketplace, i64)>>;
    /// The listings of a variant that were seen at this time or later, the cheapest first.
    async fn list_offers(
        &self,
        scope: WorkspaceScope,
        variant: &Variant,
        since: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<Offer>>;
    /// The prices of hours, by hour and marketplace; hours without any are left out.
    async fn read_candles(&self, scope: WorkspaceScope, query: HistoryQuery<'_>) -> StoreResult<Vec<(i64, Candle)>>;
    /// Puts a part of what was recorded before a time into the prices of hours, in each workspace of these worlds that recorded anything
    /// since the hour of another time, where storage keeps them apart from observations; how many observations that was. What is read
    /// stays the same. Of what is recorded with an earlier id afterwards nothing shows in the prices of hours.
    async fn form_candles(&self, worlds: Worlds, since: Timestamp, before: Timestamp) -> StoreResult<u64>;
    /// Records what sources say of variants, unless something later of the same source is there; how many were new.
    ///
    /// # Errors
    /// [`StoreError::CallerChanged`](crate::store::StoreError::CallerChanged) when a guard does not hold: nothing was written then.
    async fn record_quotes(
        &self,
        scope: WorkspaceScope,
        guards: &[VersionGuard],
        quotes: &[(Variant, Quote)],
    ) -> StoreResult<u64>;
    /// What sources say of variants of these names, as it was recorded, and the cheapest listing of each marketplace among those
    /// that were seen at this time or later.
    async fn find_quotes(
        &self,
        scope: WorkspaceScope,
        names: &[MarketHashName],
        since: Timestamp,
    ) -> StoreResult<PriceData>;
    /// Keeps observations for good: something came of them.
    async fn keep_observations(&self, scope: WorkspaceScope, ids: &[ObservationId]) -> StoreResult<()>;
    /// Forgets observations of workspaces of these worlds that were recorded before the hour of this time, at most so many at once,
    /// and the listings that were not seen since; how many observations it were. Those that are kept stay.
    async fn forget_observations(&self, worlds: Worlds, before: Timestamp, most: u32) -> StoreResult<u64>;
}
