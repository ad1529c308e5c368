//! Registering passkeys, and looking after them.

use time::Duration;
use tradepost_domain::accounts::passkey::Passkey;
use tradepost_domain::accounts::policy::Policy;
use tradepost_domain::accounts::user::User;
use tradepost_domain::id::PasskeyId;
use tradepost_operations::accounts::{
    BeginPasskeyRegistration, DeletePasskey, FinishPasskeyRegistration, UpdatePasskey,
};
use tradepost_operations::{Caller, Code, OpResult, Versioned};
use tradepost_ports::changes::Changes;
use tradepost_ports::store::Records;
use tradepost_ports::store::Store as _;
use tradepost_testkit::fakes::FakePasskeys;
use tradepost_testkit::samples::Samples;

use crate::harness::{World, refusal};

async fn begin(world: &World, caller: &Caller) -> String {
    let command = BeginPasskeyRegistration { name: "laptop".to_owned() };
    world.operations.begin_passkey_registration(caller, command).await.unwrap()
}

async fn finish(world: &World, caller: &Caller, credential: String) -> OpResult<Versioned<Passkey>> {
    world.operations.finish_passkey_registration(caller, FinishPasskeyRegistration { credential }).await
}

#[tokio::test]
async fn a_passkey_is_kept_under_the_name_it_was_begun_with() {
    let world = World::new().await;
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    let options = begin(&world, &caller).await;
    let passkey = finish(&world, &caller, FakePasskeys::answer(&options)).await.unwrap();
    assert_eq!(passkey.value.name.as_str(), "laptop");
    assert!(world.operations.get_current_user(&caller).await.unwrap().factors.passkey);
}

#[tokio::test]
async fn beginning_needs_no_step_up_and_finishing_does() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let options = begin(&world, &caller).await;
    let refused = finish(&world, &caller, FakePasskeys::answer(&options)).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
}

#[tokio::test]
async fn a_registration_can_be_finished_once() {
    let world = World::new().await;
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    let options = begin(&world, &caller).await;
    finish(&world, &caller, FakePasskeys::answer(&options)).await.unwrap();
    let again = finish(&world, &caller, FakePasskeys::answer(&options)).await;
    assert_eq!(refusal(again), (Code::FailedPrecondition, "CHALLENGE_INVALID"));
}

#[tokio::test]
async fn a_registration_is_open_for_five_minutes() {
    let world = World::new().await;
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    let options = begin(&world, &caller).await;
    world.advance(Duration::minutes(5));
    let late = finish(&world, &caller, FakePasskeys::answer(&options)).await;
    assert_eq!(refusal(late), (Code::FailedPrecondition, "CHALLENGE_INVALID"));
}

#[tokio::test]
async fn an_answer_to_other_options_is_refused() {
    let world = World::new().await;
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    let earlier = begin(&world, &caller).await;
    begin(&world, &caller).await;
    let refused = finish(&world, &caller, FakePasskeys::answer(&earlier)).await;
    assert_eq!(refusal(refused), (Code::InvalidArgument, "CREDENTIAL_REFUSED"));
}

#[tokio::test]
async fn a_registered_passkey_is_not_registered_again() {
    let world = World::new().await;
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    let options = begin(&world, &caller).await;
    let user_id = world.user("other@example.com").await;
    let same = Passkey { credential_id: options.clone().into_bytes(), ..Samples::default().passkey(user_id) };
    let mut changes = Changes::by(&Caller::system());
    changes.insert(same);
    world.store.commit(changes).await.unwrap();
    let refused = finish(&world, &caller, FakePasskeys::answer(&options)).await;
    assert_eq!(refusal(refused), (Code::AlreadyExists, "PASSKEY_EXISTS"));
    assert_eq!(world.operations.list_passkeys(&caller).await.unwrap(), []);
}

/// A caller who has stepped up, and a passkey of its owner.
async fn registered(world: &World) -> (Caller, Passkey) {
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    let options = begin(world, &caller).await;
    let passkey = finish(world, &caller, FakePasskeys::answer(&options)).await.unwrap();
    (caller, passkey.value)
}

async fn rename(world: &World, caller: &Caller, passkey_id: PasskeyId, name: &str) -> OpResult<Versioned<Passkey>> {
    let command = UpdatePasskey { passkey_id, name: name.to_owned(), expected_version: None };
    world.operations.update_passkey(caller, command).await
}

/// Leaves the owner without a password to sign in with.
async fn take_password_away(world: &World) {
    let user = world.store.users().find_by_email(&world.owner).await.unwrap().unwrap();
    let mut changes = Changes::by(&Caller::system());
    changes.revise(user, |user| Ok::<_, ()>(User { password: None, ..user })).unwrap();
    world.store.commit(changes).await.unwrap();
}

