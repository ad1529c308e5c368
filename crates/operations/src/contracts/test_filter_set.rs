//! [`TestFilterSet`]: tries rules on a sample of listings, before anything buys by them.

use tradepost_domain::filter_set::FailedRule;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::listing::Listing;
use tradepost_ports::changes::Caller;

use super::filter_rules::{FilterRules, SampleListing};
use crate::rules::READ_TRADING;
use crate::{OpError, OpResult, Operations};

/// The most listings of a sample.
const LARGEST_SAMPLE: usize = 200;

/// Rules, and what to try them on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestFilterSet {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The rules.
    pub rules: FilterRules,
    /// The listings, 1 to 200.
    pub sample: Vec<SampleListing>,
}

/// What the rules say of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleVerdict {
    /// What the caller calls the listing.
    pub id: String,
    /// The first rule that it does not meet; `None` when it meets them all.
    pub failed: Option<FailedRule>,
}

impl Operations {
    /// Says of each listing, in their order, whether it meets the rules. Nothing is stored.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` naming the field, and `MATCHES_EVERYTHING` for rules that leave nothing out.
    pub fn test_filter_set(&self, caller: &Caller, command: TestFilterSet) -> OpResult<Vec<SampleVerdict>> {
        caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let rules = command.rules.check()?;
        if command.sample.is_empty() || command.sample.len() > LARGEST_SAMPLE {
            return Err(OpError::invalid_field("sample", format_args!("must have 1 to {LARGEST_SAMPLE} listings")));
        }
        let checked =
            command.sample.iter().enumerate().map(|(index, listing)| listing.check_at(&format!("sample[{index}]")));
        let listings = checked.collect::<OpResult<Vec<Listing>>>()?;
        let verdicts = command
            .sample
            .into_iter()
            .zip(listings)
            .map(|(SampleListing { id, .. }, listing)| SampleVerdict { id, failed: rules.judge(&listing).err() });
        Ok(verdicts.collect())
    }
}
