//! The list of mobile confirmations, and answers to them. Their owner signs each call with the secret of the authenticator.

use aws_lc_rs::digest::{SHA256, digest};
use serde_json::{Value, json};
use tradepost_adapters_simulator::PlatformCall;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{Confirmation, ConfirmationAnswer, PlatformRefusal};

use super::cookie::signed_in;
use super::identity_secrets::NotSigned;
use super::replies::{limited_for, lost};
use crate::facade::{Asked, Reply};
use crate::state::Fakes;
use crate::steam_bearer::{Bearer, seconds};

/// By how much the time of a call may differ.
const TOLERANCE_SECONDS: u64 = 10 * 60;
/// The tag of the list, and those of answers; a device begins with its system, and the rest is a UUID.
const TAG: &str = "conf";
const ALLOW: &str = "allow";
const CANCEL: &str = "cancel";
const SYSTEM: &str = "android:";
const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];

/// Why a call is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refused {
    /// A parameter is missing, or is not what it has to be.
    Malformed,
    /// Its time is too far from that of the service, or its key is another one.
    WrongKey,
    /// The account has no authenticator.
    NoAuthenticator,
}

pub(super) fn list(fakes: &Fakes, asked: &Asked) -> Reply {
    let named = asked.query.get("a");
    let bearer = signed_in(fakes, asked).filter(|bearer| named.is_some_and(|user| *user == bearer.user.to_string()));
    let Some(bearer) = bearer else { return signed_out() };
    if let Err(refused) = checked(fakes, asked, &bearer, TAG) {
        return shown_refusal(refused);
    }
    match bearer.ask::<Vec<Confirmation>>(fakes, PlatformCall::Confirmations) {
        Ok(all) => {
            let shown: Vec<Value> = all.iter().map(shown).collect();
            Reply::of("steam-community.confirmations", 200, json!({ "success": true, "conf": shown }))
        }
        Err(error) => failed(&error),
    }
}

/// Answers one confirmation, which is named by its id and by the number that the list shows with it.
pub(super) fn answer(fakes: &Fakes, asked: &Asked) -> Reply {
    let named = asked.query.get("a");
    let bearer = signed_in(fakes, asked).filter(|bearer| named.is_some_and(|user| *user == bearer.user.to_string()));
    let Some(bearer) = bearer else { return not_signed_in() };
    let given = match asked.query.get("op").map(String::as_str) {
        Some(ALLOW) => (ALLOW, ConfirmationAnswer::Allow),
        Some(CANCEL) => (CANCEL, ConfirmationAnswer::Deny),
        Some(_) | None => return not_taken(),
    };
    let (tag, answer) = given;
    let Ok(time) = checked(fakes, asked, &bearer, tag) else { return not_taken() };
    if !fakes.identity_secrets().note_answer(bearer.user, time) {
        return not_taken();
    }
    let all = match bearer.ask::<Vec<Confirmation>>(fakes, PlatformCall::Confirmations) {
        Ok(all) => all,
        Err(error) => return not_answered(&error),
    };
    let is_named = |confirmation: &&Confirmation| {
        let (id, key) = (asked.query.get("cid"), asked.query.get("ck"));
        id.is_some_and(|id| id == confirmation.id.as_str()) && key.is_some_and(|key| *key == nonce(confirmation))
    };
    let Some(confirmation) = all.iter().find(is_named) else { return not_taken() };
    match bearer.ask::<()>(fakes, PlatformCall::Answer { id: confirmation.id.clone(), answer }) {
        Ok(()) => Reply::of("steam-community.answer", 200, json!({ "success": true })),
        Err(error) => not_answered(&error),
    }
}

/// An answer of an account that is not signed in. The field has another name than in the list.
fn not_signed_in() -> Reply {
    Reply::of("steam-community.answer.signed-out", 200, json!({ "success": false, "needsauth": true }))
}

