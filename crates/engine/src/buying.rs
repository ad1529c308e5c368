//! From what is on sale to purchases: who wants it, whether it is worth it, and the money reserved before anything is sent.

use std::collections::BTreeSet;

use tradepost_domain::contract::ApprovalMode;
use tradepost_domain::evaluation::{
    Activity, Circumstances, Decision, Evaluated, EvaluationRecord, Prospect, Rule, ToldReason, evaluate_listing,
};
use tradepost_domain::fees::Charges;
use tradepost_domain::id::ContractId;
use tradepost_domain::intent::{Grounds, IntentKind, ListingTarget, Target};
use tradepost_domain::inventory_item::Traits;
use tradepost_domain::money::Cents;
use tradepost_domain::text::Marketplace;
use tradepost_domain::variant::Variant;
use tradepost_operations::contracts::{Bought, BuyNow, KeepEvaluations, ProposeIntent};
use tradepost_operations::{Code, OpError};

use crate::Engine;
use crate::catalogue::Standing;
use crate::exchange::OurListing;
use crate::observing::Made;
use crate::pass::{Decided, Pass};
use crate::trouble::{Tried, Trouble};

/// How often a listing is judged in a pass, when meanwhile somebody else buys for the contracts that want it.
const JUDGED: usize = 2;

/// A listing on the marketplace where it is.
#[derive(Clone, Copy)]
struct Offer<'a> {
    marketplace: &'a Marketplace,
    listing: &'a OurListing,
}

/// A listing that a contract is to buy.
struct Choice {
    contract_id: ContractId,
    listing: ListingTarget,
    evaluation: EvaluationRecord,
    told: Decided,
}

/// What a contract makes of an offer.
struct Verdict {
    evaluation: EvaluationRecord,
    /// The listing as it is to be bought, and how that is told; `None` if it is let go.
    chosen: Option<(ListingTarget, Decided)>,
    made: Made,
    /// Whether the contract has decided otherwise before, or not at all.
    is_news: bool,
}

/// What is next for an offer, after a contract has decided on it.
enum Next {
    /// Nothing: it was bought, or somebody decides on it.
    Done,
    /// The contract decides once more, by what it has left.
    Again,
    /// The next contract that wants it decides.
    Other,
}

/// What buying goes by while it looks through some listings.
struct Shopping<'a> {
    pass: &'a mut Pass,
    /// The fees of every place where an item could be sold on.
    exits: Vec<Charges>,
    /// What was decided anew and came to nothing.
    let_go: Vec<EvaluationRecord>,
}

impl Engine {
    /// Buys what is wanted of some listings that are on sale at a marketplace.
    pub(crate) async fn buy(&mut self, marketplace: &Marketplace, listings: Vec<OurListing>, pass: &mut Pass) -> Tried {
        if self.desk.accounts.is_empty() || !self.buys_at(marketplace) || self.market.is_silent(marketplace) {
            return Ok(());
        }
        self.value(self.wanted(&listings)).await?;
        let exits = self.market.fees.values().cloned().collect();
        let mut shopping = Shopping { pass, exits, let_go: Vec::new() };
        let tried = self.buy_at(marketplace, listings, &mut shopping).await;
        let (workspace_id, evaluations) = (self.desk.workspace_id, shopping.let_go);
        self.operations.keep_evaluations(&self.caller, KeepEvaluations { workspace_id, evaluations }).await?;
        tried
    }

    /// The variants that some contract wants.
    fn wanted(&self, listings: &[OurListing]) -> BTreeSet<Variant> {
        let offered = listings.iter().map(|listing| &listing.offered);
        let wanted = offered.filter(|offered| !self.catalogue.index.matching(offered).is_empty());
        wanted.map(|offered| offered.variant.clone()).collect()
    }

    async fn buy_at(
        &mut self,
        marketplace: &Marketplace,
        listings: Vec<OurListing>,
        shopping: &mut Shopping<'_>,
    ) -> Tried {
        for listing in listings {
            self.buy_listing(Offer { marketplace, listing: &listing }, shopping).await?;
            if self.market.is_silent(marketplace) || !self.buys_at(marketplace) {
                break;
            }
        }
        Ok(())
    }

