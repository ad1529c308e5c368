//! Changing and rotating API keys, from where they may be used, and ending those that were found elsewhere.

use std::net::IpAddr;

use secrecy::{ExposeSecret as _, SecretString};
use time::Duration;
use tradepost_domain::accounts::api_key::Expiry;
use tradepost_domain::accounts::policy::{Policy, PolicySet, Role};
use tradepost_domain::id::ApiKeyId;
use tradepost_domain::time::Timestamp;
use tradepost_operations::accounts::{
    CreateApiKey, CreatedKey, KeyWithUse, ReportLeakedApiKey, RevokeApiKey, RotateApiKey, UpdateApiKey,
};
use tradepost_operations::{Caller, Code, OpResult, Versioned};
use tradepost_ports::clock::Clock as _;

use crate::harness::{World, refusal};

const STEP_UP: (Code, &str) = (Code::FailedPrecondition, "STEP_UP_REQUIRED");
const CLOSED: (Code, &str) = (Code::Unauthenticated, "UNAUTHENTICATED");

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn change(world: &World, api_key_id: ApiKeyId) -> UpdateApiKey {
    UpdateApiKey {
        workspace_id: world.workspace_id,
        api_key_id,
        name: None,
        policies: None,
        expiry: None,
        allowed_cidrs: None,
        expected_version: None,
    }
}

fn policies(world: &World, key: &CreatedKey, names: &[&str]) -> UpdateApiKey {
    UpdateApiKey { policies: Some(texts(names)), ..change(world, key.key.id) }
}

fn expiry(world: &World, key: &CreatedKey, expiry: Expiry) -> UpdateApiKey {
    UpdateApiKey { expiry: Some(expiry), ..change(world, key.key.id) }
}

fn networks(world: &World, key: &CreatedKey, cidrs: &[&str]) -> UpdateApiKey {
    UpdateApiKey { allowed_cidrs: Some(texts(cidrs)), ..change(world, key.key.id) }
}

async fn update(world: &World, caller: &Caller, command: UpdateApiKey) -> OpResult<Versioned<KeyWithUse>> {
    world.operations.update_api_key(caller, command).await
}

async fn rotate(world: &World, caller: &Caller, key: ApiKeyId, overlap: Option<i32>) -> OpResult<CreatedKey> {
    let command = RotateApiKey { workspace_id: world.workspace_id, api_key_id: key, overlap_seconds: overlap };
    world.operations.rotate_api_key(caller, command).await
}

async fn trading_key(world: &World) -> CreatedKey {
    world.issue(world.workspace_id, &world.owner, PolicySet::of(&[Policy::Trading])).await
}

async fn opens(world: &World, key: &CreatedKey, from: Option<&str>) -> OpResult<Caller> {
    let client: Option<IpAddr> = from.map(|address| address.parse().unwrap());
    world.operations.authenticate(key.raw_key.expose_secret(), client).await
}

fn in_hours(world: &World, hours: i64) -> Timestamp {
    world.clock.now().plus(Duration::hours(hours))
}

#[tokio::test]
async fn a_change_of_policies_counts_at_once() {
    let world = World::new().await;
    let (owner, key) = (world.proven_key().await, trading_key(&world).await);
    opens(&world, &key, None).await.unwrap();
    let changed = update(&world, &owner, policies(&world, &key, &["analytics"])).await.unwrap();
    assert_eq!(changed.version, 2);
    let caller = opens(&world, &key, None).await.unwrap();
    assert_eq!(caller.principal.key().unwrap().rights, PolicySet::of(&[Policy::Analytics]));
    assert!(world.mailer.last_to(&world.owner).unwrap().text.contains(&key.key.prefix));
}

#[tokio::test]
async fn what_narrows_a_key_needs_no_second_factor_and_what_widens_it_does() {
    let world = World::new().await;
    let (caller, key) = (world.full_key().await, trading_key(&world).await);
    let soon = Expiry::At(in_hours(&world, 1));
    for narrower in [policies(&world, &key, &[]), expiry(&world, &key, soon), networks(&world, &key, &["192.0.2.0/24"])]
    {
        update(&world, &caller, narrower).await.unwrap();
    }
    let later = Expiry::At(in_hours(&world, 2));
    for wider in [
        policies(&world, &key, &["trading"]),
        expiry(&world, &key, later),
        expiry(&world, &key, Expiry::Never),
        networks(&world, &key, &["192.0.2.0/23"]),
        networks(&world, &key, &[]),
    ] {
        assert_eq!(refusal(update(&world, &caller, wider).await), STEP_UP);
    }
}

