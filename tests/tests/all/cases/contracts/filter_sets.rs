//! Filter sets.

use futures::future::FutureExt as _;
use serde_json::{Value, json};

use crate::cases::markets::observations::seen;
use crate::cases::{Case, case};
use crate::harness::{Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    vec![list(), get(), batch(), count(), create(), update(), delete(), test()]
}

fn workspace(world: &World) -> Value {
    json!({ "workspaceId": world.desk.workspace_id.to_string() })
}

fn other_workspace(world: &World) -> Value {
    json!({ "workspaceId": world.other_desk.workspace_id.to_string() })
}

fn filter_set(world: &World) -> Value {
    json!({
        "workspaceId": world.desk.workspace_id.to_string(),
        "filterSetId": world.desk.filter_set.to_string(),
    })
}

/// Rules of every kind.
fn rules() -> Value {
    json!({
        "marketHashNames": ["★ Karambit | Doppler (Factory New)", "AK-47 | Redline (Field-Tested)"],
        "nameContains": ["redline", "doppler"],
        "weapons": ["AK-47", "Karambit"],
        "rarities": ["RARITY_CLASSIFIED", "RARITY_COVERT"],
        "exteriors": ["EXTERIOR_FACTORY_NEW", "EXTERIOR_FIELD_TESTED"],
        "categories": ["ITEM_CATEGORY_NORMAL"],
        "floatMin": "0.010",
        "floatMax": "0.25",
        "paintSeeds": [661, 7],
        "stickers": [{ "name": "Crown (Foil)", "minCount": 1, "maxWear": "0.5" }, { "name": "Howling Dawn" }],
        "priceMinCents": "100",
        "priceMaxCents": "90000",
        "tradeLockMaxDays": 7,
        "exclude": {
            "phases": ["Phase 1", "Phase 3"],
            "paintIndexes": [415],
            "charms": ["Charm | Hot Howl"],
        },
    })
}

fn everything(_: &World) -> Value {
    json!({ "rules": { "exclude": { "weapons": ["P250"] } } })
}

fn read(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request).by(Key::Reader).denies(Key::Bare).denied(other_workspace, "PERMISSION_DENIED")
}

fn write(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request).by(Key::Trader).denies(Key::Reader).denied(other_workspace, "PERMISSION_DENIED")
}

fn list() -> Case {
    read("ListFilterSets", |world| json!({ "workspaceId": world.desk.workspace_id.to_string(), "limit": 1 }))
        .requires(&["workspaceId"])
        .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
        .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
}

fn get() -> Case {
    read("GetFilterSet", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "filterSetId": world.desk.filter_set.to_string(),
            "version": "1",
        })
    })
    .requires(&["workspaceId", "filterSetId"])
    .not_found(|_| json!({ "filterSetId": unknown_id() }))
    .not_found(|_| json!({ "version": "3" }))
    .invalid(|_| json!({ "version": "0" }), "INVALID_FIELD")
}

fn batch() -> Case {
    read("GetFilterSets", |world| {
        let ids = [world.desk.unused_filter_set.to_string(), unknown_id(), world.desk.filter_set.to_string()];
        json!({ "workspaceId": world.desk.workspace_id.to_string(), "filterSetIds": ids })
    })
    .requires(&["workspaceId", "filterSetIds"])
    .invalid(|_| json!({ "filterSetIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn count() -> Case {
    read("CountFilterSets", workspace).requires(&["workspaceId"])
}

fn create() -> Case {
    write(
        "CreateFilterSet",
        |world| json!({ "workspaceId": world.desk.workspace_id.to_string(), "name": "Dopplers", "rules": rules() }),
    )
    .requires(&["workspaceId", "name", "rules"])
    .invalid(|_| json!({ "name": "x".repeat(65) }), "INVALID_FIELD")
    .invalid(everything, "MATCHES_EVERYTHING")
    .invalid(|_| json!({ "rules": { "priceMinCents": "1", "tradeLockMaxDays": 30 } }), "MATCHES_EVERYTHING")
    .invalid(|_| json!({ "rules": { "floatMin": "0.2", "floatMax": "0.1" } }), "INVALID_FIELD")
    .invalid(|_| json!({ "rules": { "weapons": ["AWP", "AWP"] } }), "INVALID_FIELD")
    .invalid(|_| json!({ "rules": { "rarities": ["RARITY_UNSPECIFIED"] } }), "INVALID_FIELD")
    .invalid(|_| json!({ "rules": { "stickers": [{ "name": "Crown (Foil)", "minCount": 0 }] } }), "INVALID_FIELD")
    .invalid(|_| json!({ "rules": { "paintSeeds": (0..501).collect::<Vec<_>>() } }), "INVALID_FIELD")
}

fn update() -> Case {
    write("UpdateFilterSet", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "filterSetId": world.desk.filter_set.to_string(),
            "rules": { "weapons": ["AWP"], "priceMaxCents": "5000" },
            "expectedVersion": "2",
        })
    })
    .requires(&["workspaceId", "filterSetId", "rules"])
    .not_found(|_| json!({ "filterSetId": unknown_id() }))
    .fails(|_| json!({ "expectedVersion": "1" }), "VERSION_MISMATCH")
    .invalid(everything, "MATCHES_EVERYTHING")
    .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
}

fn delete() -> Case {
    write("DeleteFilterSet", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "filterSetId": world.desk.unused_filter_set.to_string(),
        })
    })
    .requires(&["workspaceId", "filterSetId"])
    .not_found(|_| json!({ "filterSetId": unknown_id() }))
    .fails(filter_set, "FILTER_SET_IN_USE")
}

fn test() -> Case {
    read(
        "TestFilterSet",
        |world| json!({ "workspaceId": world.desk.workspace_id.to_string(), "rules": rules(), "sample": sample() }),
    )
    .prepared(|world| seen(world).map(|ids| json!({ "observationIds": [ids[1], unknown_id(), ids[0]] })).boxed())
    .requires(&["workspaceId", "rules"])
    .invalid(|_| json!({ "sample": null, "observationIds": null }), "INVALID_FIELD")
    .invalid(everything, "MATCHES_EVERYTHING")
    .invalid(|_| json!({ "sample": [{ "marketHashName": "AK-47 | Redline (Field-Tested)" }] }), "INVALID_FIELD")
    .invalid(|_| json!({ "sample": vec![json!({ "marketHashName": "x", "priceCents": "1" }); 201] }), "INVALID_FIELD")
}

/// One listing that meets the rules, one that does not, and one that has what is excluded.
fn sample() -> Value {
    json!([
        {
            "id": "a redline",
            "marketHashName": "AK-47 | Redline (Field-Tested)",
            "rarity": "RARITY_CLASSIFIED",
            "floatValue": "0.24999999999999997",
            "paintSeed": 661,
            "stickers": [{ "name": "Howling Dawn", "wear": "0.9" }],
            "priceCents": "1200",
        },
        { "marketHashName": "AK-47 | Redline (Battle-Scarred)", "priceCents": "800" },
        {
            "id": "of the wrong phase",
            "marketHashName": "★ Karambit | Doppler (Factory New)",
            "phase": "Phase 1",
            "paintIndex": 418,
            "charms": ["Charm | Die-cast AK"],
            "priceCents": "80000",
            "tradeLockDays": 7,
        },
    ])
}