    /// Buys a listing for the first of the contracts that want it and have the means. One whose limits refuse it when the money is
    /// to be reserved, because another node has bought for it meanwhile, decides once more by what it has left.
    async fn buy_listing(&mut self, offer: Offer<'_>, shopping: &mut Shopping<'_>) -> Tried {
        for contract_id in self.catalogue.index.matching(&offer.listing.offered) {
            for _ in 0..JUDGED {
                match self.decide_on(contract_id, offer, shopping).await? {
                    Next::Done => return Ok(()),
                    Next::Again => {}
                    Next::Other => break,
                }
            }
        }
        Ok(())
    }

    /// Lets a contract decide on an offer, and does what it decides: buys by itself, or proposes it.
    async fn decide_on(
        &mut self,
        contract_id: ContractId,
        offer: Offer<'_>,
        shopping: &mut Shopping<'_>,
    ) -> Tried<Next> {
        let Some(standing) = self.catalogue.get(contract_id).cloned() else { return Ok(Next::Other) };
        let name = &offer.listing.offered.variant.market_hash_name;
        let activity = self.activity(&standing.contract, name).await?;
        let Some(verdict) = self.judge(&standing, offer, (activity, shopping)) else { return Ok(Next::Other) };
        let Verdict { evaluation, chosen, made, is_news } = verdict;
        let Some((listing, told)) = chosen else {
            self.remember(offer, (contract_id, made));
            shopping.let_go.push(evaluation);
            return Ok(Next::Other);
        };
        let choice = Choice { contract_id, listing, evaluation, told };
        let approval = standing.contract.value.approval_mode;
        if approval == ApprovalMode::Automatic {
            return self.purchase(choice, offer, shopping).await;
        }
        self.remember(offer, (contract_id, made));
        shopping.pass.decided(|| choice.told.clone());
        if !is_news {
            return Ok(Next::Other);
        }
        let proposed = self.propose(choice).await;
        self.activities.forget_proposals();
        match proposed {
            Ok(()) if approval == ApprovalMode::Manual => Ok(Next::Done),
            Ok(()) => Ok(Next::Other),
            // Another node has proposed for the contract: it decides once more, by what it has left.
            Err(trouble) if is_limit(&trouble) => Ok(Next::Again),
            // What one contract may not propose, another may buy.
            Err(Trouble::Operation(refusal)) if is_final(&refusal) => {
                shopping.pass.note_at([offer.marketplace], Err(refusal.into()));
                Ok(Next::Other)
            }
            Err(trouble) => Err(trouble),
        }
    }

