//! Trade offers on the wire, and the trades that came of them.

use tradepost_domain::asset::{AssetId, ContextId};
use tradepost_domain::money::Cents;
use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::offer_reading::OfferReading;
use tradepost_domain::trading::trade::TradeStatus;
use tradepost_domain::trading::trade_offer::{
    AssetReference, OfferOwner, OfferTrade, OfferedAsset, TradeOffer, TradedAsset,
};
use tradepost_operations::Versioned;
use tradepost_operations::trading::AssetToTrade;

use crate::convert::enums::WireEnum;
use crate::convert::{wire_id, wire_number, wire_time};
use tradepost_proto::trading::v1 as wire;
use tradepost_proto::trading::v1::__buffa::view::AssetReferenceView;

pub(crate) fn trade_offer(Versioned { value, version }: &Versioned<TradeOffer>) -> wire::TradeOffer {
    let (purchase, item) = match value.owner {
        Some(OfferOwner::Purchase(id)) => (Some(wire_id(id)), None),
        Some(OfferOwner::Item(id)) => (None, Some(wire_id(id))),
        None => (None, None),
    };
    wire::TradeOffer {
        id: Some(wire_id(value.id)),
        workspace_id: Some(wire_id(value.workspace_id)),
        account_name: Some(value.account_name.to_string()),
        partner: Some(value.partner.to_string()),
        direction: Some(value.direction.to_wire()),
        platform_offer_id: Some(text(value.offer_id.as_ref())),
        status: Some(value.status.to_wire()),
        version: Some(*version),
        platform_status: value.shown.map(|shown| shown.number().into()),
        glitched: Some(value.is_glitched),
        gives: assets(&value.gives, value.wish.as_ref().map(|wish| wish.gives.as_slice())),
        receives: assets(&value.receives, value.wish.as_ref().map(|wish| wish.receives.as_slice())),
        purchase_id: Some(purchase.unwrap_or_default()),
        inventory_item_id: Some(item.unwrap_or_default()),
        trade_id: Some(text(value.trade.as_ref().map(|trade| &trade.id))),
        created_at: wire_time(value.created_at).into(),
        updated_at: wire_time(value.updated_at).into(),
        expires_at: value.expires_at.map(wire_time).into(),
        intent_id: Some(value.wish.as_ref().and_then(|wish| wish.intent_id).map(wire_id).unwrap_or_default()),
        origin: Some(value.origin.to_wire()),
        message: Some(message(value)),
        hold_seconds: value.hold_seconds.map(i64::from),
        strangeness: Some(value.strangeness.map_or_else(Default::default, WireEnum::to_wire)),
        request: Some(value.request.map_or_else(Default::default, |request| request.step.to_wire())),
        requested_at: value.request.map(|request| wire_time(request.requested_at)).into(),
        request_failure: Some(value.request_failure.as_ref().map(ToString::to_string).unwrap_or_default()),
        given_cents: value.given.and_then(|given| given.value).map(Cents::get),
        given_at: value.given.map(|given| wire_time(given.at)).into(),
    }
}

fn message(offer: &TradeOffer) -> String {
    offer.wish.as_ref().and_then(|wish| wish.message.as_ref()).map(ToString::to_string).unwrap_or_default()
}

/// The items as the platform shows them, or as a person named them as long as it does not.
fn assets(shown: &[OfferedAsset], wished: Option<&[AssetReference]>) -> Vec<wire::OfferedAsset> {
    match wished {
        Some(wished) if shown.is_empty() => wished.iter().map(unnamed).collect(),
        Some(_) | None => shown.iter().map(asset).collect(),
    }
}

fn unnamed(asset: &AssetReference) -> wire::OfferedAsset {
    wire::OfferedAsset {
        app_id: Some(wire_number(asset.app_id.get())),
        asset_id: Some(asset.asset_id.to_string()),
        market_hash_name: Some(String::new()),
    }
}

/// An item that a person names.
pub(crate) fn asset_to_trade(given: &AssetReferenceView<'_>) -> AssetToTrade {
    AssetToTrade {
        app_id: given.app_id.map(i64::from),
        context_id: given.context_id,
        asset_id: given.asset_id.to_owned(),
    }
}

