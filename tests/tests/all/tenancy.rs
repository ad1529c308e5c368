//! Two workspaces in one database: neither learns anything about the other, not even what exists there.

mod cursors;

use crate::cases;
use crate::harness::{World, on_both_databases};

on_both_databases! {
    async fn a_key_of_another_workspace_reads_nothing_of_this_one(database) {
        let world = World::new(database).await;
        for case in cases::all().iter().filter(|case| case.required.contains(&"workspaceId")) {
            let request = case.ready(&world).await;
            let answer = world.call(crate::harness::Key::Other, case.method, &request).await;
            answer.assert_refused("permission_denied", "PERMISSION_DENIED");
        }
    }
}
