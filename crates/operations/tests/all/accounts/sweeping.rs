//! Clearing away what is over.

use time::Duration;
use tradepost_domain::accounts::access::Principal;
use tradepost_domain::accounts::email_link::PurposeKind;
use tradepost_domain::accounts::membership::Status;
use tradepost_domain::accounts::policy::{Policy, PolicySet, Role};
use tradepost_domain::id::{ApiKeyId, MembershipId};
use tradepost_operations::Caller;
use tradepost_operations::accounts::{DeleteWorkspace, InviteMember, IssueApiKey, RevokeApiKey, SignUp};
use tradepost_operations::upkeep::CleanupSummary;
use tradepost_ports::clock::Clock as _;
use tradepost_ports::store::Records;
use tradepost_testkit::samples::text;

use crate::harness::{Fate, PASSWORD, World, address};

async fn invite(world: &World, email: &str) -> MembershipId {
    let invite = InviteMember {
        workspace_id: world.workspace_id,
        email: email.to_owned(),
        role: Role::Member,
        policies: vec![],
    };
    world.operations.invite_member(&Caller::system(), invite).await.unwrap().id
}

async fn sign_up(world: &World, email: &str) {
    let sign_up = SignUp {
        email: email.to_owned(),
        password: PASSWORD.into(),
        display_name: "Newcomer".to_owned(),
        bot_check_token: "human".into(),
    };
    world.operations.sign_up(&Caller::anonymous(None), sign_up).await.unwrap();
}

#[tokio::test]
async fn nothing_that_still_counts_is_cleared_away() {
    let world = World::new().await;
    world.signed_in(&world.owner).await;
    world.member("ada@example.com", Role::Member, &[Policy::Trading]).await;
    assert_eq!(world.operations.sweep().await.unwrap(), CleanupSummary::default());
    assert_eq!(world.operations.forget_old_credentials().await.unwrap(), 0);
}

#[tokio::test]
async fn an_invitation_that_ran_out_is_expired() {
    let world = World::new().await;
    let invited = invite(&world, "guest@example.com").await;
    world.advance(Duration::days(7));
    assert_eq!(world.operations.sweep().await.unwrap().invitations, 1);
    let scope = Principal::System.enter(world.workspace_id, PolicySet::NONE).unwrap();
    let expired = world.store.memberships().find(scope, invited).await.unwrap().unwrap();
    assert_eq!(expired.peek().status(), Status::Expired);
    assert_eq!(world.operations.sweep().await.unwrap().invitations, 0);
}

#[tokio::test]
async fn sessions_go_a_day_after_they_began() {
    let world = World::new().await;
    world.signed_in(&world.owner).await;
    let owner = world.store.users().find_by_email(&world.owner).await.unwrap().unwrap().peek().id;
    world.advance(Duration::hours(24) + Duration::seconds(1));
    assert_eq!(world.operations.forget_old_credentials().await.unwrap(), 1);
    assert!(world.store.sessions().list(owner).await.unwrap().is_empty());
}

#[tokio::test]
async fn an_unconfirmed_sign_up_is_removed_with_its_link_after_a_week() {
    let world = World::new().await;
    sign_up(&world, "newcomer@example.com").await;
    let link = async || {
        let found = world.store.email_links().find_to(&address("newcomer@example.com"), PurposeKind::Add).await;
        found.unwrap().map(|link| link.peek().user_id)
    };
    let user = link().await.unwrap();
    world.advance(Duration::days(7) + Duration::seconds(1));
    assert_eq!(world.operations.forget_old_credentials().await.unwrap(), 1);
    assert_eq!(world.operations.sweep().await.unwrap().users, 1);
    assert!(link().await.is_none() && world.store.users().find(user).await.unwrap().is_none());
}

#[tokio::test]
async fn a_deleted_workspace_is_removed_permanently_after_thirty_days() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, &[Policy::Trading]).await;
    let delete = DeleteWorkspace { workspace_id: world.workspace_id, confirm_name: "A workspace".to_owned() };
    world.operations.delete_workspace(&world.proven_session(&world.owner).await, delete).await.unwrap();
    world.advance(Duration::days(30));
    assert_eq!(world.operations.sweep().await.unwrap().workspaces, 0);
    world.advance(Duration::seconds(1));
    assert_eq!(world.operations.sweep().await.unwrap().workspaces, 1);
    let scope = Principal::System.enter(world.workspace_id, PolicySet::NONE).unwrap();
    assert!(world.store.workspaces().find(scope).await.unwrap().is_none());
    let left = world.store.memberships().find(scope, member.membership.id).await.unwrap().unwrap();
    assert_eq!(left.peek().status(), Status::Removed);
}

