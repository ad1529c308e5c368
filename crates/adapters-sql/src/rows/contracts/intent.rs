//! `intents`: what is to be done, written down before it is.

use sea_orm::entity::prelude::*;
use tradepost_domain::asset::{AppId, AssetId};
use tradepost_domain::contracts::contract::ApprovalMode;
use tradepost_domain::contracts::intent::{
    DecisionBasis, FollowUp, FollowUpOutcome, Intent, IntentKind, IntentParts, IntentResult, IntentStatus, IntentTerms,
    ItemTarget, ListingTarget, SeenAgain, Target,
};
use tradepost_domain::money::Cents;
use tradepost_domain::text::{AccountName, ExternalId, MarketHashName, Marketplace, Name, ReasonText};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, asset_traits, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "intents")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub contract_id: Option<Uuid>,
    pub kind: i16,
    pub status: i16,
    pub approval_mode: i16,
    pub marketplace: Option<String>,
    pub listing_id: Option<String>,
    pub listing_asset_id: Option<String>,
    pub app_id: Option<i64>,
    pub market_hash_name: Option<String>,
    pub phase: Option<String>,
    pub traits: Option<String>,
    pub price_cents: Option<i64>,
    pub platform_fee_cents: Option<i64>,
    pub max_buy_price_cents: Option<i64>,
    pub inventory_item_id: Option<Uuid>,
    pub trade_offer_id: Option<String>,
    pub evaluation_id: Option<Uuid>,
    pub filter_set_version: Option<i64>,
    pub fair_value_cents: Option<i64>,
    pub expires_at: i64,
    pub failed_check: Option<String>,
    pub reason: Option<String>,
    pub purchase_id: Option<Uuid>,
    pub result_listing_id: Option<String>,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
    pub held_until: i64,
    pub looks: i16,
    pub held_up_by: Option<String>,
    pub follow_up_at: Option<i64>,
    pub follow_up_outcome: Option<i16>,
    pub follow_up_price_cents: Option<i64>,
    pub to_account: Option<String>,
    pub result_trade_offer_id: Option<Uuid>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// The purchase, the listing and the trade offer that came of it; one at most.
fn result_columns(result: Option<&IntentResult>) -> (Option<Uuid>, Option<String>, Option<Uuid>) {
    match result {
        Some(IntentResult::Purchase(id)) => (Some(uuid(*id)), None, None),
        Some(IntentResult::Listing(id)) => (None, Some(id.to_string()), None),
        Some(IntentResult::Offer(id)) => (None, None, Some(uuid(*id))),
        None => (None, None, None),
    }
}

const fn marketplace_of(target: &Target) -> Option<&Marketplace> {
    match target {
        Target::Listing(listing) => Some(&listing.marketplace),
        Target::Item(item) => item.marketplace.as_ref(),
        Target::Offer(_) => None,
    }
}

fn price_of(target: &Target) -> Option<Cents> {
    match target {
        Target::Listing(listing) => Some(listing.price),
        Target::Item(item) => item.price,
        Target::Offer(_) => None,
    }
}

/// The check that made it fail, and the one that it waits for. Programs of old know a check only of what has failed or was denied.
fn check_columns(status: IntentStatus, check: Option<&Name>) -> (Option<String>, Option<String>) {
    let check = check.map(ToString::to_string);
    if is_held_up(status) { (None, check) } else { (check, None) }
}

/// When the listing is to be looked at again, or was, and what was seen then.
fn follow_up_columns(follow_up: Option<FollowUp>) -> (Option<i64>, Option<SeenAgain>) {
    match follow_up {
        Some(FollowUp::Due(due)) => (Some(due.as_micros()), None),
        Some(FollowUp::Done(seen)) => (Some(seen.at.as_micros()), Some(seen)),
        None => (None, None),
    }
}

impl Stored for Intent {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let IntentParts {
            terms,
            status,
            expires_at,
            held_until,
            looks,
            failed_check,
            reason,
            result,
            follow_up,
            created_at,
            updated_at,
        } = &**self;
        let (failed_check, held_up_by) = check_columns(*status, failed_check.as_ref());
        let (listing, item, offer) = match &terms.target {
            Target::Listing(listing) => (Some(listing), None, None),
            Target::Item(item) => (None, Some(item), None),
            Target::Offer(offer) => (None, None, Some(offer)),
        };
        let (purchase_id, result_listing_id, result_trade_offer_id) = result_columns(result.as_ref());
        let (follow_up_at, seen) = follow_up_columns(*follow_up);
        Model {
            workspace_id: uuid(terms.workspace_id),
            id: uuid(terms.id),
            contract_id: terms.contract_id.map(uuid),
            kind: terms.kind.code(),
            status: status.code(),
            approval_mode: terms.approval_mode.code(),
            marketplace: marketplace_of(&terms.target).map(ToString::to_string),
            listing_id: listing.map(|listing| listing.listing_id.to_string()),
            listing_asset_id: listing.map(|listing| listing.listing_asset_id.to_string()),
            app_id: listing.map(|listing| i64::from(listing.app_id.get())),
            market_hash_name: listing.map(|listing| listing.market_hash_name.to_string()),
            phase: listing.and_then(|listing| listing.phase.as_ref()).map(ToString::to_string),
            traits: listing.and_then(|listing| asset_traits::to_json(&listing.traits)),
            price_cents: price_of(&terms.target).map(Cents::get),
            platform_fee_cents: listing.map(|listing| listing.platform_fee.get()),
            max_buy_price_cents: listing.map(|listing| listing.max_buy_price.get()),
            inventory_item_id: item.map(|item| uuid(item.inventory_item_id)),
            trade_offer_id: offer.map(ToString::to_string),
            evaluation_id: terms.basis.evaluation_id.map(uuid),
            filter_set_version: terms.basis.filter_set_version.map(i64::from),
            fair_value_cents: terms.basis.fair_value.map(Cents::get),
            expires_at: expires_at.as_micros(),
            failed_check,
            reason: reason.as_ref().map(ToString::to_string),
            purchase_id,
            result_listing_id,
            created_at: created_at.as_micros(),
            updated_at: updated_at.as_micros(),
            version: 1,
            held_until: held_until.as_micros(),
            looks: i16::from(*looks),
            held_up_by,
            follow_up_at,
            follow_up_outcome: seen.map(|seen| seen.outcome.code()),
            follow_up_price_cents: seen.and_then(|seen| seen.price).map(Cents::get),
            to_account: item.and_then(|item| item.to_account.as_ref()).map(ToString::to_string),
            result_trade_offer_id,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "intents", home: row.workspace_id, key: row.id };
        let check = row.failed_check.as_deref().or(row.held_up_by.as_deref());
        let parts = IntentParts {
            terms: terms_of(&row, at)?,
            status: at.code("status", row.status, IntentStatus::from_code)?,
            held_until: at.time("held_until", row.held_until)?,
            looks: at.number("looks", row.looks)?,
            expires_at: at.time("expires_at", row.expires_at)?,
            failed_check: at.read_some("failed_check", check, Name::new)?,
            reason: at.read_some("reason", row.reason.as_deref(), ReasonText::new)?,
            result: result_of(&row, at)?,
            follow_up: follow_up_of(&row, at)?,
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(at.read("status", Self::restore(parts))?, row.version))
    }
}

