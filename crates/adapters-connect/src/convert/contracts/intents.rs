//! Intents on the wire, and what they are to act on from it.

use connectrpc::ConnectError;
use tradepost_domain::contracts::intent::{FollowUp, Intent, IntentResult, ItemTarget, ListingTarget, Target};
use tradepost_domain::money::Cents;
use tradepost_operations::Versioned;
use tradepost_operations::contracts::{ActOn, WantedListing, WantedSale};
use tradepost_ports::store::WouldBuySum;

use crate::convert::enums::WireEnum;
use crate::convert::{id, invalid, wire_count, wire_id, wire_time};
use tradepost_proto::contracts::v1 as wire;
use tradepost_proto::contracts::v1::__buffa::view;

pub(crate) fn intent(Versioned { value, version }: &Versioned<Intent>) -> wire::Intent {
    let terms = &value.terms;
    let (listing_of, item_of, offer) = match &terms.target {
        Target::Listing(target) => (Some(listing(target)), None, None),
        Target::Item(target) => (None, Some(item(target)), None),
        Target::Offer(id) => (None, None, Some(id.to_string())),
    };
    let listing_id = match &value.result {
        Some(IntentResult::Listing(id)) => id.to_string(),
        Some(IntentResult::Purchase(_) | IntentResult::Offer(_)) | None => String::new(),
    };
    wire::Intent {
        id: Some(wire_id(terms.id)),
        workspace_id: Some(wire_id(terms.workspace_id)),
        contract_id: Some(terms.contract_id.map(wire_id).unwrap_or_default()),
        kind: Some(terms.kind.to_wire()),
        status: Some(value.status.to_wire()),
        version: Some(*version),
        approval_mode: Some(terms.approval_mode.to_wire()),
        listing: listing_of.into(),
        item: item_of.into(),
        trade_offer_id: Some(offer.unwrap_or_default()),
        evaluation_id: Some(terms.basis.evaluation_id.map(wire_id).unwrap_or_default()),
        filter_set_version: Some(terms.basis.filter_set_version.map_or(0, i64::from)),
        fair_value_cents: terms.basis.fair_value.map(Cents::get),
        expires_at: wire_time(value.expires_at).into(),
        failed_check: Some(value.failed_check.as_ref().map(ToString::to_string).unwrap_or_default()),
        reason: Some(value.reason.as_ref().map(ToString::to_string).unwrap_or_default()),
        purchase_id: Some(value.purchase_id().map(wire_id).unwrap_or_default()),
        listing_id: Some(listing_id),
        created_at: wire_time(value.created_at).into(),
        updated_at: wire_time(value.updated_at).into(),
        follow_up: value.follow_up.map(follow_up).into(),
        transfer_offer_id: Some(value.trade_offer_id().map(wire_id).unwrap_or_default()),
    }
}

fn follow_up(of: FollowUp) -> wire::FollowUp {
    match of {
        FollowUp::Due(due) => wire::FollowUp { at: wire_time(due).into(), ..wire::FollowUp::default() },
        FollowUp::Done(seen) => wire::FollowUp {
            outcome: Some(seen.outcome.to_wire()),
            price_cents: seen.price.map(Cents::get),
            at: wire_time(seen.at).into(),
        },
    }
}

pub(crate) fn would_buy_sum(sum: WouldBuySum) -> wire::WouldBuySum {
    wire::WouldBuySum {
        outcome: sum.outcome.map(WireEnum::to_wire),
        count: Some(wire_count(sum.count.into())),
        cost_cents: Some(sum.cost.get()),
        fair_value_cents: Some(sum.fair_value.get()),
    }
}

fn listing(target: &ListingTarget) -> wire::IntentListing {
    wire::IntentListing {
        marketplace: Some(target.marketplace.to_string()),
        listing_id: Some(target.listing_id.to_string()),
        listing_asset_id: Some(target.listing_asset_id.to_string()),
        market_hash_name: Some(target.market_hash_name.to_string()),
        phase: Some(target.phase.as_ref().map(ToString::to_string).unwrap_or_default()),
        price_cents: Some(target.price.get()),
        platform_fee_cents: Some(target.platform_fee.get()),
        max_buy_price_cents: Some(target.max_buy_price.get()),
    }
}

fn item(target: &ItemTarget) -> wire::IntentItem {
    wire::IntentItem {
        inventory_item_id: Some(wire_id(target.inventory_item_id)),
        marketplace: Some(target.marketplace.as_ref().map(ToString::to_string).unwrap_or_default()),
        price_cents: target.price.map(Cents::get),
        to_account_name: Some(target.to_account.as_ref().map(ToString::to_string).unwrap_or_default()),
    }
}

/// What an intent is to act on.
pub(crate) fn act_on(
    listing: Option<&view::IntentListingView<'_>>,
    item: Option<&view::IntentItemView<'_>>,
) -> Result<ActOn, ConnectError> {
    let item = item.map(sale).transpose()?;
    match (listing, item) {
        (Some(listing), None) => Ok(ActOn::Listing(wanted(listing))),
        (None, Some(item)) => Ok(ActOn::Item(item)),
        (None, None) => Err(invalid("listing", "or item is required")),
        (Some(_), Some(_)) => Err(invalid("listing", "and item exclude each other")),
    }
}

fn wanted(given: &view::IntentListingView<'_>) -> WantedListing {
    let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
    WantedListing {
        marketplace: text(given.marketplace),
        listing_id: text(given.listing_id),
        listing_asset_id: text(given.listing_asset_id),
        market_hash_name: text(given.market_hash_name),
        phase: text(given.phase),
        price_cents: given.price_cents,
        platform_fee_cents: given.platform_fee_cents,
        max_buy_price_cents: given.max_buy_price_cents,
    }
}

fn sale(given: &view::IntentItemView<'_>) -> Result<WantedSale, ConnectError> {
    if given.to_account_name.is_some_and(|name| !name.is_empty()) {
        return Err(invalid("item.toAccountName", "must be empty: TransferItem moves an item to another account"));
    }
    Ok(WantedSale {
        inventory_item_id: id("item.inventoryItemId", given.inventory_item_id.unwrap_or_default())?,
        marketplace: given.marketplace.unwrap_or_default().to_owned(),
        price_cents: given.price_cents,
    })
}
