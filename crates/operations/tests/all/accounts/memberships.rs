//! Inviting, accepting, and who sees which membership.

use time::Duration;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::membership::{Membership, Status};
use tradepost_domain::accounts::policy::{Policy, PolicySet, Role};
use tradepost_operations::accounts::{
    AcceptMembership, CountMemberships, GetMembership, GetMemberships, GetWorkspace, InviteMember, LeaveWorkspace,
    ListMemberships,
};
use tradepost_operations::{Caller, Code};

use crate::harness::{World, address, refusal};

fn invitation(world: &World, email: &EmailAddress) -> InviteMember {
    InviteMember {
        workspace_id: world.workspace_id,
        email: email.to_string(),
        role: Role::Member,
        policies: vec!["analytics".to_owned()],
    }
}

async fn invite(world: &World, email: &EmailAddress) -> Membership {
    world.operations.invite_member(&Caller::system(), invitation(world, email)).await.unwrap()
}

async fn accept(
    world: &World,
    caller: &Caller,
    invited: &Membership,
) -> Result<Membership, tradepost_operations::OpError> {
    world.operations.accept_membership(caller, AcceptMembership { membership_id: invited.id }).await
}

#[tokio::test]
async fn the_invited_person_joins_with_the_policies_offered() {
    let world = World::new().await;
    let (_, other, caller) = world.other_workspace().await;
    let invited = invite(&world, &other).await;
    assert_eq!((invited.status(), invited.user_id()), (Status::Invited, None));
    world.advance(Duration::hours(1));
    let accepted = accept(&world, &caller, &invited).await.unwrap();
    assert_eq!(accepted.status(), Status::Accepted);
    assert_eq!(accepted.rights(), PolicySet::of(&[Policy::Analytics]));
    assert!(accepted.updated_at > invited.updated_at);
}

#[tokio::test]
async fn accepting_twice_is_a_failed_precondition() {
    let world = World::new().await;
    let (_, other, caller) = world.other_workspace().await;
    let invited = invite(&world, &other).await;
    accept(&world, &caller, &invited).await.unwrap();
    assert_eq!(refusal(accept(&world, &caller, &invited).await), (Code::FailedPrecondition, "MEMBERSHIP_NOT_PENDING"));
}

#[tokio::test]
async fn an_invitation_runs_out_after_seven_days() {
    let world = World::new().await;
    let (_, other, caller) = world.other_workspace().await;
    let invited = invite(&world, &other).await;
    world.advance(Duration::days(7));
    assert_eq!(refusal(accept(&world, &caller, &invited).await), (Code::FailedPrecondition, "INVITATION_EXPIRED"));
}

#[tokio::test]
async fn another_users_invitation_is_not_found() {
    let world = World::new().await;
    let (_, _, caller) = world.other_workspace().await;
    let invited = invite(&world, &address("third@example.com")).await;
    assert_eq!(refusal(accept(&world, &caller, &invited).await), (Code::NotFound, "NOT_FOUND"));
}

#[tokio::test]
async fn a_key_without_identity_cannot_accept() {
    let world = World::new().await;
    let (workspace, other, _) = world.other_workspace().await;
    let invited = invite(&world, &other).await;
    let caller = world.key_of(workspace, &other, PolicySet::OPERATIONAL).await;
    assert_eq!(refusal(accept(&world, &caller, &invited).await), (Code::PermissionDenied, "PERMISSION_DENIED"));
}

#[tokio::test]
async fn inviting_needs_a_recent_second_factor() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let command = invitation(&world, &address("new@example.com"));
    let asked = world.operations.invite_member(&caller, command.clone()).await;
    assert_eq!(refusal(asked), (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
    world.step_up(&caller).await;
    assert!(world.operations.invite_member(&caller, command).await.is_ok());
}

#[tokio::test]
async fn an_invitation_is_mailed_to_the_address() {
    let world = World::new().await;
    let invited = invite(&world, &address("new@example.com")).await;
    let mail = world.mailer.last_to(&address("new@example.com")).unwrap();
    assert!(mail.text.contains(&invited.id.to_string()), "{}", mail.text);
}

#[tokio::test]
async fn a_second_invitation_of_an_address_already_exists() {
    let world = World::new().await;
    invite(&world, &address("new@example.com")).await;
    let again =
        world.operations.invite_member(&Caller::system(), invitation(&world, &address("NEW@example.com"))).await;
    assert_eq!(refusal(again), (Code::AlreadyExists, "ALREADY_INVITED"));
}

#[tokio::test]
async fn a_member_cannot_be_invited_again() {
    let world = World::new().await;
    let again = world.operations.invite_member(&Caller::system(), invitation(&world, &world.owner)).await;
    assert_eq!(refusal(again), (Code::AlreadyExists, "ALREADY_MEMBER"));
}

#[tokio::test]
async fn a_caller_cannot_offer_more_than_their_key_holds() {
    let world = World::new().await;
    let caller = world.key(PolicySet::of(&[Policy::Workspace])).await;
    let refused = world.operations.invite_member(&caller, invitation(&world, &address("new@example.com"))).await;
    assert_eq!(refusal(refused), (Code::PermissionDenied, "POLICIES_EXCEED_CALLER"));
}

#[tokio::test]
async fn a_workspace_takes_a_hundred_members_and_invitations() {
    let world = World::new().await;
    for number in 1..100 {
        invite(&world, &address(&format!("person{number}@example.com"))).await;
    }
    let refused =
        world.operations.invite_member(&Caller::system(), invitation(&world, &address("late@example.com"))).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "MEMBER_LIMIT"));
}

