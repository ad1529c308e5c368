//! Signing in, renewing tokens and revoking them. Every call that the world does not answer is a number in a header, with an empty message.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tradepost_adapters_simulator::{Answer, IssuedTokens, Request, SessionCall};
use tradepost_domain::trading::account_session::{Asked as Sought, Guard};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::sessions::{SessionRefusal, SessionResult, SignIn};

use super::messages;
use super::replies::{done, lost, refused};
use super::sign_ins::Begun;
use crate::facade::{Asked, Reply};
use crate::state::Fakes;
use crate::steam_bearer::{Bearer, TokenKind};

/// The time by which a client names the key that it has encrypted a password with.
const KEY_TIMESTAMP: u64 = 374_894_100_000;

const INVALID_PASSWORD: u32 = 5;
pub(super) const INVALID_PARAMETER: u32 = 8;
const FILE_NOT_FOUND: u32 = 9;
pub(super) const ACCESS_DENIED: u32 = 15;
const EXPIRED: u32 = 27;
const INVALID_MAILED_CODE: u32 = 65;
const RATE_LIMIT_EXCEEDED: u32 = 84;
const DEVICE_CODE_MISMATCH: u32 = 88;

/// The types of guards.
const NONE: u64 = 1;
const EMAIL_CODE: u64 = 2;
const DEVICE_CODE: u64 = 3;
const DEVICE_CONFIRMATION: u64 = 4;
const EMAIL_CONFIRMATION: u64 = 5;
const MACHINE_TOKEN: u64 = 6;

/// The renewal that may replace the refresh token as well.
const RENEWAL_ALLOWED: u64 = 1;

/// The numbers that differ from call to call.
struct Numbers {
    wrong_code: u32,
    expired: u32,
}

const USUAL: Numbers = Numbers { wrong_code: DEVICE_CODE_MISMATCH, expired: EXPIRED };

/// The key for a password. A name that no account has gets one as well.
pub(super) fn key(fakes: &Fakes, asked: &Asked) -> Reply {
    let request = messages::of_request(asked, messages::KEY_REQUEST);
    let is_named = request.is_some_and(|request| request["account_name"].is_string());
    let Some(key) = fakes.steam_key().filter(|_| is_named) else {
        return refused("steam-api.key.refused", INVALID_PARAMETER);
    };
    let body = json!({ "publickey_mod": key.modulus, "publickey_exp": key.exponent, "timestamp": KEY_TIMESTAMP });
    done("steam-api.key", body)
}

pub(super) fn begin(fakes: &Fakes, asked: &Asked) -> Reply {
    const CARD: &str = "steam-api.begin.refused";
    let request = messages::of_request(asked, messages::BEGIN_REQUEST);
    let Some(request) = request.filter(|request| request["encryption_timestamp"] == KEY_TIMESTAMP) else {
        return refused(CARD, INVALID_PARAMETER);
    };
    let login_name = text(&request, "account_name");
    let decrypted = fakes.steam_key().and_then(|key| key.decrypted(&text(&request, "encrypted_password")));
    let Some(password) = decrypted else { return refused(CARD, INVALID_PASSWORD) };
    let call = SessionCall::Begin { login_name: login_name.clone(), password };
    let begun: SignIn = match ask(fakes, call) {
        Ok(begun) => begun,
        Err(error) => return failed(&error, CARD, &USUAL),
    };
    let user = fakes.simulator().world(|world| world.signing_in_as(&login_name));
    let Some(user) = user else { return refused(CARD, INVALID_PASSWORD) };
    let kept = Begun { attempt: begun.attempt.0.clone(), user, login_name };
    let body = json!({
        "client_id": fakes.sign_ins().keep(kept),
        "request_id": STANDARD.encode(&begun.attempt.0),
        "interval": begun.poll_every.as_secs_f32(),
        "allowed_confirmations": confirmations(&begun.asked),
        "steamid": user.number(),
    });
    done("steam-api.begin", body)
}

/// What the account is asked for. A token of a machine is offered instead of a mailed code.
fn confirmations(sought: &Sought) -> Vec<Value> {
    if sought.guards.is_empty() {
        return vec![json!({ "confirmation_type": NONE })];
    }
    let mut all = Vec::new();
    for guard in &sought.guards {
        let kind = match guard {
            Guard::EmailCode => EMAIL_CODE,
            Guard::DeviceCode => DEVICE_CODE,
            Guard::DeviceApproval => DEVICE_CONFIRMATION,
            Guard::EmailApproval => EMAIL_CONFIRMATION,
        };
        let mut confirmation = json!({ "confirmation_type": kind });
        if let Some(domain) = &sought.email_domain {
            confirmation["associated_message"] = json!(domain.as_str());
        }
        all.push(confirmation);
        if kind == EMAIL_CODE {
            all.push(json!({ "confirmation_type": MACHINE_TOKEN }));
        }
    }
    all
}

pub(super) fn code(fakes: &Fakes, asked: &Asked) -> Reply {
    const CARD: &str = "steam-api.code.refused";
    let Some(request) = messages::of_request(asked, messages::CODE_REQUEST) else {
        return refused(CARD, INVALID_PARAMETER);
    };
    let (guard, wrong_code) = match request["code_type"].as_u64() {
        Some(EMAIL_CODE) => (Guard::EmailCode, INVALID_MAILED_CODE),
        Some(DEVICE_CODE) => (Guard::DeviceCode, DEVICE_CODE_MISMATCH),
        _ => return refused(CARD, INVALID_PARAMETER),
    };
    let Some(begun) = begun(fakes, &request).filter(|begun| is_of(&request, begun.user)) else {
        return refused(CARD, FILE_NOT_FOUND);
    };
    let call = SessionCall::GiveCode { attempt: begun.attempt, guard, code: text(&request, "code") };
    match ask::<()>(fakes, call) {
        Ok(()) => done("steam-api.code", json!({})),
        Err(error) => failed(&error, CARD, &Numbers { wrong_code, ..USUAL }),
    }
}

