//! Decides whether a contract buys a listing: by its rules, then by its means. Values in, values out; `buying` carries it out.

use tradepost_domain::contracts::contract::{ApprovalMode, Contract};
use tradepost_domain::contracts::evaluation::{
    Circumstances, Decision, Evaluation, ListingContext, Rule, RuleResult, evaluate_listing,
};
use tradepost_domain::markets::exchange::Conversion;
use tradepost_domain::money::{Cents, VenueCents};

use crate::error::{EngineError, EngineResult, is_permanent};

/// What a contract decides on a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ContractDecision {
    decision: Decision,
    /// The rule by which the contract skips a listing that it wants, because it lacks the means.
    held_by: Option<Rule>,
}

impl ContractDecision {
    pub(crate) const BUY: Self = Self { decision: Decision::Buy, held_by: None };

    pub(crate) const fn skipped_by(rule: Rule) -> Self {
        Self { decision: Decision::Skip, held_by: Some(rule) }
    }

    pub(crate) const fn held_by(self) -> Option<Rule> {
        self.held_by
    }
}

/// What a contract can spend at a marketplace, as far as it is known.
#[derive(Debug)]
pub(crate) struct Means<'a> {
    /// In the currency of the marketplace; `None` before the first read.
    balance: Option<VenueCents>,
    conversion: Conversion,
    /// What the contract has lacked in this pass.
    shortfall: Option<&'a Shortfall>,
}

/// Means that a contract lacks for the rest of a pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shortfall {
    /// The contract can buy nothing that costs this much or more.
    least: Cents,
    lack: RuleResult,
}

impl<'a> Means<'a> {
    pub(crate) const fn new(
        balance: Option<VenueCents>,
        conversion: Conversion,
        shortfall: Option<&'a Shortfall>,
    ) -> Self {
        Self { balance, conversion, shortfall }
    }

    /// Returns what is missing to spend an amount.
    fn lack_for(&self, amount: Cents) -> Option<RuleResult> {
        let is_covered = |balance| self.conversion.asking_for(amount).is_ok_and(|amount| amount <= balance);
        if !self.balance.is_some_and(is_covered) {
            let ours = self.balance.and_then(|balance| self.conversion.proceeds(balance).ok());
            let (actual, limit) = (Some(amount.to_string()), ours.map(|ours| ours.to_string()));
            return Some(RuleResult { rule: Rule::Balance, passed: false, actual, limit });
        }
        self.shortfall.filter(|shortfall| amount >= shortfall.least).map(|shortfall| shortfall.lack.clone())
    }
}

/// Result of a contract's rules and means for a listing.
#[derive(Debug)]
pub(crate) struct BuyVerdict {
    evaluation: Evaluation,
    /// Means that the contract lacks although its rules are met.
    lack: Option<RuleResult>,
    /// The most that the purchase may cost; `None` if the listing is skipped.
    max_cost: Option<Cents>,
}

impl BuyVerdict {
    pub(crate) const fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    pub(crate) const fn lack(&self) -> Option<&RuleResult> {
        self.lack.as_ref()
    }

    pub(crate) const fn max_cost(&self) -> Option<Cents> {
        self.max_cost
    }

    /// Evaluates a contract's rules, and compares the cost with its means. `None` for a contract that buys nothing.
    pub(crate) fn of(
        contract: &Contract,
        prospect: &ListingContext<'_>,
        known: &Circumstances<'_>,
        means: &Means<'_>,
    ) -> Option<Self> {
        let evaluation = evaluate_listing(contract, prospect, known)?;
        let cost = evaluation.all_in_cost.filter(|_| evaluation.decision == Decision::Buy);
        let lack = cost.and_then(|cost| means.lack_for(cost));
        Some(Self { max_cost: cost.filter(|_| lack.is_none()), evaluation, lack })
    }

    pub(crate) fn decision(&self) -> ContractDecision {
        match &self.lack {
            Some(lack) => ContractDecision::skipped_by(lack.rule),
            None => ContractDecision { decision: self.evaluation.decision, held_by: None },
        }
    }
}

/// Next step for a listing after a contract has decided on it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NextStep {
    /// None: it was bought, or an operator decides.
    Done,
    /// The contract decides again, by the limits that are left.
    Retry,
    /// The next contract that wants it decides.
    NextContract,
}

