//! What users say of themselves, who sees whom, and by what they can sign in.

use tradepost_domain::accounts::policy::{Policy, PolicySet, Role};
use tradepost_domain::accounts::user::User;
use tradepost_operations::accounts::{ChangeEmail, GetUser, GetUsers, LeaveWorkspace, SuspendMembership, UpdateUser};
use tradepost_operations::{Caller, Code, OpResult, Versioned};

use crate::harness::{PASSWORD, World, refusal};

async fn update(world: &World, caller: &Caller, command: UpdateUser) -> OpResult<Versioned<User>> {
    world.operations.update_user(caller, command).await
}

#[expect(clippy::unnecessary_wraps, reason = "commands take what is to change as an option")]
fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[tokio::test]
async fn what_is_not_named_of_a_profile_stays_and_an_empty_text_takes_away() {
    let world = World::new().await;
    let zurich = UpdateUser { locale: some("de-ch"), timezone: some("Europe/Zurich"), ..UpdateUser::default() };
    update(&world, &world.session().await, zurich).await.unwrap();
    let renamed = UpdateUser { display_name: some("Ada"), timezone: some(""), ..UpdateUser::default() };
    let user = update(&world, &world.session().await, renamed).await.unwrap().value;
    assert_eq!(user.display_name.as_str(), "Ada");
    assert_eq!(user.preferences.locale.unwrap().as_str(), "de-CH");
    assert_eq!(user.preferences.time_zone, None);
}

#[tokio::test]
async fn a_change_of_profile_decided_on_an_old_version_is_refused() {
    let world = World::new().await;
    let caller = world.session().await;
    let rename =
        |version| UpdateUser { display_name: some("Ada"), expected_version: Some(version), ..UpdateUser::default() };
    let first = update(&world, &caller, rename(1)).await.unwrap();
    assert_eq!(first.version, 2);
    let stale = update(&world, &world.session().await, rename(1)).await;
    assert_eq!(refusal(stale), (Code::FailedPrecondition, "VERSION_MISMATCH"));
}

#[tokio::test]
async fn a_profile_without_a_change_is_an_invalid_argument() {
    let world = World::new().await;
    let refused = update(&world, &world.session().await, UpdateUser::default()).await;
    assert_eq!(refusal(refused), (Code::InvalidArgument, "INVALID_FIELD"));
}

#[tokio::test]
async fn a_key_without_identity_cannot_change_its_owner() {
    let world = World::new().await;
    let caller = world.key_without(Policy::Identity).await;
    let rename = UpdateUser { display_name: some("Ada"), ..UpdateUser::default() };
    assert_eq!(refusal(update(&world, &caller, rename).await), (Code::PermissionDenied, "PERMISSION_DENIED"));
}

#[tokio::test]
async fn members_of_one_workspace_see_each_other_until_one_leaves() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, &[Policy::Trading]).await;
    let user_id = member.membership.user_id().unwrap();
    let caller = world.session().await;
    assert_eq!(world.operations.get_user(&caller, GetUser { user_id }).await.unwrap().id, user_id);
    let leave = LeaveWorkspace { workspace_id: world.workspace_id };
    world.operations.leave_workspace(&Caller::person(user_id), leave).await.unwrap();
    let refused = world.operations.get_user(&caller, GetUser { user_id }).await;
    assert_eq!(refusal(refused), (Code::NotFound, "NOT_FOUND"));
}

#[tokio::test]
async fn a_suspended_member_is_still_seen_by_name() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, &[Policy::Trading]).await.membership;
    let (user_id, caller) = (member.user_id().unwrap(), world.session().await);
    let suspend = SuspendMembership { workspace_id: world.workspace_id, membership_id: member.id };
    world.operations.suspend_membership(&Caller::system(), suspend).await.unwrap();
    assert_eq!(world.operations.get_user(&caller, GetUser { user_id }).await.unwrap().id, user_id);
}

#[tokio::test]
async fn a_stranger_is_answered_like_an_unknown_user() {
    let world = World::new().await;
    let stranger = world.user("stranger@example.com").await;
    let unknown = tradepost_domain::id::Id::from_bytes([0xee; 16]);
    for caller in [world.full_key().await, world.session().await] {
        let mut answers = Vec::new();
        for user_id in [stranger, unknown] {
            let error = world.operations.get_user(&caller, GetUser { user_id }).await.unwrap_err();
            answers.push((error.code, error.reason.as_str(), error.message));
        }
        assert_eq!(answers[0], answers[1]);
    }
}

#[tokio::test]
async fn a_key_sees_the_members_of_its_own_workspace_alone() {
    let world = World::new().await;
    let (elsewhere, other, _) = world.other_workspace().await;
    let owner = world.operations.get_current_user(&world.session().await).await.unwrap().user.value.id;
    let caller = world.key_of(elsewhere, &other, PolicySet::of(&[Policy::Analytics])).await;
    let batch = world.operations.get_users(&caller, GetUsers { user_ids: vec![owner] }).await.unwrap();
    assert_eq!((batch.found.len(), batch.missing), (0, vec![owner]));
}

#[tokio::test]
async fn credentials_name_the_address_that_waits_to_be_confirmed_for_as_long_as_it_can_be() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let before = world.operations.list_credentials(&caller).await.unwrap();
    assert_eq!((before.user.email, before.pending_email), (Some(world.owner.clone()), None));
    let change = ChangeEmail { new_email: "moved@example.com".to_owned(), password: PASSWORD.into() };
    world.operations.change_email(&caller, change).await.unwrap();
    let pending = world.operations.list_credentials(&caller).await.unwrap().pending_email;
    assert_eq!(pending.unwrap().as_str(), "moved@example.com");
    world.advance(time::Duration::hours(24));
    assert_eq!(world.operations.list_credentials(&caller).await.unwrap().pending_email, None);
}

#[tokio::test]
async fn credentials_list_an_app_and_show_no_secret() {
    let world = World::new().await;
    let caller = world.proven_key().await;
    assert!(!world.operations.list_credentials(&caller).await.unwrap().has_totp);
    world.enrol_app(&caller).await;
    let credentials = world.operations.list_credentials(&caller).await.unwrap();
    assert!(credentials.has_totp && credentials.user.password.is_some());
    assert_eq!((credentials.passkeys, credentials.linked.len()), (0, 0));
}
