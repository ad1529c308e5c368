//! Calls under an idempotency key, in all three protocols.

use super::PROTOCOLS;
use super::client::{Answer, Ask, CONNECT};
use super::world::World;

const CREATE: &str = "/contracts.v1.Contracts/CreateContract";

fn create(world: &World, name: &str) -> Ask {
    created_by(&world.key, world, name)
}

fn created_by(key: &str, world: &World, name: &str) -> Ask {
    let body = format!(
        r#"{{"workspaceId": "{}", "name": "{name}", "approvalMode": "APPROVAL_MODE_AUTOMATIC",
            "selling": {{"floorPriceCents": "1000", "undercutBps": 100, "maxListings": 5}}}}"#,
        world.workspace_id
    );
    Ask::json(CREATE, body).with_key(key)
}

async fn contracts(world: &World) -> usize {
    let list = format!(r#"{{"workspaceId": "{}"}}"#, world.workspace_id);
    let listed = world.call("/contracts.v1.Contracts/ListContracts", &list).await.json();
    listed["contractIds"].as_array().map_or(0, Vec::len)
}

fn reason(answer: &Answer) -> Option<&str> {
    answer.header("x-error-reason")
}

#[tokio::test]
async fn a_call_under_a_key_is_answered_again_to_the_byte_and_done_once_in_every_protocol() {
    let world = World::new().await;
    for (done, protocol) in PROTOCOLS.into_iter().enumerate() {
        let ask = create(&world, "Sells").header("idempotency-key", &format!("key-{protocol}"));
        let first = world.wire.ask(protocol, &ask).await;
        let again = world.wire.ask(protocol, &ask).await;
        assert_eq!((first.grpc_code(), first.header("idempotency-replayed")), (0, None), "{}", first.show());
        assert!(!first.body().is_empty() && first.body() == again.body(), "{}", again.show());
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        assert_eq!(contracts(&world).await, done + 1);
    }
}

#[tokio::test]
async fn a_key_identifies_one_request() {
    let world = World::new().await;
    let ask = |name| create(&world, name).header("idempotency-key", "k");
    world.wire.ask(CONNECT, &ask("Sells")).await;
    let other = world.wire.ask(CONNECT, &ask("Sells more")).await;
    assert_eq!((other.status, reason(&other)), (400, Some("IDEMPOTENCY_MISMATCH")), "{}", other.show());
    assert_eq!(contracts(&world).await, 1);
}

#[tokio::test]
async fn a_failed_call_can_be_repeated_under_the_same_key() {
    let world = World::new().await;
    let ask = || create(&world, "").header("idempotency-key", "k");
    for _ in 0..2 {
        let refused = world.wire.ask(CONNECT, &ask()).await;
        assert_eq!((refused.status, refused.header("idempotency-replayed")), (400, None), "{}", refused.show());
    }
    let right = world.wire.ask(CONNECT, &create(&world, "Sells").header("idempotency-key", "k")).await;
    assert_eq!(right.status, 200, "{}", right.show());
}

#[tokio::test]
async fn a_key_is_one_callers_own() {
    let world = World::new().await;
    let other = world.key_with(tradepost_domain::accounts::policy::PolicySet::EVERY).await;
    let ask = create(&world, "Sells").header("idempotency-key", "k");
    world.wire.ask(CONNECT, &ask).await;
    let theirs = world.wire.ask(CONNECT, &created_by(&other, &world, "Other").header("idempotency-key", "k")).await;
    assert_eq!(theirs.status, 200, "{}", theirs.show());
    assert_eq!(contracts(&world).await, 2);
}

#[tokio::test]
async fn a_key_has_1_to_255_visible_characters() {
    let world = World::new().await;
    for key in [String::new(), "a b".to_owned(), "x".repeat(256)] {
        let refused = world.wire.ask(CONNECT, &create(&world, "Sells").header("idempotency-key", &key)).await;
        assert_eq!((refused.status, reason(&refused)), (400, Some("INVALID_FIELD")), "{key:?}");
    }
    let longest = create(&world, "Sells").header("idempotency-key", &"x".repeat(255));
    assert_eq!(world.wire.ask(CONNECT, &longest).await.status, 200);
}

#[tokio::test]
async fn what_only_reads_has_no_use_for_a_key() {
    let world = World::new().await;
    let list = format!(r#"{{"workspaceId": "{}"}}"#, world.workspace_id);
    let ask = Ask::json("/contracts.v1.Contracts/ListContracts", list).with_key(&world.key);
    let ask = ask.header("idempotency-key", "k");
    world.wire.ask(CONNECT, &ask).await;
    assert_eq!(world.wire.ask(CONNECT, &ask).await.header("idempotency-replayed"), None);
}
