//! What a workspace asks of its members and of their keys.

use tradepost_domain::accounts::api_key::Expiry;
use tradepost_domain::accounts::membership::Membership;
use tradepost_domain::accounts::policy::{Policy, PolicySet, Role};
use tradepost_domain::accounts::workspace::{KeyLife, Settings};
use tradepost_domain::id::UserId;
use tradepost_domain::time::Timestamp;
use tradepost_operations::accounts::{
    AcceptMembership, BeginPasskeyRegistration, CreateApiKey, CreatedKey, DeletePasskey, FinishPasskeyRegistration,
    GetWorkspaceSettings, InviteMember, ReinstateMembership, RotateApiKey, SuspendMembership, UpdateApiKey,
    UpdateWorkspace,
};
use tradepost_operations::{Caller, Code, OpResult};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::fakes::FakePasskeys;

use crate::harness::{World, refusal, unchanged};

const FAILED: Code = Code::FailedPrecondition;

fn two_factor(world: &World, required: bool) -> UpdateWorkspace {
    UpdateWorkspace { require_two_factor: Some(required), ..unchanged(world.workspace_id) }
}

fn key_days(world: &World, days: i32) -> UpdateWorkspace {
    UpdateWorkspace { max_api_key_lifetime_days: Some(days), ..unchanged(world.workspace_id) }
}

fn mailed_codes(world: &World, allowed: bool) -> UpdateWorkspace {
    UpdateWorkspace { allow_email_step_up: Some(allowed), ..unchanged(world.workspace_id) }
}

async fn update(world: &World, caller: &Caller, command: UpdateWorkspace) -> OpResult<Settings> {
    world.operations.update_workspace(caller, command).await.map(|workspace| workspace.value.settings)
}

/// The process itself changes what the workspace asks for.
async fn set(world: &World, command: UpdateWorkspace) -> OpResult<Settings> {
    update(world, &Caller::system(), command).await
}

async fn invite(world: &World, email: &str) -> (UserId, Membership) {
    let user_id = world.user(email).await;
    let invitation = InviteMember {
        workspace_id: world.workspace_id,
        email: email.to_owned(),
        role: Role::Member,
        policies: Vec::new(),
    };
    (user_id, world.operations.invite_member(&Caller::system(), invitation).await.unwrap())
}

async fn accept(world: &World, user_id: UserId, invited: &Membership) -> OpResult<Membership> {
    let command = AcceptMembership { membership_id: invited.id };
    world.operations.accept_membership(&Caller::person(user_id), command).await
}

/// Registers a passkey for a user.
async fn register_passkey(world: &World, user_id: UserId) {
    let (caller, begin) = (Caller::person(user_id), BeginPasskeyRegistration { name: "laptop".to_owned() });
    let options = world.operations.begin_passkey_registration(&caller, begin).await.unwrap();
    let finish = FinishPasskeyRegistration { credential: FakePasskeys::answer(&options) };
    world.operations.finish_passkey_registration(&caller, finish).await.unwrap();
}

fn in_days(world: &World, days: i64) -> Timestamp {
    world.clock.now().plus(time::Duration::days(days))
}

async fn create(world: &World, caller: &Caller, expires_at: Option<Timestamp>) -> OpResult<CreatedKey> {
    let command = CreateApiKey { name: "bot".to_owned(), expires_at, policies: Vec::new(), allowed_cidrs: Vec::new() };
    world.operations.create_api_key(caller, command).await
}

#[tokio::test]
async fn every_member_reads_the_settings_and_what_is_not_named_stays() {
    let world = World::new().await;
    let (caller, reader) = (world.full_key().await, world.key(PolicySet::NONE).await);
    let read = async || {
        let command = GetWorkspaceSettings { workspace_id: world.workspace_id };
        world.operations.get_workspace_settings(&reader, command).await.unwrap()
    };
    assert_eq!(read().await.value, Settings::default());
    update(&world, &caller, key_days(&world, 30)).await.unwrap();
    let after = update(&world, &caller, mailed_codes(&world, false)).await.unwrap();
    assert_eq!((after.key_life.map(KeyLife::days), after.allow_email_step_up), (Some(30), false));
    assert_eq!(read().await.value, after);
}

