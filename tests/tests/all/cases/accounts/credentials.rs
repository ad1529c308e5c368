//! E-mail addresses, passwords and passkeys.

use futures::future::FutureExt as _;
use serde_json::{Value, json};
use tradepost_operations::Code;

use crate::cases::{Case, case};
use crate::harness::{Key, OTHER, OWNER, PASSWORD, World, unknown_id};

/// A password that no user has yet.
const NEW_PASSWORD: &str = "nine quiet herons cross the marsh";

pub(crate) fn cases() -> Vec<Case> {
    [addresses(), links(), passkeys()].into_iter().flatten().collect()
}

fn addresses() -> Vec<Case> {
    vec![
        add_email(),
        case("ChangeEmail", |_| json!({ "newEmail": "Moved@Example.com", "password": PASSWORD }))
            .requires(&["newEmail", "password"])
            .denies(Key::NoIdentity)
            .denied(|_| json!({ "password": NEW_PASSWORD }), "PASSWORD_MISMATCH")
            .needs_step_up()
            .fails(|_| json!({ "newEmail": OWNER }), "EMAIL_UNCHANGED")
            .refuses(Key::Chat, |_| json!({}), Code::FailedPrecondition, "NO_PASSWORD")
            .exists(|_| json!({ "newEmail": OTHER }), "EMAIL_TAKEN")
            .invalid(|_| json!({ "newEmail": "nobody@localhost" }), "INVALID_EMAIL"),
        case("CancelEmailChange", |_| json!({}))
            .prepared(|world| world.waiting_email_change().boxed())
            .denies(Key::NoIdentity)
            .refuses(Key::Member, |_| json!({}), Code::FailedPrecondition, "NO_EMAIL_CHANGE"),
        case("ChangePassword", |_| json!({ "currentPassword": PASSWORD, "newPassword": NEW_PASSWORD }))
            .requires(&["currentPassword", "newPassword"])
            .denies(Key::NoIdentity)
            .denied(|_| json!({ "currentPassword": NEW_PASSWORD }), "PASSWORD_MISMATCH")
            .needs_step_up()
            .fails(|_| json!({ "newPassword": PASSWORD }), "PASSWORD_UNCHANGED")
            .refuses(Key::Chat, |_| json!({}), Code::FailedPrecondition, "NO_PASSWORD")
            .invalid(|_| json!({ "newPassword": "fourteen chars" }), "PASSWORD_TOO_SHORT")
            .invalid(|_| json!({ "newPassword": "long ".repeat(26) }), "PASSWORD_TOO_LONG")
            .invalid(|_| json!({ "newPassword": "aaaaaaaaaaaaaaaaaaaa" }), "PASSWORD_TOO_WEAK"),
    ]
}

fn add_email() -> Case {
    case(
        "AddEmailCredential",
        |_| json!({ "email": "Chatter@Example.com", "password": NEW_PASSWORD, "botCheckToken": "development" }),
    )
    .by(Key::Chat)
    .requires(&["email", "password", "botCheckToken"])
    .denies(Key::NoIdentity)
    .needs_step_up()
    .refuses(Key::Full, |_| json!({}), Code::FailedPrecondition, "EMAIL_CREDENTIAL_EXISTS")
    .fails(|_| json!({ "botCheckToken": "a script" }), "BOT_CHECK_FAILED")
    .exists(|_| json!({ "email": OTHER }), "EMAIL_TAKEN")
    .invalid(|_| json!({ "email": "@example.com" }), "INVALID_EMAIL")
    .invalid(|_| json!({ "password": "too short" }), "PASSWORD_TOO_SHORT")
    .invalid(|_| json!({ "botCheckToken": "x".repeat(2_049) }), "INVALID_FIELD")
}

/// The calls that every holder of the token of a mailed link can make.
fn links() -> Vec<Case> {
    let no_token = |_: &World| json!({ "token": "tpe_nonsense" });
    let nothing: fn(&World) -> Value = |_| json!({});
    vec![
        case("VerifyEmail", nothing)
            .prepared(|world| world.added_email().boxed())
            .requires(&["token", "password"])
            .denied(|_| json!({ "password": "the password of a stranger" }), "PASSWORD_MISMATCH")
            .fails(no_token, "TOKEN_INVALID"),
        case("ConfirmEmailChange", nothing)
            .prepared(|world| world.changed_email("moved@example.com", "confirm").boxed())
            .requires(&["token", "password"])
            .denied(|_| json!({ "password": "the password of a stranger" }), "PASSWORD_MISMATCH")
            .fails(no_token, "TOKEN_INVALID"),
        case("RevertEmailChange", nothing)
            .prepared(|world| world.changed_email(OWNER, "revert").boxed())
            .requires(&["token"])
            .fails(no_token, "TOKEN_INVALID"),
    ]
}

fn passkeys() -> Vec<Case> {
    vec![
        case("BeginPasskeyRegistration", |_| json!({ "name": "Laptop" }))
            .requires(&["name"])
            .denies(Key::NoIdentity)
            .invalid(|_| json!({ "name": "x".repeat(65) }), "INVALID_FIELD"),
        case("FinishPasskeyRegistration", |_| json!({}))
            .prepared(|world| world.begun_passkey(Key::Full).boxed())
            .requires(&["credential"])
            .denies(Key::NoIdentity)
            .needs_step_up()
            .refuses(Key::Chat, |_| json!({}), Code::FailedPrecondition, "CHALLENGE_INVALID")
            .invalid(|_| json!({ "credential": "{}" }), "CREDENTIAL_MALFORMED"),
        case("ListPasskeys", |_| json!({})).by(Key::Other).denies(Key::NoIdentity),
        case("UpdatePasskey", |_| json!({ "name": " Old laptop ", "expectedVersion": "1" }))
            .prepared(|world| world.passkey(Key::Full).boxed())
            .requires(&["passkeyId", "name"])
            .denies(Key::NoIdentity)
            .not_found(|_| json!({ "passkeyId": unknown_id() }))
            .fails(|_| json!({ "expectedVersion": "2" }), "VERSION_MISMATCH")
            .invalid(|_| json!({ "name": "x".repeat(65) }), "INVALID_FIELD")
            .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD"),
        case("DeletePasskey", |_| json!({}))
            .prepared(|world| world.passkey(Key::Full).boxed())
            .requires(&["passkeyId"])
            .denies(Key::NoIdentity)
            .needs_step_up()
            .not_found(|_| json!({ "passkeyId": unknown_id() })),
    ]
}