impl NextStep {
    /// Returns what follows a proposal to buy a listing. An error that is returned ends the page.
    pub(crate) fn after_proposal(proposed: &EngineResult, approval: ApprovalMode) -> Option<Self> {
        match proposed {
            Ok(()) if approval == ApprovalMode::Manual => Some(Self::Done),
            Ok(()) => Some(Self::NextContract),
            // Another node has proposed for the contract.
            Err(error) if error.is_limit_of_contract() => Some(Self::Retry),
            // Another contract may buy what this one may not propose.
            Err(EngineError::Operation(refusal)) if is_permanent(refusal) => Some(Self::NextContract),
            Err(_) => None,
        }
    }
}

/// Means that a contract turned out to lack when its money was to be reserved.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MissingMeans {
    /// The rule as reported.
    by: RuleResult,
    /// Amount from which the contract can buy nothing else in this pass; `None` if only this listing is concerned.
    least: Option<Cents>,
}

impl MissingMeans {
    pub(crate) const fn by(&self) -> &RuleResult {
        &self.by
    }

    /// Returns what the contract lacks for the rest of the pass, if more than this listing is concerned.
    pub(crate) fn shortfall(self) -> Option<Shortfall> {
        let Self { by, least } = self;
        least.map(|least| Shortfall { least, lack: by })
    }

    /// Returns the means that an error shows to be missing for a purchase of at most this cost: money of the pool, or an account.
    pub(crate) fn of(error: &EngineError, max_cost: Cents) -> Option<Self> {
        let (rule, why, limit, least) = match error {
            EngineError::Operation(refusal) if refusal.is_limit_of_pool() => {
                // The exposure to one item does not limit the purchase of another.
                let least = (!error.is_limit_of_one_item()).then_some(max_cost);
                (Rule::Pool, refusal.reason.as_str(), Some(max_cost.to_string()), least)
            }
            EngineError::NoReadyAccount | EngineError::NoAssignedAccount(_) | EngineError::NotOnDesk { .. } => {
                (Rule::Account, "NO_ACCOUNT_READY", None, Some(Cents::ZERO))
            }
            EngineError::Operation(_)
            | EngineError::Marketplace(_)
            | EngineError::Platform(_)
            | EngineError::Social(_)
            | EngineError::Session(_)
            | EngineError::AccountUnreadable
            | EngineError::Prices(_)
            | EngineError::Rates(_)
            | EngineError::NoExchangeRate(_)
            | EngineError::SubmitTooLate
            | EngineError::NotShown
            | EngineError::UnknownState { .. }
            | EngineError::OfferMismatch(_)
            | EngineError::Money(_) => return None,
        };
        Some(Self { by: RuleResult { rule, passed: false, actual: Some(why.to_owned()), limit }, least })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_domain::contracts::evaluation::Activity;
    use tradepost_domain::markets::fees::Charges;
    use tradepost_domain::markets::pricing::{Quote, Quotes};
    use tradepost_domain::money::Currency;
    use tradepost_operations::{OpError, Reason};
    use tradepost_ports::external::ExternalError;
    use tradepost_testkit::samples::{Samples, minute, text, variant};

    fn cents(amount: i64) -> Cents {
        Cents::new(amount).unwrap()
    }

    fn failed(rule: Rule) -> RuleResult {
        RuleResult { rule, passed: false, actual: None, limit: None }
    }

    fn means(balance: Option<i64>) -> Means<'static> {
        let balance = balance.map(|balance| VenueCents::new(balance).unwrap());
        Means { balance, conversion: None.into(), shortfall: None }
    }

    /// The verdict of a buying contract on a listing at this price, where others ask 10.00.
    fn verdict(contract: &Contract, price: i64, means: &Means<'_>) -> Option<BuyVerdict> {
        let samples = Samples::seeded(11);
        let wanted = variant("AK-47 | Redline (Field-Tested)");
        let listing = samples.on_offer(wanted, price, minute(0)).listing;
        let charges = Charges::from(samples.fees());
        let sources = ["one", "two", "three"];
        let quotes: Quotes =
            sources.map(|name| Quote::of_ask(text(name), cents(1_000), minute(0))).into_iter().collect();
        let known = Circumstances {
            marketplace: &text("csfloat"),
            fees: Some(&charges),
            filter: None,
            quotes: &quotes,
            price_override: None,
            at: minute(0),
        };
        let exits = [charges.clone()];
        let prospect = ListingContext { listing: &listing, exits: &exits, activity: Activity::default() };
        BuyVerdict::of(contract, &prospect, &known, means)
    }

