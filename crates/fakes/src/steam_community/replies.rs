//! Replies that several routes have in common.

use std::time::Duration;

use serde_json::json;

use crate::facade::Reply;

pub(super) fn limited() -> Reply {
    Reply::of("steam-community.limited", 429, json!("<html><body><h1>Too Many Requests</h1></body></html>"))
}

pub(super) fn limited_for(time: Duration) -> Reply {
    limited().with("retry-after", time.as_secs().max(1).to_string())
}

/// What a caller sees of a call whose answer was lost.
pub(super) fn lost() -> Reply {
    Reply::of("steam-community.lost", 502, json!("<html><body><h1>502 Bad Gateway</h1></body></html>"))
}

/// What a form answers to a caller who is not signed in.
pub(super) fn to_sign_in() -> Reply {
    Reply::of("steam-community.signed-out", 302, json!("")).with("location", "/login/?goto=%2Fmy%2Ffriends".to_owned())
}
