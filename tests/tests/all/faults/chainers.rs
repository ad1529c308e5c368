//! Many chain the audit log at once, and each ends anywhere: what comes of it is one whole chain.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::json;
use tokio::task::JoinSet;

use crate::harness::{Key, World, on_both_databases};

const CHAINERS: usize = 6;
const CHANGES: usize = 100;

on_both_databases! {
    async fn chainers_that_race_and_end_anywhere_make_one_whole_chain(database) {
        let world = World::new(database).await;
        let (done, killed) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let mut chainers = JoinSet::new();
        for number in 0..CHAINERS {
            let (operations, done, killed) = (world.app.operations().clone(), done.clone(), killed.clone());
            chainers.spawn(async move {
                for round in 0.. {
                    if done.load(Ordering::SeqCst) {
                        return;
                    }
                    // Another number of steps in each round: the work is dropped at whichever await it has come to.
                    let patience = async {
                        for _ in 0..(number + 7 * round) % 40 {
                            tokio::task::yield_now().await;
                        }
                    };
                    tokio::select! {
                        chained = operations.chain_audit_events() => { chained.unwrap(); }
                        () = patience => { killed.fetch_add(1, Ordering::SeqCst); }
                    }
                }
            });
        }
        let request = json!({ "workspaceId": world.people.workspace_id.to_string(), "name": "Another name" });
        for _ in 0..CHANGES {
            world.call(Key::Full, "UpdateWorkspace", &request).await.ok();
        }
        done.store(true, Ordering::SeqCst);
        while let Some(ended) = chainers.join_next().await {
            ended.unwrap();
        }
        world.chained().await;
        assert!(killed.load(Ordering::SeqCst) > CHAINERS, "hardly one was ended in the middle");
        let verify = json!({ "workspaceId": world.people.workspace_id.to_string() });
        let verified = world.call(Key::Full, "VerifyAuditChain", &verify).await.ok();
        assert_eq!((&verified["ok"], &verified["waiting"]), (&json!(true), &json!("0")), "{verified}");
        let chained: usize = verified["head"]["sequence"].as_str().unwrap().parse().unwrap();
        assert!(chained > CHANGES, "{verified}");
    }
}