#[tokio::test]
async fn a_user_cannot_give_a_key_more_than_they_or_its_owner_hold() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, &[Policy::Analytics]).await;
    let theirs = world.issue(world.workspace_id, &member.email, PolicySet::OPERATIONAL).await;
    let clerk = world.member("bob@example.com", Role::Member, &[Policy::Workspace]).await;
    let clerks = world.issue(world.workspace_id, &clerk.email, PolicySet::of(&[Policy::Workspace])).await;
    let (owner, clerk, owners) =
        (world.proven_key().await, world.proven_key_of(&clerk).await, trading_key(&world).await);
    for (caller, key, names, reason) in [
        (&owner, &owners, ["trading", "identity"].as_slice(), "IDENTITY_NEEDS_SIGN_IN"),
        (&clerk, &clerks, &["trading", "workspace"], "POLICIES_EXCEED_CALLER"),
        (&owner, &theirs, &["trading"], "POLICIES_EXCEED_OWNER"),
    ] {
        let refused = update(&world, caller, policies(&world, key, names)).await;
        assert_eq!(refusal(refused), (Code::PermissionDenied, reason));
    }
}

#[tokio::test]
async fn only_its_own_user_widens_a_key() {
    let world = World::new().await;
    let admin = world.member("ada@example.com", Role::Admin, &[]).await;
    let (owner, admin) = (world.proven_key().await, world.proven_key_of(&admin).await);
    let key = trading_key(&world).await;
    let narrowed = UpdateApiKey {
        policies: Some(texts(&["trading"])),
        expiry: Some(Expiry::At(in_hours(&world, 1))),
        ..networks(&world, &key, &["192.0.2.0/24"])
    };
    update(&world, &admin, narrowed).await.unwrap();
    for wider in [
        policies(&world, &key, &["trading", "analytics"]),
        expiry(&world, &key, Expiry::Never),
        networks(&world, &key, &[]),
    ] {
        let refused = update(&world, &admin, wider.clone()).await;
        assert_eq!(refusal(refused), (Code::PermissionDenied, "KEY_OF_ANOTHER"));
        update(&world, &owner, wider).await.unwrap();
    }
}

#[tokio::test]
async fn a_change_says_what_is_wrong_with_it() {
    let world = World::new().await;
    let (owner, key) = (world.proven_key().await, trading_key(&world).await);
    let many: Vec<String> = (0..21).map(|number| format!("192.0.2.{number}")).collect();
    for (command, reason) in [
        (change(&world, key.key.id), "INVALID_FIELD"),
        (UpdateApiKey { name: Some(" ".to_owned()), ..change(&world, key.key.id) }, "INVALID_FIELD"),
        (UpdateApiKey { allowed_cidrs: Some(many), ..change(&world, key.key.id) }, "INVALID_FIELD"),
        (networks(&world, &key, &["example.com"]), "INVALID_FIELD"),
        (networks(&world, &key, &["192.0.2.1/24"]), "INVALID_FIELD"),
        (policies(&world, &key, &["godmode"]), "UNKNOWN_POLICY"),
    ] {
        assert_eq!(refusal(update(&world, &owner, command).await), (Code::InvalidArgument, reason));
    }
    for (end, reason) in [(in_hours(&world, 0), "EXPIRY_IN_PAST"), (in_hours(&world, 24 * 3_651), "EXPIRY_TOO_FAR")] {
        let refused = update(&world, &owner, expiry(&world, &key, Expiry::At(end))).await;
        assert_eq!(refusal(refused), (Code::FailedPrecondition, reason));
    }
    let stale = UpdateApiKey { expected_version: Some(7), ..policies(&world, &key, &[]) };
    assert_eq!(refusal(update(&world, &owner, stale).await), (Code::FailedPrecondition, "VERSION_MISMATCH"));
}

#[tokio::test]
async fn a_key_that_ended_is_neither_changed_nor_rotated() {
    let world = World::new().await;
    let (owner, revoked, expired) = (world.proven_key().await, trading_key(&world).await, trading_key(&world).await);
    let end = RevokeApiKey { api_key_id: revoked.key.id, workspace_id: None, reason: None };
    world.operations.revoke_api_key(&owner, end).await.unwrap();
    let soon = Expiry::At(world.clock.now().plus(Duration::seconds(1)));
    update(&world, &owner, expiry(&world, &expired, soon)).await.unwrap();
    world.advance(Duration::seconds(1));
    for (key, reason) in [(&revoked, "API_KEY_REVOKED"), (&expired, "API_KEY_EXPIRED")] {
        let refused = (Code::FailedPrecondition, reason);
        assert_eq!(refusal(update(&world, &owner, policies(&world, key, &[])).await), refused);
        assert_eq!(refusal(rotate(&world, &owner, key.key.id, None).await), refused);
    }
}

