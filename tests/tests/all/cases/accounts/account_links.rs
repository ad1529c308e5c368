//! Identities of other platforms: linking them, and signing in with them. The platform is one that believes its clients.

use futures::future::FutureExt as _;
use serde_json::{Value, json};
use tradepost_operations::Code;
use tradepost_testkit::fakes::FakeLinking;

use crate::cases::{Case, case};
use crate::harness::{CHAT_IDENTITY, CHAT_SUBJECT, Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    [linking(), signing_in()].into_iter().flatten().collect()
}

fn question(_: &World) -> Value {
    json!({ "provider": "LINK_PROVIDER_DISCORD", "redirectUri": FakeLinking::REDIRECT })
}

fn elsewhere(_: &World) -> Value {
    json!({ "redirectUri": "https://trade.example.com/linked/" })
}

/// The calls that are refused to any answer of a platform.
fn refusing(case: Case) -> Case {
    case.requires(&["linkId", "state", "code"])
        .fails(|_| json!({ "linkId": unknown_id() }), "LINK_INVALID")
        .fails(|_| json!({ "state": "another one" }), "LINK_INVALID")
        .fails(|_| json!({ "code": FakeLinking::NO }), "PROVIDER_DENIED")
        .invalid(|_| json!({ "linkId": "nonsense" }), "INVALID_FIELD")
        .invalid(|_| json!({ "openIdParams": "openid.mode=id_res" }), "INVALID_FIELD")
}

fn linking() -> Vec<Case> {
    vec![
        case("BeginAccountLink", question)
            .requires(&["provider", "redirectUri"])
            .denies(Key::NoIdentity)
            .needs_step_up()
            .invalid(elsewhere, "INVALID_FIELD"),
        refusing(
            case("FinishAccountLink", |_| json!({ "code": FakeLinking::code_of("76561198000000001") }))
                .prepared(|world| world.begun_link(Key::Full, "BeginAccountLink").boxed()),
        )
        .denies(Key::NoIdentity)
        .refuses(Key::Unproven, |_| json!({}), Code::FailedPrecondition, "LINK_INVALID")
        .exists(|_| json!({ "code": FakeLinking::code_of(CHAT_SUBJECT) }), "IDENTITY_TAKEN"),
        case("ListLinkedAccounts", |_| json!({})).by(Key::Chat).denies(Key::NoIdentity),
        case("UnlinkAccount", |_| json!({}))
            .prepared(|world| world.linked(Key::Full).boxed())
            .requires(&["linkedAccountId"])
            .denies(Key::NoIdentity)
            .needs_step_up()
            .not_found(|_| json!({ "linkedAccountId": unknown_id() }))
            .refuses(
                Key::Chat,
                |_| json!({ "linkedAccountId": CHAT_IDENTITY.to_string() }),
                Code::FailedPrecondition,
                "LAST_SIGN_IN_METHOD",
            ),
    ]
}

fn signing_in() -> Vec<Case> {
    vec![
        case("BeginLinkedSignIn", question).requires(&["provider", "redirectUri"]).invalid(elsewhere, "INVALID_FIELD"),
        refusing(
            case("FinishLinkedSignIn", |_| json!({ "code": FakeLinking::code_of(CHAT_SUBJECT) }))
                .prepared(|world| world.begun_link(Key::Full, "BeginLinkedSignIn").boxed()),
        ),
    ]
}