fn not_taken() -> Reply {
    let message = "There was a problem with the confirmation.";
    Reply::of("steam-community.answer.refused", 200, json!({ "success": false, "message": message }))
}

fn not_answered(error: &ExternalError<PlatformRefusal>) -> Reply {
    match error {
        ExternalError::Rejected(_) => not_taken(),
        ExternalError::AuthLost { effect: _ } => not_signed_in(),
        ExternalError::RateLimited { retry_after, effect: _ } => limited_for(*retry_after),
        ExternalError::Unknown(_) => lost(),
    }
}

fn signed_out() -> Reply {
    Reply::of("steam-community.confirmations.signed-out", 200, json!({ "success": false, "needauth": true }))
}

fn shown_refusal(refused: Refused) -> Reply {
    let (message, detail) = match refused {
        Refused::Malformed => ("Invalid protobuf", "A parameter of the request is missing or cannot be read."),
        Refused::WrongKey => ("Invalid protobuf", "The key of the request is not valid."),
        Refused::NoAuthenticator => ("Invalid authenticator", "This account has no mobile authenticator."),
    };
    let body = json!({ "success": false, "message": message, "detail": detail });
    Reply::of("steam-community.confirmations.refused", 200, body)
}

/// Checks that the owner of the account has signed a call for this tag. Returns the time of the call.
fn checked(fakes: &Fakes, asked: &Asked, bearer: &Bearer, wanted: &str) -> Result<i64, Refused> {
    let parameter = |name: &str| asked.query.get(name).map(String::as_str).ok_or(Refused::Malformed);
    let [device, key, tag, mode] = [parameter("p")?, parameter("k")?, parameter("tag")?, parameter("m")?];
    let time: i64 = parameter("t")?.parse().map_err(|_| Refused::Malformed)?;
    if !is_device(device) || mode != "react" || tag != wanted {
        return Err(Refused::Malformed);
    }
    if time.abs_diff(seconds(fakes.now())) > TOLERANCE_SECONDS {
        return Err(Refused::WrongKey);
    }
    let signed = fakes.identity_secrets().check(bearer.user, key, time, tag);
    signed.map(|()| time).map_err(|not_signed| match not_signed {
        NotSigned::NoSecret => Refused::NoAuthenticator,
        NotSigned::WrongKey => Refused::WrongKey,
    })
}

fn is_device(text: &str) -> bool {
    let is_hex = |group: &str| group.bytes().all(|byte| byte.is_ascii_hexdigit());
    text.strip_prefix(SYSTEM)
        .is_some_and(|uuid| uuid.split('-').map(str::len).eq(GROUPS) && uuid.split('-').all(is_hex))
}

fn shown(confirmation: &Confirmation) -> Value {
    json!({
        "type": confirmation.kind,
        "type_name": confirmation.kind_name,
        "id": confirmation.id.as_str(),
        "creator_id": confirmation.creator.as_str(),
        "nonce": nonce(confirmation),
        "creation_time": seconds(confirmation.created_at),
        "cancel": "Cancel",
        "accept": "Accept",
        "icon": "https://example.com/icon.png",
        "multi": false,
        "headline": confirmation.headline,
        "summary": confirmation.summary,
        "warn": null,
    })
}

/// What an answer to the confirmation names. The world asks for nothing, so that a number is made of the id.
fn nonce(confirmation: &Confirmation) -> String {
    if !confirmation.handle.0.is_empty() {
        return confirmation.handle.0.clone();
    }
    let digest = digest(&SHA256, confirmation.id.as_str().as_bytes());
    let first = digest.as_ref().first_chunk().copied().unwrap_or_default();
    u64::from_be_bytes(first).to_string()
}

fn failed(error: &ExternalError<PlatformRefusal>) -> Reply {
    match error {
        ExternalError::AuthLost { effect: _ } => signed_out(),
        ExternalError::RateLimited { retry_after, effect: _ } => limited_for(*retry_after),
        ExternalError::Unknown(_) | ExternalError::Rejected(_) => lost(),
    }
}