/// When the offers of an account were asked for, and last read.
pub(crate) fn reading(value: &OfferReading) -> wire::RefreshTradeOffersResponse {
    wire::RefreshTradeOffersResponse {
        requested_at: value.requested_at.map(wire_time).into(),
        read_at: value.read_at.map(wire_time).into(),
    }
}

/// The trade that came of an offer.
pub(crate) fn trade(offer: &TradeOffer, trade: &OfferTrade) -> wire::Trade {
    wire::Trade {
        trade_id: Some(trade.id.to_string()),
        trade_offer_id: Some(wire_id(offer.id)),
        account_name: Some(offer.account_name.to_string()),
        partner: Some(offer.partner.to_string()),
        status: Some(trade.status.map_or(wire::TradeStatus::TRADE_STATUS_UNSPECIFIED, trade_status).into()),
        platform_status: trade.status.map(|status| status.number().into()),
        asset_map: trade.assets.iter().map(traded).collect(),
        held_until: trade.held_until.map(wire_time).into(),
        protected_until: trade.protected_until.map(wire_time).into(),
        rollback_trade_id: Some(text(trade.rollback_trade_id.as_ref())),
    }
}

fn text(id: Option<&ExternalId>) -> String {
    id.map(ToString::to_string).unwrap_or_default()
}

fn asset(asset: &OfferedAsset) -> wire::OfferedAsset {
    wire::OfferedAsset {
        app_id: Some(wire_number(asset.app_id.get())),
        asset_id: Some(asset.asset_id.to_string()),
        market_hash_name: Some(asset.market_hash_name.to_string()),
    }
}

fn traded(traded: &TradedAsset) -> wire::TradedAsset {
    let id = |id: &Option<AssetId>| Some(id.as_ref().map(ToString::to_string).unwrap_or_default());
    wire::TradedAsset {
        app_id: Some(wire_number(traded.asset.app_id.get())),
        market_hash_name: Some(traded.asset.market_hash_name.to_string()),
        given: Some(traded.is_given),
        asset_id: Some(traded.asset.asset_id.to_string()),
        new_asset_id: id(&traded.moved_to),
        // The largest context of the platform is far below.
        new_context_id: traded.context_id.map(ContextId::get).and_then(|context| i64::try_from(context).ok()),
        returned_asset_id: id(&traded.returned_as),
    }
}

const fn trade_status(status: TradeStatus) -> wire::TradeStatus {
    match status {
        TradeStatus::Init => wire::TradeStatus::TRADE_STATUS_INIT,
        TradeStatus::PreCommitted => wire::TradeStatus::TRADE_STATUS_PRE_COMMITTED,
        TradeStatus::Committed => wire::TradeStatus::TRADE_STATUS_COMMITTED,
        TradeStatus::Complete => wire::TradeStatus::TRADE_STATUS_COMPLETE,
        TradeStatus::Failed => wire::TradeStatus::TRADE_STATUS_FAILED,
        TradeStatus::PartialSupportRollback => wire::TradeStatus::TRADE_STATUS_PARTIAL_SUPPORT_ROLLBACK,
        TradeStatus::FullSupportRollback => wire::TradeStatus::TRADE_STATUS_FULL_SUPPORT_ROLLBACK,
        TradeStatus::SelectiveSupportRollback => wire::TradeStatus::TRADE_STATUS_SELECTIVE_SUPPORT_ROLLBACK,
        TradeStatus::RollbackFailed => wire::TradeStatus::TRADE_STATUS_ROLLBACK_FAILED,
        TradeStatus::RollbackAbandoned => wire::TradeStatus::TRADE_STATUS_ROLLBACK_ABANDONED,
        TradeStatus::InEscrow => wire::TradeStatus::TRADE_STATUS_IN_ESCROW,
        TradeStatus::EscrowRollback => wire::TradeStatus::TRADE_STATUS_ESCROW_ROLLBACK,
        TradeStatus::ProtectionRollback => wire::TradeStatus::TRADE_STATUS_PROTECTION_ROLLBACK,
        TradeStatus::Unknown(_) => wire::TradeStatus::TRADE_STATUS_UNKNOWN,
    }
}