#[tokio::test]
async fn memberships_are_counted_by_status_with_zeros() {
    let world = World::new().await;
    invite(&world, &address("new@example.com")).await;
    let caller = world.full_key().await;
    let all = CountMemberships { user_id: None, workspace_id: None };
    let counts = world.operations.count_memberships(&caller, all).await.unwrap();
    let counts: Vec<(Status, i64)> = counts.into_iter().map(|count| (count.status, count.count)).collect();
    assert_eq!(counts[..3], [(Status::Invited, 1), (Status::Accepted, 1), (Status::Suspended, 0)]);
    assert_eq!(counts.len(), Status::ALL.len());
}

#[tokio::test]
async fn a_user_counts_memberships_across_workspaces_invitations_included() {
    let world = World::new().await;
    let (_, other, caller) = world.other_workspace().await;
    invite(&world, &other).await;
    let user_id = caller.principal.act_as_user().unwrap();
    let own = CountMemberships { user_id: Some(user_id), workspace_id: None };
    let counts = world.operations.count_memberships(&caller, own).await.unwrap();
    assert_eq!((counts[0].count, counts[1].count), (1, 1));
}

#[tokio::test]
async fn another_users_memberships_across_workspaces_are_not_counted() {
    let world = World::new().await;
    let (_, _, other) = world.other_workspace().await;
    let user_id = other.principal.act_as_user().unwrap();
    let caller = world.full_key().await;
    let theirs = CountMemberships { user_id: Some(user_id), workspace_id: None };
    let refused = world.operations.count_memberships(&caller, theirs).await;
    assert_eq!(refusal(refused), (Code::PermissionDenied, "PERMISSION_DENIED"));
}

#[tokio::test]
async fn a_foreign_workspace_is_denied_whether_it_exists_or_not() {
    let world = World::new().await;
    let (foreign, _, _) = world.other_workspace().await;
    let nowhere = tradepost_domain::id::WorkspaceId::from_bytes([0xEE; 16]);
    let caller = world.full_key().await;
    for workspace_id in [foreign, nowhere] {
        let refused = world.operations.get_workspace(&caller, GetWorkspace { workspace_id }).await.unwrap_err();
        assert_eq!((refused.code, refused.reason.as_str()), (Code::PermissionDenied, "PERMISSION_DENIED"));
        assert_eq!(refused.message, "this API key or session is not allowed to do this here");
    }
}

#[tokio::test]
async fn a_key_without_any_policy_can_still_see_its_workspace() {
    let world = World::new().await;
    let caller = world.key(PolicySet::NONE).await;
    let command = GetWorkspace { workspace_id: world.workspace_id };
    assert_eq!(world.operations.get_workspace(&caller, command).await.unwrap().name.as_str(), "A workspace");
}

#[tokio::test]
async fn memberships_are_listed_newest_first_and_paged() {
    let world = World::new().await;
    let newest = invite(&world, &address("a@example.com")).await;
    let caller = world.full_key().await;
    let page = |cursor: String| ListMemberships { workspace_id: world.workspace_id, status: None, limit: 1, cursor };
    let first = world.operations.list_memberships(&caller, page(String::new())).await.unwrap();
    assert_eq!(first.entries, [newest.id]);
    let second = world.operations.list_memberships(&caller, page(first.next_cursor)).await.unwrap();
    assert_eq!((second.entries.len(), second.next_cursor.as_str()), (1, ""));
}

