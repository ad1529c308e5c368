//! Promises about workspaces and memberships.

use std::collections::BTreeMap;

use tradepost_domain::accounts::access::Principal;
use tradepost_domain::accounts::api_key::TokenDigest;
use tradepost_domain::accounts::membership::{Event, INVITATION_LIFE, Membership, Status};
use tradepost_domain::accounts::passkey::Passkey;
use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::accounts::user::User;
use tradepost_domain::accounts::workspace::{KeyLife, Settings, TradingHalt, Workspace};
use tradepost_ports::store::{PageRequest, Store};

use crate::samples::{Scene, minute, start, text};
use crate::store_contract::{insert, revise, value, values};

pub async fn a_workspace_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    assert_eq!(value(store.workspaces().find(scene.scope()).await.unwrap()), Some(scene.workspace.clone()));
    let settings =
        Settings { require_two_factor: true, key_life: Some(KeyLife::new(30).unwrap()), allow_email_step_up: false };
    let trading_halt = Some(TradingHalt { reason: text("for a test"), since: minute(1) });
    let deleted_at = Some(minute(1));
    let bare = Workspace { description: None, settings, trading_halt, deleted_at, ..scene.samples.workspace() };
    insert(store, [bare.clone().into()]).await.unwrap();
    let scope = Principal::System.enter(bare.id, PolicySet::EVERY).unwrap();
    assert_eq!(value(store.workspaces().find(scope).await.unwrap()), Some(bare));
}

pub async fn an_unknown_workspace_is_none(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let scope = Principal::System.enter(scene.samples.id(), PolicySet::EVERY).unwrap();
    assert_eq!(value(store.workspaces().find(scope).await.unwrap()), None);
}

pub async fn a_membership_in_every_state_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for status in Status::ALL {
        let (user, membership) = membership_in(&scene, status);
        insert(store, [user.into(), membership.clone().into()]).await.unwrap();
        let read = value(store.memberships().find(scene.scope(), membership.id).await.unwrap());
        assert_eq!(read, Some(membership), "{}", status.as_str());
    }
}

pub async fn memberships_of_another_workspace_are_never_seen(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let id = abroad.membership.id;
    assert_eq!(value(store.memberships().find(home.scope(), id).await.unwrap()), None);
    assert_eq!(values(store.memberships().find_many(home.scope(), &[id]).await.unwrap()), []);
    assert_eq!(value(store.memberships().find_member(home.scope(), abroad.user.id).await.unwrap()), None);
    let all = PageRequest { before: None, limit: 10 };
    let listed = store.memberships().list(home.scope(), None, all).await.unwrap();
    assert_eq!(listed.ids, [home.membership.id]);
}

pub async fn several_memberships_leave_out_what_is_not_there(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (user, suspended) = membership_in(&scene, Status::Suspended);
    insert(store, [user.into(), suspended.clone().into()]).await.unwrap();
    let ids = [suspended.id, scene.samples.id(), scene.membership.id];
    let mut found = values(store.memberships().find_many(scene.scope(), &ids).await.unwrap());
    found.sort_by_key(|membership| membership.id);
    assert_eq!(found, [scene.membership.clone(), suspended]);
    assert_eq!(values(store.memberships().find_many(scene.scope(), &[]).await.unwrap()), []);
}

pub async fn a_member_is_found_while_the_membership_is_live(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for status in [Status::Accepted, Status::Suspended, Status::Removed, Status::Left] {
        let (user, membership) = membership_in(&scene, status);
        insert(store, [user.clone().into(), membership.clone().into()]).await.unwrap();
        let found = value(store.memberships().find_member(scene.scope(), user.id).await.unwrap());
        assert_eq!(found, (!status.is_terminal()).then_some(membership), "{}", status.as_str());
    }
}

