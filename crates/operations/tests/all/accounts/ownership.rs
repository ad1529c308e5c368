//! Handing a workspace over to another member.

use tradepost_domain::accounts::membership::{Membership, Status};
use tradepost_domain::accounts::policy::{Policy, PolicySet, Role};
use tradepost_domain::id::MembershipId;
use tradepost_operations::accounts::{
    CreateWorkspace, GetMemberships, ListMemberships, SuspendMembership, TransferWorkspaceOwnership,
};
use tradepost_operations::{Caller, Code, OpResult};

use crate::harness::{Member, World, refusal};

async fn transfer(world: &World, caller: &Caller, to: MembershipId) -> OpResult<Membership> {
    let command = TransferWorkspaceOwnership { workspace_id: world.workspace_id, membership_id: to };
    world.operations.transfer_workspace_ownership(caller, command).await
}

/// A member with an authenticator app.
async fn heir(world: &World, email: &str) -> Member {
    let heir = world.member(email, Role::Member, &[Policy::Trading]).await;
    world.enrol_app(&Caller::person(heir.membership.user_id().unwrap())).await;
    heir
}

/// The accepted members of the workspace.
async fn members(world: &World) -> Vec<Membership> {
    let workspace_id = world.workspace_id;
    let list = ListMemberships { workspace_id, status: Some(Status::Accepted), limit: 200, cursor: String::new() };
    let membership_ids = world.operations.list_memberships(&Caller::system(), list).await.unwrap().entries;
    let get = GetMemberships { workspace_id, membership_ids };
    let batch = world.operations.get_memberships(&Caller::system(), get).await.unwrap();
    batch.found.into_iter().map(|found| found.value).collect()
}

fn owners(members: &[Membership]) -> Vec<MembershipId> {
    members.iter().filter(|member| member.role == Role::Owner).map(|member| member.id).collect()
}

#[tokio::test]
async fn the_new_owner_holds_every_policy_and_the_old_one_is_an_admin() {
    let world = World::new().await;
    let heir = heir(&world, "heir@example.com").await;
    let caller = world.proven_session(&world.owner).await;
    let owner = transfer(&world, &caller, heir.membership.id).await.unwrap();
    assert_eq!((owner.role, owner.rights()), (Role::Owner, PolicySet::OPERATIONAL));
    let members = members(&world).await;
    assert_eq!(owners(&members), [heir.membership.id]);
    assert!(members.iter().any(|member| member.role == Role::Admin));
}

#[tokio::test]
async fn both_sides_of_a_transfer_get_a_mail() {
    let world = World::new().await;
    let heir = heir(&world, "heir@example.com").await;
    let caller = world.proven_session(&world.owner).await;
    transfer(&world, &caller, heir.membership.id).await.unwrap();
    for concerned in [&world.owner, &heir.email] {
        assert!(world.mailer.last_to(concerned).unwrap().subject.ends_with("has another owner"));
    }
}

#[tokio::test]
async fn a_transfer_needs_the_owner_in_person_with_a_proof_of_the_last_two_minutes() {
    let world = World::new().await;
    let heir = heir(&world, "heir@example.com").await;
    let admin = world.member("admin@example.com", Role::Admin, &[]).await;
    for denied in [world.proven_key().await, world.proven_session(&admin.email).await] {
        let refused = transfer(&world, &denied, heir.membership.id).await;
        assert_eq!(refusal(refused), (Code::PermissionDenied, "PERMISSION_DENIED"));
    }
    let caller = world.proven_session(&world.owner).await;
    world.advance(time::Duration::minutes(2));
    let refused = transfer(&world, &caller, heir.membership.id).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
}

#[tokio::test]
async fn only_an_accepted_member_with_a_strong_factor_becomes_the_owner() {
    let world = World::new().await;
    let weak = world.member("weak@example.com", Role::Admin, &[]).await;
    let suspended = heir(&world, "suspended@example.com").await;
    let suspend = SuspendMembership { workspace_id: world.workspace_id, membership_id: suspended.membership.id };
    world.operations.suspend_membership(&Caller::system(), suspend).await.unwrap();
    let own = owners(&members(&world).await)[0];
    let caller = world.proven_session(&world.owner).await;
    for (target, reason) in
        [(weak.membership.id, "TARGET_NO_TWO_FACTOR"), (suspended.membership.id, "NOT_ACCEPTED"), (own, "NOT_ACCEPTED")]
    {
        assert_eq!(refusal(transfer(&world, &caller, target).await), (Code::FailedPrecondition, reason));
    }
}

#[tokio::test]
async fn who_owns_ten_workspaces_takes_over_no_further_one() {
    let world = World::new().await;
    let heir = heir(&world, "heir@example.com").await;
    let person = Caller::person(heir.membership.user_id().unwrap());
    for number in 1..=10 {
        let own = CreateWorkspace {
            name: format!("Desk {number}"),
            description: String::new(),
            base_currency: String::new(),
        };
        world.operations.create_workspace(&person, own).await.unwrap();
    }
    let caller = world.proven_session(&world.owner).await;
    let refused = transfer(&world, &caller, heir.membership.id).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "WORKSPACE_LIMIT"));
}
