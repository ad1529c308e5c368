//! Promises about sessions and sign-ins: look-up, listing and the record of a session's use.

use tradepost_domain::accounts::api_key::TokenDigest;
use tradepost_domain::accounts::membership::{Event, Membership};
use tradepost_domain::accounts::session::{Proof, Session};
use tradepost_domain::accounts::sign_in::PendingSignIn;
use tradepost_domain::accounts::user::User;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::store::{SessionUse, Store, StoreError, Unique};

use crate::samples::{Samples, Scene, minute};
use crate::store_contract::{insert, remove, revise, system, value, values};

pub async fn a_session_is_read_back_whole(store: &dyn Store) {
    let (samples, user) = user_in(store).await;
    let full = samples.session(user.id);
    let bare = Session { client: None, user_agent: None, ..samples.session(user.id) };
    let proved = samples.session(user.id).proved(Proof::Totp, minute(3));
    for session in [full, bare, proved] {
        insert(store, [session.clone().into()]).await.unwrap();
        let found = store.sessions().find_by_digest(&session.digest).await.unwrap().unwrap();
        assert_eq!(found.session.session.into_display(), (session, 1));
        assert_eq!(found.session.last_seen_at, None);
        assert_eq!(found.user.into_display(), (user.clone(), 1));
        assert_eq!(values(found.memberships), []);
    }
}

pub async fn a_session_is_found_by_digest_with_the_live_memberships_of_its_user(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let guest = home.samples.member(abroad.id(), home.user.id);
    let left = home.samples.member(third(&home), home.user.id).apply(Event::Leave, minute(1)).unwrap();
    let session = home.samples.session(home.user.id);
    insert(store, [guest.clone().into(), left.into(), session.clone().into()]).await.unwrap();
    let found = store.sessions().find_by_digest(&session.digest).await.unwrap().unwrap();
    assert_eq!(values::<Membership>(found.memberships), [home.membership, guest]);
}

pub async fn an_unknown_session_is_none(store: &dyn Store) {
    let (samples, user) = user_in(store).await;
    let session = samples.session(user.id);
    insert(store, [session.clone().into()]).await.unwrap();
    assert!(store.sessions().find_by_digest(&TokenDigest([0xff; 32])).await.unwrap().is_none());
    let seen = store.sessions().find_by_digest(&session.digest).await.unwrap().unwrap().session.session;
    remove(store, seen).await.unwrap();
    assert!(store.sessions().find_by_digest(&session.digest).await.unwrap().is_none());
}

pub async fn sessions_are_listed_by_user_oldest_first(store: &dyn Store) {
    let (samples, user) = user_in(store).await;
    let other = samples.user();
    let [old, new] = [samples.session(user.id), samples.session(user.id)];
    let foreign = samples.session(other.id);
    insert(store, [other.into(), new.clone().into(), foreign.into(), old.clone().into()]).await.unwrap();
    assert_eq!(listed(store, &user).await, [(old, None), (new, None)]);
}

pub async fn a_token_opens_one_session(store: &dyn Store) {
    let (samples, user) = user_in(store).await;
    let session = samples.session(user.id);
    let same = Session { digest: session.digest, ..samples.session(user.id) };
    insert(store, [session.into()]).await.unwrap();
    assert_eq!(insert(store, [same.into()]).await, Err(StoreError::Duplicate(Unique::TokenDigest)));
}

pub async fn a_session_goes_by_its_latest_token(store: &dyn Store) {
    let (samples, user) = user_in(store).await;
    let (session, other) = (samples.session(user.id), samples.session(user.id));
    insert(store, [session.clone().into()]).await.unwrap();
    let seen = store.sessions().find_by_digest(&session.digest).await.unwrap().unwrap().session.session;
    revise(store, seen, |session| session.with_token(other.prefix.clone(), other.digest)).await.unwrap();
    assert!(store.sessions().find_by_digest(&session.digest).await.unwrap().is_none());
    let found = store.sessions().find_by_digest(&other.digest).await.unwrap().unwrap();
    assert_eq!(found.session.session.peek().id, session.id);
}

