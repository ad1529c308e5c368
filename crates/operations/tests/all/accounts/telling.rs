//! Who is told by mail of what happens to memberships, keys and passwords.

use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::policy::{Policy, PolicySet, Role};
use tradepost_domain::id::UserId;
use tradepost_operations::Caller;
use tradepost_operations::accounts::{
    AcceptMembership, ChangePassword, CreateApiKey, InviteMember, LeaveWorkspace, RemoveMembership,
};

use crate::harness::{PASSWORD, World};

/// What the latest mail to an address says.
fn told(world: &World, to: &EmailAddress) -> String {
    world.mailer.last_to(to).map(|mail| mail.text).unwrap_or_default()
}

/// Somebody new is invited by a caller.
async fn invite(world: &World, caller: &Caller, email: &str) -> (UserId, AcceptMembership) {
    let user_id = world.user(email).await;
    let command = InviteMember {
        workspace_id: world.workspace_id,
        email: email.to_owned(),
        role: Role::Member,
        policies: Vec::new(),
    };
    let membership_id = world.operations.invite_member(caller, command).await.unwrap().id;
    (user_id, AcceptMembership { membership_id })
}

#[tokio::test]
async fn who_invited_is_told_when_the_invitation_is_accepted() {
    let world = World::new().await;
    let inviter = world.member("boss@example.com", Role::Admin, &[]).await;
    let (user_id, accept) = invite(&world, &world.proven_key_of(&inviter).await, "ada@example.com").await;
    world.operations.accept_membership(&Caller::person(user_id), accept).await.unwrap();
    let told = told(&world, &inviter.email);
    assert!(told.contains("ada@example.com accepted your invitation"), "{told}");
}

#[tokio::test]
async fn who_invited_and_left_hears_nothing_of_it() {
    let world = World::new().await;
    let inviter = world.member("boss@example.com", Role::Admin, &[]).await;
    let caller = world.proven_key_of(&inviter).await;
    let (user_id, accept) = invite(&world, &caller, "ada@example.com").await;
    let leave = LeaveWorkspace { workspace_id: world.workspace_id };
    world.operations.leave_workspace(&caller, leave).await.unwrap();
    world.operations.accept_membership(&Caller::person(user_id), accept).await.unwrap();
    assert!(!told(&world, &inviter.email).contains("accepted"));
}

#[tokio::test]
async fn a_new_key_is_told_to_its_owner_and_to_those_who_manage_the_workspace() {
    let world = World::new().await;
    let admin = world.member("boss@example.com", Role::Admin, &[]).await;
    let clerk = world.member("ada@example.com", Role::Member, &[Policy::Workspace]).await;
    let caller = world.proven_key_of(&clerk).await;
    let command = CreateApiKey {
        name: "bot".to_owned(),
        expires_at: None,
        policies: vec!["workspace".to_owned()],
        allowed_cidrs: Vec::new(),
    };
    let created = world.operations.create_api_key(&caller, command).await.unwrap();
    let known = format!("\"bot\" ({}…)", created.key.prefix);
    assert!(told(&world, &clerk.email).contains(&format!("{known} was created with your account")));
    for manager in [&world.owner, &admin.email] {
        let told = told(&world, manager);
        assert!(
            told.contains(&format!("A person has a new API key {known}")) && told.contains("with workspace"),
            "{told}"
        );
    }
}

#[tokio::test]
async fn a_key_that_is_made_on_the_server_is_told_to_its_owner() {
    let world = World::new().await;
    let created = world.issue(world.workspace_id, &world.owner, PolicySet::NONE).await;
    assert!(told(&world, &world.owner).contains(&created.key.prefix));
}

#[tokio::test]
async fn those_who_manage_a_workspace_are_told_who_was_removed_and_which_keys_ended() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, &[]).await;
    let key = world.issue(world.workspace_id, &member.email, PolicySet::NONE).await;
    let command = RemoveMembership { workspace_id: world.workspace_id, membership_id: member.membership.id };
    world.operations.remove_membership(&Caller::system(), command).await.unwrap();
    let told = told(&world, &world.owner);
    assert!(told.contains("A person was removed from") && told.contains(&key.key.prefix), "{told}");
}

#[tokio::test]
async fn those_who_manage_a_workspace_are_told_who_left_by_deleting_the_account() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Admin, &[]).await;
    let key = world.issue(world.workspace_id, &member.email, PolicySet::NONE).await;
    world.operations.delete_user(&world.proven_session(&member.email).await).await.unwrap();
    let managers = told(&world, &world.owner);
    assert!(managers.contains("A person left") && managers.contains(&key.key.prefix), "{managers}");
    assert!(told(&world, &member.email).contains("Your account was deleted"));
}

#[tokio::test]
async fn who_sets_a_new_password_is_told_which_keys_stay() {
    let world = World::new().await;
    let key = world.issue(world.workspace_id, &world.owner, PolicySet::NONE).await;
    let command =
        ChangePassword { current_password: PASSWORD.into(), new_password: "nine quiet herons cross the marsh".into() };
    world.operations.change_password(&world.session().await, command).await.unwrap();
    let told = told(&world, &world.owner);
    assert!(told.contains(&format!("\"a key\" ({}…)", key.key.prefix)), "{told}");
}
