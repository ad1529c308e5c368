//! From listings to purchases: evaluates each for the contracts that want it, chooses the trading account, and reserves the money before
//! anything is sent.

use std::collections::BTreeSet;

use tradepost_domain::contracts::contract::ApprovalMode;
use tradepost_domain::contracts::evaluation::{Circumstances, Decision, Evaluated, EvaluationRecord, ListingContext};
use tradepost_domain::contracts::intent::{DecisionBasis, IntentKind, ListingTarget, Target};
use tradepost_domain::contracts::inventory_item::Traits;
use tradepost_domain::id::ContractId;
use tradepost_domain::markets::fees::Charges;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::Cents;
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_domain::trading::trading_account::AccountRole;
use tradepost_operations::Code;
use tradepost_operations::contracts::{
    AccountChoice, Bought, BuyNow, KeepEvaluations, ProposeIntent, ResolveAssignment,
};

use crate::context::Context;
use crate::desk::currency::OurListing;
use crate::desk::{TradingAccount, account_in_turn};
use crate::error::{EngineError, EngineResult};
use crate::market::Market;
use crate::market::buy_decision::{BuyVerdict, ContractDecision, MissingMeans, NextStep};
use crate::market::contract_cache::CachedContract;
use crate::market::state::Opportunity;
use crate::orders::Orders;
use crate::pass::{DecidedListing, Pass};

/// Listings that one page of a marketplace shows.
pub(crate) struct MarketPage<'a> {
    marketplace: &'a Marketplace,
    listings: Vec<OurListing>,
}

impl<'a> MarketPage<'a> {
    pub(crate) const fn new(marketplace: &'a Marketplace, listings: Vec<OurListing>) -> Self {
        Self { marketplace, listings }
    }
}

/// A listing that a contract is to buy.
struct SelectedListing {
    contract_id: ContractId,
    listing: ListingTarget,
    evaluation: EvaluationRecord,
    decided: DecidedListing,
}

/// A verdict on a listing, and what is recorded of it.
struct BuyDecision {
    verdict: BuyVerdict,
    /// The listing to buy; `None` if it is skipped.
    target: Option<ListingTarget>,
    /// Whether the contract decides for the first time, or in another way than before.
    is_news: bool,
    /// `None` for a known decision that leads to no purchase.
    record: Option<EvaluationRecord>,
}

