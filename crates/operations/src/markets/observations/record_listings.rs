//! Recording market observations, in slices that let other calls write in between.

use std::collections::HashMap;

use time::Duration;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{ObservationId, WorkspaceId};
use tradepost_domain::markets::observation::{ListingSnapshot, MarketObservation, Outcome, Rejection};
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_domain::transition::Actor;
use tradepost_ports::changes::Caller;
use tradepost_ports::store::{MOST_OBSERVATIONS, Recorded};

use crate::commit::known_actor;
use crate::rules::WRITE_MARKETS;
use crate::upkeep::clearing::{Step, until_done};
use crate::{OpResult, Operations};

/// Longer than it takes from an id to the commit of its observation, on nodes whose clocks differ.
const FORMED_AFTER: Duration = Duration::minutes(2);
/// The age of the last recording up to which a workspace's observations enter the hourly prices. Older ones wait until it records again or
/// they are forgotten.
const FORMED_LATELY: Duration = Duration::hours(1);
/// Most steps in a row.
const MOST_STEPS: usize = 2_000;

/// The outcome of a sighting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SightingOutcome {
    /// Whether it was recorded.
    pub outcome: Outcome,
    /// The observation with its content: its own, or the earlier one of a duplicate.
    pub observation_id: Option<ObservationId>,
    /// Why it was not recorded.
    pub rejection: Option<Rejection>,
}

impl SightingOutcome {
    pub(crate) const fn rejected(rejection: Rejection) -> Self {
        Self { outcome: Outcome::Rejected, observation_id: None, rejection: Some(rejection) }
    }

    const fn known(outcome: Outcome, id: Option<ObservationId>) -> Self {
        Self { outcome, observation_id: id, rejection: None }
    }

    const fn of_recorded(id: ObservationId, recorded: Recorded) -> Self {
        match recorded {
            Recorded::Accepted => Self::known(Outcome::Accepted, Some(id)),
            Recorded::Duplicate(earlier) => Self::known(Outcome::Duplicate, Some(earlier)),
            Recorded::Outdated => Self::rejected(Rejection::Outdated),
        }
    }
}

impl Operations {
    /// Records any number of observed listings; returns the outcome of each, in their order. A listing that is known
    /// at its price is a duplicate, and noted to be still on sale; once a day it is recorded again. Of several sightings of one
    /// listing the last one counts.
    ///
    /// # Errors
    /// `permission_denied`; `unauthenticated` and `failed_precondition` with `CALLER_CHANGED` when the caller's rights have
    /// changed; `resource_exhausted` with `OVERLOADED` when too much waits to be written. What was recorded by then stays.
    pub async fn record_listings(
        &self,
        caller: &Caller,
        workspace_id: WorkspaceId,
        sightings: Vec<ListingSnapshot>,
    ) -> OpResult<Vec<SightingOutcome>> {
        let scope = caller.principal.enter(workspace_id, WRITE_MARKETS)?;
        let at = self.market_now(scope.workspace_id());
        let refused: Vec<Option<SightingOutcome>> =
            sightings.iter().map(|snapshot| snapshot.check(at).err().map(SightingOutcome::rejected)).collect();
        let last = last_of_each(&sightings, &refused);
        let mut outcomes: Vec<SightingOutcome> = Vec::with_capacity(sightings.len());
        let mut recorded: HashMap<usize, SightingOutcome> = HashMap::with_capacity(last.len());
        let mut places: Vec<usize> = last.values().copied().collect();
        places.sort_unstable();
        for slice in places.chunks(MOST_OBSERVATIONS) {
            let chosen = slice.iter().filter_map(|place| sightings.get(*place)).cloned();
            recorded.extend(slice.iter().copied().zip(self.record_slice(caller, scope, chosen).await?));
        }
        for (place, (snapshot, refused)) in sightings.iter().zip(refused).enumerate() {
            let others = || {
                let last = last.get(&(&snapshot.marketplace, &snapshot.listing_id))?;
                let said = sightings.get(*last).is_some_and(|last| last.listing.price == snapshot.listing.price);
                let known = recorded.get(last).and_then(|last| last.observation_id);
                said.then(|| SightingOutcome::known(Outcome::Duplicate, known))
            };
            let own = refused.or_else(|| recorded.get(&place).copied()).or_else(others);
            outcomes.push(own.unwrap_or(SightingOutcome::rejected(Rejection::Outdated)));
        }
        Ok(outcomes)
    }

    async fn record_slice(
        &self,
        caller: &Caller,
        scope: WorkspaceScope,
        sightings: impl Iterator<Item = ListingSnapshot>,
    ) -> OpResult<Vec<SightingOutcome>> {
        let at = self.recording_time(scope.workspace_id());
        let recorded_by = known_actor(caller).unwrap_or(Actor::System);
        let workspace_id = scope.workspace_id();
        let key = || ObservationId::from_bytes(self.ports.ids.key_of(at));
        let observation =
            |snapshot| MarketObservation { id: key(), workspace_id, snapshot, recorded_at: at, recorded_by };
        let observations: Vec<MarketObservation> = sightings.map(observation).collect();
        let recorded = self
            .retrying(|| async {
                let recorded = self.ports.store.observations().record(scope, &caller.guards, &observations).await;
                self.guarded_write(caller, recorded).await
            })
            .await?;
        let ids = observations.iter().map(|observation| observation.id);
        Ok(ids.zip(recorded).map(|(id, recorded)| SightingOutcome::of_recorded(id, recorded)).collect())
    }

    /// Puts observations that were recorded some minutes ago into the prices of hours; returns their number.
    ///
    /// # Errors
    /// `internal` when storage is out. What was done by then stays done.
    pub async fn form_candles(&self) -> OpResult<u64> {
        let mut all = 0_u64;
        for (worlds, now) in self.worlds() {
            let before = now.plus(-FORMED_AFTER);
            for _ in 0..MOST_STEPS {
                let formed = self.ports.store.candles().form(worlds, before.plus(-FORMED_LATELY), before).await?;
                if formed == 0 {
                    break;
                }
                all = all.saturating_add(formed);
            }
        }
        Ok(all)
    }

    /// Forgets observations that are not kept any longer; returns their number.
    ///
    /// # Errors
    /// `internal` when storage is out. What was forgotten by then stays so.
    pub async fn forget_old_observations(&self) -> OpResult<u64> {
        let (store, mut forgotten) = (&self.ports.store, 0_u64);
        for (worlds, now) in self.worlds() {
            let before = now.plus(-tradepost_domain::markets::observation::KEPT_FOR);
            let forgetting = until_done(|most| async move {
                let cleared = store.observations().forget(worlds, before, most).await?;
                // Fewer than most of one hour, of which there may be others.
                Ok(Step { cleared, more: cleared > 0 })
            });
            forgotten = forgotten.saturating_add(forgetting.await?);
        }
        Ok(forgotten)
    }
}

/// Returns the index of the last sighting of each listing, among those that are not rejected.
fn last_of_each<'a>(
    sightings: &'a [ListingSnapshot],
    refused: &[Option<SightingOutcome>],
) -> HashMap<(&'a Marketplace, &'a ExternalId), usize> {
    let mut last = HashMap::with_capacity(sightings.len());
    let good = sightings.iter().zip(refused).enumerate().filter(|(_, (_, refused))| refused.is_none());
    for (place, (snapshot, _)) in good {
        let known = last.entry((&snapshot.marketplace, &snapshot.listing_id)).or_insert(place);
        if sightings.get(*known).is_some_and(|known| known.observed_at <= snapshot.observed_at) {
            *known = place;
        }
    }
    last
}
