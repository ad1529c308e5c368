//! Promises about sessions of trading accounts: they are read back as they were written, only at home, and an account has one that is not over.

use tradepost_domain::trading::account_session::{
    AccountSession, Asked, Guard, SessionFailure, SessionStatus, TokenExpiry,
};
use tradepost_ports::record::Kind;
use tradepost_ports::store::{AccountSessionFilter, PageRequest, RecordBatch, Store, StoreError, Unique};

use crate::samples::{Scene, minute, text};
use crate::store_contract::{insert, value, values};

async fn kept(store: &dyn Store, session: AccountSession) -> AccountSession {
    insert(store, [session.clone().into()]).await.unwrap();
    session
}

/// A session of a new account with a value in every field.
fn with_every_field(scene: &Scene, status: SessionStatus, failure: SessionFailure) -> AccountSession {
    let guards = Guard::ALL.iter().rev().copied().collect();
    AccountSession {
        uses_stored_code: false,
        is_automatic: true,
        asked: Asked { guards, email_domain: Some(text("mail.example")) },
        codes_given: u8::MAX,
        code_given_at: Some(minute(2)),
        has_code: status == SessionStatus::Starting,
        expiry: Some(TokenExpiry { access: minute(60), refresh: minute(90) }),
        failure: Some(failure),
        end_requested_at: Some(minute(3)),
        called_at: Some(minute(1)),
        tokens_issued_at: Some(minute(4)),
        updated_at: minute(5),
        ..scene.samples.account_session_in(scene.id(), status)
    }
}

pub async fn an_account_session_in_every_status_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for (status, failure) in SessionStatus::ALL.iter().zip(SessionFailure::ALL.iter().cycle()) {
        let plain = kept(store, scene.samples.account_session_in(scene.id(), *status)).await;
        let full = kept(store, with_every_field(&scene, *status, *failure)).await;
        for session in [plain, full] {
            assert_eq!(session.status, *status);
            let found = store.account_sessions().find_account_sessions(scene.scope(), &[session.id]).await.unwrap();
            assert_eq!(values(found), [session], "{status}");
        }
    }
}

pub async fn an_account_session_is_found_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let over = kept(store, home.samples.account_session_in(home.id(), SessionStatus::Closed)).await;
    let live = kept(store, home.samples.account_session_of(home.id(), over.account_id, SessionStatus::Active)).await;
    let (ids, account) = ([live.id, home.samples.id(), over.id], live.account_id);
    for (scope, both) in [(home.scope(), vec![over, live]), (abroad.scope(), Vec::new())] {
        let sessions = store.account_sessions();
        let mut found = values(sessions.find_account_sessions(scope, &ids).await.unwrap());
        found.sort_by_key(|session| session.id);
        assert_eq!(found, both);
        let page = PageRequest { before: None, limit: 9 };
        let listed = sessions.list_account_sessions(scope, AccountSessionFilter::default(), page).await.unwrap();
        assert_eq!(listed.ids.len(), both.len());
        let live: Vec<AccountSession> = both.into_iter().filter(AccountSession::is_live).collect();
        let slice = RecordBatch { after: None, most: 9 };
        assert_eq!(values(sessions.list_live_account_sessions(scope, slice).await.unwrap()), live);
        let of_account = value(sessions.find_live_account_session(scope, account).await.unwrap());
        assert_eq!(of_account, live.into_iter().next());
        let of_another = sessions.find_live_account_session(scope, home.samples.id()).await.unwrap();
        assert_eq!(value(of_another), None);
    }
}

pub async fn account_sessions_are_listed_by_account_and_status(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (account, other) = (scene.samples.id(), scene.samples.id());
    let make =
        async |account, status| kept(store, scene.samples.account_session_of(scene.id(), account, status)).await.id;
    let failed = make(account, SessionStatus::Failed).await;
    let active = make(account, SessionStatus::Active).await;
    let elsewhere = make(other, SessionStatus::Active).await;
    let listed = async |account_id, status| {
        let (filter, page) = (AccountSessionFilter { account_id, status }, PageRequest { before: None, limit: 9 });
        store.account_sessions().list_account_sessions(scene.scope(), filter, page).await.unwrap().ids
    };
    let works = Some(SessionStatus::Active);
    assert_eq!(listed(None, None).await, [elsewhere, active, failed]);
    assert_eq!(listed(Some(account), None).await, [active, failed]);
    assert_eq!(listed(None, works).await, [elsewhere, active]);
    assert_eq!(listed(Some(account), works).await, [active]);
    assert_eq!(listed(Some(other), Some(SessionStatus::Failed)).await, []);
}

pub async fn an_account_has_one_session_that_is_not_over(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for status in SessionStatus::ALL {
        let account = scene.samples.id();
        let first = kept(store, scene.samples.account_session_of(scene.id(), account, *status)).await;
        let second = scene.samples.account_session_of(scene.id(), account, SessionStatus::Starting);
        let refused = insert(store, [second.clone().into()]).await.err();
        let taken = Some(StoreError::Duplicate(Unique::LiveAccountSession));
        let (expected, live) = if status.is_terminal() { (None, second) } else { (taken, first) };
        assert_eq!(refused, expected, "{status}");
        let found = store.account_sessions().find_live_account_session(scene.scope(), account).await.unwrap();
        assert_eq!(value(found), Some(live), "{status}");
    }
}

pub async fn account_sessions_that_are_not_over_are_read_oldest_first_a_slice_at_a_time(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let mut live = Vec::new();
    for status in SessionStatus::ALL {
        let session = kept(store, scene.samples.account_session_in(scene.id(), *status)).await;
        if !status.is_terminal() {
            live.push(session);
        }
    }
    let read = async |after, most| {
        let (sessions, slice) = (store.account_sessions(), RecordBatch { after, most });
        values(sessions.list_live_account_sessions(scene.scope(), slice).await.unwrap())
    };
    assert_eq!(read(None, 9).await, live);
    assert_eq!(read(None, 2).await, live[..2]);
    assert_eq!(read(Some(live[1].id), 9).await, live[2..]);
}

pub async fn account_sessions_are_counted_by_status(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for status in [SessionStatus::Active, SessionStatus::Active, SessionStatus::Failed] {
        kept(store, scene.samples.account_session_in(scene.id(), status)).await;
    }
    let mut counts = store.counters().by_status(scene.scope(), Kind::AccountSession, None).await.unwrap();
    counts.retain(|(_, count)| *count != 0);
    assert_eq!(counts, [(SessionStatus::Active.code(), 2), (SessionStatus::Failed.code(), 1)]);
}
