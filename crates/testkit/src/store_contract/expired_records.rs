//! Promises about expired records that are still stored.

use tradepost_domain::accounts::access::{PrincipalId, Prover};
use tradepost_domain::accounts::account_link::Purpose;
use tradepost_domain::accounts::api_key::ApiKey;
use tradepost_domain::accounts::guesses::Guesser;
use tradepost_domain::accounts::membership::{INVITATION_LIFE, Membership};
use tradepost_domain::accounts::session::Session;
use tradepost_domain::accounts::user::User;
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::accounts::workspace_key::{SecretPlace, WorkspaceSecret};
use tradepost_domain::trading::chat::MessageStatus;
use tradepost_ports::store::{Aged, Store};

use super::{insert, values};
use crate::samples::{Samples, Scene, minute, start, text};

pub async fn overdue_invitations_are_found_from_their_end_on(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let invitation = scene.samples.invitation(scene.id(), &scene.samples.email());
    insert(store, [invitation.clone().into()]).await.unwrap();
    let end = start().plus(INVITATION_LIFE);
    let found =
        async |until| values::<Membership>(store.expired_records().list_overdue_invitations(until, 10).await.unwrap());
    assert_eq!(found(end.plus(-time::Duration::MICROSECOND)).await, []);
    assert_eq!(found(end).await, [invitation]);
}

pub async fn what_is_of_an_age_is_forgotten_oldest_first_and_some_at_a_time(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let user = samples.user();
    let begun = |at| Session { created_at: minute(at), ..samples.session(user.id) };
    let (second, first, third) = (begun(2), begun(1), begun(3));
    insert(store, [user.clone().into(), second.clone().into(), first.into(), third.clone().into()]).await.unwrap();
    let left = async || {
        let sessions = store.sessions().list(user.id).await.unwrap().into_iter();
        sessions.map(|listed| listed.session.into_display().0).collect::<Vec<_>>()
    };
    assert_eq!(store.expired_records().forget_aged(Aged::Sessions, minute(3), 1).await.unwrap(), 1);
    assert_eq!(left().await, [second, third.clone()]);
    assert_eq!(store.expired_records().forget_aged(Aged::Sessions, minute(3), 10).await.unwrap(), 1);
    assert_eq!(left().await, [third]);
}

pub async fn each_kind_is_forgotten_by_its_own_age_alone(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let user = samples.user();
    let prover = Prover { user_id: user.id, id: PrincipalId::Key(samples.id()) };
    let link = samples.account_link(Purpose::SignIn);
    insert(store, [user.clone().into(), samples.session(user.id).into()]).await.unwrap();
    insert(store, [samples.pending_sign_in(user.id).into(), samples.challenge(prover).into()]).await.unwrap();
    insert(store, [samples.email_link(user.id).into(), link.into(), samples.spent_answer().into()]).await.unwrap();
    let guesser = Guesser::of(prover.id)[0];
    insert(store, [samples.code_guesses(user.id, guesser).into()]).await.unwrap();
    let delivery = || samples.webhook_delivery(samples.id(), samples.id());
    insert(store, [delivery().into(), delivery().cancelled(start()).into()]).await.unwrap();
    insert(store, [samples.alert_message(samples.id(), samples.id()).into()]).await.unwrap();
    let conversation = samples.conversation(samples.id(), samples.id());
    let message = samples.chat_message(&conversation, MessageStatus::Received);
    let sealed = samples.workspace_secret(samples.id(), 1);
    let place = SecretPlace { table: text("chat_messages"), ..sealed.place.clone() };
    insert(store, [message.into(), sealed.clone().into()]).await.unwrap();
    insert(store, [WorkspaceSecret { place, id: samples.id(), ..sealed }.into()]).await.unwrap();
    for what in Aged::ALL {
        assert_eq!(store.expired_records().forget_aged(what, start(), 10).await.unwrap(), 0, "{what:?}");
        assert_eq!(store.expired_records().forget_aged(what, minute(1), 10).await.unwrap(), 1, "{what:?}");
        assert_eq!(store.expired_records().forget_aged(what, minute(1), 10).await.unwrap(), 0, "{what:?}");
    }
}

pub async fn one_clears_at_a_time_until_its_turn_ends(store: &dyn Store) {
    let turn = store.expired_records().begin_clearing().await.unwrap().unwrap();
    assert!(store.expired_records().begin_clearing().await.unwrap().is_none());
    drop(turn);
    // A database server notices only a moment later that the connection which held the turn is closed.
    for _ in 0..5_000 {
        if store.expired_records().begin_clearing().await.unwrap().is_some() {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("the turn never ended");
}

pub async fn only_sign_ups_that_nothing_can_confirm_are_unconfirmed(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let [over, linked, waiting] = [(); 3].map(|()| samples.user_without_email());
    let deleted = User { disabled: true, ..samples.user_without_email() };
    let identity = samples.linked_identity(linked.id);
    let link = samples.email_link(waiting.id);
    insert(store, [samples.user().into(), deleted.into(), linked.into(), identity.into()]).await.unwrap();
    insert(store, [over.clone().into(), waiting.into(), link.into()]).await.unwrap();
    assert_eq!(values(store.expired_records().list_unconfirmed_users(minute(1), 10).await.unwrap()), [over]);
    assert_eq!(values(store.expired_records().list_unconfirmed_users(start(), 10).await.unwrap()), []);
}

pub async fn keys_are_found_when_their_owners_are_to_be_reminded(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let ending = |at| ApiKey { remind_at: Some(minute(at)), ..scene.samples.key(&scene.membership) };
    let (second, first, third) = (ending(2), ending(1), ending(3));
    insert(store, [second.clone().into(), first.clone().into(), third.into()]).await.unwrap();
    assert_eq!(
        values(store.expired_records().list_keys_to_remind_of(minute(2), 10).await.unwrap()),
        [first.clone(), second]
    );
    assert_eq!(values(store.expired_records().list_keys_to_remind_of(minute(2), 1).await.unwrap()), [first]);
    assert_eq!(values(store.expired_records().list_keys_to_remind_of(start(), 10).await.unwrap()), []);
}

pub async fn deleted_workspaces_are_found_by_when_they_were_deleted(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let deleted = Workspace { deleted_at: Some(minute(1)), ..samples.workspace() };
    insert(store, [deleted.clone().into(), samples.workspace().into()]).await.unwrap();
    assert_eq!(values(store.expired_records().list_deleted_workspaces(minute(2), 10).await.unwrap()), [deleted]);
    assert_eq!(values(store.expired_records().list_deleted_workspaces(minute(1), 10).await.unwrap()), []);
}
