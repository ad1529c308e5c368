//! What a handler makes of the fields of a message: what is refused names the field.

use super::client::Answer;
use super::world::World;

const LIST: &str = "/contracts.v1.Contracts/ListPurchases";
const INVITE: &str = "/accounts.v1.Accounts/InviteMember";
const BATCH: &str = "/contracts.v1.Contracts/GetPurchases";
const CREATE: &str = "/contracts.v1.Contracts/CreateContract";

/// An id of nothing.
const ID: &str = "AAECAwQFBgcICQoLDA0ODw==";

fn message(answer: &Answer) -> String {
    assert_eq!((answer.status, answer.header("x-error-reason")), (400, Some("INVALID_FIELD")), "{}", answer.show());
    answer.json()["message"].as_str().unwrap().to_owned()
}

/// Calls with a message that names the workspace of the world.
async fn ask(world: &World, path: &str, fields: &str) -> Answer {
    let separator = if fields.is_empty() { "" } else { ", " };
    world.call(path, &format!(r#"{{"workspaceId": "{}"{separator}{fields}}}"#, world.workspace_id)).await
}

#[tokio::test]
async fn a_missing_id_is_asked_for_by_name() {
    let world = World::new().await;
    assert_eq!(message(&world.call(LIST, "{}").await), "workspaceId is required");
    let answer = ask(&world, "/contracts.v1.Contracts/GetPurchase", "").await;
    assert_eq!(message(&answer), "purchaseId is required");
}

#[tokio::test]
async fn an_id_of_a_wrong_length_is_refused() {
    let world = World::new().await;
    let answer = world.call(LIST, r#"{"workspaceId": "AAEC"}"#).await;
    assert_eq!(message(&answer), "workspaceId must be the base64 form of 16 bytes");
    let answer = ask(&world, BATCH, &format!(r#""purchaseIds": ["{ID}", "AAEC"]"#)).await;
    assert_eq!(message(&answer), "purchaseIds[1] must be the base64 form of 16 bytes");
    let answer = ask(&world, LIST, r#""contractId": "AAEC""#).await;
    assert_eq!(message(&answer), "contractId must be the base64 form of 16 bytes");
}

#[tokio::test]
async fn a_batch_names_1_to_200_records() {
    let world = World::new().await;
    let many = vec![format!("\"{ID}\""); 201].join(",");
    for ids in ["", &many] {
        assert!(message(&ask(&world, BATCH, &format!(r#""purchaseIds": [{ids}]"#)).await).starts_with("purchaseIds "));
    }
}

#[tokio::test]
async fn an_unspecified_filter_is_no_filter() {
    let world = World::new().await;
    for status in [r#""PURCHASE_STATUS_UNSPECIFIED""#, "0", "null"] {
        assert_eq!(ask(&world, LIST, &format!(r#""status": {status}"#)).await.status, 200, "{status}");
    }
}

#[tokio::test]
async fn an_unknown_number_of_an_enum_is_refused() {
    let world = World::new().await;
    assert_eq!(message(&ask(&world, LIST, r#""status": 99"#).await), "status has no value with the number 99");
}

#[tokio::test]
async fn a_required_enum_must_be_given() {
    let world = World::new().await;
    for role in [r#""MEMBERSHIP_ROLE_UNSPECIFIED""#, "0", "null"] {
        let fields = format!(r#""email": "new@example.com", "role": {role}"#);
        assert_eq!(message(&ask(&world, INVITE, &fields).await), "role is required", "{role}");
    }
}

#[tokio::test]
async fn a_negative_limit_is_refused() {
    let world = World::new().await;
    assert_eq!(message(&ask(&world, LIST, r#""limit": -1"#).await), "limit must not be negative");
}

#[tokio::test]
async fn a_contract_either_buys_or_sells() {
    let world = World::new().await;
    let contract = r#""name": "Redlines", "approvalMode": "APPROVAL_MODE_AUTOMATIC""#;
    assert_eq!(message(&ask(&world, CREATE, contract).await), "buying or selling is required");
    let both = format!(r#"{contract}, "buying": {{}}, "selling": {{}}"#);
    assert_eq!(message(&ask(&world, CREATE, &both).await), "buying and selling exclude each other");
    let undercut = format!(r#"{contract}, "selling": {{"undercutCents": 1, "undercutBps": 1}}"#);
    let expected = "selling.undercutCents and selling.undercutBps exclude each other";
    assert_eq!(message(&ask(&world, CREATE, &undercut).await), expected);
}

#[tokio::test]
async fn a_contract_is_evaluated_on_one_thing() {
    let world = World::new().await;
    let (listing, item) = (r#""listing": {"marketHashName": "Gallery Case"}"#, format!(r#""inventoryItemId": "{ID}""#));
    let observation = format!(r#""observationId": "{ID}""#);
    for (given, expected) in [
        (vec![], "listing or inventoryItemId or observationId is required"),
        (vec![listing, &item], "listing and inventoryItemId exclude each other"),
        (vec![listing, &item, &observation], "listing and inventoryItemId exclude each other"),
        (vec![listing, &observation], "listing and observationId exclude each other"),
        (vec![&item, &observation], "inventoryItemId and observationId exclude each other"),
    ] {
        let fields = [&[format!(r#""contractId": "{ID}""#).as_str()], &given[..]].concat().join(", ");
        let said = message(&ask(&world, "/contracts.v1.Contracts/EvaluateContract", &fields).await);
        assert_eq!(said, expected, "{fields}");
    }
}

/// What is wrong inside of a message is refused with the path to it, whether the codec or the handler finds it.
#[tokio::test]
async fn a_malformed_field_inside_of_a_message_is_named_with_its_path() {
    let world = World::new().await;
    let malformed = [
        ("buying", r#""buying": 7"#),
        ("buying", r#""buying": []"#),
        ("buying.targetQuantity", r#""buying": {"targetQuantity": 2147483648}"#),
        ("buying.targetQuantity", r#""buying": {"targetQuantity": {}}"#),
        ("buying.budgetCents", r#""buying": {"targetQuantity": 1, "budgetCents": "9223372036854775808"}"#),
        ("selling.undercutBps", r#""selling": {"undercutBps": "half"}"#),
        ("priceReference.sources", r#""buying": {}, "priceReference": {"sources": "csfloat"}"#),
        ("priceReference.sources[1]", r#""buying": {}, "priceReference": {"sources": ["csfloat", 7]}"#),
        ("priceReference.statistic", r#""buying": {}, "priceReference": {"statistic": 99}"#),
        ("priceReference.statistic", r#""buying": {}, "priceReference": {}"#),
        ("startsAt", r#""buying": {}, "startsAt": {"seconds": 1}"#),
        ("endsAt", r#""buying": {}, "endsAt": "2026-02-30T00:00:00Z""#),
        ("filterSetId", r#""buying": {}, "filterSetId": "AAEC""#),
        ("poolId", r#""buying": {}, "poolId": [1]"#),
    ];
    for (path, fields) in malformed {
        let contract = format!(r#""name": "Redlines", "approvalMode": "APPROVAL_MODE_AUTOMATIC", {fields}"#);
        let said = message(&ask(&world, CREATE, &contract).await);
        assert!(said.starts_with(path), "{path}: {said}");
    }
}

#[tokio::test]
async fn a_malformed_id_of_a_batch_is_named_with_its_place() {
    let world = World::new().await;
    for ids in [format!(r#"["{ID}", "%%%"]"#), format!(r#"["{ID}", 7]"#), format!(r#"["{ID}", ""]"#)] {
        let said = message(&ask(&world, BATCH, &format!(r#""purchaseIds": {ids}"#)).await);
        assert!(said.starts_with("purchaseIds[1]"), "{ids}: {said}");
    }
}

#[tokio::test]
async fn a_limit_of_a_contract_is_named_with_its_path() {
    let world = World::new().await;
    let fields = r#""name": "Redlines", "approvalMode": "APPROVAL_MODE_AUTOMATIC", "buying": {"targetQuantity": 1}"#;
    assert!(message(&ask(&world, CREATE, fields).await).starts_with("buying.maxBuyPriceCents "));
}
