//! [`EvaluateContract`]: whether a contract would act, and why.

use crate::contracts::intents::proposals::activity_with_proposals;
use crate::contracts::trading_control::recent_activity::activity_of;
use crate::markets::providers::reported_fees::reported_fees;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::{AdmissionError, Contract};
use tradepost_domain::contracts::evaluation::{
    Circumstances, Evaluated, Evaluation, EvaluationRecord, Holding, ListingContext, evaluate_item, evaluate_listing,
};
use tradepost_domain::contracts::filter_set::FilterSetVersion;
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::id::{ContractId, InventoryItemId, ObservationId, WorkspaceId};
use tradepost_domain::markets::fees::Charges;
use tradepost_domain::markets::listing::Listing;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::Cents;
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;

use super::quotes::{Fees, Market, MarketView};
use crate::contracts::filter_sets::filter_rules::SampleListing;
use crate::markets::PriceBasis;
use crate::rules;
use crate::{OpError, OpResult, Operations, fields};

/// A request to evaluate a contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluateContract {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The contract, in whichever state it is.
    pub contract_id: ContractId,
    /// The marketplace where it would act, 1 to 64 characters; ignored for an observation.
    pub marketplace: String,
    /// The listing or item on which it would act.
    pub about: ToEvaluate,
    /// The assumed market. Without prices in it, the recorded ones count.
    pub market: MarketView,
}

/// The listing, observation or item on which a contract would act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToEvaluate {
    /// A listing, of a buying contract.
    Listing(Box<SampleListing>),
    /// A listing as it was observed, of a buying contract: judged at the time when it was recorded.
    Observation(ObservationId),
    /// An item of ours, of a selling one.
    Item(InventoryItemId),
}

/// A contract as it is to be judged, with its filter set.
pub(crate) struct EvaluationSubject {
    pub(crate) contract: Contract,
    pub(crate) filter: Option<FilterSetVersion>,
}

/// The place and time at which a contract would act, and the item's price basis.
pub(crate) struct Spot<'a> {
    pub(crate) marketplace: &'a Marketplace,
    /// The marketplace's fees for the contract's side of an order, where they are known.
    pub(crate) fees: Option<&'a Charges>,
    pub(crate) basis: &'a PriceBasis,
    pub(crate) at: Timestamp,
}

/// The case on which a contract is evaluated.
struct Case {
    marketplace: Marketplace,
    on: Target,
    basis: PriceBasis,
    at: Timestamp,
    /// The contract's activity from this time on does not count; `None` counts everything, for an evaluation now.
    before: Option<Timestamp>,
}

enum Target {
    Listing(Option<ExternalId>, Listing),
    Item(Box<InventoryItem>, Option<Cents>),
}

impl Operations {
    /// Evaluates a listing or an item by every rule of a contract as it is now, with the figures. Nothing is stored, reserved or
    /// changed. Cool-down, the day's budget and the number of a market name are judged by what the contract has bought, of an
    /// observation by what it had bought when that was recorded. An item is valued by what the request says, or else by the prices
    /// on record: those of now, and of an observation those of the time when it was recorded. The fees of marketplaces are those
    /// that they last reported, unless the request names them for the one where the contract would act.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` naming the field, `not_found` for the contract, the observation or the item,
    /// `failed_precondition`: `CONTRACT_NEVER_BUYS` for a listing and a selling contract, `CONTRACT_NEVER_SELLS` for an item and
    /// a buying one.
    pub async fn evaluate_contract(&self, caller: &Caller, command: EvaluateContract) -> OpResult<EvaluationRecord> {
        let scope = rules::EVALUATE_CONTRACT.enter(&caller.principal, command.workspace_id)?;
        let at = self.market_now(command.workspace_id);
        let market = command.market.check(at)?;
        let case = self.case(scope, &command, &market, at).await?;
        let judged = judged(self, scope, command.contract_id).await?;
        let fees = Fees::of(reported_fees(self, scope).await?, [(case.marketplace.clone(), market.fees)]);
        let taken = match &case.on {
            Target::Listing(..) => fees.of_buyers(&case.marketplace),
            Target::Item(..) => fees.of_sellers(&case.marketplace),
        };
        let spot = Spot { marketplace: &case.marketplace, fees: taken, basis: &case.basis, at: case.at };
        let (about, evaluation) = match &case.on {
            Target::Listing(listing_id, listing) => {
                let exits = &fees.exits;
                let (listing_id, variant) = (listing_id.clone(), listing.variant.clone());
                let (contract, name) = (&judged.contract, &variant.market_hash_name);
                let activity = match case.before {
                    Some(before) => activity_of(self, scope, contract, name, Some(before)).await?,
                    None => activity_with_proposals(self, scope, contract, name).await?,
                };
                let prospect = ListingContext { listing, exits, activity };
                let about = Evaluated::Listing { listing_id, variant, price: listing.price };
                (about, judged.of_listing(&prospect, &spot)?)
            }
            Target::Item(item, cost) => (Evaluated::Item(item.id), judged.of_item(item, *cost, &market, &spot)?),
        };
        Ok(EvaluationRecord::of(self.mint(), &judged.contract, &judged.known(&spot), about, &evaluation))
    }

