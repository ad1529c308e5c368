//! The caller, and how often it calls: credential, then rate limit, then the message.

use std::sync::Arc;

use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::id::WorkspaceId;
use tradepost_operations::MOST_IN_WORKSPACE;
use tradepost_operations::rules::{Access, Rule};
use tradepost_ports::limiter::RateClass;
use tradepost_testkit::fakes::ScriptedLimiter;

use super::client::{Ask, CONNECT, PROTOCOLS};
use super::in_every_protocol;
use super::interface::methods;
use super::world::World;

const READ: &str = "/accounts.v1.Accounts/GetWorkspace";
const PUBLIC: &str = "/accounts.v1.Accounts/VerifyEmail";

fn workspace(world: &World) -> String {
    format!(r#"{{"workspaceId": "{}"}}"#, world.workspace_id)
}

#[tokio::test]
async fn a_call_without_a_valid_key_is_unauthenticated() {
    let world = World::new().await;
    insta::assert_snapshot!(in_every_protocol(&world.wire, &Ask::json(READ, workspace(&world))).await);
}

#[tokio::test]
async fn every_invalid_credential_gets_the_same_answer() {
    let world = World::new().await;
    let ask = Ask::json(READ, workspace(&world));
    let none = world.wire.ask(CONNECT, &ask).await.show();
    let unknown = format!("tpk_{}", "a".repeat(46));
    let wrong = [
        ask.clone().header("authorization", "Basic dTpw"),
        ask.clone().header("authorization", ""),
        ask.clone().header("authorization", &"x".repeat(257)),
        ask.clone().with_key(&unknown),
        ask.clone().with_key(&world.key).with_key(&world.key),
        ask.clone().with_key(&format!("{}x", world.key)),
    ];
    for wrong in wrong {
        assert_eq!(world.wire.ask(CONNECT, &wrong).await.show(), none);
    }
}

#[tokio::test]
async fn a_key_is_accepted_with_either_scheme_and_alone() {
    let world = World::new().await;
    let ask = Ask::json(READ, workspace(&world));
    for scheme in ["Bearer ", "bearer ", "ApiKey ", ""] {
        let value = format!("{scheme}{}", world.key);
        for protocol in PROTOCOLS {
            let answer = world.wire.ask(protocol, &ask.clone().header("authorization", &value)).await;
            assert_eq!((answer.status, answer.grpc_code()), (200, 0), "{protocol} {scheme:?}: {}", answer.show());
        }
    }
}

#[tokio::test]
async fn a_key_without_the_right_is_denied() {
    let world = World::new().await;
    let key = world.key_with(PolicySet::NONE).await;
    let ask = Ask::json("/accounts.v1.Accounts/ListAPIKeys", "{}").with_key(&key);
    insta::assert_snapshot!(in_every_protocol(&world.wire, &ask).await);
}

#[tokio::test]
async fn the_credential_is_looked_at_before_the_message() {
    let world = World::new().await;
    for body in ["", "[", r#"{"workspaceId": 7}"#] {
        let answer = world.wire.ask(CONNECT, &Ask::json(READ, body)).await;
        assert_eq!(answer.status, 401, "{body:?}: {}", answer.show());
    }
}

/// The paths of the operations whose request names a workspace.
fn paths_into_a_workspace() -> Vec<String> {
    let methods = methods();
    let named = methods.iter().filter(|method| method.input().get_field_by_name("workspace_id").is_some());
    let paths: Vec<_> =
        named.map(|method| format!("/{}/{}", method.parent_service().full_name(), method.name())).collect();
    assert!(paths.len() > 20, "{paths:?}");
    paths
}

#[tokio::test]
async fn a_foreign_workspace_is_rejected_like_an_unknown_one_before_validation() {
    let world = World::new().await;
    let foreign = world.other_workspace().await;
    let unknown = WorkspaceId::from_bytes([9; 16]);
    for path in paths_into_a_workspace() {
        let [of_foreign, of_unknown] = [foreign, unknown].map(|id| format!(r#"{{"workspaceId": "{id}"}}"#));
        let (of_foreign, of_unknown) = (world.call(&path, &of_foreign).await, world.call(&path, &of_unknown).await);
        assert_eq!(
            (of_foreign.status, of_foreign.header("x-error-reason")),
            (403, Some("PERMISSION_DENIED")),
            "{path}"
        );
        assert_eq!(of_foreign.show(), of_unknown.show(), "{path}");
    }
}

#[tokio::test]
async fn the_right_to_a_workspace_comes_before_the_validity_of_other_fields() {
    let world = World::new().await;
    let foreign = world.other_workspace().await;
    let wrong = [
        ("/contracts.v1.Contracts/ListPurchases", r#""status": 99"#),
        ("/contracts.v1.Contracts/GetPurchase", r#""purchaseId": "AAEC""#),
        ("/contracts.v1.Contracts/ActivateContract", r#""expectedVersion": "0""#),
        ("/accounts.v1.Accounts/CountMemberships", r#""userId": "AAEC""#),
        ("/accounts.v1.Accounts/InviteMember", r#""role": 99"#),
    ];
    for (path, field) in wrong {
        let answer = world.call(path, &format!(r#"{{"workspaceId": "{foreign}", {field}}}"#)).await;
        assert_eq!(answer.status, 403, "{path}: {}", answer.show());
        let answer = world.call(path, &format!(r#"{{"workspaceId": "{}", {field}}}"#, world.workspace_id)).await;
        assert_eq!(answer.status, 400, "{path}: {}", answer.show());
    }
}

#[tokio::test]
async fn a_workspace_that_is_no_id_is_an_invalid_argument() {
    let world = World::new().await;
    // A key is refused before its request is read where a person has to call.
    let is_for_keys = |path: &String| Rule::of_path(path).unwrap().access != Access::Session;
    for path in paths_into_a_workspace().into_iter().filter(is_for_keys) {
        let answer = world.call(&path, r#"{"workspaceId": "AAEC"}"#).await;
        assert_eq!((answer.status, answer.header("x-error-reason")), (400, Some("INVALID_FIELD")), "{path}");
    }
}

#[tokio::test]
async fn an_operation_that_is_open_to_all_needs_no_key() {
    let world = World::new().await;
    let answer = world.wire.ask(CONNECT, &Ask::json(PUBLIC, r#"{"token": "tpe_unknown", "password": "any"}"#)).await;
    assert_eq!((answer.status, answer.header("x-error-reason")), (400, Some("TOKEN_INVALID")), "{}", answer.show());
}

#[tokio::test]
async fn an_answer_says_what_is_left_of_the_limit() {
    let world = World::limited_by(Arc::new(ScriptedLimiter::allowing(RateClass::Read, 3))).await;
    let answer = world.call(READ, &workspace(&world)).await;
    assert_eq!(answer.header("ratelimit"), Some(r#""read";r=2;t=0"#));
    assert_eq!(answer.header("ratelimit-policy"), Some(r#""read";q=1000;w=1"#));
}

#[tokio::test]
async fn the_answer_to_a_call_beyond_the_limit_says_when_to_try_again() {
    let world = World::limited_by(Arc::new(ScriptedLimiter::allowing(RateClass::Read, 0))).await;
    let ask = Ask::json(READ, workspace(&world)).with_key(&world.key);
    insta::assert_snapshot!(in_every_protocol(&world.wire, &ask).await);
}

#[tokio::test]
async fn the_limit_is_looked_at_before_the_message() {
    let world = World::limited_by(Arc::new(ScriptedLimiter::allowing(RateClass::Read, 0))).await;
    assert_eq!(world.call(READ, "[").await.status, 429);
}

#[tokio::test]
async fn calls_without_a_key_are_limited_by_address_and_see_no_remaining_count() {
    let world = World::limited_by(Arc::new(ScriptedLimiter::allowing(RateClass::Unauthenticated, 1))).await;
    let ask = Ask::json(READ, workspace(&world));
    assert_eq!(world.wire.ask(CONNECT, &ask).await.status, 401);
    let refused = world.wire.ask(CONNECT, &ask).await;
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("1")), "{}", refused.show());
    assert_eq!(refused.header("ratelimit"), None);
}

#[tokio::test]
async fn who_shows_credentials_that_open_nothing_is_limited_and_those_who_show_a_good_one_are_not() {
    let world = World::limited_by(Arc::new(ScriptedLimiter::allowing(RateClass::FailedAuthentication, 1))).await;
    let ask = Ask::json(READ, workspace(&world));
    let guess = ask.clone().with_key("tpk_guessed");
    assert_eq!(world.wire.ask(CONNECT, &guess).await.status, 401);
    assert_eq!(world.wire.ask(CONNECT, &guess).await.status, 429);
    assert_eq!(world.wire.ask(CONNECT, &ask).await.status, 401, "a missing credential counts as no guess");
    assert_eq!(world.wire.ask(CONNECT, &ask.with_key(&world.key)).await.status, 200);
}

#[tokio::test]
async fn the_answer_to_a_workspace_with_too_many_running_calls_says_when_to_retry() {
    let world = World::new().await;
    let caller = world.operations.authenticate(&world.key, None).await.unwrap();
    let at_work: Vec<_> = (0..MOST_IN_WORKSPACE).map(|_| world.operations.begin_call_of(&caller).unwrap()).collect();
    let refused = world.call(READ, &workspace(&world)).await;
    assert_eq!((refused.status, refused.header("x-error-reason")), (429, Some("BUSY")), "{}", refused.show());
    drop(at_work);
    assert_eq!(world.call(READ, &workspace(&world)).await.status, 200);
}

#[tokio::test]
async fn reflection_and_health_need_no_key() {
    let world = World::new().await;
    let health = Ask::binary("/grpc.health.v1.Health/Check", &[]);
    let answer = world.wire.ask(super::client::GRPC, &health).await;
    assert_eq!((answer.status, answer.grpc_code()), (200, 0), "{}", answer.show());
}
