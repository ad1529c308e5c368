//! From what is on sale to purchases: who wants it, whether it is worth it, and the money reserved before anything is sent.

use std::collections::BTreeSet;

use tradepost_domain::contracts::contract::ApprovalMode;
use tradepost_domain::contracts::evaluation::{
    Activity, Circumstances, Decision, Evaluated, EvaluationRecord, ListingContext, Rule, RuleResult, evaluate_listing,
};
use tradepost_domain::contracts::intent::{DecisionBasis, IntentKind, ListingTarget, Target};
use tradepost_domain::contracts::inventory_item::Traits;
use tradepost_domain::id::ContractId;
use tradepost_domain::markets::fees::Charges;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::Cents;
use tradepost_domain::text::Marketplace;
use tradepost_operations::contracts::{Bought, BuyNow, KeepEvaluations, ProposeIntent};
use tradepost_operations::{Code, OpError, Reason};

use crate::context::Context;
use crate::desk::currency::OurListing;
use crate::error::{EngineError, EngineResult};
use crate::market::Market;
use crate::market::contract_cache::CachedContract;
use crate::market::observation::ContractDecision;
use crate::orders::Orders;
use crate::pass::{DecidedListing, Pass};

/// Evaluations of a listing in a pass, because another node may buy for the same contract in the meantime.
const MAX_EVALUATIONS: usize = 2;

/// Listings that one page of a marketplace shows.
pub(crate) struct MarketPage<'a> {
    pub(crate) marketplace: &'a Marketplace,
    pub(crate) listings: Vec<OurListing>,
}

/// A listing on the marketplace where it is.
#[derive(Clone, Copy)]
struct Opportunity<'a> {
    marketplace: &'a Marketplace,
    listing: &'a OurListing,
}

/// A listing that a contract is to buy.
struct SelectedListing {
    contract_id: ContractId,
    listing: ListingTarget,
    evaluation: EvaluationRecord,
    decided: DecidedListing,
}

/// What a contract makes of an offer.
struct BuyDecision {
    evaluation: EvaluationRecord,
    /// The listing to buy and its report; `None` if it is skipped.
    chosen: Option<(ListingTarget, DecidedListing)>,
    made: ContractDecision,
    /// Whether the contract has decided otherwise before, or not at all.
    is_news: bool,
}

/// What is next for an offer, after a contract has decided on it.
enum NextStep {
    /// Nothing: it was bought, or an operator decides.
    Done,
    /// The contract decides once more, by what it has left.
    Retry,
    /// The next contract that wants it decides.
    NextContract,
}

/// State of buying from one page.
struct BuyContext<'a> {
    orders: &'a mut Orders,
    pass: &'a mut Pass,
    /// The fees of every place where an item could be sold on.
    exits: Vec<Charges>,
    /// New decisions that led to no purchase.
    skipped: Vec<EvaluationRecord>,
}

impl Market {
    /// Buys what is wanted of some listings that are on sale at a marketplace.
    pub(crate) async fn buy_from_page(
        &mut self,
        context: &Context,
        orders: &mut Orders,
        page: MarketPage<'_>,
        pass: &mut Pass,
    ) -> EngineResult {
        let MarketPage { marketplace, listings } = page;
        if context.desk.accounts.is_empty()
            || !orders.may_buy_at(context, marketplace)
            || self.state.is_unresponsive(marketplace)
        {
            return Ok(());
        }
        self.load_valuations(context, self.wanted_variants(&listings)).await?;
        let exits = self.state.fees.values().cloned().collect();
        let mut shopping = BuyContext { orders, pass, exits, skipped: Vec::new() };
        let result = self.buy_at_marketplace(context, MarketPage { marketplace, listings }, &mut shopping).await;
        let (workspace_id, evaluations) = (context.desk.workspace_id, shopping.skipped);
        context.operations.keep_evaluations(&context.caller, KeepEvaluations { workspace_id, evaluations }).await?;
        result
    }

    /// The variants that some contract wants.
    fn wanted_variants(&self, listings: &[OurListing]) -> BTreeSet<Variant> {
        let offered = listings.iter().map(|listing| &listing.offered);
        let wanted = offered.filter(|offered| !self.contracts.index.matching(offered).is_empty());
        wanted.map(|offered| offered.variant.clone()).collect()
    }

