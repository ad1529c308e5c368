//! Making, showing and revoking API keys, and what a key may do.

use secrecy::ExposeSecret as _;
use time::Duration;
use tradepost_domain::accounts::audit::Fact;
use tradepost_domain::accounts::policy::{Policy, PolicySet, Role};
use tradepost_operations::accounts::{CreateApiKey, GetApiKey, GetEffectivePermissions, ListAuditEvents, RevokeApiKey};
use tradepost_operations::{Caller, Code};
use tradepost_ports::clock::Clock as _;

use crate::harness::{World, refusal};

fn order(policies: &[&str]) -> CreateApiKey {
    CreateApiKey {
        name: "reporting".to_owned(),
        expires_at: None,
        policies: policies.iter().map(|policy| (*policy).to_owned()).collect(),
        allowed_cidrs: Vec::new(),
    }
}

fn revoke(caller: &Caller) -> RevokeApiKey {
    RevokeApiKey { api_key_id: caller.principal.key().unwrap().key_id, workspace_id: None, reason: None }
}

#[tokio::test]
async fn making_a_key_needs_a_recent_second_factor() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let refused = world.operations.create_api_key(&caller, order(&["analytics"])).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
}

#[tokio::test]
async fn a_new_key_works_and_holds_what_was_asked_for() {
    let world = World::new().await;
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    let created = world.operations.create_api_key(&caller, order(&["analytics"])).await.unwrap();
    let secret = created.raw_key.expose_secret();
    assert!(secret.starts_with(&created.key.prefix));
    let new = world.operations.authenticate(secret, None).await.unwrap();
    assert_eq!(new.principal.key().unwrap().rights, PolicySet::of(&[Policy::Analytics]));
}

#[tokio::test]
async fn a_step_up_lasts_ten_minutes() {
    let world = World::new().await;
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    world.advance(Duration::minutes(10));
    let refused = world.operations.create_api_key(&caller, order(&[])).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
}

#[tokio::test]
async fn a_step_up_of_one_key_is_none_of_another() {
    let world = World::new().await;
    let (stepped_up, other) = (world.full_key().await, world.full_key().await);
    world.step_up(&stepped_up).await;
    let refused = world.operations.create_api_key(&other, order(&[])).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
}

#[tokio::test]
async fn a_key_cannot_make_a_stronger_key() {
    let world = World::new().await;
    let caller = world.key(PolicySet::of(&[Policy::Workspace])).await;
    let refused = world.operations.create_api_key(&caller, order(&["workspace", "trading"])).await;
    assert_eq!(refusal(refused), (Code::PermissionDenied, "POLICIES_EXCEED_CALLER"));
}

#[tokio::test]
async fn identity_cannot_be_given_by_a_key() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let refused = world.operations.create_api_key(&caller, order(&["identity"])).await;
    assert_eq!(refusal(refused), (Code::PermissionDenied, "IDENTITY_NEEDS_SIGN_IN"));
}

#[tokio::test]
async fn bad_fields_name_themselves() {
    let world = World::new().await;
    let caller = world.full_key().await;
    for (command, reason) in [
        (CreateApiKey { name: " ".to_owned(), ..order(&[]) }, "INVALID_FIELD"),
        (order(&["godmode"]), "UNKNOWN_POLICY"),
        (order(&["trading", "trading"]), "DUPLICATE_POLICY"),
    ] {
        assert_eq!(refusal(world.operations.create_api_key(&caller, command).await), (Code::InvalidArgument, reason));
    }
}

#[tokio::test]
async fn a_key_expires_in_the_future_and_within_ten_years() {
    let world = World::new().await;
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    let now = world.clock.now();
    for (expiry, reason) in [(now, "EXPIRY_IN_PAST"), (now.plus(Duration::days(3_651)), "EXPIRY_TOO_FAR")] {
        let command = CreateApiKey { expires_at: Some(expiry), ..order(&[]) };
        assert_eq!(
            refusal(world.operations.create_api_key(&caller, command).await),
            (Code::FailedPrecondition, reason)
        );
    }
}

#[tokio::test]
async fn an_expired_key_opens_nothing_even_while_it_is_remembered() {
    let world = World::new().await;
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    let expiry = world.clock.now().plus(Duration::seconds(1));
    let command = CreateApiKey { expires_at: Some(expiry), ..order(&[]) };
    let created = world.operations.create_api_key(&caller, command).await.unwrap();
    let secret = created.raw_key.expose_secret();
    world.operations.authenticate(secret, None).await.unwrap();
    world.advance(Duration::seconds(1));
    assert_eq!(refusal(world.operations.authenticate(secret, None).await), (Code::Unauthenticated, "UNAUTHENTICATED"));
}

#[tokio::test]
async fn a_workspace_has_a_hundred_live_keys_at_most() {
    let world = World::new().await;
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    for _ in 1..100 {
        world.operations.create_api_key(&caller, order(&[])).await.unwrap();
    }
    let refused = world.operations.create_api_key(&caller, order(&[])).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "API_KEY_LIMIT"));
}

#[tokio::test]
async fn listing_and_count_agree_and_leave_revoked_keys_out() {
    let world = World::new().await;
    let (caller, revoked) = (world.full_key().await, world.full_key().await);
    assert_eq!(world.operations.count_api_keys(&caller).await.unwrap(), 2);
    world.operations.revoke_api_key(&caller, revoke(&revoked)).await.unwrap();
    let listed = world.operations.list_api_keys(&caller).await.unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(world.operations.count_api_keys(&caller).await.unwrap(), 1);
    let api_key_id = revoked.principal.key().unwrap().key_id;
    assert_eq!(
        refusal(world.operations.get_api_key(&caller, GetApiKey { api_key_id }).await),
        (Code::NotFound, "NOT_FOUND")
    );
}

