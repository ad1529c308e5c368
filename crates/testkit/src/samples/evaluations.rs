//! Samples of evaluations.

use tradepost_domain::asset::AppId;
use tradepost_domain::contracts::evaluation::{
    Decision, Evaluated, EvaluationFigures, EvaluationRecord, Rule, RuleResult,
};
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_domain::markets::variant::Variant;

use super::trading::cents;
use super::{Samples, start, text};

impl Samples {
    /// Returns an evaluation of a listing.
    pub fn evaluation(
        &self,
        workspace_id: WorkspaceId,
        contract_id: ContractId,
        decision: Decision,
    ) -> EvaluationRecord {
        let variant =
            Variant { app_id: AppId::CS2, market_hash_name: text("AK-47 | Redline (Field-Tested)"), phase: None };
        let reason = |rule, passed, actual: Option<&str>| RuleResult {
            rule,
            passed,
            actual: actual.map(str::to_owned),
            limit: Some("1500".to_owned()),
        };
        EvaluationRecord {
            id: self.id(),
            workspace_id,
            contract_id,
            marketplace: text("csfloat"),
            about: Evaluated::Listing { listing_id: None, variant, price: cents(1_200) },
            filter_set_version: None,
            decision,
            reasons: vec![reason(Rule::BuyPrice, true, Some("1230")), reason(Rule::FairValue, false, None)],
            sums: EvaluationFigures::default(),
            at: start(),
        }
    }
}
