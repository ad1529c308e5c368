//! [`EvaluateContract`]: whether a contract would act, and why.

use tradepost_domain::access::WorkspaceScope;
use tradepost_domain::contract::{AdmissionError, Contract};
use tradepost_domain::evaluation::{
    Activity, Circumstances, Evaluated, Evaluation, EvaluationRecord, Holding, Prospect, evaluate_item,
    evaluate_listing,
};
use tradepost_domain::filter_set::FilterSetVersion;
use tradepost_domain::id::{ContractId, EvaluationId, InventoryItemId, WorkspaceId};
use tradepost_domain::inventory_item::InventoryItem;
use tradepost_domain::listing::Listing;
use tradepost_domain::money::Cents;
use tradepost_domain::pricing::Quotes;
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_domain::variant::Variant;
use tradepost_ports::changes::Caller;

use super::filter_rules::SampleListing;
use super::quotes::{Market, MarketView};
use crate::rules::READ_TRADING;
use crate::{OpError, OpResult, Operations, fields};

/// Asks what a contract would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluateContract {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The contract, in whichever state it is.
    pub contract_id: ContractId,
    /// Where it would act, 1 to 64 characters.
    pub marketplace: String,
    /// What it would act on.
    pub about: ToEvaluate,
    /// How the market is thought to be.
    pub market: MarketView,
}

/// What a contract would act on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToEvaluate {
    /// A listing, of a buying contract.
    Listing(SampleListing),
    /// An item of ours, of a selling one.
    Item(InventoryItemId),
}

/// A contract as it is to be judged, with its filter set.
pub(super) struct Judged {
    pub(super) contract: Contract,
    pub(super) filter: Option<FilterSetVersion>,
    pub(super) marketplace: Marketplace,
    pub(super) market: Market,
    pub(super) at: Timestamp,
}

impl Operations {
    /// Judges a listing or an item by every rule of a contract, with the figures. Nothing is stored, reserved or changed. What the
    /// contract did lately is told by its counters alone: cool-down, the day's budget and the number of a market name are
    /// judged as if nothing had been bought.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` naming the field, `not_found` for the contract or the item, `failed_precondition`:
    /// `CONTRACT_NEVER_BUYS` for a listing and a selling contract, `CONTRACT_NEVER_SELLS` for an item and a buying one.
    pub async fn evaluate_contract(&self, caller: &Caller, command: EvaluateContract) -> OpResult<EvaluationRecord> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let at = self.now();
        let market = command.market.check(at)?;
        let marketplace = fields::text("marketplace", &command.marketplace)?;
        let listing = match &command.about {
            ToEvaluate::Listing(listing) => Some(listing.check_at("listing")?),
            ToEvaluate::Item(_) => None,
        };
        let (contract, filter) = self.with_filter(scope, command.contract_id).await?;
        let judged = Judged { contract, filter, marketplace, market, at };
        match (listing, command.about) {
            (Some(listing), _) => {
                let evaluation = judged.of_listing(&listing, Activity::default())?;
                let about = Evaluated::Listing { listing_id: None, variant: listing.variant, price: listing.price };
                Ok(judged.record(self.mint(at), about, &evaluation))
            }
            (None, ToEvaluate::Item(id)) => {
                let item = self.ports.store.find_item(scope, id).await?;
                let (item, _) = item.ok_or_else(|| OpError::not_found("inventory item"))?.only_to_show();
                let purchase = self.ports.store.find_purchase(scope, item.purchase_id).await?;
                let evaluation = judged.of_item(&item, purchase.map(|purchase| purchase.peek().cost()))?;
                Ok(judged.record(self.mint(at), Evaluated::Item(id), &evaluation))
            }
            (None, ToEvaluate::Listing(_)) => Err(OpError::internal("a listing was not checked")),
        }
    }

    /// A contract with the current version of the filter set that it names.
    pub(super) async fn with_filter(
        &self,
        scope: WorkspaceScope,
        id: ContractId,
    ) -> OpResult<(Contract, Option<FilterSetVersion>)> {
        let found = self.ports.store.find_contract(scope, id).await?;
        let (contract, _) = found.ok_or_else(|| OpError::not_found("contract"))?.only_to_show();
        let filter = match contract.filter_set_id {
            Some(id) => self.ports.store.find_filter_set(scope, id).await?.map(|set| set.peek().current()),
            None => None,
        };
        Ok((contract, filter))
    }
}

impl Judged {
    pub(super) fn of_listing(&self, listing: &Listing, activity: Activity) -> OpResult<Evaluation> {
        let quotes = self.market.quotes_for(&listing.variant);
        let prospect = Prospect { listing, exits: std::slice::from_ref(&self.market.fees), activity };
        let evaluation = evaluate_listing(&self.contract, &prospect, &self.known(&quotes));
        Ok(evaluation.ok_or(AdmissionError::NeverBuys)?)
    }

    fn of_item(&self, item: &InventoryItem, cost: Option<Cents>) -> OpResult<Evaluation> {
        let variant = Variant {
            app_id: item.app_id,
            market_hash_name: item.market_hash_name.clone(),
            phase: item.traits.phase.clone(),
        };
        let quotes = self.market.quotes_for(&variant);
        let (competing_price, takes_locked) = (self.market.competing_price, self.market.takes_locked);
        let holding = Holding { item, cost, competing_price, takes_locked };
        Ok(evaluate_item(&self.contract, &holding, &self.known(&quotes)).ok_or(AdmissionError::NeverSells)?)
    }

    fn known<'a>(&'a self, quotes: &'a Quotes) -> Circumstances<'a> {
        Circumstances {
            marketplace: &self.marketplace,
            fees: &self.market.fees,
            filter: self.filter.as_ref(),
            quotes,
            price_override: None,
            at: self.at,
        }
    }

    fn record(&self, id: EvaluationId, about: Evaluated, evaluation: &Evaluation) -> EvaluationRecord {
        EvaluationRecord::of(id, &self.contract, &self.known(&Quotes::default()), about, evaluation)
    }
}
