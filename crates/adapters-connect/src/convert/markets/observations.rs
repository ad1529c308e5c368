//! What was seen on markets, both ways.

use buffa::EnumValue;
use connectrpc::ConnectError;
use tradepost_domain::markets::listing::{Listing, Sticker};
use tradepost_domain::markets::observation::{ListingSnapshot, MarketObservation};
use tradepost_domain::transition::Actor;
use tradepost_operations::contracts::SampleListing;
use tradepost_operations::markets::{ObservedListing, PricePoint, SightingOutcome, VariantName};
use tradepost_ports::store::Offer;

use crate::convert::enums::{WireEnum, optional_enum};
use crate::convert::{texts, timestamp, wire_id, wire_number, wire_time};
use tradepost_proto::markets::v1 as wire;
use tradepost_proto::markets::v1::__buffa::view;

/// The listing at a place in a request.
pub(crate) fn observed_listing(
    index: usize,
    given: &view::ObservedListingView<'_>,
) -> Result<ObservedListing, ConnectError> {
    let field = |name: &str| format!("observations[{index}].{name}");
    let text = |given: Option<&str>| given.unwrap_or_default().to_owned();
    let sticker = |sticker: &view::ListingStickerView<'_>| (text(sticker.name), sticker.wear.map(str::to_owned));
    let rarity = given.rarity.map(|rarity| optional_enum(&field("rarity"), rarity)).transpose()?.flatten();
    Ok(ObservedListing {
        marketplace: text(given.marketplace),
        listing_id: text(given.listing_id),
        asset_id: text(given.asset_id),
        app_id: given.app_id.unwrap_or_default().into(),
        listing: SampleListing {
            id: String::new(),
            market_hash_name: text(given.market_hash_name),
            rarity,
            phase: given.phase.filter(|phase| !phase.is_empty()).map(str::to_owned),
            float_value: given.float_value.map(str::to_owned),
            paint_seed: given.paint_seed.map(Into::into),
            paint_index: given.paint_index.map(Into::into),
            stickers: given.stickers.iter().map(sticker).collect(),
            charms: texts(&given.charms),
            price_cents: given.price_cents,
            trade_lock_days: given.trade_lock_days.unwrap_or_default().into(),
            seller_success_bps: given.seller_success_bps.map(Into::into),
        },
        observed_at: timestamp(&field("observedAt"), &given.observed_at)?,
    })
}

/// A variant as three fields of a request name it.
pub(crate) fn variant_name(app_id: i32, name: &str, phase: &str) -> VariantName {
    let phase = Some(phase).filter(|phase| !phase.is_empty()).map(str::to_owned);
    VariantName { app_id: app_id.into(), market_hash_name: name.to_owned(), phase }
}

pub(crate) fn recorded(outcome: SightingOutcome, message: String) -> wire::RecordedObservation {
    wire::RecordedObservation {
        outcome: Some(outcome.outcome.to_wire()),
        observation_id: Some(outcome.observation_id.map(wire_id).unwrap_or_default()),
        reason: Some(outcome.rejection.map(|rejection| rejection.to_string()).unwrap_or_default()),
        message: Some(message),
    }
}

pub(crate) fn observation(observation: &MarketObservation) -> wire::MarketObservation {
    wire::MarketObservation {
        id: Some(wire_id(observation.id)),
        workspace_id: Some(wire_id(observation.workspace_id)),
        listing: listing_snapshot(&observation.snapshot).into(),
        recorded_by: recorder(observation.recorded_by).into(),
        created_at: wire_time(observation.recorded_at).into(),
    }
}

fn listing_snapshot(snapshot: &ListingSnapshot) -> wire::ObservedListing {
    let Listing { variant, .. } = &snapshot.listing;
    let listing = &snapshot.listing;
    wire::ObservedListing {
        marketplace: Some(snapshot.marketplace.to_string()),
        listing_id: Some(snapshot.listing_id.to_string()),
        asset_id: Some(snapshot.asset_id.as_ref().map(ToString::to_string).unwrap_or_default()),
        app_id: Some(wire_number(variant.app_id.get())),
        market_hash_name: Some(variant.market_hash_name.to_string()),
        phase: Some(variant.phase.as_ref().map(ToString::to_string).unwrap_or_default()),
        rarity: listing.rarity.map(WireEnum::to_wire),
        float_value: listing.float_value.as_ref().map(ToString::to_string),
        paint_seed: listing.paint_seed.map(wire_number),
        paint_index: listing.paint_index.map(wire_number),
        stickers: listing.stickers.iter().map(sticker).collect(),
        charms: listing.charms.iter().map(ToString::to_string).collect(),
        price_cents: Some(listing.price.get()),
        trade_lock_days: Some(wire_number(listing.trade_lock_days)),
        seller_success_bps: listing.seller_success.map(|share| share.get().into()),
        observed_at: wire_time(snapshot.observed_at).into(),
    }
}

fn sticker(sticker: &Sticker) -> wire::ListingSticker {
    wire::ListingSticker { name: Some(sticker.name.to_string()), wear: sticker.wear.as_ref().map(ToString::to_string) }
}

pub(crate) fn recorder(actor: Actor) -> wire::Recorder {
    let (kind, id) = match actor {
        Actor::User(user) => (wire::RecorderKind::RECORDER_KIND_USER, wire_id(user)),
        Actor::ApiKey { key, .. } => (wire::RecorderKind::RECORDER_KIND_KEY, wire_id(key)),
        Actor::System => (wire::RecorderKind::RECORDER_KIND_SYSTEM, Vec::new()),
    };
    wire::Recorder { kind: Some(EnumValue::Known(kind)), id: Some(id) }
}

pub(crate) fn ask(offer: &Offer) -> wire::OrderBookAsk {
    wire::OrderBookAsk {
        marketplace: Some(offer.marketplace.to_string()),
        listing_id: Some(offer.listing_id.to_string()),
        price_cents: Some(offer.price.get()),
        observation_id: Some(wire_id(offer.observation_id)),
        seen_at: wire_time(offer.seen_at).into(),
    }
}

pub(crate) fn price_point(point: PricePoint) -> wire::PricePoint {
    wire::PricePoint {
        time: wire_time(point.time).into(),
        open_cents: Some(point.candle.open.price.get()),
        high_cents: Some(point.candle.high.get()),
        low_cents: Some(point.candle.low.get()),
        close_cents: Some(point.candle.close.price.get()),
        count: Some(wire_number(point.candle.count)),
    }
}
