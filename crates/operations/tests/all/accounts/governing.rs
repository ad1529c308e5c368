//! Changing, suspending and ending memberships, and the outcome for the members' keys.

use secrecy::ExposeSecret as _;
use tradepost_domain::accounts::membership::{Membership, Status};
use tradepost_domain::accounts::policy::{Policy, PolicySet, Role};
use tradepost_domain::id::MembershipId;
use tradepost_domain::transition::Subject;
use tradepost_operations::accounts::{
    LeaveWorkspace, ReinstateMembership, RemoveMembership, SuspendMembership, UpdateMembership,
};
use tradepost_operations::{Caller, Code, OpResult, Versioned};
use tradepost_ports::store::Records;

use crate::harness::{World, refusal};

const TRADER: &[Policy] = &[Policy::Trading];
const CLERK: &[Policy] = &[Policy::Workspace];

async fn remove(world: &World, caller: &Caller, membership_id: MembershipId) -> OpResult<Membership> {
    let command = RemoveMembership { workspace_id: world.workspace_id, membership_id };
    world.operations.remove_membership(caller, command).await
}

async fn suspend(world: &World, caller: &Caller, membership_id: MembershipId) -> OpResult<Membership> {
    let command = SuspendMembership { workspace_id: world.workspace_id, membership_id };
    world.operations.suspend_membership(caller, command).await
}

async fn reinstate(world: &World, caller: &Caller, membership_id: MembershipId) -> OpResult<Membership> {
    let command = ReinstateMembership { workspace_id: world.workspace_id, membership_id };
    world.operations.reinstate_membership(caller, command).await
}

async fn leave(world: &World, caller: &Caller) -> OpResult<Membership> {
    world.operations.leave_workspace(caller, LeaveWorkspace { workspace_id: world.workspace_id }).await
}

fn change(
    world: &World,
    membership_id: MembershipId,
    role: Option<Role>,
    policies: Option<&[&str]>,
) -> UpdateMembership {
    UpdateMembership {
        workspace_id: world.workspace_id,
        membership_id,
        role,
        policies: policies.map(|names| names.iter().map(|name| (*name).to_owned()).collect()),
        expected_version: None,
    }
}

async fn update(world: &World, caller: &Caller, command: UpdateMembership) -> OpResult<Versioned<Membership>> {
    world.operations.update_membership(caller, command).await
}

/// The owner's membership.
async fn of_owner(world: &World) -> MembershipId {
    world.full_key().await.principal.key().unwrap().membership_id
}

/// What the log says of a record, from its first entry on.
async fn log(world: &World, subject: Subject) -> Vec<(&'static str, &'static str)> {
    let scope = Caller::system().principal.enter(world.workspace_id, PolicySet::NONE).unwrap();
    let entries = world.store.transitions().list_of(scope, subject, 10).await.unwrap();
    entries.into_iter().map(|entry| (entry.trigger, entry.to)).collect()
}

#[tokio::test]
async fn a_removed_members_keys_open_nothing_at_once() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, TRADER).await;
    let key = world.issue(world.workspace_id, &member.email, PolicySet::EVERY).await;
    let secret = key.raw_key.expose_secret();
    world.operations.authenticate(secret, None).await.unwrap();
    let owner = world.proven_key().await;
    let removed = remove(&world, &owner, member.membership.id).await.unwrap();
    assert_eq!((removed.status(), removed.rights()), (Status::Removed, PolicySet::NONE));
    assert_eq!(refusal(world.operations.authenticate(secret, None).await), (Code::Unauthenticated, "UNAUTHENTICATED"));
    assert_eq!(log(&world, Subject::ApiKey(key.key.id)).await, [("owner_left", "REVOKED")]);
}

#[tokio::test]
async fn removing_one_member_leaves_the_keys_of_others() {
    let world = World::new().await;
    let (removed, other) = (
        world.member("ada@example.com", Role::Member, TRADER).await,
        world.member("bob@example.com", Role::Member, TRADER).await,
    );
    let key = world.issue(world.workspace_id, &other.email, PolicySet::EVERY).await;
    remove(&world, &Caller::system(), removed.membership.id).await.unwrap();
    assert!(world.operations.authenticate(key.raw_key.expose_secret(), None).await.is_ok());
}