/// State of buying from one page.
struct BuyContext<'a> {
    orders: &'a mut Orders,
    pass: &'a mut Pass,
    /// The fees of every marketplace where an item could be resold.
    exits: Vec<Charges>,
    /// New decisions that led to no purchase.
    skipped: Vec<EvaluationRecord>,
    /// Our own listings as they were after the page; `None` until a listing of it is selected.
    ours: Option<BTreeSet<ExternalId>>,
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
        if context.desk().accounts.is_empty()
            || !orders.may_buy_at(context, marketplace)
            || self.state.is_unresponsive(marketplace)
        {
            return Ok(());
        }
        self.load_valuations(context, self.wanted_variants(&listings)).await?;
        let exits = self.state.all_fees().map(|(_, fees)| fees.clone()).collect();
        let mut shopping = BuyContext { orders, pass, exits, skipped: Vec::new(), ours: None };
        let result = self.buy_at_marketplace(context, MarketPage { marketplace, listings }, &mut shopping).await;
        let (workspace_id, evaluations) = (context.desk().workspace_id, shopping.skipped);
        context.operations().keep_evaluations(context.caller(), KeepEvaluations { workspace_id, evaluations }).await?;
        result
    }

    /// The variants that some contract wants.
    fn wanted_variants(&self, listings: &[OurListing]) -> BTreeSet<Variant> {
        let offered = listings.iter().map(|listing| &listing.offered);
        let wanted = offered.filter(|offered| !self.contracts.wanting(offered).is_empty());
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
            self.buy_listing(context, Opportunity::new(marketplace, &listing), shopping).await?;
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
        for contract_id in self.contracts.wanting(&offer.listing().offered) {
            for _ in 0..context.timings().evaluations_per_listing {
                match self.evaluate_listing(context, contract_id, offer, shopping).await? {
                    NextStep::Done => return Ok(()),
                    NextStep::Retry => {}
                    NextStep::NextContract => break,
                }
            }
        }
        Ok(())
    }

    /// Lets a contract decide on a listing, and carries the decision out: buys, or proposes the purchase.
    async fn evaluate_listing(
        &mut self,
        context: &Context,
        contract_id: ContractId,
        offer: Opportunity<'_>,
        shopping: &mut BuyContext<'_>,
    ) -> EngineResult<NextStep> {
        let Some(standing) = self.contracts.get(contract_id).cloned() else { return Ok(NextStep::NextContract) };
        let (contract, offered) = (standing.contract(), &offer.listing().offered);
        let name = &offered.variant.market_hash_name;
        let activity = self.contract_activity(context, standing.versioned(), name).await?;
        let prospect = ListingContext { listing: offered, exits: &shopping.exits, activity };
        let Some(decision) = self.decide(context, &standing, offer, &prospect) else {
            return Ok(NextStep::NextContract);
        };
        let BuyDecision { verdict, target, is_news, record } = decision;
        let made = verdict.decision();
        let decided = || DecidedListing::new(contract, offered, verdict.evaluation()).skipped_by(made.held_by());
        let (Some(listing), Some(evaluation)) = (target, record.clone()) else {
            shopping.pass.push_decision(decided);
            if is_news {
                shopping.pass.count_decision(Decision::Skip);
            }
            shopping.skipped.extend(record);
            self.state.store_decision(offer, contract_id, made);
            return Ok(NextStep::NextContract);
        };
        let choice = SelectedListing { contract_id, listing, evaluation, decided: decided() };
        if (is_news || contract.approval_mode == ApprovalMode::Automatic)
            && self.is_ours(context, offer, shopping).await?
        {
            return Ok(NextStep::Done);
        }
        if contract.approval_mode == ApprovalMode::Automatic {
            return self.execute_selection(context, choice, offer, shopping).await;
        }
        self.state.store_decision(offer, contract_id, made);
        shopping.pass.push_decision(|| choice.decided.clone());
        if !is_news {
            return Ok(NextStep::NextContract);
        }
        shopping.pass.count_decision(Decision::Buy);
        let proposed = propose_intent(context, choice).await;
        self.activity.forget_proposals();
        let next = NextStep::after_proposal(&proposed, contract.approval_mode);
        match next {
            Some(NextStep::NextContract) => shopping.pass.record_at([offer.marketplace()], proposed),
            Some(NextStep::Done | NextStep::Retry) => {}
            None => proposed?,
        }
        Ok(next.unwrap_or(NextStep::NextContract))
    }

    /// Returns whether a selected listing is our own. Another node, or a person, may have listed the item after our listings were read in
    /// this pass; what is on the page was listed before a read that follows the page.
    async fn is_ours(
        &mut self,
        context: &Context,
        offer: Opportunity<'_>,
        shopping: &mut BuyContext<'_>,
    ) -> EngineResult<bool> {
        let ours = match shopping.ours.take() {
            Some(ours) => ours,
            None => self.read_own_listings(context, &context.venue(offer.marketplace())?).await?,
        };
        Ok(shopping.ours.insert(ours).contains(&offer.listing().id))
    }

    /// Returns the decision of a contract on a listing; `None` before the fees and prices are known.
    fn decide(
        &self,
        context: &Context,
        standing: &CachedContract,
        offer: Opportunity<'_>,
        prospect: &ListingContext<'_>,
    ) -> Option<BuyDecision> {
        let (contract, filter) = (standing.contract(), standing.filter());
        let (marketplace, offered) = (offer.marketplace(), &offer.listing().offered);
        let (fees, basis) = (self.state.fees(marketplace)?, self.state.valuations().get(&offered.variant)?);
        let quotes = self.state.witnesses(marketplace, offer.listing(), &basis.quotes);
        let (quotes, price_override) = (&*quotes, basis.given.as_ref());
        let known = Circumstances { marketplace, fees: Some(fees), filter, quotes, price_override, at: context.now() };
        let verdict = BuyVerdict::of(contract, prospect, &known, &self.state.means(contract.id, marketplace))?;
        let fee = || fees.on_buying(&offered.variant.market_hash_name, known.at, offered.price).ok();
        let target = verdict.max_cost().and_then(|most| Some(listing_target(offer, fee()?, most)));
        let is_news = self.state.is_new_decision(offer, contract.id, verdict.decision());
        let record = (is_news || target.is_some()).then(|| {
            let id = context.operations().evaluation_id();
            let record =
                EvaluationRecord::of(id, contract, &known, evaluated_listing(offer.listing()), verdict.evaluation());
            match verdict.lack().cloned() {
                Some(lack) => record.held_back(lack),
                None => record,
            }
        });
        Some(BuyDecision { verdict, target, is_news, record })
    }

    /// Buys the listing that a contract has selected, unless the contract turns out to lack the means.
    async fn execute_selection(
        &mut self,
        context: &Context,
        choice: SelectedListing,
        offer: Opportunity<'_>,
        shopping: &mut BuyContext<'_>,
    ) -> EngineResult<NextStep> {
        let (contract_id, max_cost) = (choice.contract_id, choice.listing.max_buy_price);
        let next = match self.reserve_funds(context, &choice).await {
            Ok(bought) => {
                shopping.pass.push_decision(|| choice.decided);
                shopping.pass.count_decision(Decision::Buy);
                let sent = shopping.orders.submit(context, &mut self.state, bought.purchase).await;
                shopping.pass.bought += usize::from(sent.is_ok());
                self.handle_buy_result(offer, sent, shopping);
                NextStep::Done
            }
            Err(error) if error.is_limit_of_contract() => NextStep::Retry,
            Err(error) => {
                if let Some(missing) = MissingMeans::of(&error, max_cost) {
                    self.skip_for_means(choice, offer, missing, shopping);
                    return Ok(NextStep::NextContract);
                }
                self.handle_buy_result(offer, Err(error), shopping);
                NextStep::Done
            }
        };
        if matches!(next, NextStep::Done) {
            self.state.store_decision(offer, contract_id, ContractDecision::BUY);
        }
        self.refresh_contract(context, contract_id).await?;
        Ok(next)
    }

    fn handle_buy_result(&mut self, offer: Opportunity<'_>, bought: EngineResult, shopping: &mut BuyContext<'_>) {
        if bought.as_ref().is_err_and(EngineError::is_external) {
            self.state.mark_unresponsive(offer.marketplace());
        }
        shopping.pass.record_at([offer.marketplace()], bought);
    }

    /// Records that a contract wants a listing and lacks the means.
    fn skip_for_means(
        &mut self,
        choice: SelectedListing,
        offer: Opportunity<'_>,
        missing: MissingMeans,
        shopping: &mut BuyContext<'_>,
    ) {
        let (contract_id, made) = (choice.contract_id, ContractDecision::skipped_by(missing.by().rule));
        shopping.pass.push_decision(|| choice.decided.skipped_by(made.held_by()));
        if self.state.is_new_decision(offer, contract_id, made) {
            shopping.pass.count_decision(Decision::Skip);
            shopping.skipped.push(choice.evaluation.held_back(missing.by().clone()));
        }
        self.state.store_decision(offer, contract_id, made);
        if let Some(shortfall) = missing.shortfall() {
            self.state.set_shortfall(contract_id, shortfall);
        }
    }

    /// Writes the decision down and reserves the money, in one commit.
    async fn reserve_funds(&mut self, context: &Context, choice: &SelectedListing) -> EngineResult<Bought> {
        let account = self.choose_buyer(context, choice.contract_id).await?;
        let exchange_rate = context.rate_for(context.venue(&choice.listing.marketplace)?.currency)?;
        let command = BuyNow {
            workspace_id: context.desk().workspace_id,
            contract_id: choice.contract_id,
            listing: choice.listing.clone(),
            account_name: account.name,
            exchange_rate,
            basis: DecisionBasis::from(&choice.evaluation),
            evaluation: Some(choice.evaluation.clone()),
        };
        Ok(context.operations().buy_now(context.caller(), command).await?)
    }
    /// Returns the account that buys next for a contract: the one assigned to its pool, or each in turn.
    pub(crate) async fn choose_buyer(
        &mut self,
        context: &Context,
        contract_id: ContractId,
    ) -> EngineResult<TradingAccount> {
        let (workspace_id, role) = (context.desk().workspace_id, AccountRole::Buy);
        let pool_id = self.contracts.get(contract_id).and_then(|standing| standing.contract().pool_id);
        let Some(pool_id) = pool_id else { return self.next_ready_account(context).await };
        let ask = ResolveAssignment { workspace_id, pool_id, role };
        match context.operations().choose_account(context.caller(), ask).await? {
            AccountChoice::Anybody => self.next_ready_account(context).await,
            AccountChoice::Account { name, .. } => context.account(&name),
            AccountChoice::NoAccount => Err(EngineError::NoAssignedAccount(pool_id)),
        }
    }

    async fn next_ready_account(&mut self, context: &Context) -> EngineResult<TradingAccount> {
        let (now, turn, loads) = (context.now(), self.next_account, context.loads().await?);
        self.next_account = turn.wrapping_add(1);
        let is_ready = |account: &TradingAccount| context.may_buy(&account.name, &loads, now);
        account_in_turn(&context.desk().accounts, turn, is_ready).cloned().ok_or(EngineError::NoReadyAccount)
    }
}

/// Proposes the purchase to an operator, with the basis of the decision.
async fn propose_intent(context: &Context, choice: SelectedListing) -> EngineResult {
    let (workspace_id, basis) = (context.desk().workspace_id, DecisionBasis::from(&choice.evaluation));
    let keep = KeepEvaluations { workspace_id, evaluations: vec![choice.evaluation] };
    context.operations().keep_evaluations(context.caller(), keep).await?;
    let proposal = ProposeIntent {
        workspace_id,
        contract_id: Some(choice.contract_id),
        kind: IntentKind::Buy,
        target: Target::Listing(choice.listing),
        basis,
        is_read_only: false,
    };
    match context.operations().propose_intent(context.caller(), proposal).await {
        // Another node has proposed it, or buys it.
        Err(refusal) if refusal.code == Code::AlreadyExists => Ok(()),
        proposed => Ok(proposed.map(drop)?),
    }
}

fn listing_target(offer: Opportunity<'_>, platform_fee: Cents, max_buy_price: Cents) -> ListingTarget {
    let (marketplace, listing) = (offer.marketplace(), offer.listing());
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
