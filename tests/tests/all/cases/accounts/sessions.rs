//! Signing up and in, sessions, forgotten passwords, and workspaces of one's own.

use futures::future::FutureExt as _;
use serde_json::{Value, json};

use crate::cases::{Case, case};
use crate::harness::{Key, MEMBER, OTHER, PASSWORD, World, unknown_id};

/// A password that no user has yet.
const NEW_PASSWORD: &str = "nine quiet herons cross the marsh";

pub(crate) fn cases() -> Vec<Case> {
    [strangers(), sessions(), forgotten(), workspaces()].into_iter().flatten().collect()
}

fn nothing(_: &World) -> Value {
    json!({})
}

fn script(_: &World) -> Value {
    json!({ "botCheckToken": "a script" })
}

/// The calls of those who are not signed in yet.
fn strangers() -> Vec<Case> {
    vec![
        case("GetServerInfo", nothing),
        case("SignUp", |_| {
            json!({
                "email": "Newcomer@Example.com",
                "password": NEW_PASSWORD,
                "displayName": "Newcomer",
                "botCheckToken": "development",
            })
        })
        .requires(&["email", "password", "displayName", "botCheckToken"])
        .fails(script, "BOT_CHECK_FAILED")
        .invalid(|_| json!({ "email": "nobody" }), "INVALID_EMAIL")
        .invalid(|_| json!({ "password": "too short" }), "PASSWORD_TOO_SHORT")
        .invalid(|_| json!({ "displayName": "x".repeat(65) }), "INVALID_FIELD"),
        case("ResendEmailVerification", |_| json!({ "email": "newcomer@example.com", "botCheckToken": "development" }))
            .requires(&["email", "botCheckToken"])
            .fails(script, "BOT_CHECK_FAILED")
            .invalid(|_| json!({ "email": "nobody" }), "INVALID_EMAIL"),
        case("SignIn", |_| json!({ "email": MEMBER, "password": PASSWORD }))
            .requires(&["email", "password"])
            .invalid(|_| json!({ "email": "nobody" }), "INVALID_EMAIL"),
        case("CompleteSignIn", |_| json!({ "method": "TWO_FACTOR_METHOD_TOTP" }))
            .prepared(|world| world.begun_sign_in().boxed())
            .requires(&["challengeId", "method", "code"])
            .denied(|_| json!({ "code": "no code" }), "CODE_MISMATCH")
            .fails(|_| json!({ "challengeId": unknown_id() }), "CHALLENGE_INVALID")
            .fails(|_| json!({ "method": "TWO_FACTOR_METHOD_EMAIL" }), "OTHER_METHOD")
            .invalid(|_| json!({ "challengeId": "nonsense" }), "INVALID_FIELD"),
        case("BeginPasskeySignIn", nothing),
        case("FinishPasskeySignIn", nothing)
            .prepared(|world| world.begun_passkey_sign_in().boxed())
            .requires(&["challengeId", "credential"])
            .fails(|_| json!({ "challengeId": unknown_id() }), "CHALLENGE_INVALID")
            .invalid(|_| json!({ "challengeId": "nonsense" }), "INVALID_FIELD")
            .invalid(|_| json!({ "credential": "nonsense" }), "CREDENTIAL_MALFORMED"),
    ]
}

fn sessions() -> Vec<Case> {
    vec![
        case("SignOut", nothing).by(Key::Session).denies(Key::Full),
        case("ListSessions", nothing).by(Key::Session).denies(Key::NoIdentity),
        case("RevokeSession", |world| json!({ "sessionId": world.people.keys.session_id(Key::Session).to_string() }))
            .by(Key::Session)
            .requires(&["sessionId"])
            .denies(Key::NoIdentity)
            .not_found(|_| json!({ "sessionId": unknown_id() })),
        case("RevokeOtherSessions", nothing)
            .by(Key::Session)
            .prepared(|world| world.signed_in_elsewhere().boxed())
            .denies(Key::NoIdentity),
    ]
}

fn forgotten() -> Vec<Case> {
    vec![
        case("RequestPasswordReset", |_| json!({ "email": OTHER, "botCheckToken": "development" }))
            .requires(&["email", "botCheckToken"])
            .fails(script, "BOT_CHECK_FAILED")
            .invalid(|_| json!({ "email": "nobody" }), "INVALID_EMAIL"),
        case("ResetPassword", |_| json!({ "newPassword": NEW_PASSWORD }))
            .prepared(|world| world.requested_reset(OTHER).boxed())
            .requires(&["token", "newPassword"])
            .fails(|_| json!({ "token": "tpe_nonsense" }), "TOKEN_INVALID")
            .invalid(|_| json!({ "newPassword": "too short" }), "PASSWORD_TOO_SHORT")
            .invalid(|_| json!({ "code": "123456" }), "INVALID_FIELD"),
    ]
}

fn workspaces() -> Vec<Case> {
    vec![
        case("CreateWorkspace", |_| json!({ "name": "A desk of my own", "description": "Where I begin" }))
            .by(Key::Session)
            .requires(&["name"])
            .denies(Key::Full)
            .invalid(|_| json!({ "name": "x".repeat(65) }), "INVALID_FIELD")
            .invalid(|_| json!({ "description": "x".repeat(513) }), "INVALID_FIELD")
            .invalid(|_| json!({ "baseCurrency": "euro" }), "INVALID_FIELD"),
        case("ListWorkspaces", nothing).denies(Key::NoIdentity),
    ]
}
