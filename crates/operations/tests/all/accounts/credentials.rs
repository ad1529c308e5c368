//! E-mail addresses and passwords: adding, changing, confirming by mail.

use secrecy::SecretString;
use time::Duration;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::id::UserId;
use tradepost_domain::money::Currency;
use tradepost_operations::accounts::{
    AddEmailCredential, BootstrapWorkspace, ChangeEmail, ChangePassword, ConfirmAddress, FollowEmailLink,
};
use tradepost_operations::{Caller, Code, OpResult};
use tradepost_ports::changes::Changes;
use tradepost_ports::store::Store as _;
use tradepost_testkit::fakes::{FakeBotCheck, FakePasswords};
use tradepost_testkit::samples::{Samples, Scene, text};

use crate::harness::{PASSWORD, World, address, refusal};

const NEW_PASSWORD: &str = "nine quiet herons cross the marsh";

async fn change_password(world: &World, caller: &Caller, current: &str, new: &str) -> OpResult<()> {
    let command = ChangePassword { current_password: current.into(), new_password: new.into() };
    world.operations.change_password(caller, command).await
}

async fn change_email(world: &World, caller: &Caller, new: &str, password: &str) -> OpResult<()> {
    let command = ChangeEmail { new_email: new.to_owned(), password: password.into() };
    world.operations.change_email(caller, command).await
}

async fn email_of(world: &World, caller: &Caller) -> Option<EmailAddress> {
    world.operations.get_current_user(caller).await.unwrap().user.value.email
}

#[tokio::test]
async fn a_changed_password_replaces_the_old_one() {
    let world = World::new().await;
    let caller = world.full_key().await;
    change_password(&world, &caller, PASSWORD, NEW_PASSWORD).await.unwrap();
    let caller = world.full_key().await;
    let old = change_password(&world, &caller, PASSWORD, "eleven amber kites above the dunes").await;
    assert_eq!(refusal(old), (Code::PermissionDenied, "PASSWORD_MISMATCH"));
}

#[tokio::test]
async fn passwords_are_refused_by_length_strength_and_sameness() {
    let world = World::new().await;
    let caller = world.full_key().await;
    for (new, refused) in [
        ("too short", (Code::InvalidArgument, "PASSWORD_TOO_SHORT")),
        (&"long ".repeat(40), (Code::InvalidArgument, "PASSWORD_TOO_LONG")),
        (FakePasswords::WEAK, (Code::InvalidArgument, "PASSWORD_TOO_WEAK")),
        (FakePasswords::BREACHED, (Code::InvalidArgument, "PASSWORD_BREACHED")),
        (PASSWORD, (Code::FailedPrecondition, "PASSWORD_UNCHANGED")),
    ] {
        assert_eq!(refusal(change_password(&world, &caller, PASSWORD, new).await), refused, "{new}");
    }
}

#[tokio::test]
async fn the_names_of_ones_workspaces_are_no_password() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let owner_id = caller.principal.prover().unwrap().user_id;
    let named =
        BootstrapWorkspace { owner_id, name: text("Amber Kites"), description: None, base_currency: Currency::USD };
    let password = "amber-kites-2026!";
    world.operations.bootstrap_workspace(&Caller::system(), named).await.unwrap();
    let refused = change_password(&world, &caller, PASSWORD, password).await;
    assert_eq!(refusal(refused), (Code::InvalidArgument, "PASSWORD_TOO_WEAK"));
}

#[tokio::test]
async fn a_key_without_identity_changes_no_credentials() {
    let world = World::new().await;
    let caller = world.key_without(Policy::Identity).await;
    let denied = (Code::PermissionDenied, "PERMISSION_DENIED");
    assert_eq!(refusal(change_password(&world, &caller, PASSWORD, NEW_PASSWORD).await), denied);
    assert_eq!(refusal(change_email(&world, &caller, "new@example.com", PASSWORD).await), denied);
    assert_eq!(refusal(world.operations.cancel_email_change(&caller).await), denied);
}

fn confirming(token: SecretString, password: &str) -> ConfirmAddress {
    ConfirmAddress { token, password: password.into() }
}

