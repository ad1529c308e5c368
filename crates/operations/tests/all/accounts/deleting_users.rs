//! Taking one's account away.

use secrecy::ExposeSecret as _;
use tradepost_domain::accounts::membership::Status;
use tradepost_domain::accounts::policy::{Policy, PolicySet, Role};
use tradepost_operations::accounts::{DeleteWorkspace, GetMembership};
use tradepost_operations::{Caller, Code};
use tradepost_ports::store::Records;

use crate::harness::{Member, PASSWORD, World, refusal, sign_in};

async fn member(world: &World) -> Member {
    world.member("ada@example.com", Role::Member, &[Policy::Trading]).await
}

async fn delete(world: &World, member: &Member) {
    let caller = world.proven_session(&member.email).await;
    world.operations.delete_user(&caller).await.unwrap();
}

#[tokio::test]
async fn nothing_is_left_of_the_person_but_an_id() {
    let world = World::new().await;
    let member = member(&world).await;
    let user_id = member.membership.user_id().unwrap();
    delete(&world, &member).await;
    let left = world.store.users().find(user_id).await.unwrap().unwrap().into_display().0;
    assert_eq!((left.display_name.as_str(), left.email, left.password), ("(deleted)", None, None));
    assert!(left.disabled && world.store.sessions().list(user_id).await.unwrap().is_empty());
    let get = GetMembership { membership_id: member.membership.id };
    let membership = world.operations.get_membership(&world.full_key().await, get).await.unwrap().value;
    assert_eq!((membership.status(), membership.invitee), (Status::Left, None));
}

#[tokio::test]
async fn sessions_and_keys_no_longer_open_anything() {
    let world = World::new().await;
    let member = member(&world).await;
    let key = world.issue(world.workspace_id, &member.email, PolicySet::EVERY).await;
    let session = world.signed_in(&member.email).await;
    delete(&world, &member).await;
    for token in [&key.raw_key, &session] {
        let refused = world.operations.authenticate(token.expose_secret(), None).await;
        assert_eq!(refusal(refused), (Code::Unauthenticated, "UNAUTHENTICATED"));
    }
    let refused = world.operations.sign_in(&Caller::anonymous(None), sign_in(member.email.as_str(), PASSWORD)).await;
    assert_eq!(refusal(refused.map(drop)), (Code::Unauthenticated, "WRONG_CREDENTIALS"));
}

#[tokio::test]
async fn the_address_is_free_again_and_gets_a_mail() {
    let world = World::new().await;
    let member = member(&world).await;
    delete(&world, &member).await;
    assert_eq!(world.mailer.last_to(&member.email).unwrap().subject, "Your account was deleted");
    let again = world.user(member.email.as_str()).await;
    assert_ne!(Some(again), member.membership.user_id());
}

#[tokio::test]
async fn the_owner_of_a_workspace_hands_it_over_or_deletes_it_first() {
    let world = World::new().await;
    let caller = world.proven_session(&world.owner).await;
    let refused = world.operations.delete_user(&caller).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "OWNS_WORKSPACE"));
    let command = DeleteWorkspace { workspace_id: world.workspace_id, confirm_name: "A workspace".to_owned() };
    world.operations.delete_workspace(&caller, command).await.unwrap();
    let caller = world.proven_session(&world.owner).await;
    assert!(world.operations.delete_user(&caller).await.is_ok());
}

#[tokio::test]
async fn a_key_never_deletes_its_owner_and_an_old_proof_does_not_either() {
    let world = World::new().await;
    let member = member(&world).await;
    let refused = world.operations.delete_user(&world.proven_key_of(&member).await).await;
    assert_eq!(refusal(refused), (Code::PermissionDenied, "PERMISSION_DENIED"));
    let caller = world.proven_session(&member.email).await;
    world.advance(time::Duration::minutes(2));
    let refused = world.operations.delete_user(&caller).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
}
