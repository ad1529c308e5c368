//! The mails about changes of memberships, keys and passwords.

use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::policy::{Policy, PolicySet, Role};
use tradepost_domain::id::UserId;
use tradepost_operations::Caller;
use tradepost_operations::accounts::{
    AcceptMembership, ChangePassword, CreateApiKey, InviteMember, LeaveWorkspace, RemoveMembership,
};

use crate::harness::{PASSWORD, World};

/// The text of the latest mail to an address.
fn latest_mail_text(world: &World, to: &EmailAddress) -> String {
    world.mailer.last_to(to).map(|mail| mail.text).unwrap_or_default()
}

/// Invites a new user.
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
async fn an_inviter_gets_a_mail_when_the_invitation_is_accepted() {
    let world = World::new().await;
    let inviter = world.member("boss@example.com", Role::Admin, &[]).await;
    let (user_id, accept) = invite(&world, &world.proven_key_of(&inviter).await, "ada@example.com").await;
    world.operations.accept_membership(&Caller::person(user_id), accept).await.unwrap();
    let text = latest_mail_text(&world, &inviter.email);
    assert!(text.contains("ada@example.com accepted your invitation"), "{text}");
}

#[tokio::test]
async fn an_inviter_who_left_gets_no_mail_about_the_acceptance() {
    let world = World::new().await;
    let inviter = world.member("boss@example.com", Role::Admin, &[]).await;
    let caller = world.proven_key_of(&inviter).await;
    let (user_id, accept) = invite(&world, &caller, "ada@example.com").await;
    let leave = LeaveWorkspace { workspace_id: world.workspace_id };
    world.operations.leave_workspace(&caller, leave).await.unwrap();
    world.operations.accept_membership(&Caller::person(user_id), accept).await.unwrap();
    assert!(!latest_mail_text(&world, &inviter.email).contains("accepted"));
}

#[tokio::test]
async fn the_owner_and_the_managers_get_a_mail_about_a_new_key() {
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
    assert!(latest_mail_text(&world, &clerk.email).contains(&format!("{known} was created with your account")));
    for manager in [&world.owner, &admin.email] {
        let text = latest_mail_text(&world, manager);
        assert!(
            text.contains(&format!("A person has a new API key {known}")) && text.contains("with workspace"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn the_owner_gets_a_mail_about_a_key_made_on_the_server() {
    let world = World::new().await;
    let created = world.issue(world.workspace_id, &world.owner, PolicySet::NONE).await;
    assert!(latest_mail_text(&world, &world.owner).contains(&created.key.prefix));
}

#[tokio::test]
async fn managers_get_a_mail_about_a_removed_member_and_the_ended_keys() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, &[]).await;
    let key = world.issue(world.workspace_id, &member.email, PolicySet::NONE).await;
    let command = RemoveMembership { workspace_id: world.workspace_id, membership_id: member.membership.id };
    world.operations.remove_membership(&Caller::system(), command).await.unwrap();
    let text = latest_mail_text(&world, &world.owner);
    assert!(text.contains("A person was removed from") && text.contains(&key.key.prefix), "{text}");
}

#[tokio::test]
async fn managers_get_a_mail_about_a_member_who_deleted_the_account() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Admin, &[]).await;
    let key = world.issue(world.workspace_id, &member.email, PolicySet::NONE).await;
    world.operations.delete_user(&world.proven_session(&member.email).await).await.unwrap();
    let managers = latest_mail_text(&world, &world.owner);
    assert!(managers.contains("A person left") && managers.contains(&key.key.prefix), "{managers}");
    assert!(latest_mail_text(&world, &member.email).contains("Your account was deleted"));
}

#[tokio::test]
async fn a_user_who_sets_a_new_password_gets_a_mail_with_the_remaining_keys() {
    let world = World::new().await;
    let key = world.issue(world.workspace_id, &world.owner, PolicySet::NONE).await;
    let command =
        ChangePassword { current_password: PASSWORD.into(), new_password: "nine quiet herons cross the marsh".into() };
    world.operations.change_password(&world.session().await, command).await.unwrap();
    let text = latest_mail_text(&world, &world.owner);
    assert!(text.contains(&format!("\"a key\" ({}…)", key.key.prefix)), "{text}");
}