#[tokio::test]
async fn an_account_moves_to_no_address_without_its_password() {
    let world = World::new().await;
    let caller = world.full_key().await;
    change_email(&world, &caller, "new@example.com", PASSWORD).await.unwrap();
    let mail = world.mailer.last_to(&address("new@example.com")).unwrap();
    assert!(mail.text.contains("\"A person\""), "{}", mail.text);
    let token = world.mailed_token(&address("new@example.com"));
    for (password, refused) in
        [("", (Code::InvalidArgument, "INVALID_FIELD")), (NEW_PASSWORD, (Code::PermissionDenied, "PASSWORD_MISMATCH"))]
    {
        let command = confirming(token.clone(), password);
        assert_eq!(refusal(world.operations.confirm_email_change(&Caller::anonymous(None), command).await), refused);
    }
    assert_eq!(email_of(&world, &caller).await, Some(world.owner.clone()));
    let command = confirming(token, PASSWORD);
    world.operations.confirm_email_change(&Caller::anonymous(None), command).await.unwrap();
}

#[tokio::test]
async fn the_address_changes_when_the_new_one_is_confirmed() {
    let world = World::new().await;
    let caller = world.full_key().await;
    change_email(&world, &caller, "new@example.com", PASSWORD).await.unwrap();
    assert_eq!(email_of(&world, &caller).await, Some(world.owner.clone()));
    let token = world.mailed_token(&address("new@example.com"));
    let anonymous = Caller::anonymous(None);
    world.operations.confirm_email_change(&anonymous, confirming(token.clone(), PASSWORD)).await.unwrap();
    assert_eq!(email_of(&world, &caller).await, Some(address("new@example.com")));
    let again = world.operations.confirm_email_change(&anonymous, confirming(token, PASSWORD)).await;
    assert_eq!(refusal(again), (Code::FailedPrecondition, "TOKEN_INVALID"));
}

#[tokio::test]
async fn a_cancelled_change_can_neither_be_confirmed_nor_reverted() {
    let world = World::new().await;
    let caller = world.full_key().await;
    change_email(&world, &caller, "new@example.com", PASSWORD).await.unwrap();
    world.operations.cancel_email_change(&caller).await.unwrap();
    let anonymous = Caller::anonymous(None);
    let invalid = (Code::FailedPrecondition, "TOKEN_INVALID");
    let confirm = confirming(world.mailed_token(&address("new@example.com")), PASSWORD);
    assert_eq!(refusal(world.operations.confirm_email_change(&anonymous, confirm).await), invalid);
    let revert = FollowEmailLink { token: world.mailed_token(&world.owner) };
    assert_eq!(refusal(world.operations.revert_email_change(&anonymous, revert).await), invalid);
    assert_eq!(email_of(&world, &caller).await, Some(world.owner.clone()));
}

#[tokio::test]
async fn a_cancellation_fails_when_no_change_is_pending() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let none = (Code::FailedPrecondition, "NO_EMAIL_CHANGE");
    assert_eq!(refusal(world.operations.cancel_email_change(&caller).await), none);
    change_email(&world, &caller, "new@example.com", PASSWORD).await.unwrap();
    world.advance(Duration::hours(24));
    assert_eq!(refusal(world.operations.cancel_email_change(&caller).await), none, "its link has expired");
}

#[tokio::test]
async fn a_confirmed_change_cannot_be_cancelled_but_can_be_reverted() {
    let world = World::new().await;
    let caller = world.full_key().await;
    change_email(&world, &caller, "new@example.com", PASSWORD).await.unwrap();
    let (anonymous, token) = (Caller::anonymous(None), world.mailed_token(&address("new@example.com")));
    world.operations.confirm_email_change(&anonymous, confirming(token, PASSWORD)).await.unwrap();
    let late = world.operations.cancel_email_change(&caller).await;
    assert_eq!(refusal(late), (Code::FailedPrecondition, "NO_EMAIL_CHANGE"));
    let revert = FollowEmailLink { token: world.mailed_token(&world.owner) };
    assert!(world.operations.revert_email_change(&anonymous, revert).await.is_ok());
}

#[tokio::test]
async fn a_confirmation_link_lives_a_day() {
    let world = World::new().await;
    let caller = world.full_key().await;
    change_email(&world, &caller, "new@example.com", PASSWORD).await.unwrap();
    world.advance(Duration::hours(24));
    let token = world.mailed_token(&address("new@example.com"));
    let late = world.operations.confirm_email_change(&Caller::anonymous(None), confirming(token, PASSWORD)).await;
    assert_eq!(refusal(late), (Code::FailedPrecondition, "TOKEN_INVALID"));
}