pub async fn a_last_sight_never_moves_back_and_changes_no_version(store: &dyn Store) {
    let (samples, user) = user_in(store).await;
    let [first, second] = [samples.session(user.id), samples.session(user.id)];
    insert(store, [first.clone().into(), second.clone().into()]).await.unwrap();
    let before = store.sessions().find_by_digest(&first.digest).await.unwrap().unwrap().session.session;
    for (seen, last) in [(5, 5), (3, 5), (8, 8)] {
        store.sessions().touch(&[seen_at(&first, seen)]).await.unwrap();
        let found = store.sessions().find_by_digest(&first.digest).await.unwrap().unwrap();
        assert_eq!(found.session.last_seen_at, Some(minute(last)));
    }
    store.sessions().touch(&[seen_at(&first, 7), seen_at(&second, 2), seen_at(&first, 9)]).await.unwrap();
    store.sessions().touch(&[]).await.unwrap();
    assert_eq!(listed(store, &user).await, [(first, Some(minute(9))), (second, Some(minute(2)))]);
    let mut changes = system();
    changes.rely_on(before);
    assert!(store.commit(changes).await.is_ok());
}

pub async fn a_sign_in_is_found_by_its_id_alone_and_listed_by_user(store: &dyn Store) {
    let (samples, user) = user_in(store).await;
    let other = samples.user();
    let old = samples.pending_sign_in(user.id);
    let new = PendingSignIn { passkey_state: Some(r#"{"ast":1}"#.to_owned()), ..samples.pending_sign_in(user.id) };
    let foreign = samples.pending_sign_in(other.id);
    insert(store, [other.into(), new.clone().into(), foreign.into(), old.clone().into()]).await.unwrap();
    assert_eq!(value(store.sign_ins().find_pending(new.id).await.unwrap()), Some(new.clone()));
    assert_eq!(value(store.sign_ins().find_pending(samples.id()).await.unwrap()), None);
    assert_eq!(values(store.sign_ins().list_pending(user.id).await.unwrap()), [old, new]);
}

pub async fn a_question_for_anybodys_passkey_is_taken_once(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let asked = samples.passkey_sign_in(minute(1));
    insert(store, [asked.clone().into()]).await.unwrap();
    let [first, second] = [
        store.sign_ins().find_by_passkey(asked.id).await.unwrap(),
        store.sign_ins().find_by_passkey(asked.id).await.unwrap(),
    ];
    remove(store, first.unwrap()).await.unwrap();
    assert_eq!(remove(store, second.unwrap()).await, Err(StoreError::Conflict));
    assert_eq!(value(store.sign_ins().find_by_passkey(asked.id).await.unwrap()), None);
}

pub async fn questions_for_anybodys_passkey_are_listed_by_age(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let [old, older, new] = [2, 1, 3].map(|at| samples.passkey_sign_in(minute(at)));
    insert(store, [old.clone().into(), older.clone().into(), new.into()]).await.unwrap();
    let before = async |most| values(store.sign_ins().list_by_passkey_before(minute(3), most).await.unwrap());
    assert_eq!(before(9).await, [older.clone(), old]);
    assert_eq!(before(1).await, [older]);
}

async fn listed(store: &dyn Store, user: &User) -> Vec<(Session, Option<Timestamp>)> {
    let sessions = store.sessions().list(user.id).await.unwrap();
    sessions.into_iter().map(|listed| (listed.session.into_display().0, listed.last_seen_at)).collect()
}

fn seen_at(session: &Session, minutes: i64) -> SessionUse {
    SessionUse { user_id: session.user_id, session_id: session.id, at: minute(minutes) }
}

fn third(scene: &Scene) -> WorkspaceId {
    scene.samples.id()
}

async fn user_in(store: &dyn Store) -> (Samples, User) {
    let samples = Samples::seeded(1);
    let user = samples.user();
    insert(store, [user.clone().into()]).await.unwrap();
    (samples, user)
}
