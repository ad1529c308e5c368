//! [`RecordMarketObservations`]: reports observed listings of a marketplace, up to 500 at once.

use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::observation::{ListingSnapshot, Outcome, Rejection};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::MOST_OBSERVATIONS;

use super::record_listings::SightingOutcome;
use super::variants::app_id;
use crate::contracts::SampleListing;
use crate::rules;
use crate::{OpError, OpResult, Operations, fields};

/// Records what was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordMarketObservations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The observations, 1 to 500.
    pub observations: Vec<ObservedListing>,
}

/// A listing as it was seen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ObservedListing {
    /// The marketplace, 1 to 64 characters.
    pub marketplace: String,
    /// The marketplace's identifier of the listing, 1 to 128 characters.
    pub listing_id: String,
    /// The item's asset id while with its seller, 1 to 20 decimal digits; may be empty.
    pub asset_id: String,
    /// The game's number; 0 is Counter-Strike 2.
    pub app_id: i64,
    /// The item and its price; its `id` is ignored.
    pub listing: SampleListing,
    /// The time of the observation; `None` is now.
    pub observed_at: Option<Timestamp>,
}

impl ObservedListing {
    fn check(&self, at: Timestamp) -> OpResult<ListingSnapshot> {
        let asset_id = Some(self.asset_id.as_str()).filter(|id| !id.is_empty());
        let mut listing = self.listing.check()?;
        listing.variant.app_id = app_id("appId", self.app_id)?;
        Ok(ListingSnapshot {
            marketplace: fields::text("marketplace", &self.marketplace)?,
            listing_id: fields::text("listingId", &self.listing_id)?,
            asset_id: fields::optional(asset_id, fields::asset_id, "assetId")?,
            listing,
            observed_at: self.observed_at.unwrap_or(at),
        })
    }
}

impl Operations {
    /// Records market observations. Returns the outcome of each, in their order, with what is wrong where a field breaks a rule. Each
    /// observation is charged by itself.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for none or too many; `resource_exhausted` with `RATE_LIMITED`, and with
    /// `OVERLOADED` when too much waits to be written.
    pub async fn record_market_observations(
        &self,
        caller: &Caller,
        command: RecordMarketObservations,
    ) -> OpResult<Vec<(SightingOutcome, String)>> {
        rules::RECORD_MARKET_OBSERVATIONS.enter(&caller.principal, command.workspace_id)?;
        if command.observations.is_empty() || command.observations.len() > MOST_OBSERVATIONS {
            let rule = format_args!("must have 1 to {MOST_OBSERVATIONS} observations");
            return Err(OpError::invalid_field("observations", rule));
        }
        self.charge_observations(caller, command.observations.len()).await?;
        let at = self.market_now(command.workspace_id);
        let checked: Vec<OpResult<ListingSnapshot>> =
            command.observations.iter().map(|given| given.check(at)).collect();
        let sightings = checked.iter().filter_map(|checked| checked.as_ref().ok()).cloned().collect();
        let recorded = self.record_listings(caller, command.workspace_id, sightings).await?;
        if caller.once.is_some() {
            self.commit(caller, Changes::by(caller)).await?;
        }
        let mut recorded = recorded.into_iter();
        let malformed = SightingOutcome::rejected(Rejection::Malformed);
        let outcome = |checked: OpResult<ListingSnapshot>| match checked {
            Ok(_) => (recorded.next().unwrap_or(malformed), String::new()),
            Err(refused) => (malformed, refused.message),
        };
        Ok(checked.into_iter().map(outcome).collect())
    }
}

impl SightingOutcome {
    /// Returns how many of these had an outcome.
    pub fn count(outcomes: &[(Self, String)], outcome: Outcome) -> usize {
        outcomes.iter().filter(|(own, _)| own.outcome == outcome).count()
    }
}