#[tokio::test]
async fn a_confirmed_change_can_be_reverted_from_the_old_address() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let anonymous = Caller::anonymous(None);
    change_email(&world, &caller, "new@example.com", PASSWORD).await.unwrap();
    let revert = world.mailed_token(&world.owner);
    let confirm = world.mailed_token(&address("new@example.com"));
    world.operations.confirm_email_change(&anonymous, confirming(confirm, PASSWORD)).await.unwrap();
    world.advance(Duration::days(6));
    world.operations.revert_email_change(&anonymous, FollowEmailLink { token: revert }).await.unwrap();
    assert_eq!(email_of(&world, &caller).await, Some(world.owner.clone()));
}

#[tokio::test]
async fn a_further_change_leaves_the_link_that_takes_the_first_one_back() {
    let world = World::new().await;
    let raw_key = world.issue(world.workspace_id, &world.owner, PolicySet::EVERY).await.raw_key;
    let anonymous = Caller::anonymous(None);
    change_email(&world, &world.caller(&raw_key).await, "new@example.com", PASSWORD).await.unwrap();
    let revert = world.mailed_token(&world.owner);
    let confirm = world.mailed_token(&address("new@example.com"));
    world.operations.confirm_email_change(&anonymous, confirming(confirm, PASSWORD)).await.unwrap();
    world.advance(Duration::days(2));
    change_email(&world, &world.caller(&raw_key).await, "newer@example.com", PASSWORD).await.unwrap();
    let notice = world.mailer.last_to(&address("new@example.com")).unwrap();
    assert!(!notice.text.contains('#'), "{}", notice.text);
    world.operations.revert_email_change(&anonymous, FollowEmailLink { token: revert }).await.unwrap();
    assert_eq!(email_of(&world, &world.caller(&raw_key).await).await, Some(world.owner.clone()));
}

#[tokio::test]
async fn an_address_is_changed_once_a_day() {
    let world = World::new().await;
    let caller = world.full_key().await;
    change_email(&world, &caller, "new@example.com", PASSWORD).await.unwrap();
    let token = world.mailed_token(&address("new@example.com"));
    world.operations.confirm_email_change(&Caller::anonymous(None), confirming(token, PASSWORD)).await.unwrap();
    let locked = change_email(&world, &caller, "newer@example.com", PASSWORD).await;
    assert_eq!(refusal(locked), (Code::FailedPrecondition, "EMAIL_CHANGE_LOCKED"));
}

#[tokio::test]
async fn the_notice_of_a_change_says_once_what_to_do_about_it() {
    let world = World::new().await;
    let caller = world.full_key().await;
    change_email(&world, &caller, "new@example.com", PASSWORD).await.unwrap();
    let notice = world.mailer.last_to(&world.owner).unwrap().text;
    assert_eq!(notice.matches("not you").count(), 1, "{notice}");
}

#[tokio::test]
async fn a_reverted_change_can_no_longer_be_confirmed() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let anonymous = Caller::anonymous(None);
    change_email(&world, &caller, "new@example.com", PASSWORD).await.unwrap();
    world.advance(Duration::minutes(1));
    let token = world.mailed_token(&world.owner);
    world.operations.revert_email_change(&anonymous, FollowEmailLink { token }).await.unwrap();
    let token = world.mailed_token(&address("new@example.com"));
    let late = world.operations.confirm_email_change(&anonymous, confirming(token, PASSWORD)).await;
    assert_eq!(refusal(late), (Code::FailedPrecondition, "TOKEN_INVALID"));
}

#[tokio::test]
async fn a_link_of_one_purpose_does_nothing_else() {
    let world = World::new().await;
    let caller = world.full_key().await;
    change_email(&world, &caller, "new@example.com", PASSWORD).await.unwrap();
    let token = world.mailed_token(&address("new@example.com"));
    let misused = world.operations.verify_email(&Caller::anonymous(None), confirming(token, PASSWORD)).await;
    assert_eq!(refusal(misused), (Code::FailedPrecondition, "TOKEN_INVALID"));
}