    /// What a contract makes of an offer; `None` if that is known and comes to nothing.
    fn judge(
        &self,
        standing: &Standing,
        offer: Offer<'_>,
        (activity, shopping): (Activity, &mut Shopping<'_>),
    ) -> Option<Verdict> {
        let (contract, filter) = (&standing.contract.value, standing.filter.as_ref());
        let (marketplace, offered) = (offer.marketplace, &offer.listing.offered);
        let (fees, basis) = (self.market.fees.get(marketplace)?, self.market.worth.get(&offered.variant)?);
        let quotes = self.market.witnesses(marketplace, offer.listing, &basis.quotes);
        let (quotes, price_override) = (&*quotes, basis.given.as_ref());
        let known = Circumstances { marketplace, fees: Some(fees), filter, quotes, price_override, at: self.now() };
        let prospect = Prospect { listing: offered, exits: &shopping.exits, activity };
        let evaluation = evaluate_listing(contract, &prospect, &known)?;
        let wanted = evaluation.all_in_cost.filter(|_| evaluation.decision == Decision::Buy);
        let lack = wanted.and_then(|most| self.market.lack(contract.id, marketplace, most));
        let (most, held_by) = (wanted.filter(|_| lack.is_none()), lack.as_ref().map(|lack| lack.rule));
        let made = held_by.map_or((evaluation.decision, None), |rule| (Decision::Skip, Some(rule)));
        let is_news = self.market.is_news(marketplace, &offer.listing.id, (contract.id, made));
        let told = || Decided::on(contract, offered, &evaluation).held_back(held_by);
        if most.is_none() {
            shopping.pass.decided(told);
            if !is_news {
                return None;
            }
        }
        let fee = fees.on_buying(&offered.variant.market_hash_name, known.at, offered.price);
        let listing = most.zip(fee.ok()).map(|(most, platform_fee)| target(offer, platform_fee, most));
        let chosen = listing.map(|listing| (listing, told()));
        let id = self.operations.evaluation_id();
        let evaluation = EvaluationRecord::of(id, contract, &known, about(offer.listing), &evaluation);
        let evaluation = match lack {
            Some(lack) => evaluation.held_back(lack),
            None => evaluation,
        };
        Some(Verdict { evaluation, chosen, made, is_news })
    }

    fn remember(&mut self, offer: Offer<'_>, made: (ContractId, Made)) {
        self.market.decided(offer.marketplace, &offer.listing.id, made);
    }

    /// Buys what a contract has chosen, unless it turns out that it has not the means.
    async fn purchase(&mut self, choice: Choice, offer: Offer<'_>, shopping: &mut Shopping<'_>) -> Tried<Next> {
        let (contract_id, most) = (choice.contract_id, choice.listing.max_buy_price);
        let next = match Box::pin(self.reserve(&choice)).await {
            Ok(bought) => {
                shopping.pass.decided(|| choice.told);
                let sent = Box::pin(self.send(bought.purchase)).await;
                shopping.pass.bought += usize::from(sent.is_ok());
                self.heed_answer(offer, sent, shopping);
                Next::Done
            }
            Err(trouble) if is_limit(&trouble) => Next::Again,
            Err(trouble) => {
                if let Some(lack) = lack_of(&trouble, most) {
                    self.hold_back(choice, offer, (lack, shopping));
                    return Ok(Next::Other);
                }
                self.heed_answer(offer, Err(trouble), shopping);
                Next::Done
            }
        };
        if matches!(next, Next::Done) {
            self.remember(offer, (contract_id, (Decision::Buy, None)));
        }
        self.follow_contract(contract_id).await?;
        Ok(next)
    }

    fn heed_answer(&mut self, offer: Offer<'_>, bought: Tried, shopping: &mut Shopping<'_>) {
        if bought.as_ref().is_err_and(is_outside) {
            self.market.silence(offer.marketplace);
        }
        shopping.pass.note_at([offer.marketplace], bought);
    }

    /// Lets go what a contract has chosen and cannot buy, and says why.
    fn hold_back(&mut self, choice: Choice, offer: Offer<'_>, (lack, shopping): (Lack, &mut Shopping<'_>)) {
        let Lack { by, least } = lack;
        let (contract_id, made) = (choice.contract_id, (Decision::Skip, Some(by.rule)));
        shopping.pass.decided(|| choice.told.held_back(Some(by.rule)));
        if self.market.is_news(offer.marketplace, &offer.listing.id, (contract_id, made)) {
            shopping.let_go.push(choice.evaluation.held_back(by.clone()));
        }
        self.remember(offer, (contract_id, made));
        if let Some(least) = least {
            self.market.lacks(contract_id, least, by);
        }
    }

    /// Writes the decision down and reserves the money, in one commit.
    async fn reserve(&mut self, choice: &Choice) -> Tried<Bought> {
        let account = self.buyer(choice.contract_id).await?;
        let exchange_rate = self.rate_of(self.venue(&choice.listing.marketplace)?.currency)?;
        let command = BuyNow {
            workspace_id: self.desk.workspace_id,
            contract_id: choice.contract_id,
            listing: choice.listing.clone(),
            account_name: account.name,
            exchange_rate,
            grounds: grounds(&choice.evaluation),
            evaluation: Some(choice.evaluation.clone()),
        };
        Ok(self.operations.buy_now(&self.caller, command).await?)
    }