/// A key of the owner that ends after this time.
async fn key_ending_in(world: &World, life: Duration) -> ApiKeyId {
    let order = IssueApiKey {
        workspace_id: world.workspace_id,
        owner: world.owner.clone(),
        name: text("Night shift"),
        policies: PolicySet::NONE,
        expires_at: Some(world.clock.now().plus(life)),
    };
    world.operations.issue_api_key(&Caller::system(), order).await.unwrap().key.id
}

#[tokio::test]
async fn the_owner_of_a_key_is_reminded_two_weeks_and_three_days_before_its_end_and_at_it() {
    let world = World::new().await;
    key_ending_in(&world, Duration::days(30)).await;
    let mut subjects = Vec::new();
    for day in 0..35 {
        if world.operations.sweep().await.unwrap().reminders > 0 {
            subjects.push((day, world.mailer.last_to(&world.owner).unwrap().subject));
        }
        world.advance(Duration::days(1));
    }
    let (soon, over) = ("An API key of yours ends soon".to_owned(), "An API key of yours has ended".to_owned());
    assert_eq!(subjects, [(16, soon.clone()), (27, soon), (30, over)]);
}

#[tokio::test]
async fn a_revoked_key_causes_no_reminder() {
    let world = World::new().await;
    let api_key_id = key_ending_in(&world, Duration::days(10)).await;
    let revoke = RevokeApiKey { workspace_id: Some(world.workspace_id), api_key_id, reason: None };
    world.operations.revoke_api_key(&Caller::system(), revoke).await.unwrap();
    world.advance(Duration::days(11));
    assert_eq!(world.operations.sweep().await.unwrap().reminders, 0);
}

#[tokio::test]
async fn an_invitation_that_cannot_be_expired_keeps_no_other_from_it() {
    let world = World::new().await;
    invite(&world, "guest@example.com").await;
    invite(&world, "visitor@example.com").await;
    world.advance(Duration::days(7));
    // All in one commit, then one after the other.
    let world = world.scripted([Fate::broken(), Fate::broken()]);
    world.operations.sweep().await.unwrap_err();
    assert_eq!(world.operations.sweep().await.unwrap().invitations, 1);
}

#[tokio::test]
async fn a_sign_up_that_cannot_be_removed_keeps_no_other_from_it() {
    let world = World::new().await;
    sign_up(&world, "newcomer@example.com").await;
    sign_up(&world, "neighbour@example.com").await;
    world.advance(Duration::days(7) + Duration::seconds(1));
    assert_eq!(world.operations.forget_old_credentials().await.unwrap(), 2, "their links");
    let world = world.scripted([Fate::broken(), Fate::broken()]);
    world.operations.sweep().await.unwrap_err();
    assert_eq!(world.operations.sweep().await.unwrap().users, 1);
}

#[tokio::test]
async fn a_workspace_that_cannot_be_removed_keeps_no_other_from_it() {
    let world = World::new().await;
    let (other, owner, _) = world.other_workspace().await;
    for (workspace_id, owner) in [(world.workspace_id, &world.owner), (other, &owner)] {
        let delete = DeleteWorkspace { workspace_id, confirm_name: "A workspace".to_owned() };
        world.operations.delete_workspace(&world.proven_session(owner).await, delete).await.unwrap();
    }
    world.advance(Duration::days(30) + Duration::seconds(1));
    let world = world.scripted([Fate::broken()]);
    world.operations.sweep().await.unwrap_err();
    assert_eq!(world.operations.sweep().await.unwrap().workspaces, 1);
}

#[tokio::test]
async fn a_key_of_which_no_one_can_be_reminded_keeps_no_other_from_it() {
    let world = World::new().await;
    key_ending_in(&world, Duration::days(10)).await;
    key_ending_in(&world, Duration::days(10)).await;
    world.advance(Duration::days(7));
    let world = world.scripted([Fate::broken()]);
    world.operations.sweep().await.unwrap_err();
    assert_eq!(world.operations.sweep().await.unwrap().reminders, 1);
}

#[tokio::test]
async fn an_audit_log_that_cannot_be_extended_keeps_no_other_from_it() {
    let world = World::new().await;
    world.other_workspace().await;
    let waiting = async || world.store.audit_logs().list_waiting_events(None, 500).await.unwrap().len();
    let before = waiting().await;
    let process = world.scripted([Fate::broken()]);
    process.operations.chain_audit_events().await.unwrap_err();
    let left = waiting().await;
    assert!((1..before).contains(&left), "{left} of {before} wait");
    assert_eq!(process.operations.chain_audit_events().await.unwrap(), left);
}
