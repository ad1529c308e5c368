//! Clearing away what is over.

use time::Duration;
use tradepost_domain::access::Principal;
use tradepost_domain::email_link::PurposeKind;
use tradepost_domain::membership::Status;
use tradepost_domain::policy::{Policy, PolicySet, Role};
use tradepost_operations::accounts::{DeleteWorkspace, InviteMember, SignUp};
use tradepost_operations::{Caller, Swept};
use tradepost_ports::store::{Sessions as _, Users as _, Workspaces as _};

use crate::harness::{PASSWORD, World, address};

#[tokio::test]
async fn nothing_that_still_counts_is_cleared_away() {
    let world = World::new().await;
    world.signed_in(&world.owner).await;
    world.member("ada@example.com", Role::Member, &[Policy::Trading]).await;
    assert_eq!(world.operations.sweep().await.unwrap(), Swept::default());
}

#[tokio::test]
async fn an_invitation_that_ran_out_is_expired() {
    let world = World::new().await;
    let invite = InviteMember {
        workspace_id: world.workspace_id,
        email: "guest@example.com".to_owned(),
        role: Role::Member,
        policies: vec![],
    };
    let invited = world.operations.invite_member(&Caller::system(), invite).await.unwrap();
    world.advance(Duration::days(7));
    assert_eq!(world.operations.sweep().await.unwrap().invitations, 1);
    let scope = Principal::System.enter(world.workspace_id, PolicySet::NONE).unwrap();
    let expired = world.store.find_membership(scope, invited.id).await.unwrap().unwrap();
    assert_eq!(expired.peek().status(), Status::Expired);
    assert_eq!(world.operations.sweep().await.unwrap().invitations, 0);
}

#[tokio::test]
async fn sessions_go_a_day_after_they_began() {
    let world = World::new().await;
    world.signed_in(&world.owner).await;
    let owner = world.store.find_user_by_email(&world.owner).await.unwrap().unwrap().peek().id;
    world.advance(Duration::hours(24) + Duration::seconds(1));
    assert_eq!(world.operations.sweep().await.unwrap().credentials, 1);
    assert!(world.store.list_sessions(owner).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_sign_up_that_nobody_confirmed_goes_with_its_link_after_a_week() {
    let world = World::new().await;
    let sign_up = SignUp {
        email: "newcomer@example.com".to_owned(),
        password: PASSWORD.into(),
        display_name: "Newcomer".to_owned(),
        bot_check_token: "human".into(),
    };
    world.operations.sign_up(&Caller::anonymous(None), sign_up).await.unwrap();
    let link = async || {
        let found = world.store.find_email_link_to(&address("newcomer@example.com"), PurposeKind::Add).await;
        found.unwrap().map(|link| link.peek().user_id)
    };
    let user = link().await.unwrap();
    world.advance(Duration::days(7) + Duration::seconds(1));
    let swept = world.operations.sweep().await.unwrap();
    assert_eq!((swept.credentials, swept.users), (1, 1));
    assert!(link().await.is_none() && world.store.find_user(user).await.unwrap().is_none());
}

#[tokio::test]
async fn a_deleted_workspace_is_removed_for_good_after_thirty_days() {
    let world = World::new().await;
    let member = world.member("ada@example.com", Role::Member, &[Policy::Trading]).await;
    let delete = DeleteWorkspace { workspace_id: world.workspace_id, confirm_name: "A workspace".to_owned() };
    world.operations.delete_workspace(&world.proven_session(&world.owner).await, delete).await.unwrap();
    world.advance(Duration::days(30));
    assert_eq!(world.operations.sweep().await.unwrap().workspaces, 0);
    world.advance(Duration::seconds(1));
    assert_eq!(world.operations.sweep().await.unwrap().workspaces, 1);
    let scope = Principal::System.enter(world.workspace_id, PolicySet::NONE).unwrap();
    assert!(world.store.find_workspace(scope).await.unwrap().is_none());
    let left = world.store.find_membership(scope, member.membership.id).await.unwrap().unwrap();
    assert_eq!(left.peek().status(), Status::Removed);
}