#[tokio::test]
async fn a_removed_member_gets_a_mail_with_the_keys_that_ended() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, TRADER).await;
    let key = world.issue(world.workspace_id, &member.email, PolicySet::EVERY).await;
    remove(&world, &Caller::system(), member.membership.id).await.unwrap();
    let mail = world.mailer.last_to(&member.email).unwrap();
    assert!(mail.subject.ends_with("ended") && mail.text.contains(&key.key.prefix), "{}", mail.text);
}

#[tokio::test]
async fn a_member_who_left_can_be_invited_again_and_the_old_keys_stay_dead() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, TRADER).await;
    let key = world.issue(world.workspace_id, &member.email, PolicySet::EVERY).await;
    let caller = world.key_of_member(&member).await;
    assert_eq!(leave(&world, &caller).await.unwrap().status(), Status::Left);
    let offer = tradepost_operations::accounts::InviteMember {
        workspace_id: world.workspace_id,
        email: member.email.to_string(),
        role: Role::Member,
        policies: Vec::new(),
    };
    let again = world.operations.invite_member(&Caller::system(), offer).await.unwrap();
    let user = Caller::person(member.membership.user_id().unwrap());
    let accept = tradepost_operations::accounts::AcceptMembership { membership_id: again.id };
    world.operations.accept_membership(&user, accept).await.unwrap();
    let old = world.operations.authenticate(key.raw_key.expose_secret(), None).await;
    assert_eq!(refusal(old), (Code::Unauthenticated, "UNAUTHENTICATED"));
}

#[tokio::test]
async fn the_key_that_leaves_dies_with_the_membership() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, TRADER).await;
    let caller = world.key_of_member(&member).await;
    leave(&world, &caller).await.unwrap();
    assert_eq!(refusal(leave(&world, &caller).await), (Code::PermissionDenied, "PERMISSION_DENIED"));
    assert!(world.mailer.last_to(&world.owner).unwrap().text.contains("A person left"));
}

#[tokio::test]
async fn a_workspace_can_be_left_through_a_key_of_another_one() {
    let world = World::new().await;
    let (_, other, caller) = world.other_workspace().await;
    let offer = tradepost_operations::accounts::InviteMember {
        workspace_id: world.workspace_id,
        email: other.to_string(),
        role: Role::Member,
        policies: Vec::new(),
    };
    let membership_id = world.operations.invite_member(&Caller::system(), offer).await.unwrap().id;
    let accept = tradepost_operations::accounts::AcceptMembership { membership_id };
    world.operations.accept_membership(&caller, accept).await.unwrap();
    assert_eq!(leave(&world, &caller).await.unwrap().id, membership_id);
}

#[tokio::test]
async fn a_foreign_workspace_cannot_be_left_whether_it_exists_or_not() {
    let world = World::new().await;
    let (foreign, _, _) = world.other_workspace().await;
    let caller = world.full_key().await;
    for workspace_id in [foreign, tradepost_domain::id::WorkspaceId::from_bytes([0xEE; 16])] {
        let refused = world.operations.leave_workspace(&caller, LeaveWorkspace { workspace_id }).await;
        assert_eq!(refusal(refused), (Code::PermissionDenied, "PERMISSION_DENIED"));
    }
}

#[tokio::test]
async fn a_workspace_always_has_its_owner() {
    let world = World::new().await;
    let (owner, id) = (world.proven_key().await, of_owner(&world).await);
    assert_eq!(refusal(leave(&world, &owner).await), (Code::FailedPrecondition, "OWNER_CANNOT_LEAVE"));
    for refused in [remove(&world, &owner, id).await, suspend(&world, &owner, id).await] {
        assert_eq!(refusal(refused), (Code::FailedPrecondition, "LAST_OWNER"));
    }
    let demoted = update(&world, &owner, change(&world, id, Some(Role::Member), None)).await;
    assert_eq!(refusal(demoted), (Code::FailedPrecondition, "LAST_OWNER"));
}

