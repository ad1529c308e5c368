//! Calls under an idempotency key: carried out once, and answered the same again.

use futures::future::join_all;
use serde_json::{Value, json};
use time::Duration;

use crate::harness::{Key, World, on_both_databases};

const ROUNDS: usize = 100;
const CROWD: usize = 64;

on_both_databases! {
    async fn a_lost_secret_is_returned_again_for_ten_minutes_and_is_nowhere_in_the_database(database) {
        let world = World::new(database).await;
        world.step_up(Key::Full, None).await;
        let create = json!({ "name": "Lost on the way", "policies": ["analytics"] });
        let call = || world.client.call_under("retry-1", world.token(Key::Full), "CreateAPIKey", &create);
        let first = call().await;
        let again = call().await;
        let raw_key = first.ok()["rawKey"].as_str().unwrap().to_owned();
        assert_eq!((again.status, &again.body), (200, &first.body));
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        let stored = world.contents().await.into_values().flatten().collect::<String>();
        let in_hex: String = raw_key.bytes().map(|byte| format!("{byte:02x}")).collect();
        assert!(!stored.contains(&raw_key) && !stored.contains(&in_hex));
        world.clock.advance(Duration::minutes(10));
        call().await.assert_refused("failed_precondition", "IDEMPOTENCY_ANSWER_GONE");
    }
}

on_both_databases! {
    long on_postgresql;

    async fn of_many_calls_at_once_under_one_key_one_is_carried_out(database) {
        let world = World::new(database).await;
        world.step_up(Key::Full, None).await;
        let before = keys(&world).await;
        for round in 0..ROUNDS {
            let create = json!({ "name": "Made once", "policies": ["analytics"] });
            let under = format!("at-once-{round}");
            let call = || world.client.call_under(&under, world.token(Key::Full), "CreateAPIKey", &create);
            let answers = join_all((0..CROWD).map(|_| call())).await;
            assert_eq!(keys(&world).await, before + 1);
            let last = call().await;
            for answer in answers {
                if answer.status == 200 {
                    assert_eq!(answer.body, last.body);
                } else {
                    answer.assert_refused("failed_precondition", "IDEMPOTENCY_IN_PROGRESS");
                }
            }
            let revoke = json!({ "apiKeyId": last.ok()["apiKey"]["id"] });
            world.call(Key::Full, "RevokeAPIKey", &revoke).await.ok();
        }
    }
}

/// How many API keys there are.
async fn keys(world: &World) -> u64 {
    let count: Value = world.call(Key::Full, "CountAPIKeys", &json!({})).await.ok();
    count["count"].as_str().map_or_else(|| count["count"].as_u64().unwrap(), |count| count.parse().unwrap())
}
