//! Replies that several routes have in common.

use std::time::Duration;

use serde_json::{Value, json};
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::PlatformResult;

use crate::facade::{Asked, Reply};
use crate::state::Fakes;
use crate::steam_bearer::Bearer;

/// The number of what was done.
const OK: u32 = 1;

/// An answer.
pub(super) fn done(card: &str, body: Value) -> Reply {
    Reply::of(card, 200, body).numbered(OK)
}

/// A refusal of a route of protocol buffers: its number, and an empty message.
pub(super) fn refused(card: &str, eresult: u32) -> Reply {
    Reply::of(card, 200, Value::Null).numbered(eresult)
}

pub(super) fn limited() -> Reply {
    Reply::of("steam-api.limited", 429, json!("<html><body><h1>Too Many Requests</h1></body></html>"))
}

pub(super) fn unauthorized() -> Reply {
    let page = "<html><head><title>Unauthorized</title></head><body><h1>Unauthorized</h1>Access is denied. \
        Retrying will not help. Please verify your <pre>key=</pre> parameter.</body></html>";
    Reply::of("steam-api.unauthorized", 401, json!(page))
}

pub(super) fn bad_request() -> Reply {
    let page = "<html><head><title>Bad Request</title></head><body><h1>Bad Request</h1>\
        Please verify that all required parameters are being sent</body></html>";
    Reply::of("steam-api.bad-request", 400, json!(page))
}

/// What a caller sees of a call whose answer was lost.
pub(super) fn lost() -> Reply {
    Reply::of("steam-api.lost", 502, json!("<html><body><h1>502 Bad Gateway</h1></body></html>"))
}

/// The account of the access token.
pub(super) fn signed_in(fakes: &Fakes, asked: &Asked) -> Option<Bearer> {
    Bearer::read(asked.query.get("access_token")?, fakes.now())
}

/// Answers a read with what the world shows the account of its access token. An object without content says that there is nothing.
pub(super) fn read(
    fakes: &Fakes,
    asked: &Asked,
    card: &str,
    shown: impl FnOnce(&Bearer) -> PlatformResult<Value>,
) -> Reply {
    let Some(bearer) = signed_in(fakes, asked) else { return unauthorized() };
    match shown(&bearer) {
        Ok(body) => done(card, body),
        Err(error) => failed(&error, card),
    }
}

/// What a caller sees of a read that failed.
pub(super) fn failed<R>(error: &ExternalError<R>, card: &str) -> Reply {
    match error {
        ExternalError::Rejected(_) => done(card, json!({ "response": {} })),
        ExternalError::Unknown(_) => lost(),
        ExternalError::RateLimited { retry_after, effect: _ } => limited().with("retry-after", whole(*retry_after)),
        ExternalError::AuthLost { effect: _ } => unauthorized(),
    }
}

/// The seconds of a header, never fewer than there are.
fn whole(time: Duration) -> String {
    time.as_secs().saturating_add(u64::from(time.subsec_nanos() > 0)).to_string()
}