    async fn buy_at_marketplace(
        &mut self,
        context: &Context,
        page: MarketPage<'_>,
        shopping: &mut BuyContext<'_>,
    ) -> EngineResult {
        let MarketPage { marketplace, listings } = page;
        for listing in listings {
            self.buy_listing(context, Opportunity { marketplace, listing: &listing }, shopping).await?;
            if self.state.is_unresponsive(marketplace) || !shopping.orders.may_buy_at(context, marketplace) {
                break;
            }
        }
        Ok(())
    }

    /// Buys a listing for the first contract that wants it and has the means. A contract whose limits reject it when the money is
    /// reserved, because another node has bought for it, is evaluated once more.
    async fn buy_listing(
        &mut self,
        context: &Context,
        offer: Opportunity<'_>,
        shopping: &mut BuyContext<'_>,
    ) -> EngineResult {
        for contract_id in self.contracts.index.matching(&offer.listing.offered) {
            for _ in 0..MAX_EVALUATIONS {
                match self.evaluate_listing(context, contract_id, offer, shopping).await? {
                    NextStep::Done => return Ok(()),
                    NextStep::Retry => {}
                    NextStep::NextContract => break,
                }
            }
        }
        Ok(())
    }

    /// Lets a contract decide on an offer, and does what it decides: buys by itself, or proposes it.
    async fn evaluate_listing(
        &mut self,
        context: &Context,
        contract_id: ContractId,
        offer: Opportunity<'_>,
        shopping: &mut BuyContext<'_>,
    ) -> EngineResult<NextStep> {
        let Some(standing) = self.contracts.get(contract_id).cloned() else { return Ok(NextStep::NextContract) };
        let name = &offer.listing.offered.variant.market_hash_name;
        let activity = self.contract_activity(context, &standing.contract, name).await?;
        let Some(verdict) = self.evaluate_contract(context, &standing, offer, (activity, shopping)) else {
            return Ok(NextStep::NextContract);
        };
        let BuyDecision { evaluation, chosen, made, is_news } = verdict;
        let Some((listing, decided)) = chosen else {
            self.remember_decision(offer, (contract_id, made));
            shopping.skipped.push(evaluation);
            return Ok(NextStep::NextContract);
        };
        let choice = SelectedListing { contract_id, listing, evaluation, decided };
        let approval = standing.contract.value.approval_mode;
        if approval == ApprovalMode::Automatic {
            return self.execute_selection(context, choice, offer, shopping).await;
        }
        self.remember_decision(offer, (contract_id, made));
        shopping.pass.push_decision(|| choice.decided.clone());
        if !is_news {
            return Ok(NextStep::NextContract);
        }
        let proposed = propose_intent(context, choice).await;
        self.activity.forget_proposals();
        match proposed {
            Ok(()) if approval == ApprovalMode::Manual => Ok(NextStep::Done),
            Ok(()) => Ok(NextStep::NextContract),
            // Another node has proposed for the contract: it decides once more, by what it has left.
            Err(error) if is_limit_refusal(&error) => Ok(NextStep::Retry),
            // What one contract may not propose, another may buy.
            Err(EngineError::Operation(refusal)) if is_permanent(&refusal) => {
                shopping.pass.record_at([offer.marketplace], Err(refusal.into()));
                Ok(NextStep::NextContract)
            }
            Err(error) => Err(error),
        }
    }