#[tokio::test]
async fn a_limit_of_days_has_bounds_and_none_takes_it_away() {
    let world = World::new().await;
    for days in [-1, 3_651] {
        assert_eq!(refusal(set(&world, key_days(&world, days)).await), (Code::InvalidArgument, "INVALID_FIELD"));
    }
    assert!(set(&world, key_days(&world, 3_650)).await.unwrap().key_life.is_some());
    assert_eq!(set(&world, key_days(&world, 0)).await.unwrap().key_life, None);
}

#[tokio::test]
async fn asking_for_less_needs_a_step_up_and_asking_for_more_does_not() {
    let world = World::new().await;
    world.enrolled().await;
    let (caller, proven) = (world.full_key().await, world.full_key().await);
    world.step_up_by_app(&proven).await;
    for (stricter, laxer) in [
        (two_factor(&world, true), two_factor(&world, false)),
        (key_days(&world, 30), key_days(&world, 31)),
        (mailed_codes(&world, false), mailed_codes(&world, true)),
    ] {
        update(&world, &caller, stricter).await.unwrap();
        assert_eq!(refusal(update(&world, &caller, laxer.clone()).await), (FAILED, "STEP_UP_REQUIRED"));
        update(&world, &proven, laxer).await.unwrap();
    }
}

#[tokio::test]
async fn a_second_factor_is_not_asked_of_members_while_one_of_them_has_none() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, &[]).await;
    world.enrolled().await;
    let refused = set(&world, two_factor(&world, true)).await.unwrap_err();
    assert_eq!((refused.code, refused.reason.as_str()), (FAILED, "MEMBERS_WITHOUT_TWO_FACTOR"));
    assert!(refused.message.contains("passkey: 1;"), "{}", refused.message);
    register_passkey(&world, member.membership.user_id().unwrap()).await;
    assert!(set(&world, two_factor(&world, true)).await.unwrap().require_two_factor);
}

#[tokio::test]
async fn a_member_cannot_join_or_return_without_the_required_second_factor() {
    let world = World::new().await;
    world.enrolled().await;
    let idle = world.member("idle@example.com", Role::Member, &[]).await.membership;
    let suspend = SuspendMembership { workspace_id: world.workspace_id, membership_id: idle.id };
    world.operations.suspend_membership(&Caller::system(), suspend).await.unwrap();
    let (user_id, invited) = invite(&world, "ada@example.com").await;
    set(&world, two_factor(&world, true)).await.unwrap();
    assert_eq!(refusal(accept(&world, user_id, &invited).await), (FAILED, "TWO_FACTOR_REQUIRED"));
    let reinstate = ReinstateMembership { workspace_id: world.workspace_id, membership_id: idle.id };
    let refused = world.operations.reinstate_membership(&Caller::system(), reinstate).await;
    assert_eq!(refusal(refused), (FAILED, "TWO_FACTOR_REQUIRED"));
    register_passkey(&world, user_id).await;
    accept(&world, user_id, &invited).await.unwrap();
}

#[tokio::test]
async fn a_member_keeps_the_last_factor_that_a_workspace_asks_for() {
    let world = World::new().await;
    let passkey = world.passkey().await;
    let owner = passkey.user_id;
    world.enrol_app(&Caller::person(owner)).await;
    set(&world, two_factor(&world, true)).await.unwrap();
    world.operations.disable_totp(&Caller::person(owner)).await.unwrap();
    let delete = DeletePasskey { passkey_id: passkey.id };
    let refused = world.operations.delete_passkey(&Caller::person(owner), delete).await;
    assert_eq!(refusal(refused), (FAILED, "REQUIRED_BY_WORKSPACE"));
    set(&world, two_factor(&world, false)).await.unwrap();
    world.operations.delete_passkey(&Caller::person(owner), delete).await.unwrap();
}

