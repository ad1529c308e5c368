//! Trade offers that are sent, accepted, declined and cancelled.
//!
//! Before an offer is answered it is read, and after Steam has refused to answer it, it is read again: what the offer shows is the outcome. An
//! offer that was sent is read by the number that Steam gave it.

mod refusal;

use serde_json::{Value, json};
use tradepost_adapters_outside::{RequiredShape, ServiceAnswer};
use tradepost_domain::asset::{AppId, AssetId, ContextId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::trade::{OfferStatus, PlatformUserId};
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{Acceptance, NewOffer, Offer, PlatformRefusal, PlatformResult};

use super::offer;
use crate::reading::{Entry, FLAG, MAYBE_NUMBER, NUMBER, OBJECT, json as read_json, known, needed, unknown};
use crate::routes::{ACCEPT, CANCEL, DECLINE, SEND};
use crate::writing::{Form, Writing, nothing_sent, signed_out_after};
use refusal::Refusal;

const SENT: &[RequiredShape] = &[needed("$", OBJECT), needed("$.tradeofferid", NUMBER)];
const ACCEPTED: &[RequiredShape] = &[
    needed("$", OBJECT),
    known("$.tradeid", MAYBE_NUMBER),
    known("$.needs_mobile_confirmation", FLAG),
    known("$.needs_email_confirmation", FLAG),
];
/// The lower half of the number of an individual account, by which pages name it.
const SHORT: u64 = 0xffff_ffff;
const OK: u16 = 200;
const FORBIDDEN: u16 = 403;
const FAILED: u16 = 500;

/// What ends an offer without a trade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Decline,
    Cancel,
}

/// What Steam said to a form.
enum Said {
    Done(Value),
    Refused(Refusal),
}

/// Sends an offer of items of Counter-Strike 2.
pub(crate) async fn send(writing: &Writing<'_>, new: &NewOffer) -> PlatformResult<Offer> {
    check(writing.account().user(), new)?;
    let partner = new.to.user.to_string();
    let trade = trade(new).to_string();
    let address = json!({ "trade_offer_access_token": new.to.token.as_str() }).to_string();
    let message = new.message.as_ref().map_or("", |message| message.as_str());
    let form = Form {
        route: SEND,
        offer: None,
        page: format!("/tradeoffer/new/?partner={}&token={}", short(new.to.user), new.to.token),
        fields: &[
            ("serverid", "1"),
            ("partner", partner.as_str()),
            ("tradeoffermessage", message),
            ("json_tradeoffer", trade.as_str()),
            ("captcha", ""),
            ("trade_offer_create_params", address.as_str()),
        ],
    };
    match said(&writing.send_form(form).await?, SENT)? {
        Said::Done(body) => {
            let id = ExternalId::from(Entry::of(&body).id("tradeofferid")?.get());
            let sent = offer(writing.account(), &id).await;
            sent.map_err(|error| unknown(format!("the offer {id} was sent, and was not read: {error}")))
        }
        Said::Refused(refusal) => Err(refusal.of_new(new)),
    }
}

/// Accepts an offer that was received.
pub(crate) async fn accept(writing: &Writing<'_>, id: &ExternalId) -> PlatformResult<Acceptance> {
    let shown = open(writing, id, false).await?;
    let partner = shown.partner.to_string();
    let form = Form {
        route: ACCEPT,
        offer: Some(id.as_str()),
        page: format!("/tradeoffer/{id}/"),
        fields: &[("serverid", "1"), ("tradeofferid", id.as_str()), ("partner", partner.as_str()), ("captcha", "")],
    };
    let answer = writing.send_form(form).await?;
    // This page alone answers so to an account that is not signed in.
    if answer.status == FORBIDDEN {
        return Err(signed_out_after());
    }
    match said(&answer, ACCEPTED)? {
        Said::Done(body) => accepted(&Entry::of(&body)),
        Said::Refused(refusal) => {
            let offer = offer(writing.account(), id).await.map_err(|_| refusal.without_outcome())?;
            match (offer.status, offer.trade_id) {
                // No one else accepts for the account.
                (OfferStatus::Accepted | OfferStatus::InEscrow, Some(trade_id)) => Ok(Acceptance::Begun { trade_id }),
                (status, _) => Err(refusal.of_offer(status)),
            }
        }
    }
}

/// Declines an offer that was received.
pub(crate) async fn decline(writing: &Writing<'_>, id: &ExternalId) -> PlatformResult<()> {
    end(writing, id, Ending::Decline).await
}

/// Cancels an offer that was sent.
pub(crate) async fn cancel(writing: &Writing<'_>, id: &ExternalId) -> PlatformResult<()> {
    end(writing, id, Ending::Cancel).await
}