    fn buying() -> Contract {
        let samples = Samples::seeded(12);
        samples.contract(samples.id())
    }

    fn rejected(reason: Reason) -> EngineError {
        EngineError::Operation(OpError::failed_precondition(reason, "rejected"))
    }

    #[test]
    fn a_contract_whose_rules_are_met_buys_what_its_balance_covers() {
        let bought = verdict(&buying(), 600, &means(Some(603))).unwrap();
        assert_eq!(bought.decision(), ContractDecision::BUY);
        assert_eq!(bought.max_cost, Some(cents(603)), "the price and a fee of 0.5 %");
    }

    #[test]
    fn a_balance_below_the_cost_holds_a_purchase_back_and_is_reported() {
        for balance in [Some(602), None] {
            let held = verdict(&buying(), 600, &means(balance)).unwrap();
            assert_eq!(held.decision(), ContractDecision::skipped_by(Rule::Balance));
            assert_eq!((held.max_cost, held.evaluation.decision), (None, Decision::Buy));
            let lack = held.lack.unwrap();
            assert_eq!(
                (lack.actual, lack.limit),
                (Some(cents(603).to_string()), balance.map(|is| cents(is).to_string()))
            );
        }
    }

    #[test]
    fn a_shortfall_holds_back_every_purchase_that_costs_as_much() {
        let held_from = |least| {
            let shortfall = Shortfall { least: cents(least), lack: failed(Rule::Pool) };
            let means = Means { shortfall: Some(&shortfall), ..means(Some(100_000)) };
            verdict(&buying(), 600, &means).unwrap().decision()
        };
        assert_eq!(held_from(603), ContractDecision::skipped_by(Rule::Pool));
        assert_eq!(held_from(604), ContractDecision::BUY);
    }

    #[test]
    fn a_listing_that_breaks_a_rule_is_skipped_without_a_look_at_the_means() {
        let skipped = verdict(&buying(), 100_000, &means(None)).unwrap();
        assert_eq!(skipped.decision(), ContractDecision { decision: Decision::Skip, held_by: None });
        assert_eq!((skipped.max_cost, skipped.lack), (None, None));
    }

    #[test]
    fn a_selling_contract_has_no_verdict_on_a_listing() {
        let samples = Samples::seeded(12);
        assert!(verdict(&samples.selling_contract(samples.id()), 600, &means(Some(100_000))).is_none());
    }

    #[test]
    fn a_proposal_leaves_the_listing_to_an_operator_or_to_the_next_contract() {
        let next = |proposed: EngineResult, mode| NextStep::after_proposal(&proposed, mode);
        assert_eq!(next(Ok(()), ApprovalMode::Manual), Some(NextStep::Done));
        assert_eq!(next(Ok(()), ApprovalMode::DryRun), Some(NextStep::NextContract));
        assert_eq!(next(Err(rejected(Reason::TradingHalted)), ApprovalMode::Manual), Some(NextStep::NextContract));
        let unknown = Err(EngineError::NotShown);
        assert_eq!(next(unknown, ApprovalMode::Manual), None, "the page ends");
    }

    #[test]
    fn a_pool_without_funds_holds_back_what_costs_as_much_and_an_exposure_only_its_item() {
        let missing = |reason| MissingMeans::of(&rejected(reason), cents(603)).unwrap();
        assert_eq!(missing(Reason::PoolFundsTooLow).by.rule, Rule::Pool);
        assert_eq!(missing(Reason::PoolFundsTooLow).least, Some(cents(603)));
        assert_eq!(missing(Reason::PoolItemExposure).least, None);
    }

    #[test]
    fn a_contract_without_an_account_can_buy_nothing_more_in_a_pass() {
        let missing = MissingMeans::of(&EngineError::NoReadyAccount, cents(603)).unwrap();
        assert_eq!((missing.by.rule, missing.least), (Rule::Account, Some(Cents::ZERO)));
    }

    #[test]
    fn an_error_of_an_external_system_or_a_halt_shows_no_missing_means() {
        let currency = Currency::new("EUR").unwrap();
        let errors = [
            EngineError::Marketplace(ExternalError::Unknown("no answer".to_owned())),
            EngineError::NoExchangeRate(currency),
            rejected(Reason::TradingHalted),
        ];
        for error in errors {
            assert_eq!(MissingMeans::of(&error, cents(603)), None, "{error}");
        }
    }
}
