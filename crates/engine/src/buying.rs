//! From what is on sale to purchases: who wants it, whether it is worth it, and the money reserved before anything is sent.

use std::collections::BTreeSet;

use tradepost_domain::contract::ApprovalMode;
use tradepost_domain::evaluation::{
    Activity, Circumstances, Decision, Evaluated, EvaluationRecord, Prospect, evaluate_listing,
};
use tradepost_domain::fees::Charges;
use tradepost_domain::id::ContractId;
use tradepost_domain::intent::{Grounds, IntentKind, ListingTarget, Target};
use tradepost_domain::money::Cents;
use tradepost_domain::text::Marketplace;
use tradepost_domain::variant::Variant;
use tradepost_operations::contracts::{BuyNow, KeepEvaluations, ProposeIntent};
use tradepost_operations::{Code, OpError};
use tradepost_ports::marketplace::MarketListing;

use crate::Engine;
use crate::catalogue::Standing;
use crate::pass::{Decided, Pass};
use crate::trouble::{Tried, Trouble};

/// How often a listing is judged in a pass, when meanwhile somebody else buys for the contracts that want it.
const JUDGED: usize = 2;

/// A listing on the marketplace where it is.
#[derive(Clone, Copy)]
struct Offer<'a> {
    marketplace: &'a Marketplace,
    listing: &'a MarketListing,
}

/// A listing that a contract is to buy.
struct Choice {
    contract_id: ContractId,
    listing: ListingTarget,
    evaluation: EvaluationRecord,
}