pub async fn members_without_app_and_passkey_are_counted_while_they_are_accepted(store: &dyn Store) {
    let (scene, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    for status in Status::ALL {
        let (user, membership) = membership_in(&scene, status);
        insert(store, [user.into(), membership.into()]).await.unwrap();
    }
    let count = async || store.memberships().count_without_strong_factor(scene.scope()).await.unwrap();
    assert_eq!(count().await, 2);
    insert(store, [scene.samples.totp(scene.user.id).into()]).await.unwrap();
    assert_eq!(count().await, 1);
    let (user, membership) = membership_in(&scene, Status::Accepted);
    let copied = Passkey { disabled_at: Some(minute(1)), ..scene.samples.passkey(user.id) };
    insert(store, [user.clone().into(), membership.into(), copied.into()]).await.unwrap();
    assert_eq!(count().await, 2);
    insert(store, [scene.samples.passkey(user.id).into()]).await.unwrap();
    assert_eq!(count().await, 1);
    assert_eq!(store.memberships().count_without_strong_factor(abroad.scope()).await.unwrap(), 1);
}

pub async fn an_own_membership_is_found_in_any_workspace(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    for scene in [&home, &abroad] {
        let found = value(store.memberships().find_own(&scene.user, scene.membership.id).await.unwrap());
        assert_eq!(found, Some(scene.membership.clone()));
    }
    assert_eq!(value(store.memberships().find_own(&home.user, abroad.membership.id).await.unwrap()), None);
    assert_eq!(value(store.memberships().find_own(&home.user, home.samples.id()).await.unwrap()), None);
}

pub async fn an_invitation_is_own_by_verified_address_alone(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (invitee, invitation) = membership_in(&scene, Status::Invited);
    let without_email = scene.samples.user_without_email();
    insert(store, [invitee.clone().into(), without_email.clone().into(), invitation.clone().into()]).await.unwrap();
    assert_eq!(value(store.memberships().find_own(&invitee, invitation.id).await.unwrap()), Some(invitation.clone()));
    for stranger in [&scene.user, &without_email] {
        assert_eq!(value(store.memberships().find_own(stranger, invitation.id).await.unwrap()), None);
    }
    assert_eq!(value(store.memberships().find_own(&without_email, scene.membership.id).await.unwrap()), None);
}

pub async fn an_invitation_is_found_by_its_token_until_it_is_answered(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let token = TokenDigest([7; 32]);
    assert_eq!(value(store.memberships().find_invitation(&token).await.unwrap()), None);
    let (invitee, invitation) = membership_in(&scene, Status::Invited);
    let invitation = invitation.with_token(token);
    insert(store, [invitee.into(), invitation.clone().into()]).await.unwrap();
    let seen = store.memberships().find_invitation(&token).await.unwrap().unwrap();
    assert_eq!(seen.peek(), &invitation);
    revise(store, seen, |invitation| invitation.apply(Event::Decline, minute(1)).unwrap()).await.unwrap();
    assert_eq!(value(store.memberships().find_invitation(&token).await.unwrap()), None);
}

pub async fn own_memberships_are_counted_over_all_workspaces(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let user = &home.user;
    let address = user.email.clone().unwrap();
    let declined = home.samples.invitation(abroad.id(), &address).apply(Event::Decline, start()).unwrap();
    let invited = home.samples.invitation(abroad.id(), &address);
    // Another user, who had the address before, accepted it: it no longer is this user's.
    let taken = home.samples.invitation(abroad.id(), &address);
    let taken =
        taken.apply(Event::Accept { by: abroad.user.id }, start()).unwrap().apply(Event::Leave, start()).unwrap();
    insert(store, [declined.into(), invited.into(), taken.into()]).await.unwrap();
    let counts: BTreeMap<i16, i64> = store.memberships().count_own(user).await.unwrap().into_iter().collect();
    let expected = [(Status::Invited, 1), (Status::Accepted, 1), (Status::Declined, 1)];
    assert_eq!(counts, expected.map(|(status, count)| (status.code(), count)).into());
}

pub async fn memberships_of_a_user_in_a_workspace_are_counted_the_ended_ones_too(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let user = home.user.id;
    let left = || home.samples.member(abroad.id(), user).apply(Event::Leave, start()).unwrap();
    let removed = home.samples.member(abroad.id(), user).apply(Event::Remove, start()).unwrap();
    let invited = home.samples.invitation(abroad.id(), home.user.email.as_ref().unwrap());
    let member = home.samples.member(abroad.id(), user);
    insert(store, [left().into(), left().into(), removed.into(), invited.into(), member.into()]).await.unwrap();
    let counts: BTreeMap<i16, i64> =
        store.memberships().count(abroad.scope(), user).await.unwrap().into_iter().collect();
    let expected = [(Status::Accepted, 1), (Status::Removed, 1), (Status::Left, 2)];
    assert_eq!(counts, expected.map(|(status, count)| (status.code(), count)).into());
}

pub async fn live_memberships_of_a_user_are_listed_oldest_first(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let user = home.user.id;
    let left = home.samples.member(abroad.id(), user).apply(Event::Leave, start()).unwrap();
    let suspended = home.samples.member(abroad.id(), user).apply(Event::Suspend, start()).unwrap();
    let invited = home.samples.invitation(abroad.id(), home.user.email.as_ref().unwrap());
    insert(store, [suspended.clone().into(), left.into(), invited.into()]).await.unwrap();
    let own = values(store.memberships().list_own(user).await.unwrap());
    assert_eq!(own, [home.membership.clone(), suspended]);
}

pub async fn every_membership_of_a_user_is_listed_oldest_first(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let user = home.user.id;
    let left = home.samples.member(abroad.id(), user).apply(Event::Leave, start()).unwrap();
    let suspended = home.samples.member(abroad.id(), user).apply(Event::Suspend, start()).unwrap();
    insert(store, [suspended.clone().into(), left.clone().into()]).await.unwrap();
    let every = values(store.memberships().list_all_of(user).await.unwrap());
    assert_eq!(every, [home.membership.clone(), left, suspended]);
}

pub async fn a_membership_in_a_deleted_workspace_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let seen = store.memberships().find(scene.scope(), scene.membership.id).await.unwrap().unwrap();
    revise(store, seen, |membership| membership.in_deleted_workspace(true, minute(1))).await.unwrap();
    let read = value(store.memberships().find(scene.scope(), scene.membership.id).await.unwrap());
    assert_eq!(read, Some(scene.membership.clone().in_deleted_workspace(true, minute(1))));
}