pub(super) fn poll(fakes: &Fakes, asked: &Asked) -> Reply {
    const CARD: &str = "steam-api.poll.refused";
    let Some(request) = messages::of_request(asked, messages::POLL_REQUEST) else {
        return refused(CARD, INVALID_PARAMETER);
    };
    let known = begun(fakes, &request).filter(|begun| request["request_id"] == STANDARD.encode(&begun.attempt));
    let Some(begun) = known else { return refused(CARD, FILE_NOT_FOUND) };
    match ask::<Option<IssuedTokens>>(fakes, SessionCall::Poll { attempt: begun.attempt }) {
        Ok(None) => done("steam-api.poll", json!({ "had_remote_interaction": false })),
        Ok(Some(tokens)) => {
            let body = json!({
                "refresh_token": written(fakes, &tokens, TokenKind::Refresh),
                "access_token": written(fakes, &tokens, TokenKind::Access),
                "had_remote_interaction": true,
                "account_name": begun.login_name,
            });
            done("steam-api.poll", body)
        }
        Err(error) => failed(&error, CARD, &Numbers { expired: FILE_NOT_FOUND, ..USUAL }),
    }
}

pub(super) fn renew(fakes: &Fakes, asked: &Asked) -> Reply {
    const CARD: &str = "steam-api.renewal.refused";
    let Some(request) = messages::of_request(asked, messages::RENEWAL_REQUEST) else {
        return refused(CARD, INVALID_PARAMETER);
    };
    let bearer = Bearer::read(&text(&request, "refresh_token"), fakes.now());
    let Some(bearer) = bearer.filter(|bearer| is_of(&request, bearer.user)) else {
        return refused(CARD, ACCESS_DENIED);
    };
    let also_refresh = request["renewal_type"] == RENEWAL_ALLOWED;
    match ask::<IssuedTokens>(fakes, SessionCall::Renew { refresh: bearer.token, also_refresh }) {
        Ok(tokens) => {
            let mut body = json!({ "access_token": written(fakes, &tokens, TokenKind::Access) });
            if also_refresh {
                body["refresh_token"] = json!(written(fakes, &tokens, TokenKind::Refresh));
            }
            done("steam-api.renewal", body)
        }
        Err(error) => failed(&error, CARD, &USUAL),
    }
}

pub(super) fn revoke(fakes: &Fakes, asked: &Asked) -> Reply {
    const CARD: &str = "steam-api.revocation.refused";
    let Some(request) = messages::of_request(asked, messages::REVOCATION_REQUEST) else {
        return refused(CARD, INVALID_PARAMETER);
    };
    let Some(bearer) = Bearer::read(&text(&request, "token"), fakes.now()) else {
        return refused(CARD, ACCESS_DENIED);
    };
    match ask::<()>(fakes, SessionCall::Revoke { refresh: bearer.token }) {
        Ok(()) => done("steam-api.revocation", json!({})),
        Err(error) => failed(&error, CARD, &USUAL),
    }
}

/// Whether a request names this account.
pub(super) fn is_of(request: &Value, user: PlatformUserId) -> bool {
    request["steamid"] == user.number().get()
}

/// The sign-in that a request names.
fn begun(fakes: &Fakes, request: &Value) -> Option<Begun> {
    fakes.sign_ins().of_number(request["client_id"].as_u64()?)
}

fn text(request: &Value, name: &str) -> String {
    request[name].as_str().unwrap_or_default().to_owned()
}

fn written(fakes: &Fakes, tokens: &IssuedTokens, kind: TokenKind) -> String {
    let (token, until) = match kind {
        TokenKind::Access => (&tokens.access, tokens.expiry.access),
        TokenKind::Refresh => (&tokens.refresh, tokens.expiry.refresh),
    };
    Bearer { user: tokens.user, token: token.clone() }.written(kind, until, fakes.now())
}

fn ask<T>(fakes: &Fakes, call: SessionCall) -> SessionResult<T>
where
    T: TryFrom<Answer, Error = Answer>,
{
    let answer = fakes.simulator().world(|world| world.answer(&Request::Sessions { call }));
    T::try_from(answer).map_err(|other| {
        if let Answer::SessionFailed(error) = other {
            error
        } else {
            ExternalError::Unknown("the world answered something else than was asked".to_owned())
        }
    })
}

/// What a caller sees of a call that failed.
fn failed(error: &ExternalError<SessionRefusal>, card: &str, numbers: &Numbers) -> Reply {
    let eresult = match error {
        ExternalError::Unknown(_) => return lost(),
        ExternalError::RateLimited { .. } => RATE_LIMIT_EXCEEDED,
        ExternalError::AuthLost { .. } | ExternalError::Rejected(SessionRefusal::ApprovalDenied) => ACCESS_DENIED,
        ExternalError::Rejected(SessionRefusal::WrongPassword) => INVALID_PASSWORD,
        ExternalError::Rejected(SessionRefusal::WrongCode) => numbers.wrong_code,
        ExternalError::Rejected(SessionRefusal::Expired) => numbers.expired,
        ExternalError::Rejected(SessionRefusal::Other(_)) => INVALID_PARAMETER,
    };
    refused(card, eresult)
}