#[tokio::test]
async fn a_key_opens_nothing_from_outside_of_its_networks() {
    let world = World::new().await;
    let (owner, key) = (world.proven_key().await, trading_key(&world).await);
    opens(&world, &key, Some("203.0.113.9")).await.unwrap();
    update(&world, &owner, networks(&world, &key, &["192.0.2.0/24", "2001:db8::/32"])).await.unwrap();
    for inside in ["192.0.2.7", "2001:db8::7", "::ffff:192.0.2.7"] {
        assert!(opens(&world, &key, Some(inside)).await.is_ok(), "{inside}");
    }
    for outside in [Some("203.0.113.9"), Some("2001:db9::7"), None] {
        let refused = opens(&world, &key, outside).await.unwrap_err();
        let unknown = world.operations.authenticate(&format!("tpk_{:046}", 0), None).await.unwrap_err();
        assert_eq!(
            (refused.code, refused.reason.as_str(), refused.message),
            (unknown.code, unknown.reason.as_str(), unknown.message)
        );
    }
}

#[tokio::test]
async fn a_call_from_another_network_does_not_count_as_use() {
    let world = World::new().await;
    let (owner, key) = (world.proven_key().await, trading_key(&world).await);
    update(&world, &owner, networks(&world, &key, &["192.0.2.0/24"])).await.unwrap();
    assert!(opens(&world, &key, Some("203.0.113.9")).await.is_err());
    let get = tradepost_operations::accounts::GetApiKey { api_key_id: key.key.id };
    assert_eq!(world.operations.get_api_key(&owner, get).await.unwrap().value.last_used_at, None);
}

#[tokio::test]
async fn a_key_can_be_made_for_some_networks_only() {
    let world = World::new().await;
    let owner = world.proven_key().await;
    let order = CreateApiKey {
        name: "office".to_owned(),
        expires_at: None,
        policies: Vec::new(),
        allowed_cidrs: texts(&["192.0.2.0/24"]),
    };
    let created = world.operations.create_api_key(&owner, order).await.unwrap();
    assert!(opens(&world, &created, Some("192.0.2.1")).await.is_ok());
    assert_eq!(refusal(opens(&world, &created, Some("203.0.113.9")).await), CLOSED);
}

#[tokio::test]
async fn a_rotated_key_and_its_successor_both_work_during_the_overlap() {
    let world = World::new().await;
    let (owner, old) = (world.proven_key().await, trading_key(&world).await);
    let new = rotate(&world, &owner, old.key.id, Some(3_600)).await.unwrap();
    assert_ne!(new.key.id, old.key.id);
    assert_eq!((new.key.policies, &new.key.name, new.key.expires_at), (old.key.policies, &old.key.name, None));
    for key in [&old, &new] {
        assert!(opens(&world, key, None).await.is_ok());
    }
    world.advance(Duration::hours(1));
    assert_eq!(refusal(opens(&world, &old, None).await), CLOSED);
    assert!(opens(&world, &new, None).await.is_ok());
}

#[tokio::test]
async fn the_overlap_is_a_day_unless_said_otherwise() {
    let world = World::new().await;
    let (owner, old) = (world.proven_key().await, trading_key(&world).await);
    rotate(&world, &owner, old.key.id, None).await.unwrap();
    world.advance(Duration::hours(24) - Duration::seconds(1));
    assert!(opens(&world, &old, None).await.is_ok());
    world.advance(Duration::seconds(1));
    assert_eq!(refusal(opens(&world, &old, None).await), CLOSED);
}

#[tokio::test]
async fn without_an_overlap_the_old_key_ends_at_once() {
    let world = World::new().await;
    let (owner, old) = (world.proven_key().await, trading_key(&world).await);
    opens(&world, &old, None).await.unwrap();
    rotate(&world, &owner, old.key.id, Some(0)).await.unwrap();
    assert_eq!(refusal(opens(&world, &old, None).await), CLOSED);
}

#[tokio::test]
async fn an_overlap_lasts_seven_days_at_most() {
    let world = World::new().await;
    let (owner, old) = (world.proven_key().await, trading_key(&world).await);
    for overlap in [-1, 604_801] {
        let refused = rotate(&world, &owner, old.key.id, Some(overlap)).await;
        assert_eq!(refusal(refused), (Code::InvalidArgument, "INVALID_FIELD"));
    }
    assert!(rotate(&world, &owner, old.key.id, Some(86_400)).await.is_ok());
}

