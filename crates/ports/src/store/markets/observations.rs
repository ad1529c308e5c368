//! The records of markets: observed listings, and their outcome. Written many rows at a time, separately from every commit.

use std::collections::HashMap;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{ObservationId, OfObservation};
use tradepost_domain::markets::observation::{ListingSnapshot, MarketObservation};
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

/// Observed listings. Written many rows at a time, separately from every commit.
#[async_trait]
pub trait Observations: Send + Sync {
    /// Records observations of the workspace, at most [`MOST_OBSERVATIONS`] and each listing once. New ones are stored with the reported
    /// prices of their variant at that time, and counted in the prices of their hour. Returns the outcome of each, in their order. A store
    /// may write them in slices, and other writers may write between slices.
    ///
    /// # Errors
    /// [`StoreError::CallerChanged`](crate::store::StoreError::CallerChanged) when a guard does not hold, at the start or between two
    /// slices. After this or any other error, slices that were written by then remain. Recorded again, they are duplicates.
    async fn record(
        &self,
        scope: WorkspaceScope,
        guards: &[VersionGuard],
        observations: &[MarketObservation],
    ) -> StoreResult<Vec<Recorded>>;
    /// Returns several observations, in no order; missing ones are left out.
    async fn find_many(&self, scope: WorkspaceScope, ids: &[ObservationId]) -> StoreResult<Vec<MarketObservation>>;
    /// Returns an observation with the prices that were reported when it was recorded.
    async fn find_with_prices(
        &self,
        scope: WorkspaceScope,
        id: ObservationId,
    ) -> StoreResult<Option<(MarketObservation, PriceSnapshot)>>;
    /// Returns observations of the workspace in the order of their ids, each with the prices that were reported when it was recorded.
    async fn replay(
        &self,
        scope: WorkspaceScope,
        span: ObservationSpan,
    ) -> StoreResult<Vec<(MarketObservation, PriceSnapshot)>>;
    /// Returns ids of observations of the workspace.
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: ObservationFilter<'_>,
        page: PageRequest<OfObservation>,
    ) -> StoreResult<Page<OfObservation>>;
    /// Counts the observations that were recorded from an hour since 1970 on, by marketplace and in the order of their names; zeros are
    /// left out.
    async fn count(&self, scope: WorkspaceScope, from: i64) -> StoreResult<Vec<(Marketplace, i64)>>;
    /// Returns the listings of a variant that were seen at this time or later, the cheapest first.
    async fn list_offers(
        &self,
        scope: WorkspaceScope,
        variant: &Variant,
        since: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<Offer>>;
    /// Keeps observations permanently, because other records refer to them.
    async fn keep(&self, scope: WorkspaceScope, ids: &[ObservationId]) -> StoreResult<()>;
    /// Deletes observations of workspaces of these worlds that were recorded before the hour of this time, at most `most` at once. Deletes
    /// the listings that were not seen since, too. Returns the number of observations. Observations that are kept remain.
    async fn forget(&self, worlds: Worlds, before: Timestamp, most: u32) -> StoreResult<u64>;
}
