//! Deleting a workspace, what stops then, and restoring it.

use secrecy::ExposeSecret as _;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::policy::{Policy, PolicySet, Role};
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_operations::accounts::{
    AcceptMembership, DeleteWorkspace, GetWorkspace, InviteMember, RestoreWorkspace, UpdateWorkspace,
};
use tradepost_operations::{Caller, Code, OpResult};

use crate::harness::{World, address, refusal, unchanged};

const NAME: &str = "A workspace";

async fn delete(world: &World, caller: &Caller, name: &str) -> OpResult<Workspace> {
    let command = DeleteWorkspace { workspace_id: world.workspace_id, confirm_name: name.to_owned() };
    world.operations.delete_workspace(caller, command).await
}

async fn deleted(world: &World) -> Workspace {
    delete(world, &world.proven_session(&world.owner).await, NAME).await.unwrap()
}

async fn restore(world: &World, caller: &Caller) -> OpResult<Workspace> {
    world.operations.restore_workspace(caller, RestoreWorkspace { workspace_id: world.workspace_id }).await
}

async fn read(world: &World, caller: &Caller) -> OpResult<Workspace> {
    world.operations.get_workspace(caller, GetWorkspace { workspace_id: world.workspace_id }).await
}

async fn signed_in(world: &World, email: &EmailAddress) -> Caller {
    world.caller(&world.signed_in(email).await).await
}

#[tokio::test]
async fn its_name_must_be_typed() {
    let world = World::new().await;
    let refused = delete(&world, &world.proven_session(&world.owner).await, "Another workspace").await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "NAME_MISMATCH"));
}

#[tokio::test]
async fn only_the_owner_in_person_deletes_it_with_a_proof_under_two_minutes_old() {
    let world = World::new().await;
    let admin = world.member("admin@example.com", Role::Admin, &[]).await;
    for denied in [world.proven_key().await, world.proven_session(&admin.email).await] {
        assert_eq!(refusal(delete(&world, &denied, NAME).await), (Code::PermissionDenied, "PERMISSION_DENIED"));
    }
    let caller = world.proven_session(&world.owner).await;
    world.advance(time::Duration::minutes(2));
    assert_eq!(refusal(delete(&world, &caller, NAME).await), (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
}

#[tokio::test]
async fn every_key_of_it_is_dead_at_once_and_stays_so() {
    let world = World::new().await;
    let key = world.issue(world.workspace_id, &world.owner, PolicySet::EVERY).await;
    world.operations.authenticate(key.raw_key.expose_secret(), None).await.unwrap();
    deleted(&world).await;
    let refused = world.operations.authenticate(key.raw_key.expose_secret(), None).await;
    assert_eq!(refusal(refused), (Code::Unauthenticated, "UNAUTHENTICATED"));
    restore(&world, &signed_in(&world, &world.owner).await).await.unwrap();
    let refused = world.operations.authenticate(key.raw_key.expose_secret(), None).await;
    assert_eq!(refusal(refused), (Code::Unauthenticated, "UNAUTHENTICATED"));
}

#[tokio::test]
async fn its_members_see_that_it_is_deleted_and_others_see_no_difference() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, &[Policy::Trading]).await;
    world.user("stranger@example.com").await;
    let stranger = signed_in(&world, &address("stranger@example.com")).await;
    let before = read(&world, &stranger).await.unwrap_err();
    deleted(&world).await;
    for email in [&world.owner, &member.email] {
        let refused = read(&world, &signed_in(&world, email).await).await;
        assert_eq!(refusal(refused), (Code::FailedPrecondition, "WORKSPACE_DELETED"));
        assert!(world.mailer.sent().iter().any(|mail| mail.to == *email && mail.subject.ends_with("was deleted")));
    }
    let after = read(&world, &stranger).await.unwrap_err();
    assert_eq!((after.code, after.reason, after.message), (before.code, before.reason, before.message));
}

#[tokio::test]
async fn a_change_that_was_decided_before_the_deletion_is_refused_after_it() {
    let world = World::new().await;
    let admin = world.member("admin@example.com", Role::Admin, &[]).await;
    let before = signed_in(&world, &admin.email).await;
    deleted(&world).await;
    let rename = UpdateWorkspace { name: Some("Too late".to_owned()), ..unchanged(world.workspace_id) };
    let refused = world.operations.update_workspace(&before, rename).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "CALLER_CHANGED"));
}

#[tokio::test]
async fn an_invitation_into_it_cannot_be_accepted_until_it_is_restored() {
    let world = World::new().await;
    let user = world.user("guest@example.com").await;
    let invite = InviteMember {
        workspace_id: world.workspace_id,
        email: "guest@example.com".to_owned(),
        role: Role::Member,
        policies: vec![],
    };
    let membership_id = world.operations.invite_member(&Caller::system(), invite).await.unwrap().id;
    let accept =
        async || world.operations.accept_membership(&Caller::person(user), AcceptMembership { membership_id }).await;
    deleted(&world).await;
    assert_eq!(refusal(accept().await), (Code::FailedPrecondition, "WORKSPACE_DELETED"));
    restore(&world, &signed_in(&world, &world.owner).await).await.unwrap();
    assert!(accept().await.is_ok());
}

#[tokio::test]
async fn it_cannot_be_deleted_twice() {
    let world = World::new().await;
    deleted(&world).await;
    let refused = delete(&world, &world.proven_session(&world.owner).await, NAME).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "WORKSPACE_DELETED"));
}

#[tokio::test]
async fn its_owner_brings_it_back_with_its_members() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, &[Policy::Trading]).await;
    deleted(&world).await;
    let denied = restore(&world, &signed_in(&world, &member.email).await).await;
    assert_eq!(refusal(denied), (Code::PermissionDenied, "PERMISSION_DENIED"));
    world.advance(time::Duration::days(29));
    let restored = restore(&world, &signed_in(&world, &world.owner).await).await.unwrap();
    assert_eq!(restored.deleted_at, None);
    assert!(read(&world, &signed_in(&world, &member.email).await).await.is_ok());
}

#[tokio::test]
async fn an_active_workspace_or_one_deleted_thirty_days_ago_cannot_be_restored() {
    let world = World::new().await;
    let refused = restore(&world, &signed_in(&world, &world.owner).await).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "WORKSPACE_NOT_DELETED"));
    deleted(&world).await;
    world.advance(time::Duration::days(30));
    let refused = restore(&world, &signed_in(&world, &world.owner).await).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "WORKSPACE_DELETED"));
}