#[tokio::test]
async fn rotating_needs_a_recent_second_factor() {
    let world = World::new().await;
    let (caller, old) = (world.full_key().await, trading_key(&world).await);
    assert_eq!(refusal(rotate(&world, &caller, old.key.id, None).await), STEP_UP);
}

#[tokio::test]
async fn no_key_gets_the_secret_of_one_that_can_do_more() {
    let world = World::new().await;
    let weak = world.key(PolicySet::of(&[Policy::Workspace, Policy::Trading])).await;
    world.step_up(&weak).await;
    for more in [PolicySet::OPERATIONAL, PolicySet::of(&[Policy::Trading, Policy::Identity])] {
        let strong = world.issue(world.workspace_id, &world.owner, more).await;
        let refused = rotate(&world, &weak, strong.key.id, None).await;
        assert_eq!(refusal(refused), (Code::PermissionDenied, "POLICIES_EXCEED_CALLER"));
    }
    rotate(&world, &weak, trading_key(&world).await.key.id, None).await.unwrap();
}

#[tokio::test]
async fn a_user_cannot_get_the_secret_of_another_users_key() {
    let world = World::new().await;
    let admin = world.member("ada@example.com", Role::Admin, &[]).await;
    let theirs = world.issue(world.workspace_id, &admin.email, PolicySet::of(&[Policy::Trading])).await;
    let (owner, admin, owners) =
        (world.proven_key().await, world.proven_key_of(&admin).await, trading_key(&world).await);
    for (caller, key) in [(&admin, &owners), (&owner, &theirs)] {
        let refused = rotate(&world, caller, key.key.id, None).await;
        assert_eq!(refusal(refused), (Code::PermissionDenied, "KEY_OF_ANOTHER"));
        let end = RevokeApiKey { api_key_id: key.key.id, workspace_id: None, reason: None };
        world.operations.revoke_api_key(caller, end).await.unwrap();
    }
}

#[tokio::test]
async fn a_key_may_rotate_itself() {
    let world = World::new().await;
    let owner = world.proven_key().await;
    let own = owner.principal.key().unwrap().key_id;
    let new = rotate(&world, &owner, own, Some(0)).await.unwrap();
    assert!(opens(&world, &new, None).await.unwrap().principal.act_as_user().is_ok());
    assert!(rotate(&world, &owner, own, None).await.is_err());
}

#[tokio::test]
async fn a_full_workspace_rotates_only_without_an_overlap() {
    let world = World::new().await;
    let (owner, old) = (world.proven_key().await, trading_key(&world).await);
    for _ in 2..100 {
        trading_key(&world).await;
    }
    let refused = rotate(&world, &owner, old.key.id, Some(1)).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "API_KEY_LIMIT"));
    assert!(rotate(&world, &owner, old.key.id, Some(0)).await.is_ok());
}

async fn report(world: &World, tokens: &[&str]) -> OpResult<()> {
    let tokens = tokens.iter().map(|token| SecretString::from(*token)).collect();
    world.operations.report_leaked_api_key(&Caller::anonymous(None), ReportLeakedApiKey { tokens }).await
}

#[tokio::test]
async fn a_leaked_key_ends_when_reported_and_its_owner_and_managers_get_a_mail() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, &[Policy::Trading]).await;
    let leaked = world.issue(world.workspace_id, &member.email, PolicySet::EVERY).await;
    opens(&world, &leaked, None).await.unwrap();
    report(&world, &["nonsense", leaked.raw_key.expose_secret()]).await.unwrap();
    assert_eq!(refusal(opens(&world, &leaked, None).await), CLOSED);
    for concerned in [&member.email, &world.owner] {
        let mail = world.mailer.last_to(concerned).unwrap();
        assert!(mail.text.contains(&leaked.key.prefix), "{}", mail.text);
        assert!(!mail.text.contains(leaked.raw_key.expose_secret()));
    }
}

#[tokio::test]
async fn reports_of_unknown_and_ended_keys_get_the_same_answer() {
    let world = World::new().await;
    let key = trading_key(&world).await;
    let secret = key.raw_key.expose_secret();
    for token in ["", "nonsense", "tpk_nonsense", &format!("tpk_{:046}", 7), secret, secret] {
        report(&world, &[token]).await.unwrap();
    }
}

#[tokio::test]
async fn one_to_a_hundred_keys_are_reported_at_once() {
    let world = World::new().await;
    for tokens in [&[][..], &["nonsense"; 101]] {
        assert_eq!(refusal(report(&world, tokens).await), (Code::InvalidArgument, "INVALID_FIELD"));
    }
    report(&world, &["nonsense"; 100]).await.unwrap();
}