/// Deletes a passkey by a caller without guards, because the owner has changed.
async fn delete_last(world: &World, caller: &Caller, passkey_id: PasskeyId) -> OpResult<()> {
    let caller = Caller { guards: Vec::new(), ..caller.clone() };
    world.operations.delete_passkey(&caller, DeletePasskey { passkey_id }).await
}

#[tokio::test]
async fn a_passkey_is_renamed_and_listed_so() {
    let world = World::new().await;
    let (caller, passkey) = registered(&world).await;
    let renamed = rename(&world, &caller, passkey.id, " Phone ").await.unwrap();
    assert_eq!((renamed.value.name.as_str(), renamed.version), ("Phone", 2));
    assert_eq!(world.operations.list_passkeys(&caller).await.unwrap(), [renamed]);
}

#[tokio::test]
async fn a_passkey_that_changed_in_the_meantime_is_not_renamed() {
    let world = World::new().await;
    let (caller, passkey) = registered(&world).await;
    rename(&world, &caller, passkey.id, "Phone").await.unwrap();
    let stale = UpdatePasskey { passkey_id: passkey.id, name: "Tablet".to_owned(), expected_version: Some(1) };
    let refused = world.operations.update_passkey(&caller, stale).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "VERSION_MISMATCH"));
}

#[tokio::test]
async fn another_users_passkey_is_not_there() {
    let world = World::new().await;
    let (_, passkey) = registered(&world).await;
    let (_, _, other) = world.other_workspace().await;
    let not_found = (Code::NotFound, "NOT_FOUND");
    assert_eq!(refusal(rename(&world, &other, passkey.id, "Mine").await), not_found);
    world.step_up(&other).await;
    let delete = DeletePasskey { passkey_id: passkey.id };
    assert_eq!(refusal(world.operations.delete_passkey(&other, delete).await), not_found);
    assert_eq!(world.operations.list_passkeys(&other).await.unwrap(), []);
}

#[tokio::test]
async fn a_key_without_identity_sees_no_passkey() {
    let world = World::new().await;
    let (_, passkey) = registered(&world).await;
    let caller = world.key_without(Policy::Identity).await;
    let denied = (Code::PermissionDenied, "PERMISSION_DENIED");
    assert_eq!(refusal(world.operations.list_passkeys(&caller).await), denied);
    assert_eq!(refusal(rename(&world, &caller, passkey.id, "Mine").await), denied);
    let delete = DeletePasskey { passkey_id: passkey.id };
    assert_eq!(refusal(world.operations.delete_passkey(&caller, delete).await), denied);
}

#[tokio::test]
async fn a_deleted_passkey_is_removed_and_its_user_notified() {
    let world = World::new().await;
    let (caller, passkey) = registered(&world).await;
    world.operations.delete_passkey(&caller, DeletePasskey { passkey_id: passkey.id }).await.unwrap();
    assert_eq!(world.operations.list_passkeys(&caller).await.unwrap(), []);
    let mail = world.mailer.last_to(&world.owner).unwrap();
    assert!(mail.subject == "A passkey was removed" && mail.text.contains("\"laptop\""), "{}", mail.text);
}

#[tokio::test]
async fn a_deleted_passkey_ends_the_sessions_of_its_user() {
    let world = World::new().await;
    world.session().await;
    let (caller, passkey) = registered(&world).await;
    assert_eq!(world.operations.list_sessions(&caller).await.unwrap().len(), 1);
    world.operations.delete_passkey(&caller, DeletePasskey { passkey_id: passkey.id }).await.unwrap();
    assert_eq!(world.operations.list_sessions(&caller).await.unwrap(), []);
}

#[tokio::test]
async fn deleting_a_passkey_needs_a_step_up() {
    let world = World::new().await;
    let (_, passkey) = registered(&world).await;
    let other = world.full_key().await;
    let refused = world.operations.delete_passkey(&other, DeletePasskey { passkey_id: passkey.id }).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
}

#[tokio::test]
async fn the_only_way_to_sign_in_stays() {
    let world = World::new().await;
    let (caller, passkey) = registered(&world).await;
    take_password_away(&world).await;
    let refused = delete_last(&world, &caller, passkey.id).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "LAST_SIGN_IN_METHOD"));
}

#[tokio::test]
async fn a_linked_identity_or_another_passkey_is_a_way_to_sign_in() {
    let world = World::new().await;
    let (caller, passkey) = registered(&world).await;
    let options = begin(&world, &caller).await;
    let second = finish(&world, &caller, FakePasskeys::answer(&options)).await.unwrap().value;
    take_password_away(&world).await;
    delete_last(&world, &caller, passkey.id).await.unwrap();
    let identity = Samples::default().linked_identity(second.user_id);
    let mut changes = Changes::by(&Caller::system());
    changes.insert(identity);
    world.store.commit(changes).await.unwrap();
    delete_last(&world, &caller, second.id).await.unwrap();
}