#[tokio::test]
async fn a_cursor_of_another_filter_is_refused() {
    let world = World::new().await;
    invite(&world, &address("a@example.com")).await;
    let caller = world.full_key().await;
    let all = ListMemberships { workspace_id: world.workspace_id, status: None, limit: 1, cursor: String::new() };
    let cursor = world.operations.list_memberships(&caller, all.clone()).await.unwrap().next_cursor;
    let filtered = ListMemberships { status: Some(Status::Invited), cursor, ..all };
    let refused = world.operations.list_memberships(&caller, filtered).await;
    assert_eq!(refusal(refused), (Code::InvalidArgument, "INVALID_CURSOR"));
}

#[tokio::test]
async fn a_batch_keeps_the_order_and_names_what_is_missing() {
    let world = World::new().await;
    let (a, b) = (invite(&world, &address("a@example.com")).await, invite(&world, &address("b@example.com")).await);
    let unknown = tradepost_domain::id::MembershipId::from_bytes([0xEE; 16]);
    let caller = world.full_key().await;
    let command = GetMemberships { workspace_id: world.workspace_id, membership_ids: vec![b.id, unknown, a.id, b.id] };
    let batch = world.operations.get_memberships(&caller, command).await.unwrap();
    assert_eq!(batch.found.iter().map(|found| found.value.id).collect::<Vec<_>>(), [b.id, a.id]);
    assert_eq!(batch.missing, [unknown]);
}

#[tokio::test]
async fn one_sees_ones_own_invitation_into_a_foreign_workspace() {
    let world = World::new().await;
    let (_, other, caller) = world.other_workspace().await;
    let mine = invite(&world, &other).await;
    let theirs = invite(&world, &address("third@example.com")).await;
    let get = |membership_id| world.operations.get_membership(&caller, GetMembership { membership_id });
    assert_eq!(get(mine.id).await.unwrap().value.id, mine.id);
    assert_eq!(refusal(get(theirs.id).await), (Code::NotFound, "NOT_FOUND"));
}

#[tokio::test]
async fn to_whom_an_invitation_went_is_shown_only_with_the_policy_workspace() {
    let world = World::new().await;
    let invited = invite(&world, &address("new@example.com")).await;
    let manager = world.key(PolicySet::of(&[Policy::Workspace])).await;
    let analyst = world.key(PolicySet::of(&[Policy::Analytics])).await;
    let several = GetMemberships { workspace_id: world.workspace_id, membership_ids: vec![invited.id] };
    for (caller, shown) in [(manager, invited.invitee.clone()), (analyst, None)] {
        let one = world.operations.get_membership(&caller, GetMembership { membership_id: invited.id }).await.unwrap();
        assert_eq!(one.value, Membership { invitee: shown.clone(), ..invited.clone() });
        let batch = world.operations.get_memberships(&caller, several.clone()).await.unwrap();
        assert_eq!(batch.found[0].value.invitee, shown);
    }
}

#[tokio::test]
async fn the_invited_person_sees_the_address_that_was_invited() {
    let world = World::new().await;
    let (workspace, other, _) = world.other_workspace().await;
    let invited = invite(&world, &other).await;
    let caller = world.key_of(workspace, &other, PolicySet::of(&[Policy::Identity])).await;
    let own = world.operations.get_membership(&caller, GetMembership { membership_id: invited.id }).await.unwrap();
    assert_eq!(own.value.invitee, Some(other));
}

#[tokio::test]
async fn who_left_and_came_back_is_counted_for_each_time() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, &[]).await;
    let user_id = member.membership.user_id().unwrap();
    let leave = LeaveWorkspace { workspace_id: world.workspace_id };
    world.operations.leave_workspace(&world.key_of_member(&member).await, leave).await.unwrap();
    let both = CountMemberships { user_id: Some(user_id), workspace_id: Some(world.workspace_id) };
    let count = async || {
        let counts = world.operations.count_memberships(&world.full_key().await, both).await.unwrap();
        assert_eq!(counts.len(), Status::ALL.len());
        let some = counts.into_iter().filter(|counted| counted.count > 0);
        some.map(|counted| (counted.status, counted.count)).collect::<Vec<_>>()
    };
    assert_eq!(count().await, [(Status::Left, 1)]);
    let invited = invite(&world, &member.email).await;
    let accept = AcceptMembership { membership_id: invited.id };
    world.operations.accept_membership(&Caller::person(user_id), accept).await.unwrap();
    assert_eq!(count().await, [(Status::Accepted, 1), (Status::Left, 1)]);
}
