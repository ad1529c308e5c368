//! Users, their profile and their credentials.

use futures::future::FutureExt as _;
use serde_json::{Value, json};
use tradepost_operations::Code;

use crate::cases::{Case, case};
use crate::harness::{Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    vec![
        update_user(),
        case("DeleteUser", nothing)
            .by(Key::Session)
            .prepared(|world| world.proven(Key::Session, world.people.member).boxed())
            .denies(Key::Full)
            .refuses(Key::UnprovenOwner, nothing, Code::FailedPrecondition, "STEP_UP_REQUIRED"),
        case("GetUser", |world| json!({ "userId": world.people.member.to_string() }))
            .by(Key::Reader)
            .requires(&["userId"])
            .denies(Key::Bare)
            .not_found(|_| json!({ "userId": unknown_id() }))
            .not_found(|world| json!({ "userId": world.people.other.to_string() })),
        case("GetUsers", |world| {
            let people = &world.people;
            let ids = [people.member.to_string(), people.other.to_string(), people.owner.to_string()];
            json!({ "userIds": ids })
        })
        .by(Key::Session)
        .requires(&["userIds"])
        .denies(Key::Bare)
        .invalid(|_| json!({ "userIds": vec![unknown_id(); 201] }), "INVALID_FIELD"),
        case("ListCredentials", nothing).denies(Key::NoIdentity),
    ]
}

fn nothing(_: &World) -> Value {
    json!({})
}

fn update_user() -> Case {
    case(
        "UpdateUser",
        |_| json!({ "displayName": "Ada", "locale": "de-ch", "timezone": "europe/zurich", "expectedVersion": "1" }),
    )
    .by(Key::Session)
    .denies(Key::NoIdentity)
    .fails(|_| json!({ "expectedVersion": "7" }), "VERSION_MISMATCH")
    .invalid(|_| json!({ "displayName": "x".repeat(65) }), "INVALID_FIELD")
    .invalid(|_| json!({ "locale": "de_CH" }), "INVALID_FIELD")
    .invalid(|_| json!({ "timezone": "Europe/Atlantis" }), "INVALID_FIELD")
    .invalid(|_| json!({ "displayName": null, "locale": null, "timezone": null }), "INVALID_FIELD")
}
