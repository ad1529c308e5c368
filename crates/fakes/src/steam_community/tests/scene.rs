//! Accounts that need no sign-in: any token of theirs is accepted.

use axum::http::{HeaderMap, HeaderValue, header};
use tradepost_domain::trading::trade::PlatformUserId;

use super::super::API_KEY;
use crate::facade::Asked;
use crate::state::Fakes;
use crate::steam_bearer::{Bearer, TokenKind};

pub(super) fn user_of(fakes: &Fakes) -> PlatformUserId {
    fakes.simulator().world(|world| world.open_account("desk").user)
}

pub(super) fn bearer(user: PlatformUserId) -> Bearer {
    Bearer { user, token: "any".to_owned() }
}

/// A request whose cookies name this account and have this token.
pub(super) fn asked(fakes: &Fakes, named: PlatformUserId, bearer: &Bearer) -> Asked {
    let now = fakes.now();
    let token = bearer.written(TokenKind::Access, now.plus(time::Duration::DAY), now);
    let cookies = format!("sessionid=0a; steamLoginSecure={named}%7C%7C{token}");
    let headers = HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_str(&cookies).unwrap())]);
    Asked { route: API_KEY, headers, ..Asked::default() }
}