    /// Writes the decision down for a person, with what it goes by.
    async fn propose(&self, choice: Choice) -> Tried {
        let (workspace_id, grounds) = (self.desk.workspace_id, grounds(&choice.evaluation));
        let keep = KeepEvaluations { workspace_id, evaluations: vec![choice.evaluation] };
        self.operations.keep_evaluations(&self.caller, keep).await?;
        let proposal = ProposeIntent {
            workspace_id,
            contract_id: Some(choice.contract_id),
            kind: IntentKind::Buy,
            target: Target::Listing(choice.listing),
            grounds,
        };
        match self.operations.propose_intent(&self.caller, proposal).await {
            // Somebody else has proposed it, or buys it.
            Err(refusal) if refusal.code == Code::AlreadyExists => Ok(()),
            proposed => Ok(proposed.map(drop)?),
        }
    }
}

fn target(Offer { marketplace, listing }: Offer<'_>, platform_fee: Cents, max_buy_price: Cents) -> ListingTarget {
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

fn about(listing: &OurListing) -> Evaluated {
    let offered = &listing.offered;
    Evaluated::Listing { listing_id: Some(listing.id.clone()), variant: offered.variant.clone(), price: offered.price }
}

/// By what something was decided.
pub(crate) fn grounds(evaluation: &EvaluationRecord) -> Grounds {
    Grounds {
        evaluation_id: Some(evaluation.id),
        filter_set_version: evaluation.filter_set_version,
        fair_value: evaluation.sums.fair_value,
    }
}

/// Whether it is a limit of the contract that refuses a purchase: a decision, and nothing that went wrong.
fn is_limit(trouble: &Trouble) -> bool {
    matches!(trouble, Trouble::Operation(refusal) if refusal.is_limit_of_contract())
}

/// What a contract has not.
struct Lack {
    /// How that is told.
    by: ToldReason,
    /// From which amount on nothing else can be bought in this pass either; `None` where it is about this listing.
    least: Option<Cents>,
}

/// What the contract of a purchase that may cost so much has not: money of its pool, or an account.
fn lack_of(trouble: &Trouble, most: Cents) -> Option<Lack> {
    let (rule, why, limit, least) = match trouble {
        Trouble::Operation(refusal) if refusal.is_limit_of_pool() => {
            // How much of one item is at stake says nothing of another.
            let least = (refusal.reason != "POOL_ITEM_EXPOSURE").then_some(most);
            (Rule::Pool, refusal.reason, Some(most.to_string()), least)
        }
        Trouble::NoAccount | Trouble::NobodyAssigned(_) | Trouble::Unknown { .. } => {
            (Rule::Account, "NO_ACCOUNT_READY", None, Some(Cents::ZERO))
        }
        Trouble::Operation(_)
        | Trouble::Marketplace(_)
        | Trouble::Platform(_)
        | Trouble::Unread
        | Trouble::Prices(_)
        | Trouble::Rates(_)
        | Trouble::NoRate(_)
        | Trouble::StoodStill
        | Trouble::NotShown
        | Trouble::UnknownState { .. }
        | Trouble::WrongOffer(_)
        | Trouble::Money(_) => return None,
    };
    Some(Lack { by: ToldReason { rule, passed: false, actual: Some(why.to_owned()), limit }, least })
}

/// Whether a refusal would be the same again.
fn is_final(refusal: &OpError) -> bool {
    refusal.code == Code::FailedPrecondition && !refusal.is_conflict()
}

/// Whether it is the outside that does not answer, so that the next call would not be answered either.
fn is_outside(trouble: &Trouble) -> bool {
    match trouble {
        Trouble::Marketplace(_)
        | Trouble::Platform(_)
        | Trouble::Unread
        | Trouble::Prices(_)
        | Trouble::Rates(_)
        | Trouble::StoodStill
        | Trouble::NotShown => true,
        Trouble::Operation(refusal) => refusal.code == Code::Internal,
        Trouble::Unknown { .. }
        | Trouble::UnknownState { .. }
        | Trouble::WrongOffer(_)
        | Trouble::NoAccount
        | Trouble::NobodyAssigned(_)
        | Trouble::NoRate(_)
        | Trouble::Money(_) => false,
    }
}
