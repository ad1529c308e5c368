//! What one pass did.

use std::collections::{BTreeMap, BTreeSet};

use tradepost_domain::contracts::contract::{ApprovalMode, Contract};
use tradepost_domain::contracts::evaluation::{Decision, Evaluation, Rule};
use tradepost_domain::markets::listing::Listing;
use tradepost_domain::money::Cents;
use tradepost_domain::text::{MarketHashName, Marketplace, Name};

use crate::EngineError;
use crate::error::EngineResult;

/// What a contract decided on a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecidedListing {
    /// The contract's name.
    pub contract: Name,
    /// Approval that the contract needs: a dry run buys nothing.
    pub approval_mode: ApprovalMode,
    /// The item on offer.
    pub item: MarketHashName,
    /// Its price.
    pub price: Cents,
    /// What was decided.
    pub decision: Decision,
    /// The rules that were not met.
    pub failed: Vec<Rule>,
}

/// Result of one pass, for monitoring.
#[derive(Debug, Default)]
pub struct Pass {
    /// Listings that were looked at.
    pub observed: usize,
    /// Purchases that were recorded.
    pub bought: usize,
    /// Items that were compared with the selling contracts: those with a change, and each once in 10 min.
    pub judged: usize,
    /// Items that were put on sale.
    pub listed: usize,
    /// What was decided, of the first listings of the pass.
    pub decisions: Vec<DecidedListing>,
    /// What could not be done. Whatever it was is tried again.
    pub errors: Vec<EngineError>,
    decision_limit: usize,
    /// The number of new decisions of each kind.
    decided: BTreeMap<Decision, u64>,
    /// Marketplaces where money may have moved that is not in the ledger yet.
    unbooked: UnbookedMoney,
}

/// The marketplaces whose money something is open of that could not be followed.
#[derive(Debug, Default)]
struct UnbookedMoney {
    /// At a marketplace that is not known.
    anywhere: bool,
    places: BTreeSet<Marketplace>,
}

impl DecidedListing {
    pub(crate) fn new(contract: &Contract, listing: &Listing, evaluation: &Evaluation) -> Self {
        Self {
            contract: contract.name.clone(),
            approval_mode: contract.approval_mode,
            item: listing.variant.market_hash_name.clone(),
            price: listing.price,
            decision: evaluation.decision,
            failed: evaluation.failed().collect(),
        }
    }

    /// Returns the decision of a contract that wants a listing and skips it because of this rule.
    pub(crate) fn skipped_by(mut self, by: Option<Rule>) -> Self {
        if let Some(rule) = by {
            self.decision = Decision::Skip;
            self.failed.push(rule);
        }
        self
    }
}

impl Pass {
    /// Begins a pass that reports at most so many decisions.
    pub(crate) fn limited_to(decision_limit: usize) -> Self {
        Self { decision_limit, ..Self::default() }
    }

    /// Adds a decision, up to the maximum.
    pub(crate) fn push_decision(&mut self, decided: impl FnOnce() -> DecidedListing) {
        if self.decisions.len() < self.decision_limit {
            self.decisions.push(decided());
        }
    }

    /// Counts a decision that was not made before.
    pub(crate) fn count_decision(&mut self, decision: Decision) {
        let count = self.decided.entry(decision).or_default();
        *count = count.saturating_add(1);
    }

    /// The number of new decisions of each kind.
    pub(crate) const fn decided(&self) -> &BTreeMap<Decision, u64> {
        &self.decided
    }

    /// Goes on after steps of which some failed, each with the marketplace whose money it is about, as far as that is known.
    pub(crate) fn record_results(&mut self, result: impl IntoIterator<Item = (Option<Marketplace>, EngineResult)>) {
        for (place, result) in result {
            match &place {
                Some(place) => self.record_at([place], result),
                None => self.record(result),
            }
        }
    }

    /// Goes on after a step that failed, whatever it was about.
    pub(crate) fn record(&mut self, result: EngineResult) {
        self.unbooked.anywhere |= result.as_ref().is_err_and(EngineError::may_be_unbooked);
        self.record_error(result);
    }

    /// The same of a step that is about the money at these marketplaces.
    pub(crate) fn record_at<'a>(&mut self, places: impl IntoIterator<Item = &'a Marketplace>, result: EngineResult) {
        if result.as_ref().is_err_and(EngineError::may_be_unbooked) {
            self.unbooked.places.extend(places.into_iter().cloned());
        }
        self.record_error(result);
    }

    /// Records the result of a step that moves no money.
    pub(crate) fn record_error(&mut self, result: EngineResult) {
        if let Err(error) = result {
            tracing::debug!(%error, "a step of the engine was not taken");
            self.errors.push(error);
        }
    }

    /// Marks a marketplace where money may have come in that is not in the ledger, whatever the result of a step.
    pub(crate) fn mark_unbooked(&mut self, marketplace: &Marketplace) {
        self.unbooked.places.insert(marketplace.clone());
    }

    /// Whether all that was looked at of a marketplace was followed, so that what it showed is booked.
    pub(crate) fn is_fully_booked(&self, marketplace: &Marketplace) -> bool {
        !self.unbooked.anywhere && !self.unbooked.places.contains(marketplace)
    }
}
