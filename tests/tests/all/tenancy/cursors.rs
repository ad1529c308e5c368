//! A cursor works in the list that gave it out, for its workspace and filters, and nowhere else.

use serde_json::{Value, json};

use crate::cases::merged;
use crate::harness::{Key, World, on_both_databases};

/// Lists with a second page, and how another filter of each looks, where it takes one.
fn lists(world: &World) -> [(&'static str, Value, Value); 9] {
    let workspace = json!({ "workspaceId": world.desk.workspace_id.to_string(), "limit": 1 });
    let contract = json!({ "contractId": world.desk.contract.to_string() });
    [
        ("ListContracts", workspace.clone(), json!({ "type": "CONTRACT_TYPE_BUYING" })),
        ("ListFilterSets", workspace.clone(), json!({})),
        ("ListLedgerEntries", workspace.clone(), json!({ "account": "LEDGER_ACCOUNT_CAPITAL" })),
        ("ListPools", workspace.clone(), json!({ "status": "POOL_STATUS_ACTIVE" })),
        ("ListPurchases", workspace.clone(), contract.clone()),
        ("ListRemediations", workspace.clone(), json!({ "severity": "REMEDIATION_SEVERITY_WARNING" })),
        ("ListMemberships", workspace.clone(), json!({ "status": "MEMBERSHIP_STATUS_ACCEPTED" })),
        (
            "ListTransitions",
            workspace.clone(),
            json!({ "subjectType": "TRANSITION_SUBJECT_TYPE_PURCHASE", "subjectId": world.desk.purchase.to_string() }),
        ),
        (
            "ListAssetIDLinks",
            merged(workspace, &json!({ "inventoryItemId": world.desk.item.to_string() })),
            json!({ "inventoryItemId": world.desk.closed_item.to_string() }),
        ),
    ]
}

async fn first_cursor(world: &World, key: Key, method: &str, request: &Value) -> String {
    let page = world.call(key, method, request).await.ok();
    let cursor = page["nextCursor"].as_str().unwrap().to_owned();
    assert!(!cursor.is_empty(), "{method} has only one page: {page}");
    cursor
}

async fn assert_no_cursor_of(world: &World, method: &str, request: &Value, cursor: &str) {
    let request = merged(request.clone(), &json!({ "cursor": cursor }));
    let answer = world.call(Key::Full, method, &request).await;
    assert_eq!(answer.status, 400, "{method} took the cursor {cursor}");
    answer.assert_refused("invalid_argument", "INVALID_CURSOR");
}

on_both_databases! {
    async fn pages_put_together_are_the_whole_list(database) {
        let world = World::new(database).await;
        for (method, request, _) in lists(&world) {
            let whole = world.call(Key::Full, method, &merged(request.clone(), &json!({ "limit": 200 }))).await.ok();
            let (name, whole) = entries(&whole);
            let (mut cursor, mut pages) = (String::new(), Vec::new());
            loop {
                let page = world.call(Key::Full, method, &merged(request.clone(), &json!({ "cursor": cursor }))).await.ok();
                pages.extend(page[&name].as_array().unwrap().clone());
                page["nextCursor"].as_str().unwrap().clone_into(&mut cursor);
                if cursor.is_empty() {
                    break;
                }
            }
            assert!(pages.len() > 1, "{method}");
            assert_eq!(Value::Array(pages), whole, "{method}");
        }
    }

    async fn a_cursor_that_was_tampered_with_is_refused(database) {
        let world = World::new(database).await;
        for (method, request, _) in lists(&world) {
            let cursor = first_cursor(&world, Key::Full, method, &request).await;
            let changed = |at: usize| {
                let mut bytes = cursor.clone().into_bytes();
                bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
                String::from_utf8(bytes).unwrap()
            };
            for at in [0, 1, cursor.len() / 2, cursor.len() - 2] {
                assert_no_cursor_of(&world, method, &request, &changed(at)).await;
            }
            for nonsense in [&cursor[1..], &cursor[..cursor.len() - 4], &format!("{cursor}AAAA"), " ", "%", "null"] {
                assert_no_cursor_of(&world, method, &request, nonsense).await;
            }
        }
    }

    async fn a_cursor_of_another_filter_is_refused(database) {
        let world = World::new(database).await;
        for (method, request, filter) in lists(&world).into_iter().filter(|(_, _, filter)| *filter != json!({})) {
            let cursor = first_cursor(&world, Key::Full, method, &request).await;
            assert_no_cursor_of(&world, method, &merged(request, &filter), &cursor).await;
        }
    }

    async fn a_cursor_of_another_list_is_refused(database) {
        let world = World::new(database).await;
        for (giving, request, _) in lists(&world) {
            let cursor = first_cursor(&world, Key::Full, giving, &request).await;
            for (taking, request, _) in lists(&world).into_iter().filter(|(taking, ..)| *taking != giving) {
                assert_no_cursor_of(&world, taking, &request, &cursor).await;
            }
        }
    }

    async fn a_cursor_of_another_workspace_is_refused(database) {
        let world = World::new(database).await;
        for method in
            ["ListContracts", "ListFilterSets", "ListLedgerEntries", "ListPools", "ListPurchases", "ListTransitions"]
        {
            let elsewhere = json!({ "workspaceId": world.other_desk.workspace_id.to_string(), "limit": 1 });
            let cursor = first_cursor(&world, Key::Other, method, &elsewhere).await;
            let here = json!({ "workspaceId": world.desk.workspace_id.to_string(), "limit": 1 });
            assert_no_cursor_of(&world, method, &here, &cursor).await;
        }
    }
}

/// The list in an answer, with its name.
fn entries(answer: &Value) -> (String, Value) {
    let list = answer.as_object().unwrap().iter().find(|(_, value)| value.is_array()).unwrap();
    (list.0.clone(), list.1.clone())
}
