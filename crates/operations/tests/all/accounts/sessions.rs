//! Sessions: how long they live, what ends them, and what they may do.

use std::sync::Arc;

use secrecy::{ExposeSecret as _, SecretString};
use time::Duration;
use tradepost_domain::accounts::access::{Principal, PrincipalId};
use tradepost_domain::accounts::policy::{Policy, PolicySet, Role};
use tradepost_operations::accounts::{
    ChangePassword, CountMemberships, CreateApiKey, GetEffectivePermissions, RevokeSession,
};
use tradepost_operations::rules::Rule;
use tradepost_operations::{Caller, Code};
use tradepost_ports::limiter::RateClass;
use tradepost_testkit::fakes::ScriptedLimiter;

use crate::harness::{PASSWORD, World, refusal};

const OVER: (Code, &str) = (Code::Unauthenticated, "UNAUTHENTICATED");

async fn authenticate(world: &World, token: &SecretString) -> Result<Caller, (Code, &'static str)> {
    world
        .operations
        .authenticate(token.expose_secret(), None)
        .await
        .map_err(|error| (error.code, error.reason.as_str()))
}

fn key_order(policies: &[&str]) -> CreateApiKey {
    let policies = policies.iter().map(|name| (*name).to_owned()).collect();
    CreateApiKey { name: "A key".to_owned(), expires_at: None, policies, allowed_cidrs: Vec::new() }
}

#[tokio::test]
async fn a_session_ends_after_an_hour_without_use() {
    let world = World::new().await;
    let token = world.signed_in(&world.owner).await;
    world.advance(Duration::minutes(60));
    assert_eq!(authenticate(&world, &token).await.unwrap_err(), OVER);
}

#[tokio::test]
async fn a_session_in_use_lasts_a_day_and_no_longer() {
    let world = World::new().await;
    let token = world.signed_in(&world.owner).await;
    for used in 1..29 {
        world.advance(Duration::minutes(50));
        assert!(authenticate(&world, &token).await.is_ok(), "after {used} uses");
        // Its use counts whether it is noted in memory still or stored already.
        if used % 2 == 0 {
            world.operations.flush_uses().await.unwrap();
        }
    }
    world.advance(Duration::minutes(40));
    assert_eq!(authenticate(&world, &token).await.unwrap_err(), OVER);
}

#[tokio::test]
async fn a_listing_shows_each_session_and_which_one_calls() {
    let world = World::new().await;
    world.signed_in(&world.owner).await;
    world.advance(Duration::minutes(5));
    let caller = world.caller(&world.signed_in(&world.owner).await).await;
    let listed = world.operations.list_sessions(&caller).await.unwrap();
    assert_eq!(listed.iter().map(|session| session.is_current).collect::<Vec<_>>(), [true, false]);
    assert_eq!(listed[0].session.user_agent.as_ref().unwrap().as_str(), "tests/1.0");
    let by_key = world.operations.list_sessions(&world.full_key().await).await.unwrap();
    assert!(by_key.iter().all(|session| !session.is_current));
}

#[tokio::test]
async fn a_revoked_session_opens_nothing_and_neither_does_one_that_signed_out() {
    let world = World::new().await;
    let [mine, other] = [world.signed_in(&world.owner).await, world.signed_in(&world.owner).await];
    let (caller, revoked) = (world.caller(&mine).await, world.caller(&other).await);
    let Some(PrincipalId::Session(session_id)) = revoked.principal.prover().map(|prover| prover.id) else {
        panic!("no session calls")
    };
    world.operations.revoke_session(&caller, RevokeSession { session_id }).await.unwrap();
    assert_eq!(authenticate(&world, &other).await.unwrap_err(), OVER);
    let again = world.operations.revoke_session(&caller, RevokeSession { session_id }).await;
    assert_eq!(refusal(again), (Code::NotFound, "NOT_FOUND"));
    world.operations.sign_out(&caller).await.unwrap();
    assert_eq!(authenticate(&world, &mine).await.unwrap_err(), OVER);
}

#[tokio::test]
async fn a_session_that_has_ended_changes_nothing_even_where_it_is_still_remembered() {
    let world = World::new().await;
    let caller = world.session().await;
    world.step_up(&caller).await;
    let caller = world.session().await;
    world.operations.revoke_other_sessions(&world.full_key().await).await.unwrap();
    let refused = world.operations.sign_out(&caller).await;
    assert!(refused.is_ok(), "it has ended, as was asked");
    let change =
        ChangePassword { current_password: PASSWORD.into(), new_password: "nine quiet herons cross the marsh".into() };
    assert_eq!(refusal(world.operations.change_password(&caller, change).await), OVER);
}

#[tokio::test]
async fn a_session_of_another_user_is_not_found() {
    let world = World::new().await;
    let (_, other, _) = world.other_workspace().await;
    let theirs = world.caller(&world.signed_in(&other).await).await;
    let Principal::Session(session) = &theirs.principal else { panic!("no session calls") };
    let revoke = RevokeSession { session_id: session.session_id };
    let refused = world.operations.revoke_session(&world.session().await, revoke).await;
    assert_eq!(refusal(refused), (Code::NotFound, "NOT_FOUND"));
}

