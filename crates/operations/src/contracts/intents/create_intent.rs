//! [`CreateIntent`]: a person proposes that something be done for a contract.

use std::collections::BTreeMap;

use crate::contracts::intents::propose_intent::propose;
use crate::markets::providers::reported_fees::reported_charges;
use tradepost_domain::asset::AppId;
use tradepost_domain::contracts::intent::{
    DecisionBasis, Intent, IntentKind, ItemTarget, ListingTarget, ProposalError, Target,
};
use tradepost_domain::contracts::inventory_item::Traits;
use tradepost_domain::id::{ContractId, InventoryItemId, WorkspaceId};
use tradepost_domain::markets::fees::Charges;
use tradepost_domain::money::Cents;
use tradepost_domain::text::{MarketHashName, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;

use super::propose_intent::ProposeIntent;
use crate::rules;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// Proposes that something be done for a contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateIntent {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The contract, which must be active.
    pub contract_id: ContractId,
    /// The action: `BUY` with a listing; `LIST`, `REPRICE` or `DELIST` with an item.
    pub kind: IntentKind,
    /// The target.
    pub act_on: ActOn,
}

/// The target of an intent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ActOn {
    /// A listing.
    Listing(WantedListing),
    /// An item.
    Item(WantedSale),
}

/// A listing that is to be bought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedListing {
    /// The marketplace, 1 to 64 characters.
    pub marketplace: String,
    /// The marketplace's identifier of the listing, 1 to 128 characters.
    pub listing_id: String,
    /// The item's asset id while with its seller, 1 to 20 decimal digits.
    pub listing_asset_id: String,
    /// The game market's name of the item, 1 to 256 characters.
    pub market_hash_name: String,
    /// The phase of a pattern that is sold under one market name, 1 to 64 characters; empty without one.
    pub phase: String,
    /// The price, in cents, more than 0.
    pub price_cents: Option<i64>,
    /// The marketplace's fee on top of the price, in cents. If absent, it is calculated from the fees that the marketplace last reported; 0 if
    /// it has reported none.
    pub platform_fee_cents: Option<i64>,
    /// The most that price and fee may come to, in cents. If absent, what they come to now, and 2 cents more if the fee is calculated for a
    /// marketplace with another currency: see [`Charges::cost_of_buying`].
    pub max_buy_price_cents: Option<i64>,
}

/// An item whose sale something is to be done about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedSale {
    /// The item.
    pub inventory_item_id: InventoryItemId,
    /// The marketplace, 1 to 64 characters; if empty, where the item is on sale.
    pub marketplace: String,
    /// The price to ask, in cents; none to take it off sale.
    pub price_cents: Option<i64>,
}

impl Operations {
    /// Proposes an intent. It waits for approval where the contract's approval mode is MANUAL, is approved at once
    /// where that is AUTOMATIC, and ends CANCELLED under a dry-run contract.
    ///
    /// # Errors
    /// As [`Operations::propose_intent`], and `invalid_argument` for bad fields and for kinds that people do not propose.
    pub async fn create_intent(&self, caller: &Caller, command: CreateIntent) -> OpResult<Versioned<Intent>> {
        let scope = rules::CREATE_INTENT.enter(&caller.principal, command.workspace_id)?;
        let reported = if command.names_no_fee() { reported_charges(self, scope).await? } else { BTreeMap::new() };
        let target = command.target(&reported, self.market_now(command.workspace_id))?;
        let wanted = ProposeIntent {
            workspace_id: command.workspace_id,
            contract_id: Some(command.contract_id),
            kind: command.kind,
            target,
            basis: DecisionBasis::default(),
            is_read_only: false,
        };
        propose(self, caller, scope, wanted, true).await
    }
}

impl CreateIntent {
    /// Whether it names a listing without the fee of its marketplace.
    const fn names_no_fee(&self) -> bool {
        matches!(&self.act_on, ActOn::Listing(listing) if listing.platform_fee_cents.is_none())
    }

    fn target(&self, reported: &BTreeMap<Marketplace, Charges>, at: Timestamp) -> OpResult<Target> {
        let (target, place) = match (self.kind, &self.act_on) {
            (IntentKind::Buy, ActOn::Listing(listing)) => (listing.check(reported, at).map(Target::Listing), "listing"),
            (IntentKind::List | IntentKind::Reprice | IntentKind::Delist, ActOn::Item(sale)) => {
                (sale.check().map(Target::Item), "item")
            }
            (IntentKind::Buy, ActOn::Item(_))
            | (IntentKind::List | IntentKind::Reprice | IntentKind::Delist, ActOn::Listing(_)) => {
                return Err(ProposalError::OtherTarget(self.kind).into());
            }
            (IntentKind::Deliver | IntentKind::AcceptOffer | IntentKind::Transfer, _) => {
                let rule = "must be one of INTENT_KIND_BUY, LIST, REPRICE and DELIST";
                return Err(OpError::invalid_field("kind", rule));
            }
        };
        let checked = target.and_then(|target| target.check(self.kind).map(|()| target).map_err(OpError::from));
        checked.map_err(|refused| refused.within(place))
    }
}

impl WantedListing {
    fn check(&self, reported: &BTreeMap<Marketplace, Charges>, at: Timestamp) -> OpResult<ListingTarget> {
        let price: Cents = fields::required(self.price_cents, fields::cents, "priceCents")?;
        let marketplace: Marketplace = fields::text("marketplace", &self.marketplace)?;
        let market_hash_name: MarketHashName = fields::text("marketHashName", &self.market_hash_name)?;
        let too_much = |_| OpError::invalid_field("priceCents", "and the fee are too much together");
        let charges = reported.get(&marketplace).filter(|_| self.platform_fee_cents.is_none());
        let platform_fee = match (self.platform_fee_cents, charges) {
            (Some(fee), _) => fields::cents("platformFeeCents", fee)?,
            (None, Some(charges)) => charges.on_buying(&market_hash_name, at, price).map_err(too_much)?,
            (None, None) => Cents::ZERO,
        };
        let max_buy_price = match (self.max_buy_price_cents, charges) {
            (Some(most), _) => fields::cents("maxBuyPriceCents", most)?,
            (None, Some(charges)) => charges.cost_of_buying(&market_hash_name, at, price).map_err(too_much)?,
            (None, None) => price.plus(platform_fee).map_err(too_much)?,
        };
        Ok(ListingTarget {
            marketplace,
            listing_id: fields::text("listingId", &self.listing_id)?,
            listing_asset_id: fields::asset_id("listingAssetId", &self.listing_asset_id)?,
            app_id: AppId::CS2,
            market_hash_name,
            phase: named("phase", &self.phase)?,
            traits: Box::new(Traits { phase: named("phase", &self.phase)?, ..Traits::default() }),
            price,
            platform_fee,
            max_buy_price,
        })
    }
}

impl WantedSale {
    pub(crate) fn check(&self) -> OpResult<ItemTarget> {
        Ok(ItemTarget {
            inventory_item_id: self.inventory_item_id,
            marketplace: named("marketplace", &self.marketplace)?,
            price: fields::optional(self.price_cents, fields::cents, "priceCents")?,
            to_account: None,
        })
    }
}

/// Returns a text; `None` when it is empty.
fn named<const MOST: usize>(field: &str, text: &str) -> OpResult<Option<tradepost_domain::text::Text<MOST>>> {
    if text.is_empty() { Ok(None) } else { fields::text(field, text).map(Some) }
}
