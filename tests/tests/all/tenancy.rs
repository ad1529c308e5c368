//! Two workspaces in one database: neither learns anything about the other, not even what exists there.

mod cursors;

use serde_json::{Value, json};

use crate::harness::{World, on_both_databases, unknown_id};
use crate::{cases, descriptor};

on_both_databases! {
    async fn a_foreign_record_is_answered_byte_for_byte_like_an_unknown_one(database) {
        let world = World::new(database).await;
        let mut compared = 0;
        for case in cases::all() {
            let request = case.ready(&world).await;
            for (field, is_list) in descriptor::id_fields(&descriptor::method(case.method).input()) {
                if OF_NO_RECORD.contains(&field.as_str()) {
                    continue;
                }
                let with = |id: String| cases::merged(request.clone(), &json!({ &field: one_or_list(id, is_list) }));
                let (foreign, unknown) = (world.foreign_id(&field), unknown_id());
                let of_foreign = world.call(case.by, case.method, &with(foreign.clone())).await;
                let of_unknown = world.call(case.by, case.method, &with(unknown.clone())).await;
                // A batch get names the ids that it did not find: the caller's own words.
                let echoed = |seen: String, id: &str| seen.replace(id, "the id that was asked for");
                assert_eq!(
                    echoed(of_foreign.seen(), &foreign),
                    echoed(of_unknown.seen(), &unknown),
                    "{} tells by {field} whether a record exists elsewhere",
                    case.method
                );
                compared += 1;
            }
        }
        assert!(compared > 40, "only {compared} fields were compared");
    }

    async fn a_key_of_another_workspace_reads_nothing_of_this_one(database) {
        let world = World::new(database).await;
        for case in cases::all().iter().filter(|case| case.required.contains(&"workspaceId")) {
            let request = case.ready(&world).await;
            let answer = world.call(crate::harness::Key::Other, case.method, &request).await;
            answer.assert_refused("permission_denied", "PERMISSION_DENIED");
        }
    }
}

/// Fields with ids of nothing that a workspace keeps: what comes later, and what belongs to the caller alone.
const OF_NO_RECORD: [&str; 3] = ["filterSetId", "poolId", "enrollmentId"];

fn one_or_list(id: String, is_list: bool) -> Value {
    if is_list { json!([id]) } else { json!(id) }
}