    /// What a contract makes of an offer; `None` if that is known and comes to nothing.
    fn evaluate_contract(
        &self,
        context: &Context,
        standing: &CachedContract,
        offer: Opportunity<'_>,
        (activity, shopping): (Activity, &mut BuyContext<'_>),
    ) -> Option<BuyDecision> {
        let (contract, filter) = (&standing.contract.value, standing.filter.as_ref());
        let (marketplace, offered) = (offer.marketplace, &offer.listing.offered);
        let (fees, basis) = (self.state.fees.get(marketplace)?, self.state.valuations.get(&offered.variant)?);
        let quotes = self.state.witnesses(marketplace, offer.listing, &basis.quotes);
        let (quotes, price_override) = (&*quotes, basis.given.as_ref());
        let known = Circumstances { marketplace, fees: Some(fees), filter, quotes, price_override, at: context.now() };
        let prospect = ListingContext { listing: offered, exits: &shopping.exits, activity };
        let evaluation = evaluate_listing(contract, &prospect, &known)?;
        let wanted = evaluation.all_in_cost.filter(|_| evaluation.decision == Decision::Buy);
        let lack = wanted.and_then(|most| self.state.means_shortfall(contract.id, marketplace, most));
        let (most, held_by) = (wanted.filter(|_| lack.is_none()), lack.as_ref().map(|lack| lack.rule));
        let made = held_by.map_or((evaluation.decision, None), |rule| (Decision::Skip, Some(rule)));
        let is_news = self.state.is_new_decision(marketplace, &offer.listing.id, (contract.id, made));
        let decided = || DecidedListing::new(contract, offered, &evaluation).skipped_by(held_by);
        if most.is_none() {
            shopping.pass.push_decision(decided);
            if !is_news {
                return None;
            }
        }
        let fee = fees.on_buying(&offered.variant.market_hash_name, known.at, offered.price);
        let listing = most.zip(fee.ok()).map(|(most, platform_fee)| listing_target(offer, platform_fee, most));
        let chosen = listing.map(|listing| (listing, decided()));
        let id = context.operations.evaluation_id();
        let evaluation = EvaluationRecord::of(id, contract, &known, evaluated_listing(offer.listing), &evaluation);
        let evaluation = match lack {
            Some(lack) => evaluation.held_back(lack),
            None => evaluation,
        };
        Some(BuyDecision { evaluation, chosen, made, is_news })
    }

    fn remember_decision(&mut self, offer: Opportunity<'_>, made: (ContractId, ContractDecision)) {
        self.state.store_decision(offer.marketplace, &offer.listing.id, made);
    }

    /// Buys what a contract has chosen, unless it turns out that it has not the means.
    async fn execute_selection(
        &mut self,
        context: &Context,
        choice: SelectedListing,
        offer: Opportunity<'_>,
        shopping: &mut BuyContext<'_>,
    ) -> EngineResult<NextStep> {
        let (contract_id, most) = (choice.contract_id, choice.listing.max_buy_price);
        let next = match Box::pin(self.reserve_funds(context, &choice)).await {
            Ok(bought) => {
                shopping.pass.push_decision(|| choice.decided);
                let sent = Box::pin(shopping.orders.submit(context, &mut self.state, bought.purchase)).await;
                shopping.pass.bought += usize::from(sent.is_ok());
                self.handle_buy_result(offer, sent, shopping);
                NextStep::Done
            }
            Err(error) if is_limit_refusal(&error) => NextStep::Retry,
            Err(error) => {
                if let Some(lack) = missing_means(&error, most) {
                    self.skip_for_means(choice, offer, (lack, shopping));
                    return Ok(NextStep::NextContract);
                }
                self.handle_buy_result(offer, Err(error), shopping);
                NextStep::Done
            }
        };
        if matches!(next, NextStep::Done) {
            self.remember_decision(offer, (contract_id, (Decision::Buy, None)));
        }
        self.refresh_contract(context, contract_id).await?;
        Ok(next)
    }

    fn handle_buy_result(&mut self, offer: Opportunity<'_>, bought: EngineResult, shopping: &mut BuyContext<'_>) {
        if bought.as_ref().is_err_and(is_external) {
            self.state.mark_unresponsive(offer.marketplace);
        }
        shopping.pass.record_at([offer.marketplace], bought);
    }

    /// Records that a contract wants a listing and lacks the means.
    fn skip_for_means(
        &mut self,
        choice: SelectedListing,
        offer: Opportunity<'_>,
        (lack, shopping): (MissingMeans, &mut BuyContext<'_>),
    ) {
        let MissingMeans { by, least } = lack;
        let (contract_id, made) = (choice.contract_id, (Decision::Skip, Some(by.rule)));
        shopping.pass.push_decision(|| choice.decided.skipped_by(Some(by.rule)));
        if self.state.is_new_decision(offer.marketplace, &offer.listing.id, (contract_id, made)) {
            shopping.skipped.push(choice.evaluation.held_back(by.clone()));
        }
        self.remember_decision(offer, (contract_id, made));
        if let Some(least) = least {
            self.state.set_means_shortfall(contract_id, least, by);
        }
    }

    /// Writes the decision down and reserves the money, in one commit.
    async fn reserve_funds(&mut self, context: &Context, choice: &SelectedListing) -> EngineResult<Bought> {
        let account = self.choose_buyer(context, choice.contract_id).await?;
        let exchange_rate = context.rate_for(context.venue(&choice.listing.marketplace)?.currency)?;
        let command = BuyNow {
            workspace_id: context.desk.workspace_id,
            contract_id: choice.contract_id,
            listing: choice.listing.clone(),
            account_name: account.name,
            exchange_rate,
            basis: decision_basis(&choice.evaluation),
            evaluation: Some(choice.evaluation.clone()),
        };
        Ok(context.operations.buy_now(&context.caller, command).await?)
    }
}

/// Proposes the purchase to an operator, with the basis of the decision.
async fn propose_intent(context: &Context, choice: SelectedListing) -> EngineResult {
    let (workspace_id, basis) = (context.desk.workspace_id, decision_basis(&choice.evaluation));
    let keep = KeepEvaluations { workspace_id, evaluations: vec![choice.evaluation] };
    context.operations.keep_evaluations(&context.caller, keep).await?;
    let proposal = ProposeIntent {
        workspace_id,
        contract_id: Some(choice.contract_id),
        kind: IntentKind::Buy,
        target: Target::Listing(choice.listing),
        basis,
    };
    match context.operations.propose_intent(&context.caller, proposal).await {
        // Another node has proposed it, or buys it.
        Err(refusal) if refusal.code == Code::AlreadyExists => Ok(()),
        proposed => Ok(proposed.map(drop)?),
    }
}

fn listing_target(
    Opportunity { marketplace, listing }: Opportunity<'_>,
    platform_fee: Cents,
    max_buy_price: Cents,
) -> ListingTarget {
    let variant = &listing.offered.variant;
    ListingTarget {
        marketplace: marketplace.clone(),
        listing_id: listing.id.clone(),
        listing_asset_id: listing.asset_id.clone(),
        app_id: variant.app_id,
        market_hash_name: variant.market_hash_name.clone(),
        phase: variant.phase.clone(),
        traits: Box::new(Traits::from(&listing.offered)),
        price: listing.offered.price,
        platform_fee,
        max_buy_price,
    }
}

fn evaluated_listing(listing: &OurListing) -> Evaluated {
    let offered = &listing.offered;
    Evaluated::Listing { listing_id: Some(listing.id.clone()), variant: offered.variant.clone(), price: offered.price }
}

/// By what something was decided.
pub(crate) fn decision_basis(evaluation: &EvaluationRecord) -> DecisionBasis {
    DecisionBasis {
        evaluation_id: Some(evaluation.id),
        filter_set_version: evaluation.filter_set_version,
        fair_value: evaluation.sums.fair_value,
    }
}

/// Whether it is a limit of the contract that refuses a purchase: a decision, and nothing that went wrong.
fn is_limit_refusal(error: &EngineError) -> bool {
    matches!(error, EngineError::Operation(refusal) if refusal.is_limit_of_contract())
}

/// What a contract has not.
struct MissingMeans {
    /// The rule as reported.
    by: RuleResult,
    /// From which amount on nothing else can be bought in this pass either; `None` where it is about this listing.
    least: Option<Cents>,
}

/// What the contract of a purchase that may cost so much has not: money of its pool, or an account.
fn missing_means(error: &EngineError, most: Cents) -> Option<MissingMeans> {
    let (rule, why, limit, least) = match error {
        EngineError::Operation(refusal) if refusal.is_limit_of_pool() => {
            // How much of one item is at stake says nothing of another.
            let least = (refusal.reason != Reason::PoolItemExposure).then_some(most);
            (Rule::Pool, refusal.reason.as_str(), Some(most.to_string()), least)
        }
        EngineError::NoReadyAccount | EngineError::NoAssignedAccount(_) | EngineError::NotOnDesk { .. } => {
            (Rule::Account, "NO_ACCOUNT_READY", None, Some(Cents::ZERO))
        }
        EngineError::Operation(_)
        | EngineError::Marketplace(_)
        | EngineError::Platform(_)
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
    Some(MissingMeans { by: RuleResult { rule, passed: false, actual: Some(why.to_owned()), limit }, least })
}

/// Whether a refusal would be the same again.
fn is_permanent(refusal: &OpError) -> bool {
    refusal.code == Code::FailedPrecondition && !refusal.is_conflict()
}

/// Whether it is the outside that does not answer, so that the next call would not be answered either.
fn is_external(error: &EngineError) -> bool {
    match error {
        EngineError::Marketplace(_)
        | EngineError::Platform(_)
        | EngineError::AccountUnreadable
        | EngineError::Prices(_)
        | EngineError::Rates(_)
        | EngineError::SubmitTooLate
        | EngineError::NotShown => true,
        EngineError::Operation(refusal) => refusal.code == Code::Internal,
        EngineError::NotOnDesk { .. }
        | EngineError::UnknownState { .. }
        | EngineError::OfferMismatch(_)
        | EngineError::NoReadyAccount
        | EngineError::NoAssignedAccount(_)
        | EngineError::NoExchangeRate(_)
        | EngineError::Money(_) => false,
    }
}