#[tokio::test]
async fn the_last_app_is_kept_as_well() {
    let world = World::new().await;
    let (caller, _) = world.enrolled().await;
    set(&world, two_factor(&world, true)).await.unwrap();
    assert_eq!(refusal(world.operations.disable_totp(&caller).await), (FAILED, "REQUIRED_BY_WORKSPACE"));
}

#[tokio::test]
async fn a_new_key_ends_within_the_limit() {
    let world = World::new().await;
    let caller = world.proven_key().await;
    set(&world, key_days(&world, 30)).await.unwrap();
    for end in [None, Some(in_days(&world, 31))] {
        assert_eq!(refusal(create(&world, &caller, end).await), (FAILED, "EXPIRY_TOO_FAR"));
    }
    create(&world, &caller, Some(in_days(&world, 30))).await.unwrap();
}

#[tokio::test]
async fn a_key_is_not_given_more_time_than_the_limit_counted_from_when_it_was_made() {
    let world = World::new().await;
    let caller = world.proven_key().await;
    let key = world.issue(world.workspace_id, &world.owner, PolicySet::NONE).await;
    set(&world, key_days(&world, 30)).await.unwrap();
    let command = |name: Option<&str>, expiry| UpdateApiKey {
        workspace_id: world.workspace_id,
        api_key_id: key.key.id,
        name: name.map(str::to_owned),
        policies: None,
        expiry,
        allowed_cidrs: None,
        expected_version: None,
    };
    let update = async |command| world.operations.update_api_key(&caller, command).await;
    update(command(Some("Another name"), None)).await.unwrap();
    world.advance(time::Duration::minutes(1));
    for expiry in [Expiry::Never, Expiry::At(in_days(&world, 30))] {
        assert_eq!(refusal(update(command(None, Some(expiry))).await), (FAILED, "EXPIRY_TOO_FAR"));
    }
    update(command(None, Some(Expiry::At(in_days(&world, 29))))).await.unwrap();
}

#[tokio::test]
async fn what_takes_the_place_of_a_key_without_an_end_ends_at_the_limit() {
    let world = World::new().await;
    let caller = world.proven_key().await;
    let key = world.issue(world.workspace_id, &world.owner, PolicySet::NONE).await;
    set(&world, key_days(&world, 30)).await.unwrap();
    let command = RotateApiKey { workspace_id: world.workspace_id, api_key_id: key.key.id, overlap_seconds: Some(0) };
    let rotated = world.operations.rotate_api_key(&caller, command).await.unwrap();
    assert_eq!(rotated.key.expires_at, Some(in_days(&world, 30)));
}

#[tokio::test]
async fn a_mailed_code_opens_nothing_of_a_workspace_that_does_not_take_it() {
    let world = World::new().await;
    let caller = world.proven_key().await;
    set(&world, mailed_codes(&world, false)).await.unwrap();
    assert_eq!(refusal(create(&world, &caller, None).await), (FAILED, "EMAIL_STEP_UP_NOT_ALLOWED"));
    assert_eq!(refusal(world.operations.begin_step_up(&caller).await), (FAILED, "NO_STEP_UP_METHOD"));
    // What belongs to the user it still opens, so that a stronger factor can be added.
    world.operations.begin_step_up(&world.session().await).await.unwrap();
    world.enrol_app(&caller).await;
    world.step_up_by_app(&caller).await;
    create(&world, &caller, None).await.unwrap();
}

#[tokio::test]
async fn settings_are_changed_with_the_policy_workspace_alone() {
    let world = World::new().await;
    let caller = world.key_without(Policy::Workspace).await;
    let refused = update(&world, &caller, mailed_codes(&world, false)).await;
    assert_eq!(refusal(refused), (Code::PermissionDenied, "PERMISSION_DENIED"));
}