async fn end(writing: &Writing<'_>, id: &ExternalId, ending: Ending) -> PlatformResult<()> {
    let (route, is_ours, ended) = match ending {
        Ending::Decline => (DECLINE, false, OfferStatus::Declined),
        Ending::Cancel => (CANCEL, true, OfferStatus::Cancelled),
    };
    let shown = open(writing, id, is_ours).await?;
    let page = format!("/tradeoffer/{id}/?partner={}", short(shown.partner));
    let form = Form { route, offer: Some(id.as_str()), page, fields: &[] };
    match said(&writing.send_form(form).await?, SENT)? {
        Said::Done(body) => {
            let of = Entry::of(&body).id("tradeofferid")?.get();
            if ExternalId::from(of) == *id { Ok(()) } else { Err(unknown("it answered another offer".to_owned())) }
        }
        Said::Refused(refusal) => {
            let offer = offer(writing.account(), id).await.map_err(|_| refusal.without_outcome())?;
            if offer.status == ended { Ok(()) } else { Err(refusal.of_offer(offer.status)) }
        }
    }
}

/// Reads an offer that is to be answered by its recipient, or cancelled by its sender, and can still be.
async fn open(writing: &Writing<'_>, id: &ExternalId, is_ours: bool) -> PlatformResult<Offer> {
    let shown = nothing_sent(offer(writing.account(), id).await)?;
    if shown.is_ours != is_ours {
        return Err(ExternalError::Rejected(PlatformRefusal::NotFound));
    }
    let is_open = match shown.status {
        OfferStatus::Active => true,
        OfferStatus::NeedsConfirmation => is_ours,
        OfferStatus::Invalid
        | OfferStatus::Accepted
        | OfferStatus::Countered
        | OfferStatus::Expired
        | OfferStatus::Cancelled
        | OfferStatus::Declined
        | OfferStatus::InvalidItems
        | OfferStatus::CancelledBySecondFactor
        | OfferStatus::InEscrow
        | OfferStatus::Unknown(_) => false,
    };
    if is_open { Ok(shown) } else { Err(ExternalError::Rejected(PlatformRefusal::OfferEnded(shown.status))) }
}

/// Checks what can be checked of an offer without a call.
fn check(account: PlatformUserId, new: &NewOffer) -> PlatformResult<()> {
    let rejected = |refusal| Err(ExternalError::Rejected(refusal));
    if (new.give.is_empty() && new.receive.is_empty()) || new.to.user == account {
        return rejected(PlatformRefusal::EmptyOffer);
    }
    if !new.to.user.is_individual() {
        return rejected(PlatformRefusal::PartnerRefused);
    }
    let all: Vec<&AssetId> = new.give.iter().chain(&new.receive).collect();
    let twice = all.iter().enumerate().find(|(at, asset)| all.iter().take(*at).any(|other| other == *asset));
    match twice {
        Some((_, asset)) => rejected(PlatformRefusal::AssetUnavailable((*asset).clone())),
        None => Ok(()),
    }
}

/// The items of both sides, as the page of a new offer sends them. An id that is not a text is refused.
fn trade(new: &NewOffer) -> Value {
    let side = |assets: &[AssetId]| {
        let asset = |id: &AssetId| {
            json!({
                "appid": AppId::CS2.get(),
                "contextid": ContextId::ORDINARY.get().to_string(),
                "amount": 1,
                "assetid": id.as_str(),
            })
        };
        json!({ "assets": assets.iter().map(asset).collect::<Vec<_>>(), "currency": [], "ready": false })
    };
    json!({
        "newversion": true,
        "version": new.give.len() + new.receive.len() + 1,
        "me": side(&new.give),
        "them": side(&new.receive),
    })
}

fn accepted(body: &Entry<'_>) -> PlatformResult<Acceptance> {
    if let Some(trade) = body.maybe_id("tradeid")? {
        return Ok(Acceptance::Begun { trade_id: ExternalId::from(trade.get()) });
    }
    let by_app = body.maybe_flag("needs_mobile_confirmation")?.unwrap_or_default();
    let by_mail = body.maybe_flag("needs_email_confirmation")?.unwrap_or_default();
    if by_app || by_mail {
        Ok(Acceptance::NeedsConfirmation)
    } else {
        Err(unknown("it says neither that a trade began nor that a confirmation is needed".to_owned()))
    }
}

/// Reads what Steam said. A refusal is JSON with its own words, and mostly with the status of an error.
fn said(answer: &ServiceAnswer, done: &[RequiredShape]) -> PlatformResult<Said> {
    if matches!(answer.status, OK | FAILED) {
        let body: Option<Value> = serde_json::from_slice(&answer.body).ok();
        let words = body.as_ref().and_then(|body| body.get("strError")).and_then(Value::as_str);
        if let Some(words) = words {
            return Ok(Said::Refused(Refusal::read(words)));
        }
    }
    if answer.status == OK { Ok(Said::Done(read_json(answer, &[done])?)) } else { Err(status(answer)) }
}

fn status(answer: &ServiceAnswer) -> ExternalError<PlatformRefusal> {
    unknown(format!("it answered {}", answer.status))
}

fn short(user: PlatformUserId) -> u64 {
    user.number().get() & SHORT
}

#[cfg(test)]
mod tests;
