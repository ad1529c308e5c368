//! An evaluation as it is stored: the decision, its subject, and the result of every rule in words.

use time::Duration;

use super::{Circumstances, Decision, Evaluation, Rule};
use crate::contracts::contract::{BasisPoints, Contract};
use crate::id::{ContractId, EvaluationId, InventoryItemId, WorkspaceId};
use crate::markets::variant::Variant;
use crate::money::Cents;
use crate::text::{ExternalId, Marketplace};
use crate::time::Timestamp;

/// Of this many evaluations that skip a listing, one is kept.
pub const SKIPS_PER_SAMPLE: u8 = 128;

/// How long an evaluation without an effect is kept.
const KEPT_WITHOUT_EFFECT: Duration = Duration::days(7);
/// How long an evaluation is kept that led to an action.
const KEPT_WITH_EFFECT: Duration = Duration::days(90);

/// An evaluation that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluationRecord {
    /// Identifier.
    pub id: EvaluationId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The contract.
    pub contract_id: ContractId,
    /// Where it was to act.
    pub marketplace: Marketplace,
    /// What was evaluated.
    pub about: Evaluated,
    /// The version of the contract's filter set that was used.
    pub filter_set_version: Option<u32>,
    /// What was decided.
    pub decision: Decision,
    /// Every rule, in the order of reports.
    pub reasons: Vec<RuleResult>,
    /// What was found.
    pub sums: EvaluationFigures,
    /// When it was decided.
    pub at: Timestamp,
}

/// What was evaluated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evaluated {
    /// A listing.
    Listing {
        /// The marketplace's id of it, where it is known.
        listing_id: Option<ExternalId>,
        /// What it is.
        variant: Variant,
        /// What it costs, without fee.
        price: Cents,
    },
    /// An item of ours.
    Item(InventoryItemId),
}

/// A rule as it was judged, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleResult {
    /// The rule.
    pub rule: Rule,
    /// Whether it was met.
    pub passed: bool,
    /// What was found.
    pub actual: Option<String>,
    /// The limit.
    pub limit: Option<String>,
}

/// The sums of an evaluation, as far as they could be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EvaluationFigures {
    /// What the item is worth.
    pub fair_value: Option<Cents>,
    /// How far that is to be trusted.
    pub confidence: Option<BasisPoints>,
    /// The price to ask for an item.
    pub asking_price: Option<Cents>,
    /// What buying it costs or has cost, with the fee.
    pub all_in_cost: Option<Cents>,
    /// What it is expected to bring.
    pub expected_net: Option<Cents>,
    /// What is earned by it, in basis points of what it costs.
    pub expected_margin: Option<i64>,
}

impl Decision {
    /// How long an evaluation with this decision is kept.
    pub const fn kept_for(self) -> Duration {
        match self {
            Self::Skip | Self::Hold => KEPT_WITHOUT_EFFECT,
            Self::Buy | Self::Sell => KEPT_WITH_EFFECT,
        }
    }
}

impl EvaluationRecord {
    /// Returns the decision of a contract, to report or store it.
    pub fn of(
        id: EvaluationId,
        contract: &Contract,
        known: &Circumstances<'_>,
        about: Evaluated,
        evaluation: &Evaluation,
    ) -> Self {
        Self {
            id,
            workspace_id: contract.workspace_id,
            contract_id: contract.id,
            marketplace: known.marketplace.clone(),
            about,
            filter_set_version: known.filter.map(|filter| filter.version),
            decision: evaluation.decision,
            reasons: evaluation.results(),
            sums: EvaluationFigures::from(evaluation),
            at: known.at,
        }
    }

    /// Returns the same for a wanted listing that is skipped because this rule is not met.
    #[must_use]
    pub fn held_back(mut self, by: RuleResult) -> Self {
        self.decision = Decision::Skip;
        self.reasons.push(by);
        self
    }

    /// Whether it is worth keeping. What led to something always is, and so is what was decided about an item, and what was wanted
    /// and could not be bought. Of other skipped listings, which are the majority, one in [`SKIPS_PER_SAMPLE`] is kept as a sample. It
    /// is drawn by the id, so that no counter is needed.
    pub fn is_kept(&self) -> bool {
        let [.., drawn] = self.id.to_bytes();
        let is_held_back = self.reasons.iter().any(|reason| reason.rule.is_of_means());
        !matches!(self.decision, Decision::Skip) || is_held_back || drawn.is_multiple_of(SKIPS_PER_SAMPLE)
    }
}

impl From<&Evaluation> for EvaluationFigures {
    fn from(evaluation: &Evaluation) -> Self {
        Self {
            fair_value: evaluation.fair_value,
            confidence: evaluation.confidence,
            asking_price: evaluation.asking_price,
            all_in_cost: evaluation.all_in_cost,
            expected_net: evaluation.expected_net,
            expected_margin: evaluation.expected_margin,
        }
    }
}

impl Evaluation {
    /// Returns the results of the rules in words.
    pub fn results(&self) -> Vec<RuleResult> {
        let results = self.reasons.iter().map(|reason| RuleResult {
            rule: reason.rule,
            passed: reason.passed,
            actual: reason.actual.as_ref().map(ToString::to_string),
            limit: reason.limit.as_ref().map(ToString::to_string),
        });
        results.collect()
    }
}
