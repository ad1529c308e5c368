//! [`TestFilterSet`]: tries rules on a sample of listings and on market observations, before a contract buys by them.

use tradepost_domain::contracts::filter_set::FailedRule;
use tradepost_domain::id::{ObservationId, WorkspaceId};
use tradepost_domain::markets::listing::Listing;
use tradepost_ports::changes::Caller;

use super::filter_rules::{FilterRules, SampleListing};
use crate::results::in_order;
use crate::rules;
use crate::{OpError, OpResult, Operations, fields};

/// The most listings and observations together.
const LARGEST_SAMPLE: usize = 200;

/// Rules, and what to try them on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestFilterSet {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The rules.
    pub rules: FilterRules,
    /// The listings; with the observations 1 to 200.
    pub sample: Vec<SampleListing>,
    /// The observations.
    pub observation_ids: Vec<ObservationId>,
}

/// The result of [`Operations::test_filter_set`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TriedRules {
    /// One for each listing in their order, then one for each observation that was found, in theirs.
    pub verdicts: Vec<SampleVerdict>,
    /// The ids that name no observation, in the order given.
    pub missing: Vec<ObservationId>,
}

/// The verdict of the rules on a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleVerdict {
    /// The caller's name for the listing; of an observation its id.
    pub id: String,
    /// The first rule that it does not meet; `None` when it meets them all.
    pub failed: Option<FailedRule>,
}

impl Operations {
    /// Says of each listing, and of each observation as it was recorded, whether it meets the rules. Nothing is stored.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` naming the field, and `MATCHES_EVERYTHING` for rules that leave nothing out.
    pub async fn test_filter_set(&self, caller: &Caller, command: TestFilterSet) -> OpResult<TriedRules> {
        let scope = rules::TEST_FILTER_SET.enter(&caller.principal, command.workspace_id)?;
        let rules = command.rules.check()?;
        let TestFilterSet { sample, observation_ids, .. } = command;
        if !(1..=LARGEST_SAMPLE).contains(&sample.len().saturating_add(observation_ids.len())) {
            let rule = format!("must have 1 to {LARGEST_SAMPLE} listings, the observations included");
            return Err(OpError::invalid_field("sample", rule));
        }
        let check = |index: usize, listing: &SampleListing| {
            listing.check().map_err(|refused| refused.within(&format!("sample[{index}]")))
        };
        let listings = sample.iter().enumerate().map(|(index, listing)| check(index, listing));
        let listings = listings.collect::<OpResult<Vec<Listing>>>()?;
        let (observed, missing) = if observation_ids.is_empty() {
            (Vec::new(), Vec::new())
        } else {
            let ids = fields::batch("observationIds", &observation_ids)?;
            let found = self.ports.store.observations().find_many(scope, &ids).await?;
            in_order(ids, found, |observation| observation.id)
        };
        let named = sample.into_iter().map(|SampleListing { id, .. }| id).zip(listings);
        let observed = observed.into_iter().map(|seen| (seen.id.to_string(), seen.snapshot.listing));
        let verdict = |(id, listing)| SampleVerdict { id, failed: rules.judge(&listing).err() };
        Ok(TriedRules { verdicts: named.chain(observed).map(verdict).collect(), missing })
    }
}