#[tokio::test]
async fn revoking_the_others_leaves_the_one_that_calls() {
    let world = World::new().await;
    let others = [world.signed_in(&world.owner).await, world.signed_in(&world.owner).await];
    let mine = world.signed_in(&world.owner).await;
    let caller = world.caller(&mine).await;
    assert_eq!(world.operations.revoke_other_sessions(&caller).await.unwrap(), 2);
    for other in &others {
        assert_eq!(authenticate(&world, other).await.unwrap_err(), OVER);
    }
    assert!(authenticate(&world, &mine).await.is_ok());
}

#[tokio::test]
async fn a_changed_password_ends_the_other_sessions_and_not_the_one_that_changed_it() {
    let world = World::new().await;
    let [mine, other] = [world.signed_in(&world.owner).await, world.signed_in(&world.owner).await];
    world.advance(Duration::minutes(1));
    let change =
        ChangePassword { current_password: PASSWORD.into(), new_password: "nine quiet herons cross the marsh".into() };
    world.operations.change_password(&world.caller(&mine).await, change).await.unwrap();
    assert_eq!(authenticate(&world, &other).await.unwrap_err(), OVER);
    assert!(authenticate(&world, &mine).await.is_ok());
}

#[tokio::test]
async fn a_session_has_the_rights_of_its_user_in_the_workspace_and_acts_in_person() {
    let world = World::new().await;
    let caller = world.session().await;
    let held = GetEffectivePermissions { workspace_id: world.workspace_id };
    let held = world.operations.get_effective_permissions(&caller, held).await.unwrap();
    assert_eq!((held.role, held.policies), (Role::Owner, PolicySet::EVERY));
    assert!(held.operations.contains(&"CreateWorkspace"));
    let of_key = GetEffectivePermissions { workspace_id: world.workspace_id };
    let of_key = world.operations.get_effective_permissions(&world.full_key().await, of_key).await.unwrap();
    assert!(!of_key.operations.contains(&"CreateWorkspace"), "no key makes workspaces");
}

#[tokio::test]
async fn a_session_that_chose_no_workspace_is_asked_for_one_where_it_is_needed() {
    let world = World::new().await;
    let caller = world.caller(&world.signed_in(&world.owner).await).await;
    let required = (Code::InvalidArgument, "WORKSPACE_REQUIRED");
    assert_eq!(refusal(world.operations.list_api_keys(&caller).await), required);
    assert_eq!(refusal(world.operations.create_api_key(&caller, key_order(&[])).await), required);
    let chosen = world.session().await;
    assert!(world.operations.list_api_keys(&chosen).await.is_ok());
}

#[tokio::test]
async fn without_a_filter_a_session_counts_the_memberships_of_its_user() {
    let world = World::new().await;
    let caller = world.caller(&world.signed_in(&world.owner).await).await;
    let counts = world.operations.count_memberships(&caller, CountMemberships { user_id: None, workspace_id: None });
    let total: i64 = counts.await.unwrap().iter().map(|counted| counted.count).sum();
    assert_eq!(total, 1);
}

#[tokio::test]
async fn only_a_session_gives_identity_to_a_key() {
    let world = World::new().await;
    let session = world.session().await;
    let refused = world.operations.create_api_key(&session, key_order(&["identity"])).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
    world.step_up(&session).await;
    // The caller is built again from its holder because the step-up gave the session a new token.
    let Principal::Session(holder) = &session.principal else { panic!("no session calls") };
    let caller = Caller { principal: Principal::Session(holder.clone()), ..Caller::system() };
    let created = world.operations.create_api_key(&caller, key_order(&["identity", "trading"])).await.unwrap();
    assert_eq!(created.key.policies, PolicySet::of(&[Policy::Identity, Policy::Trading]));
    let key = world.full_key().await;
    world.step_up(&key).await;
    let passed_on = world.operations.create_api_key(&key, key_order(&["identity"])).await;
    assert_eq!(refusal(passed_on), (Code::PermissionDenied, "IDENTITY_NEEDS_SIGN_IN"));
}

#[tokio::test]
async fn calls_of_a_session_count_for_it_and_for_the_workspace_it_chose_or_else_its_user() {
    let limiter = Arc::new(ScriptedLimiter::default());
    let world = World::with(|ports| ports.limiter = limiter.clone()).await;
    let rule = Rule::of("GetCurrentUser").unwrap();
    for chosen in [true, false] {
        let caller =
            if chosen { world.session().await } else { world.caller(&world.signed_in(&world.owner).await).await };
        let Principal::Session(session) = &caller.principal else { panic!("no session calls") };
        world.operations.charge(&caller, rule).await;
        let common = if chosen { world.workspace_id.to_bytes() } else { session.user_id.to_bytes() };
        let charged = limiter.charges();
        let expected =
            [(RateClass::Workspace, common.to_vec()), (RateClass::Read, session.session_id.to_bytes().to_vec())];
        assert!(charged.ends_with(&expected), "{charged:?}");
    }
}
