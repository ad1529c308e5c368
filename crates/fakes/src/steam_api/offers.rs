//! Trade offers: pages of three, the last change first, sent and received offers in lists of their own.

use std::cmp::Reverse;

use serde_json::{Value, json};
use tradepost_adapters_simulator::PlatformCall;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::OfferStatus;
use tradepost_ports::game_platform::{Asset, Offer};

use super::described::{Described, Flags, descriptions};
use super::replies::{bad_request, read};
use crate::facade::{Asked, Reply};
use crate::state::Fakes;
use crate::steam_bearer::{account_number, seconds};

/// The offers of a page: fewer than Steam shows, so that a small world has several pages.
const OFFERS: usize = 3;
/// The confirmation that an offer waits for.
const BY_NOTHING: u32 = 0;
const BY_APP: u32 = 2;

pub(super) fn page(fakes: &Fakes, asked: &Asked) -> Reply {
    read(fakes, asked, "steam-api.offers", |bearer| {
        let call = |after| PlatformCall::Offers { since: Timestamp::MIN, after };
        let mut all: Vec<Offer> = bearer.ask_all(fakes, |offer: &Offer| &offer.id, call)?;
        all.retain(|offer| is_asked_for(offer, asked));
        all.sort_by_key(|offer| Reverse((offer.updated_at, number(&offer.id))));
        let start = asked.number("cursor");
        let part: Vec<&Offer> = all.iter().skip(start).take(OFFERS).collect();
        let end = start.saturating_add(part.len());
        Ok(json!({ "response": shown_page(&part, if end < all.len() { end } else { 0 }, asked) }))
    })
}

pub(super) fn single(fakes: &Fakes, asked: &Asked) -> Reply {
    let id = asked.query.get("tradeofferid").and_then(|id| ExternalId::new(id).ok());
    let Some(id) = id else { return bad_request() };
    read(fakes, asked, "steam-api.offer", |bearer| {
        let offer: Offer = bearer.ask(fakes, PlatformCall::Offer { id })?;
        let mut response = json!({ "offer": shown(&offer) });
        describe(&mut response, &[&offer], asked);
        Ok(json!({ "response": response }))
    })
}

/// Whether an offer is on one of the pages. Those that can still change are, and others that changed after the time that is named.
fn is_asked_for(offer: &Offer, asked: &Asked) -> bool {
    let side = if offer.is_ours { "get_sent_offers" } else { "get_received_offers" };
    let is_open = matches!(offer.status, OfferStatus::Active | OfferStatus::NeedsConfirmation | OfferStatus::InEscrow);
    let since = asked.query.get("time_historical_cutoff").and_then(|text| text.parse::<i64>().ok());
    let is_recent = since.is_some_and(|since| seconds(offer.updated_at) >= since);
    let is_kept = !asked.is_set("active_only") || is_open || is_recent;
    asked.is_set(side) && is_kept && !(asked.is_set("historical_only") && is_open)
}

/// A page, and where the next one begins. A list without offers is left out, and so is everything where there are none.
fn shown_page(part: &[&Offer], next: usize, asked: &Asked) -> Value {
    let mut response = json!({});
    if part.is_empty() {
        return response;
    }
    for (list, is_ours) in [("trade_offers_sent", true), ("trade_offers_received", false)] {
        let of_side = part.iter().filter(|offer| offer.is_ours == is_ours);
        let offers: Vec<Value> = of_side.map(|offer| shown(offer)).collect();
        if !offers.is_empty() {
            response[list] = offers.into();
        }
    }
    describe(&mut response, part, asked);
    response["next_cursor"] = json!(next);
    response
}

/// Adds descriptions, if they are asked for. Only the owner of an item sees until when it is locked.
fn describe(response: &mut Value, offers: &[&Offer], asked: &Asked) {
    if !asked.is_set("get_descriptions") {
        return;
    }
    let items = offers.iter().flat_map(|offer| {
        let own = offer.give.iter().map(Described::own);
        own.chain(offer.receive.iter().map(Described::strange))
    });
    let all = descriptions(items, Flags::Booleans);
    if !all.is_empty() {
        response["descriptions"] = all.into();
    }
}

pub(super) fn number(id: &ExternalId) -> u64 {
    id.as_str().parse().unwrap_or_default()
}

fn shown(offer: &Offer) -> Value {
    let awaits = if offer.status == OfferStatus::NeedsConfirmation { BY_APP } else { BY_NOTHING };
    let mut shown = json!({
        "tradeofferid": offer.id.as_str(),
        "accountid_other": account_number(offer.partner),
        "message": "",
        "expiration_time": seconds(offer.expires_at),
        "trade_offer_state": offer.status.number(),
        "is_our_offer": offer.is_ours,
        "time_created": seconds(offer.created_at),
        "time_updated": seconds(offer.updated_at),
        "from_real_time_trade": false,
        "escrow_end_date": 0,
        "confirmation_method": awaits,
    });
    let given: Vec<Value> = offer.give.iter().map(|asset| item(asset, &Described::own(asset))).collect();
    let received: Vec<Value> = offer.receive.iter().map(|asset| item(asset, &Described::strange(asset))).collect();
    for (list, items) in [("items_to_give", given), ("items_to_receive", received)] {
        if !items.is_empty() {
            shown[list] = items.into();
        }
    }
    if let Some(trade) = &offer.trade_id {
        shown["tradeid"] = json!(trade.as_str());
    }
    shown
}

/// Whatever is offered can be traded, so that it was in the ordinary context.
fn item(asset: &Asset, described: &Described<'_>) -> Value {
    let [class, instance] = described.ids();
    json!({
        "appid": asset.app_id.get(),
        "contextid": "2",
        "assetid": asset.asset_id.as_str(),
        "classid": class,
        "instanceid": instance,
        "amount": "1",
        "missing": false,
    })
}