    async fn case(
        &self,
        scope: WorkspaceScope,
        command: &EvaluateContract,
        market: &Market,
        at: Timestamp,
    ) -> OpResult<Case> {
        let marketplace = || fields::text("marketplace", &command.marketplace);
        match &command.about {
            ToEvaluate::Listing(sample) => {
                let (marketplace, listing) =
                    (marketplace()?, sample.check().map_err(|refused| refused.within("listing"))?);
                let basis = self.basis_now(scope, market, &listing.variant).await?;
                Ok(Case { marketplace, on: Target::Listing(None, listing), basis, at, before: None })
            }
            ToEvaluate::Observation(id) => {
                let found = self.ports.store.observations().find_with_prices(scope, *id).await?;
                let (observation, prices) = found.ok_or_else(|| OpError::not_found("market observation"))?;
                let (snapshot, at) = (observation.snapshot, observation.recorded_at);
                let basis = market.basis_of(&snapshot.listing.variant).unwrap_or_else(|| PriceBasis::then(prices));
                let on = Target::Listing(Some(snapshot.listing_id), snapshot.listing);
                Ok(Case { marketplace: snapshot.marketplace, on, basis, at, before: Some(at) })
            }
            ToEvaluate::Item(id) => {
                let marketplace = marketplace()?;
                let item = self.ports.store.items().find(scope, *id).await?;
                let (item, _) = item.ok_or_else(|| OpError::not_found("inventory item"))?.into_display();
                let purchase = self.ports.store.purchases().find(scope, item.purchase_id).await?;
                let basis = self.basis_now(scope, market, &variant_of(&item)).await?;
                let cost = purchase.and_then(|purchase| purchase.peek().known_cost());
                Ok(Case { marketplace, on: Target::Item(Box::new(item), cost), basis, at, before: None })
            }
        }
    }

    async fn basis_now(&self, scope: WorkspaceScope, market: &Market, variant: &Variant) -> OpResult<PriceBasis> {
        match market.basis_of(variant) {
            Some(said) => Ok(said),
            None => self.quotes_of(scope, variant).await,
        }
    }
}

/// Returns a contract with the current version of the filter set that it names.
pub(crate) async fn judged(
    operations: &Operations,
    scope: WorkspaceScope,
    id: ContractId,
) -> OpResult<EvaluationSubject> {
    let found = operations.ports.store.contracts().find(scope, id).await?;
    let (contract, _) = found.ok_or_else(|| OpError::not_found("contract"))?.into_display();
    let filter = match contract.filter_set_id {
        Some(id) => operations.ports.store.filter_sets().find(scope, id).await?.map(|set| set.peek().current()),
        None => None,
    };
    Ok(EvaluationSubject { contract, filter })
}

impl EvaluationSubject {
    pub(crate) fn of_listing(&self, prospect: &ListingContext<'_>, spot: &Spot<'_>) -> OpResult<Evaluation> {
        let evaluation = evaluate_listing(&self.contract, prospect, &self.known(spot));
        Ok(evaluation.ok_or(AdmissionError::NeverBuys)?)
    }

    fn of_item(
        &self,
        item: &InventoryItem,
        cost: Option<Cents>,
        market: &Market,
        spot: &Spot<'_>,
    ) -> OpResult<Evaluation> {
        let holding = Holding { item, cost, competing_price: market.competing_price };
        Ok(evaluate_item(&self.contract, &holding, &self.known(spot)).ok_or(AdmissionError::NeverSells)?)
    }

    pub(crate) fn known<'a>(&'a self, spot: &Spot<'a>) -> Circumstances<'a> {
        Circumstances {
            marketplace: spot.marketplace,
            fees: spot.fees,
            filter: self.filter.as_ref(),
            quotes: &spot.basis.quotes,
            price_override: spot.basis.given.as_ref(),
            at: spot.at,
        }
    }
}

fn variant_of(item: &InventoryItem) -> Variant {
    Variant { app_id: item.app_id, market_hash_name: item.market_hash_name.clone(), phase: item.traits.phase.clone() }
}
