//! The forms by which trade offers are sent, accepted, declined and cancelled.
//!
//! A form comes from a page of the community, and repeats the number of the session. A refusal is JSON with the status of an error.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use serde_json::{Value, json};
use tradepost_adapters_simulator::PlatformCall;
use tradepost_domain::asset::AssetId;
use tradepost_domain::text::{Description, ExternalId};
use tradepost_domain::trading::trade::{OfferStatus, PlatformUserId, TradeAddress};
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{Acceptance, NewOffer, Offer, PlatformRefusal};

use super::cookie::{session, signed_in};
use super::replies::{limited_for, lost};
use crate::facade::{Asked, Reply};
use crate::state::Fakes;
use crate::steam_bearer::Bearer;

/// The site of the pages that send forms.
pub(super) const SITE: &str = "https://steamcommunity.com";
/// Results, by their numbers: nothing further, an invalid parameter, another state, no access, an item that is missing, and nothing found.
const FAIL: u32 = 2;
const INVALID_PARAMETER: u32 = 8;
const INVALID_STATE: u32 = 11;
const ACCESS_DENIED: u32 = 15;
const REVOKED: u32 = 26;
const NO_MATCH: u32 = 42;

/// The cards of a form's answers.
struct Cards {
    done: &'static str,
    refused: &'static str,
    signed_out: &'static str,
    signed_out_status: u16,
}

const SENDING: Cards = Cards {
    done: "steam-community.send",
    refused: "steam-community.send.refused",
    signed_out: "steam-community.offers.signed-out",
    signed_out_status: 401,
};
const ACCEPTING: Cards = Cards {
    done: "steam-community.accept",
    refused: "steam-community.accept.refused",
    signed_out: "steam-community.accept.signed-out",
    signed_out_status: 403,
};
const DECLINING: Cards =
    Cards { done: "steam-community.decline", refused: "steam-community.decline.refused", ..SENDING };
const CANCELLING: Cards =
    Cards { done: "steam-community.cancel", refused: "steam-community.cancel.refused", ..SENDING };

/// A form of an account that is signed in.
struct Sent {
    bearer: Bearer,
    fields: BTreeMap<String, String>,
}

impl Sent {
    /// Reads a form. A form that comes from another site, or without a page, is forbidden.
    fn read(fakes: &Fakes, asked: &Asked, cards: &Cards) -> Result<Self, Reply> {
        if asked.header("origin") != SITE || !asked.header("referer").starts_with(&format!("{SITE}/tradeoffer/")) {
            return Err(Reply::of_no_card(403, Value::Null));
        }
        let fields = asked.fields();
        let has_session = session(asked).is_some_and(|session| fields.get("sessionid").is_some_and(|of| of == session));
        let bearer = signed_in(fakes, asked).filter(|_| has_session);
        bearer.map(|bearer| Self { bearer, fields }).ok_or_else(|| signed_out(cards))
    }

    fn field(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }

    /// The offer that a form describes; `None` for one that is incomplete.
    fn offer(&self) -> Option<NewOffer> {
        let json = |name: &str| serde_json::from_str::<Value>(self.field(name)).ok();
        let (trade, address) = (json("json_tradeoffer")?, json("trade_offer_create_params")?);
        let user = PlatformUserId::new(self.field("partner").parse::<NonZeroU64>().ok()?);
        let token = ExternalId::new(address["trade_offer_access_token"].as_str()?).ok()?;
        let (give, receive) = (assets(&trade["me"])?, assets(&trade["them"])?);
        let is_whole = self.field("serverid") == "1" && trade["newversion"] == true;
        let is_counted = trade["version"].as_u64() == u64::try_from(give.len() + receive.len() + 1).ok();
        let message = Description::new(self.field("tradeoffermessage")).ok();
        (is_whole && is_counted).then_some(NewOffer { to: TradeAddress { user, token }, give, receive, message })
    }
}

/// The items of one side. An id that is a number is not taken, as at Steam.
fn assets(side: &Value) -> Option<Vec<AssetId>> {
    let asset = |item: &Value| {
        let is_ordinary = item["appid"] == 730 && item["contextid"] == "2" && item["amount"] == 1;
        let id = AssetId::new(item["assetid"].as_str()?).ok()?;
        is_ordinary.then_some(id)
    };
    side["assets"].as_array()?.iter().map(asset).collect()
}