#[tokio::test]
async fn admins_and_the_owner_are_governed_by_the_owner_alone() {
    let world = World::new().await;
    let admin = world.member("ada@example.com", Role::Admin, &[]).await;
    let other = world.member("bob@example.com", Role::Admin, &[]).await;
    let caller = world.proven_key_of(&admin).await;
    for id in [other.membership.id, of_owner(&world).await] {
        for refused in [remove(&world, &caller, id).await, suspend(&world, &caller, id).await] {
            assert_eq!(refusal(refused), (Code::PermissionDenied, "ROLE_EXCEEDS_CALLER"));
        }
    }
    let owner = world.proven_key().await;
    assert_eq!(remove(&world, &owner, other.membership.id).await.unwrap().status(), Status::Removed);
}

#[tokio::test]
async fn a_suspended_members_keys_hold_nothing_until_the_member_is_reinstated() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, TRADER).await;
    let key = world.issue(world.workspace_id, &member.email, PolicySet::EVERY).await;
    let secret = key.raw_key.expose_secret();
    let owner = world.proven_key().await;
    for (suspended, held) in [(true, PolicySet::NONE), (false, PolicySet::of(&[Policy::Trading, Policy::Identity]))] {
        let turned = if suspended {
            suspend(&world, &owner, member.membership.id).await
        } else {
            reinstate(&world, &owner, member.membership.id).await
        };
        assert_eq!(turned.unwrap().status() == Status::Suspended, suspended);
        let caller = world.operations.authenticate(secret, None).await.unwrap();
        assert_eq!(caller.principal.key().unwrap().rights, held);
        assert_eq!(caller.principal.enter_as_member(world.workspace_id).is_ok(), !suspended);
    }
    let mail = world.mailer.last_to(&member.email).unwrap();
    assert!(mail.subject.contains("reinstated"), "{}", mail.subject);
    let steps = log(&world, Subject::Membership(member.membership.id)).await;
    assert_eq!(steps[2..], [("suspend", "SUSPENDED"), ("reinstate", "ACCEPTED")]);
}

#[tokio::test]
async fn a_suspended_member_may_leave() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, TRADER).await;
    suspend(&world, &Caller::system(), member.membership.id).await.unwrap();
    let user = Caller::person(member.membership.user_id().unwrap());
    assert_eq!(leave(&world, &user).await.unwrap().status(), Status::Left);
}

#[tokio::test]
async fn each_step_is_taken_from_where_it_can_be() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, TRADER).await;
    let (system, id) = (Caller::system(), member.membership.id);
    let not_suspended = (Code::FailedPrecondition, "MEMBERSHIP_NOT_SUSPENDED");
    let not_accepted = (Code::FailedPrecondition, "MEMBERSHIP_NOT_ACCEPTED");
    assert_eq!(refusal(reinstate(&world, &system, id).await), not_suspended);
    suspend(&world, &system, id).await.unwrap();
    assert_eq!(refusal(suspend(&world, &system, id).await), not_accepted);
    remove(&world, &system, id).await.unwrap();
    assert_eq!(refusal(remove(&world, &system, id).await), not_accepted);
    assert_eq!(refusal(reinstate(&world, &system, id).await), not_suspended);
    let late = update(&world, &system, change(&world, id, None, Some(&[]))).await;
    assert_eq!(refusal(late), not_accepted);
}

#[tokio::test]
async fn new_rights_bound_the_members_keys_at_once() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, &[Policy::Trading, Policy::Analytics]).await;
    let key = world.issue(world.workspace_id, &member.email, PolicySet::OPERATIONAL).await;
    let owner = world.proven_key().await;
    let rights = async || {
        let caller = world.operations.authenticate(key.raw_key.expose_secret(), None).await.unwrap();
        caller.principal.key().unwrap().rights
    };
    let id = member.membership.id;
    update(&world, &owner, change(&world, id, None, Some(&["analytics"]))).await.unwrap();
    assert_eq!(rights().await, PolicySet::of(&[Policy::Analytics]));
    let promoted = update(&world, &owner, change(&world, id, Some(Role::Admin), None)).await.unwrap();
    assert_eq!((promoted.value.role, promoted.version), (Role::Admin, 4));
    assert_eq!(rights().await, PolicySet::OPERATIONAL);
    assert!(world.mailer.last_to(&member.email).unwrap().text.contains("you are admin now"));
}

