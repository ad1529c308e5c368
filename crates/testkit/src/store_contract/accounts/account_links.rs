//! Promises about links to identities of other platforms.

use tradepost_domain::accounts::access::PrincipalId;
use tradepost_domain::accounts::account_link::{ConsumedAssertion, Provider, Purpose};
use tradepost_ports::store::{Store, StoreError, Unique};

use crate::samples::{Samples, minute};
use crate::store_contract::{insert, value};

pub async fn an_identity_is_found_by_platform_and_subject(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let user = samples.user();
    let identity = samples.linked_identity(user.id);
    insert(store, [user.clone().into(), identity.clone().into(), samples.linked_identity(user.id).into()])
        .await
        .unwrap();
    let found = store.account_links().find_identity(Provider::Discord, &identity.subject).await.unwrap();
    assert_eq!(value(found), Some(identity.clone()));
    assert_eq!(value(store.account_links().find_identity(Provider::Steam, &identity.subject).await.unwrap()), None);
}

pub async fn a_link_of_every_purpose_is_read_back_whole(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let user_id = samples.user().id;
    let principals = [None, Some(PrincipalId::Key(samples.id())), Some(PrincipalId::Session(samples.id()))];
    let links = principals.map(|principal| samples.account_link(Purpose::Link { user_id, principal }));
    for link in links.into_iter().chain([samples.account_link(Purpose::SignIn)]) {
        insert(store, [link.clone().into()]).await.unwrap();
        assert_eq!(value(store.account_links().find(link.id).await.unwrap()), Some(link));
    }
    assert_eq!(value(store.account_links().find(samples.id()).await.unwrap()), None);
}

pub async fn an_answer_is_spent_once(store: &dyn Store) {
    let answer = Samples::seeded(1).spent_answer();
    insert(store, [answer.into()]).await.unwrap();
    let again = ConsumedAssertion { spent_at: minute(1), ..answer };
    assert_eq!(insert(store, [again.into()]).await, Err(StoreError::Duplicate(Unique::Address)));
}