pub async fn the_workspaces_of_a_user_are_those_they_are_a_member_of(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    Scene::founded(store, 3).await;
    assert_eq!(values(store.workspaces().list_own(home.user.id).await.unwrap()), std::slice::from_ref(&home.workspace));
    let guest = home.samples.member(abroad.id(), home.user.id);
    insert(store, [guest.clone().into()]).await.unwrap();
    let both = [home.workspace.clone(), abroad.workspace.clone()];
    assert_eq!(values(store.workspaces().list_own(home.user.id).await.unwrap()), both);
    let seen = store.memberships().find(abroad.scope(), guest.id).await.unwrap().unwrap();
    revise(store, seen, |guest| guest.apply(Event::Leave, minute(1)).unwrap()).await.unwrap();
    assert_eq!(values(store.workspaces().list_own(home.user.id).await.unwrap()), [home.workspace]);
}

pub async fn memberships_are_listed_by_status(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let mut made = vec![scene.membership.clone()];
    for status in Status::ALL {
        let (user, membership) = membership_in(&scene, status);
        insert(store, [user.into(), membership.clone().into()]).await.unwrap();
        made.push(membership);
    }
    let page = PageRequest { before: None, limit: 50 };
    for status in Status::ALL.map(Some).into_iter().chain([None]) {
        let wanted = made.iter().rev().filter(|membership| status.is_none_or(|status| membership.status() == status));
        let wanted: Vec<_> = wanted.map(|membership| membership.id).collect();
        let listed = store.memberships().list(scene.scope(), status, page).await.unwrap();
        assert_eq!((listed.ids, listed.more), (wanted, false));
    }
}

/// Returns a user who is not in the store yet, and the user's membership in a status, by a legal path.
fn membership_in(scene: &Scene, status: Status) -> (User, Membership) {
    let user = scene.samples.user();
    let invited = scene.samples.invitation(scene.id(), user.email.as_ref().unwrap());
    let accept = Event::Accept { by: user.id };
    let way = match status {
        Status::Invited => vec![],
        Status::Accepted => vec![accept],
        Status::Suspended => vec![accept, Event::Suspend],
        Status::Declined => vec![Event::Decline],
        Status::Revoked => vec![Event::RevokeInvitation],
        Status::Expired => vec![Event::Expire],
        Status::Removed => vec![accept, Event::Remove],
        Status::Left => vec![accept, Event::Leave],
    };
    let at = if status == Status::Expired { start().plus(INVITATION_LIFE) } else { start() };
    let membership = way.into_iter().fold(invited, |membership, event| membership.apply(event, at).unwrap());
    (user, membership)
}