/// What a contract makes of an offer.
struct Verdict {
    evaluation: EvaluationRecord,
    /// The listing as it is to be bought; `None` if it is let go.
    listing: Option<ListingTarget>,
    /// Whether the contract has decided otherwise before, or not at all.
    is_news: bool,
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
    pub(crate) async fn buy(
        &mut self,
        marketplace: &Marketplace,
        listings: Vec<MarketListing>,
        pass: &mut Pass,
    ) -> Tried {
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
    fn wanted(&self, listings: &[MarketListing]) -> BTreeSet<Variant> {
        let offered = listings.iter().map(|listing| &listing.offered);
        let wanted = offered.filter(|offered| !self.catalogue.index.matching(offered).is_empty());
        wanted.map(|offered| offered.variant.clone()).collect()
    }

    async fn buy_at(
        &mut self,
        marketplace: &Marketplace,
        listings: Vec<MarketListing>,
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

    /// Buys a listing for the first of the contracts that want it. One whose limits refuse it when the money is to be reserved,
    /// because another node has bought for it meanwhile, decides once more by what it has left.
    async fn buy_listing(&mut self, offer: Offer<'_>, shopping: &mut Shopping<'_>) -> Tried {
        for _ in 0..JUDGED {
            let Some(choice) = self.choose(offer, shopping).await? else { return Ok(()) };
            let contract_id = choice.contract_id;
            let bought = Box::pin(self.purchase(choice)).await;
            let is_limited = bought.as_ref().is_err_and(is_limit);
            if !is_limited {
                shopping.pass.bought += usize::from(bought.is_ok());
                if bought.as_ref().is_err_and(is_outside) {
                    self.market.silence(offer.marketplace);
                }
                shopping.pass.note(bought);
            }
            self.follow_contract(contract_id).await?;
            if !is_limited {
                break;
            }
        }
        Ok(())
    }

    /// What the first of the contracts that want a listing would buy by itself. What others would buy if a person agreed is
    /// proposed on the way.
    async fn choose(&mut self, offer: Offer<'_>, shopping: &mut Shopping<'_>) -> Tried<Option<Choice>> {
        for contract_id in self.catalogue.index.matching(&offer.listing.offered) {
            let Some(standing) = self.catalogue.get(contract_id).cloned() else { continue };
            let contract = &standing.contract.value;
            let name = &offer.listing.offered.variant.market_hash_name;
            let activity = self.activity(&standing.contract, name).await?;
            let Some(Verdict { evaluation, listing, is_news }) = self.judge(&standing, offer, (activity, shopping))
            else {
                continue;
            };
            self.market.decided(offer.marketplace, &offer.listing.id, (contract_id, evaluation.decision));
            let Some(listing) = listing else {
                shopping.let_go.push(evaluation);
                continue;
            };
            let choice = Choice { contract_id, listing, evaluation };
            match contract.approval_mode {
                ApprovalMode::Automatic => return Ok(Some(choice)),
                ApprovalMode::Manual | ApprovalMode::DryRun if is_news => match self.propose(choice).await {
                    Ok(()) if contract.approval_mode == ApprovalMode::Manual => return Ok(None),
                    Ok(()) => {}
                    // What one contract may not propose, another may buy.
                    Err(Trouble::Operation(refusal)) if is_final(&refusal) => shopping.pass.note(Err(refusal.into())),
                    Err(trouble) => return Err(trouble),
                },
                ApprovalMode::Manual | ApprovalMode::DryRun => {}
            }
        }
        Ok(None)
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
        let (quotes, price_override) = (&basis.quotes, basis.given.as_ref());
        let known = Circumstances { marketplace, fees, filter, quotes, price_override, at: self.now() };
        let prospect = Prospect { listing: offered, exits: &shopping.exits, activity };
        let evaluation = evaluate_listing(contract, &prospect, &known)?;
        shopping.pass.decided(|| Decided::on(contract, offered, &evaluation));
        let most = evaluation.all_in_cost.filter(|_| evaluation.decision == Decision::Buy);
        let most = most.filter(|most| self.market.can_spend(marketplace, *most));
        let is_news = self.market.is_news(marketplace, &offer.listing.id, (contract.id, evaluation.decision));
        if most.is_none() && !is_news {
            return None;
        }
        let fee = fees.on_buying(&offered.variant.market_hash_name, known.at, offered.price);
        let listing = most.zip(fee.ok()).map(|(most, platform_fee)| target(offer, platform_fee, most));
        let id = self.operations.evaluation_id();
        let evaluation = EvaluationRecord::of(id, contract, &known, about(offer.listing), &evaluation);
        Some(Verdict { evaluation, listing, is_news })
    }

    /// Writes the decision down and reserves the money, in one commit; then sends.
    async fn purchase(&mut self, choice: Choice) -> Tried {
        let account = self.buyer(choice.contract_id).await?;
        let exchange_rate = self.rate_of(self.venue(&choice.listing.marketplace)?.currency)?;
        let command = BuyNow {
            workspace_id: self.desk.workspace_id,
            contract_id: choice.contract_id,
            listing: choice.listing,
            account_name: account.name,
            exchange_rate,
            grounds: grounds(&choice.evaluation),
            evaluation: Some(choice.evaluation),
        };
        let bought = self.operations.buy_now(&self.caller, command).await?;
        self.send(bought.purchase).await
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
        price: listing.offered.price,
        platform_fee,
        max_buy_price,
    }
}

fn about(listing: &MarketListing) -> Evaluated {
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

/// Whether a refusal would be the same again.
fn is_final(refusal: &OpError) -> bool {
    refusal.code == Code::FailedPrecondition && !refusal.is_conflict()
}

/// Whether it is the outside that does not answer, so that the next call would not be answered either.
fn is_outside(trouble: &Trouble) -> bool {
    match trouble {
        Trouble::Marketplace(_)
        | Trouble::Platform(_)
        | Trouble::Prices(_)
        | Trouble::Rates(_)
        | Trouble::StoodStill => true,
        Trouble::Operation(refusal) => refusal.code == Code::Internal,
        Trouble::Unknown { .. }
        | Trouble::WrongOffer(_)
        | Trouble::NoAccount
        | Trouble::NobodyAssigned(_)
        | Trouble::NoRate(_)
        | Trouble::Money(_) => false,
    }
}
