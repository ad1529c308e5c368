//! Helping a user who is locked out, on the machine of the database.

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_operations::accounts::{OperatorRecovery, ResetPassword, SignInAnswer};
use tradepost_operations::{Caller, Code};
use tradepost_ports::store::Records;

use tradepost_ports::changes::Changes;
use tradepost_ports::store::Store as _;
use tradepost_testkit::samples::Scene;

use crate::harness::{PASSWORD, World, refusal, sign_in};

const NEW_PASSWORD: &str = "nine quiet herons cross the marsh";

async fn owner(world: &World) -> OperatorRecovery {
    let owner = world.store.users().find_by_email(&world.owner).await.unwrap().unwrap();
    OperatorRecovery { user_id: owner.peek().id }
}

async fn is_asked_for_a_factor(world: &World, password: &str) -> bool {
    let answer = world.operations.sign_in(&Caller::anonymous(None), sign_in(world.owner.as_str(), password)).await;
    matches!(answer.unwrap(), SignInAnswer::Asked { .. })
}

#[tokio::test]
async fn the_password_alone_signs_in_after_the_second_factors_are_taken_away() {
    let world = World::new().await;
    world.enrol_app(&world.proven_key().await).await;
    assert!(is_asked_for_a_factor(&world, PASSWORD).await);
    let done = world.operations.reset_two_factor(&Caller::system(), owner(&world).await).await.unwrap();
    assert!(done.had_totp);
    assert!(!is_asked_for_a_factor(&world, PASSWORD).await);
}

#[tokio::test]
async fn a_rescue_ends_every_session_and_notifies_the_user() {
    let world = World::new().await;
    for (subject, link) in
        [("Your second factors were taken away", false), ("A link for a new password was made", true)]
    {
        let session = world.signed_in(&world.owner).await;
        if link {
            world.operations.issue_reset_link(&Caller::system(), owner(&world).await).await.unwrap();
        } else {
            world.operations.reset_two_factor(&Caller::system(), owner(&world).await).await.unwrap();
        }
        let refused = world.operations.authenticate(session.expose_secret(), None).await;
        assert_eq!(refusal(refused), (Code::Unauthenticated, "UNAUTHENTICATED"));
        assert_eq!(world.mailer.last_to(&world.owner).unwrap().subject, subject);
    }
}

#[tokio::test]
async fn the_link_sets_a_password_once_and_is_in_no_mail() {
    let world = World::new().await;
    let made = world.operations.issue_reset_link(&Caller::system(), owner(&world).await).await.unwrap();
    let url = made.url.expose_secret();
    assert!(world.mailer.sent().iter().all(|mail| !mail.text.contains(url)));
    let token = SecretString::from(url.split_once('#').unwrap().1);
    let reset = || ResetPassword { token: token.clone(), new_password: NEW_PASSWORD.into(), code: None };
    world.operations.reset_password(&Caller::anonymous(None), reset()).await.unwrap();
    assert!(!is_asked_for_a_factor(&world, NEW_PASSWORD).await);
    let again = world.operations.reset_password(&Caller::anonymous(None), reset()).await;
    assert_eq!(refusal(again), (Code::FailedPrecondition, "TOKEN_INVALID"));
}

#[tokio::test]
async fn only_the_process_itself_rescues_a_user() {
    let world = World::new().await;
    for caller in [world.proven_key().await, world.proven_session(&world.owner).await] {
        let refused = world.operations.reset_two_factor(&caller, owner(&world).await).await;
        assert_eq!(refusal(refused), (Code::PermissionDenied, "PERMISSION_DENIED"));
        let refused = world.operations.issue_reset_link(&caller, owner(&world).await).await;
        assert_eq!(refusal(refused), (Code::PermissionDenied, "PERMISSION_DENIED"));
    }
}

#[tokio::test]
async fn who_has_no_address_is_rid_of_second_factors_and_gets_no_link() {
    let world = World::new().await;
    let user = Scene::founded(world.store.as_ref(), 7).await.samples.user_without_email();
    let rescue = OperatorRecovery { user_id: user.id };
    let mut changes = Changes::by(&Caller::system());
    changes.insert(user);
    world.store.commit(changes).await.unwrap();
    assert!(world.operations.reset_two_factor(&Caller::system(), rescue).await.is_ok());
    let refused = world.operations.issue_reset_link(&Caller::system(), rescue).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "NO_PASSWORD"));
}