#[tokio::test]
async fn the_last_use_of_a_key_is_seen_at_once() {
    let world = World::new().await;
    let unused = world.issue(world.workspace_id, &world.owner, PolicySet::NONE).await;
    let caller = world.full_key().await;
    let get = || world.operations.get_api_key(&caller, GetApiKey { api_key_id: unused.key.id });
    assert_eq!(get().await.unwrap().value.last_used_at, None);
    world.operations.authenticate(unused.raw_key.expose_secret(), None).await.unwrap();
    assert_eq!(get().await.unwrap().value.last_used_at, Some(world.clock.now()));
}

#[tokio::test]
async fn a_revoked_key_opens_nothing_at_once() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let doomed = world.issue(world.workspace_id, &world.owner, PolicySet::EVERY).await;
    let secret = doomed.raw_key.expose_secret();
    world.operations.authenticate(secret, None).await.unwrap();
    let command = RevokeApiKey { api_key_id: doomed.key.id, workspace_id: None, reason: None };
    world.operations.revoke_api_key(&caller, command).await.unwrap();
    assert_eq!(refusal(world.operations.authenticate(secret, None).await), (Code::Unauthenticated, "UNAUTHENTICATED"));
}

#[tokio::test]
async fn a_mutation_begun_before_the_revocation_does_not_pass_after_it() {
    let world = World::new().await;
    let (caller, doomed) = (world.full_key().await, world.full_key().await);
    world.step_up(&doomed).await;
    world.operations.revoke_api_key(&caller, revoke(&doomed)).await.unwrap();
    let late = world.operations.create_api_key(&doomed, order(&[])).await;
    assert_eq!(refusal(late), (Code::Unauthenticated, "UNAUTHENTICATED"));
    assert_eq!(world.operations.count_api_keys(&caller).await.unwrap(), 1);
}

#[tokio::test]
async fn a_key_may_revoke_itself_and_no_other() {
    let world = World::new().await;
    let (weak, other) = (world.key(PolicySet::NONE).await, world.full_key().await);
    let refused = world.operations.revoke_api_key(&weak, revoke(&other)).await;
    assert_eq!(refusal(refused), (Code::PermissionDenied, "PERMISSION_DENIED"));
    world.operations.revoke_api_key(&weak, revoke(&weak)).await.unwrap();
}

#[tokio::test]
async fn revoking_twice_is_a_failed_precondition() {
    let world = World::new().await;
    let (caller, revoked) = (world.full_key().await, world.full_key().await);
    world.operations.revoke_api_key(&caller, revoke(&revoked)).await.unwrap();
    let again = world.operations.revoke_api_key(&caller, revoke(&revoked)).await;
    assert_eq!(refusal(again), (Code::FailedPrecondition, "API_KEY_REVOKED"));
}

#[tokio::test]
async fn a_foreign_key_is_not_found() {
    let world = World::new().await;
    let (_, _, foreign) = world.other_workspace().await;
    let caller = world.full_key().await;
    assert_eq!(
        refusal(world.operations.revoke_api_key(&caller, revoke(&foreign)).await),
        (Code::NotFound, "NOT_FOUND")
    );
}

#[tokio::test]
async fn effective_permissions_list_the_open_operations() {
    let world = World::new().await;
    let caller = world.key(PolicySet::of(&[Policy::Analytics])).await;
    let command = GetEffectivePermissions { workspace_id: world.workspace_id };
    let open = world.operations.get_effective_permissions(&caller, command).await.unwrap();
    assert!(open.operations.contains(&"GetPurchase") && open.operations.contains(&"GetWorkspace"));
    assert!(!open.operations.contains(&"CreateContract") && !open.operations.contains(&"ChangePassword"));
    assert_eq!(open.step_up_valid_until, None);
}

#[tokio::test]
async fn mail_and_audit_log_give_the_reason_when_another_user_revokes_a_key() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, &[]).await;
    let key = world.issue(world.workspace_id, &member.email, PolicySet::NONE).await;
    let caller = world.full_key().await;
    let command =
        |reason: &str| RevokeApiKey { api_key_id: key.key.id, workspace_id: None, reason: Some(reason.to_owned()) };
    for reason in ["", &"x".repeat(201)] {
        let refused = world.operations.revoke_api_key(&caller, command(reason)).await;
        assert_eq!(refusal(refused), (Code::InvalidArgument, "INVALID_FIELD"));
    }
    world.operations.revoke_api_key(&caller, command("The bot was replaced")).await.unwrap();
    let text = world.mailer.last_to(&member.email).unwrap().text;
    assert!(
        text.contains(&key.key.prefix) && text.contains("The reason that was given: The bot was replaced"),
        "{text}"
    );
    let list = ListAuditEvents {
        workspace_id: world.workspace_id,
        actor_id: None,
        kind: Some("api_key.revoked".to_owned()),
        from: None,
        to: None,
        limit: 1,
        cursor: String::new(),
    };
    let listed = world.operations.list_audit_events(&caller, list).await.unwrap();
    let details = &listed.entries[0].sealed.event.details;
    assert!(details.contains(&(Fact::Reason, "The bot was replaced".to_owned())), "{details:?}");
}

#[tokio::test]
async fn an_owner_who_revokes_their_own_key_gets_no_mail() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let before = world.mailer.sent().len();
    world.operations.revoke_api_key(&caller, revoke(&caller)).await.unwrap();
    assert_eq!(world.mailer.sent().len(), before);
}