#[tokio::test]
async fn an_address_is_refused_that_is_bad_taken_or_the_same() {
    let world = World::new().await;
    world.other_workspace().await;
    let caller = world.full_key().await;
    for (new, refused) in [
        ("nonsense", (Code::InvalidArgument, "INVALID_EMAIL")),
        ("OWNER@example.com", (Code::FailedPrecondition, "EMAIL_UNCHANGED")),
        ("other@example.com", (Code::AlreadyExists, "EMAIL_TAKEN")),
    ] {
        assert_eq!(refusal(change_email(&world, &caller, new, PASSWORD).await), refused, "{new}");
    }
}

#[tokio::test]
async fn a_wrong_password_changes_no_address() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let refused = change_email(&world, &caller, "new@example.com", "not the password").await;
    assert_eq!(refusal(refused), (Code::PermissionDenied, "PASSWORD_MISMATCH"));
    assert!(world.mailer.last_to(&address("new@example.com")).is_none());
}

/// A caller whose owner came through another platform and has no address yet.
async fn newcomer(world: &World) -> Caller {
    without_address(world, |changes, samples, user_id| {
        changes.insert(samples.linked_identity(user_id));
    })
    .await
}

/// A caller whose owner has no address, and what else is given to them.
async fn without_address(world: &World, give: impl FnOnce(&mut Changes, &Samples, UserId)) -> Caller {
    let scene = Scene::founded(world.store.as_ref(), 7).await;
    let user = scene.samples.user_without_email();
    let membership = scene.samples.member(scene.workspace.id, user.id);
    let key = scene.samples.key(&membership);
    let mut changes = Changes::by(&Caller::system());
    changes.insert(user.clone()).insert(membership.clone()).insert(key.clone());
    give(&mut changes, &scene.samples, user.id);
    world.store.commit(changes).await.unwrap();
    let holder = tradepost_domain::accounts::access::authenticate(&key, &user, &membership, key.created_at).unwrap();
    assert!(holder.rights.has(Policy::Identity));
    Caller { principal: tradepost_domain::accounts::access::Principal::Key(holder), ..Caller::system() }
}

fn credential(token: &str) -> AddEmailCredential {
    AddEmailCredential {
        email: "first@example.com".to_owned(),
        password: NEW_PASSWORD.into(),
        bot_check_token: token.into(),
    }
}

#[tokio::test]
async fn a_first_address_counts_once_its_link_is_followed() {
    let world = World::new().await;
    let caller = newcomer(&world).await;
    world.operations.add_email_credential(&caller, credential(FakeBotCheck::HUMAN)).await.unwrap();
    assert_eq!(email_of(&world, &caller).await, None);
    let token = world.mailed_token(&address("first@example.com"));
    world.operations.verify_email(&Caller::anonymous(None), confirming(token, NEW_PASSWORD)).await.unwrap();
    assert_eq!(email_of(&world, &caller).await, Some(address("first@example.com")));
}

#[tokio::test]
async fn a_failed_bot_check_adds_nothing() {
    let world = World::new().await;
    let caller = newcomer(&world).await;
    let refused = world.operations.add_email_credential(&caller, credential("wrong")).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "BOT_CHECK_FAILED"));
    assert!(world.mailer.last_to(&address("first@example.com")).is_none());
}

#[tokio::test]
async fn an_account_with_an_address_cannot_add_one() {
    let world = World::new().await;
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    let refused = world.operations.add_email_credential(&caller, credential(FakeBotCheck::HUMAN)).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "EMAIL_CREDENTIAL_EXISTS"));
}

#[tokio::test]
async fn an_account_without_an_identity_elsewhere_adds_no_address() {
    let world = World::new().await;
    let caller = without_address(&world, |_, _, _| ()).await;
    let refused = world.operations.add_email_credential(&caller, credential(FakeBotCheck::HUMAN)).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "NO_LINKED_IDENTITY"));
}

#[tokio::test]
async fn a_bot_check_token_is_required() {
    let world = World::new().await;
    let caller = world.key(PolicySet::EVERY).await;
    let refused = world.operations.add_email_credential(&caller, credential("")).await;
    assert_eq!(refusal(refused), (Code::InvalidArgument, "INVALID_FIELD"));
}
