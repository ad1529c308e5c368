//! Promises about what is over and still stored.

use tradepost_domain::api_key::ApiKey;
use tradepost_domain::membership::{INVITATION_LIFE, Membership};
use tradepost_domain::session::Session;
use tradepost_domain::user::User;
use tradepost_domain::workspace::Workspace;

use super::{insert, values};
use crate::store::Store;
use crate::testing::samples::{Samples, Scene, minute, start};

pub async fn overdue_invitations_are_found_from_their_end_on(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let invitation = scene.samples.invitation(scene.id(), &scene.samples.email());
    insert(store, [invitation.clone().into()]).await.unwrap();
    let end = start().plus(INVITATION_LIFE);
    let found = async |until| values::<Membership>(store.list_overdue_invitations(until, 10).await.unwrap());
    assert_eq!(found(end.plus(-time::Duration::MICROSECOND)).await, []);
    assert_eq!(found(end).await, [invitation]);
}

pub async fn what_was_begun_before_is_found_oldest_first(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let user = samples.user();
    let begun = |at| Session { created_at: minute(at), ..samples.session(user.id) };
    let (second, first, third) = (begun(2), begun(1), begun(3));
    let (pending, link) = (samples.pending_sign_in(user.id), samples.email_link(user.id));
    insert(store, [user.clone().into(), pending.clone().into(), link.clone().into()]).await.unwrap();
    insert(store, [second.clone().into(), first.clone().into(), third.into()]).await.unwrap();
    assert_eq!(values(store.list_old_sessions(minute(3), 10).await.unwrap()), [first.clone(), second]);
    assert_eq!(values(store.list_old_sessions(minute(3), 1).await.unwrap()), [first]);
    assert_eq!(values(store.list_old_pending_sign_ins(minute(1), 10).await.unwrap()), [pending]);
    assert_eq!(values(store.list_old_email_links(minute(1), 10).await.unwrap()), [link]);
    assert_eq!(values(store.list_old_email_links(start(), 10).await.unwrap()), []);
    assert_eq!(values(store.list_old_challenges(minute(1), 10).await.unwrap()), []);
}

pub async fn only_sign_ups_that_nothing_can_confirm_are_unconfirmed(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let [over, linked, waiting] = [(); 3].map(|()| samples.user_without_email());
    let deleted = User { disabled: true, ..samples.user_without_email() };
    let identity = samples.linked_identity(linked.id);
    let link = samples.email_link(waiting.id);
    insert(store, [samples.user().into(), deleted.into(), linked.into(), identity.into()]).await.unwrap();
    insert(store, [over.clone().into(), waiting.into(), link.into()]).await.unwrap();
    assert_eq!(values(store.list_unconfirmed_users(minute(1), 10).await.unwrap()), [over]);
    assert_eq!(values(store.list_unconfirmed_users(start(), 10).await.unwrap()), []);
}

pub async fn keys_are_found_when_their_owners_are_to_be_reminded(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let ending = |at| ApiKey { remind_at: Some(minute(at)), ..scene.samples.key(&scene.membership) };
    let (second, first, third) = (ending(2), ending(1), ending(3));
    insert(store, [second.clone().into(), first.clone().into(), third.into()]).await.unwrap();
    assert_eq!(values(store.list_keys_to_remind_of(minute(2), 10).await.unwrap()), [first.clone(), second]);
    assert_eq!(values(store.list_keys_to_remind_of(minute(2), 1).await.unwrap()), [first]);
    assert_eq!(values(store.list_keys_to_remind_of(start(), 10).await.unwrap()), []);
}

pub async fn deleted_workspaces_are_found_by_when_they_were_deleted(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let deleted = Workspace { deleted_at: Some(minute(1)), ..samples.workspace() };
    insert(store, [deleted.clone().into(), samples.workspace().into()]).await.unwrap();
    assert_eq!(values(store.list_deleted_workspaces(minute(2), 10).await.unwrap()), [deleted]);
    assert_eq!(values(store.list_deleted_workspaces(minute(1), 10).await.unwrap()), []);
}