pub(super) fn send(fakes: &Fakes, asked: &Asked) -> Reply {
    let sent = match Sent::read(fakes, asked, &SENDING) {
        Ok(sent) => sent,
        Err(reply) => return reply,
    };
    let Some(offer) = sent.offer() else { return refused(&SENDING, INVALID_PARAMETER) };
    match sent.bearer.ask::<Offer>(fakes, PlatformCall::Send { offer }) {
        Ok(offer) => {
            let mut body = json!({ "tradeofferid": offer.id.as_str() });
            if offer.status == OfferStatus::NeedsConfirmation {
                confirmed_by_app(&mut body);
            }
            Reply::of(SENDING.done, 200, body)
        }
        Err(error) => failed(&error, &SENDING),
    }
}

pub(super) fn accept(fakes: &Fakes, asked: &Asked) -> Reply {
    let sent = match Sent::read(fakes, asked, &ACCEPTING) {
        Ok(sent) => sent,
        Err(reply) => return reply,
    };
    let is_whole = sent.field("serverid") == "1" && sent.field("partner").parse::<NonZeroU64>().is_ok();
    let id = ExternalId::new(&asked.segment).ok().filter(|_| is_whole && sent.field("tradeofferid") == asked.segment);
    let Some(id) = id else { return refused(&ACCEPTING, INVALID_PARAMETER) };
    match sent.bearer.ask::<Acceptance>(fakes, PlatformCall::Accept { id }) {
        Ok(Acceptance::Begun { trade_id }) => Reply::of(ACCEPTING.done, 200, json!({ "tradeid": trade_id.as_str() })),
        Ok(Acceptance::NeedsConfirmation) => {
            let mut body = json!({});
            confirmed_by_app(&mut body);
            Reply::of(ACCEPTING.done, 200, body)
        }
        Err(error) => failed(&error, &ACCEPTING),
    }
}

pub(super) fn decline(fakes: &Fakes, asked: &Asked) -> Reply {
    ended(fakes, asked, &DECLINING, |id| PlatformCall::Decline { id })
}

pub(super) fn cancel(fakes: &Fakes, asked: &Asked) -> Reply {
    ended(fakes, asked, &CANCELLING, |id| PlatformCall::Cancel { id })
}

fn ended(fakes: &Fakes, asked: &Asked, cards: &Cards, call: fn(ExternalId) -> PlatformCall) -> Reply {
    let sent = match Sent::read(fakes, asked, cards) {
        Ok(sent) => sent,
        Err(reply) => return reply,
    };
    let Ok(id) = ExternalId::new(&asked.segment) else { return refused(cards, INVALID_PARAMETER) };
    match sent.bearer.ask::<()>(fakes, call(id)) {
        Ok(()) => Reply::of(cards.done, 200, json!({ "tradeofferid": asked.segment })),
        Err(error) => failed(&error, cards),
    }
}

fn confirmed_by_app(body: &mut Value) {
    body["needs_mobile_confirmation"] = json!(true);
    body["needs_email_confirmation"] = json!(false);
    body["email_domain"] = json!("");
}

fn refused(cards: &Cards, number: u32) -> Reply {
    let words = format!("There was an error with your trade offer. Please try again later. ({number})");
    Reply::of(cards.refused, 500, json!({ "strError": words }))
}

fn signed_out(cards: &Cards) -> Reply {
    Reply::of(cards.signed_out, cards.signed_out_status, json!("<html><body><h1>Access Denied</h1></body></html>"))
}

fn failed(error: &ExternalError<PlatformRefusal>, cards: &Cards) -> Reply {
    match error {
        ExternalError::Rejected(refusal) => refused(cards, number(refusal)),
        ExternalError::AuthLost { effect: _ } => signed_out(cards),
        ExternalError::RateLimited { retry_after, effect: _ } => limited_for(*retry_after),
        ExternalError::Unknown(_) => lost(),
    }
}

/// The result that a refusal of the world has at Steam.
const fn number(refusal: &PlatformRefusal) -> u32 {
    match refusal {
        PlatformRefusal::AssetUnavailable(_) | PlatformRefusal::OfferEnded(OfferStatus::InvalidItems) => REVOKED,
        PlatformRefusal::PartnerRefused => ACCESS_DENIED,
        PlatformRefusal::EmptyOffer => INVALID_PARAMETER,
        PlatformRefusal::OfferEnded(_) => INVALID_STATE,
        PlatformRefusal::NotFound => NO_MATCH,
        PlatformRefusal::NotDone(_) | PlatformRefusal::Other(_) => FAIL,
    }
}