#[tokio::test]
async fn a_manager_cannot_give_a_member_more_than_they_hold() {
    let world = World::new().await;
    let clerk = world.member("ada@example.com", Role::Member, CLERK).await;
    let member = world.member("bob@example.com", Role::Member, TRADER).await;
    let caller = world.proven_key_of(&clerk).await;
    let id = member.membership.id;
    for (role, policies, reason) in [
        (None, Some(["trading", "analytics"].as_slice()), "POLICIES_EXCEED_CALLER"),
        (Some(Role::Admin), None, "ROLE_EXCEEDS_CALLER"),
    ] {
        let refused = update(&world, &caller, change(&world, id, role, policies)).await;
        assert_eq!(refusal(refused), (Code::PermissionDenied, reason));
    }
    // What the member holds already may stay.
    let given = update(&world, &caller, change(&world, id, None, Some(&["trading", "workspace"]))).await.unwrap();
    assert_eq!(given.value.rights(), PolicySet::of(&[Policy::Trading, Policy::Workspace]));
}

#[tokio::test]
async fn a_change_of_rights_is_refused_when_it_says_nothing_or_nonsense() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, TRADER).await;
    let (system, id) = (Caller::system(), member.membership.id);
    for (role, policies, reason) in [
        (None, None, "INVALID_FIELD"),
        (None, Some(["godmode"].as_slice()), "UNKNOWN_POLICY"),
        (None, Some(["identity"].as_slice()), "INVALID_OFFER"),
        (Some(Role::Owner), None, "INVALID_OFFER"),
    ] {
        let refused = update(&world, &system, change(&world, id, role, policies)).await;
        assert_eq!(refusal(refused), (Code::InvalidArgument, reason));
    }
}

#[tokio::test]
async fn a_change_on_an_old_version_is_refused() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, TRADER).await;
    let at = |version| UpdateMembership {
        expected_version: Some(version),
        ..change(&world, member.membership.id, None, Some(&[]))
    };
    let refused = update(&world, &Caller::system(), at(1)).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "VERSION_MISMATCH"));
    assert_eq!(update(&world, &Caller::system(), at(2)).await.unwrap().version, 3);
}

#[tokio::test]
async fn taking_and_giving_rights_needs_a_recent_second_factor_and_suspending_does_not() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, TRADER).await;
    let (caller, id) = (world.full_key().await, member.membership.id);
    let needed = (Code::FailedPrecondition, "STEP_UP_REQUIRED");
    assert_eq!(refusal(remove(&world, &caller, id).await), needed);
    assert_eq!(refusal(update(&world, &caller, change(&world, id, None, Some(&[]))).await), needed);
    suspend(&world, &caller, id).await.unwrap();
    assert_eq!(refusal(reinstate(&world, &caller, id).await), needed);
}

#[tokio::test]
async fn a_foreign_membership_is_not_found() {
    let world = World::new().await;
    let (_, _, foreign) = world.other_workspace().await;
    let id = foreign.principal.key().unwrap().membership_id;
    let owner = world.proven_key().await;
    for refused in [remove(&world, &owner, id).await, suspend(&world, &owner, id).await] {
        assert_eq!(refusal(refused), (Code::NotFound, "NOT_FOUND"));
    }
}

#[tokio::test]
async fn a_key_made_while_its_member_is_removed_does_not_outlive_the_removal() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, CLERK).await;
    let caller = world.proven_key_of(&member).await;
    remove(&world, &Caller::system(), member.membership.id).await.unwrap();
    let command = tradepost_operations::accounts::CreateApiKey {
        name: "late".to_owned(),
        expires_at: None,
        policies: Vec::new(),
        allowed_cidrs: Vec::new(),
    };
    assert!(world.operations.create_api_key(&caller, command).await.is_err());
    let scope = Caller::system().principal.enter(world.workspace_id, PolicySet::NONE).unwrap();
    let left = world.store.api_keys().list(scope, tradepost_ports::clock::Clock::now(&*world.clock)).await.unwrap();
    assert!(left.iter().all(|listed| listed.key.peek().membership_id != member.membership.id));
}