fn follow_up_of(row: &Model, at: RowLocation) -> StoreResult<Option<FollowUp>> {
    let Some(time) = at.time_some("follow_up_at", row.follow_up_at)? else { return Ok(None) };
    let Some(outcome) = row.follow_up_outcome else { return Ok(Some(FollowUp::Due(time))) };
    let price = row.follow_up_price_cents.map(|cents| at.cents("follow_up_price_cents", cents)).transpose()?;
    let outcome = at.code("follow_up_outcome", outcome, FollowUpOutcome::from_code)?;
    Ok(Some(FollowUp::Done(SeenAgain { outcome, price, at: time })))
}

/// Whether a check is what it waits for, or waited for when it expired.
const fn is_held_up(status: IntentStatus) -> bool {
    matches!(status, IntentStatus::Approved | IntentStatus::Expired)
}

fn terms_of(row: &Model, at: RowLocation) -> StoreResult<IntentTerms> {
    let version = |version| at.number("filter_set_version", version);
    Ok(IntentTerms {
        id: id(row.id),
        workspace_id: id(row.workspace_id),
        contract_id: row.contract_id.map(id),
        kind: at.code("kind", row.kind, IntentKind::from_code)?,
        target: target_of(row, at)?,
        basis: DecisionBasis {
            evaluation_id: row.evaluation_id.map(id),
            filter_set_version: row.filter_set_version.map(version).transpose()?,
            fair_value: row.fair_value_cents.map(|cents| at.cents("fair_value_cents", cents)).transpose()?,
        },
        approval_mode: at.code("approval_mode", row.approval_mode, ApprovalMode::from_code)?,
    })
}

fn target_of(row: &Model, at: RowLocation) -> StoreResult<Target> {
    let price = row.price_cents.map(|cents| at.cents("price_cents", cents)).transpose()?;
    let marketplace = at.read_some("marketplace", row.marketplace.as_deref(), Marketplace::new)?;
    if let Some(item) = row.inventory_item_id {
        let to_account = at.read_some("to_account", row.to_account.as_deref(), AccountName::new)?;
        return Ok(Target::Item(ItemTarget { inventory_item_id: id(item), marketplace, price, to_account }));
    }
    if let Some(offer) = &row.trade_offer_id {
        return Ok(Target::Offer(at.read("trade_offer_id", ExternalId::new(offer))?));
    }
    let text = |column, value: &Option<String>| at.present(column, value.clone());
    let cents = |column, value| at.cents(column, at.present(column, value)?);
    let app_id = at.number("app_id", at.present("app_id", row.app_id)?)?;
    Ok(Target::Listing(ListingTarget {
        marketplace: at.present("marketplace", marketplace)?,
        listing_id: at.read("listing_id", ExternalId::new(&text("listing_id", &row.listing_id)?))?,
        listing_asset_id: at
            .read("listing_asset_id", AssetId::new(&text("listing_asset_id", &row.listing_asset_id)?))?,
        app_id: at.read("app_id", AppId::new(app_id))?,
        market_hash_name: at
            .read("market_hash_name", MarketHashName::new(&text("market_hash_name", &row.market_hash_name)?))?,
        phase: at.read_some("phase", row.phase.as_deref(), Name::new)?,
        traits: Box::new(asset_traits::from_json(at, row.traits.as_deref())?),
        price: at.present("price_cents", price)?,
        platform_fee: cents("platform_fee_cents", row.platform_fee_cents)?,
        max_buy_price: cents("max_buy_price_cents", row.max_buy_price_cents)?,
    }))
}

fn result_of(row: &Model, at: RowLocation) -> StoreResult<Option<IntentResult>> {
    match (row.purchase_id, row.result_listing_id.as_deref(), row.result_trade_offer_id) {
        (Some(purchase), None, None) => Ok(Some(IntentResult::Purchase(id(purchase)))),
        (None, Some(listing), None) => {
            Ok(Some(IntentResult::Listing(at.read("result_listing_id", ExternalId::new(listing))?)))
        }
        (None, None, Some(offer)) => Ok(Some(IntentResult::Offer(id(offer)))),
        (None, None, None) => Ok(None),
        _ => Err(at.corrupt("purchase_id", &"with another result")),
    }
}
