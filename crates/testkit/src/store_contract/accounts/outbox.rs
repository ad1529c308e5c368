//! Promises about mails that wait for the transport.

use futures::future::join_all;
use tradepost_ports::store::{Store, StoreError};

use crate::samples::{Samples, minute, start};
use crate::store_contract::{insert, revise, system, value, values};

pub async fn a_mail_is_read_back_whole(store: &dyn Store) {
    let mail = Samples::seeded(1).mail();
    insert(store, [mail.clone().into()]).await.unwrap();
    let waiting = store.outbox().list_due(start(), 10).await.unwrap().pop();
    revise(store, waiting.unwrap(), |mail| mail.claim(start()).unwrap()).await.unwrap();
    let claimed = store.outbox().list_due(minute(1), 10).await.unwrap().pop();
    assert_eq!(value(claimed), Some(mail.claim(start()).unwrap()));
}

pub async fn mails_are_listed_once_they_are_due_the_longest_waiting_first(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let [first, second, later] = [samples.mail(), samples.mail(), samples.mail()];
    let later = later.claim(start()).unwrap();
    insert(store, [later.clone().into(), second.clone().into(), first.clone().into()]).await.unwrap();
    assert_eq!(values(store.outbox().list_due(start(), 1).await.unwrap()), std::slice::from_ref(&first));
    assert_eq!(values(store.outbox().list_due(start(), 10).await.unwrap()), [first.clone(), second.clone()]);
    assert_eq!(values(store.outbox().list_due(minute(1), 10).await.unwrap()), [first, second, later]);
}

pub async fn one_of_many_claims_a_mail(store: &dyn Store) {
    insert(store, [Samples::seeded(1).mail().into()]).await.unwrap();
    let claims = (0..16).map(|_| async {
        let mail = store.outbox().list_due(start(), 1).await.unwrap().pop();
        let mut changes = system();
        changes.revise(mail?, |mail| mail.claim(start())).unwrap();
        Some(store.commit(changes).await)
    });
    let claims: Vec<_> = join_all(claims).await.into_iter().flatten().collect();
    assert_eq!(claims.iter().filter(|claim| claim.is_ok()).count(), 1);
    assert!(claims.iter().all(|claim| matches!(claim, Ok(_) | Err(StoreError::Conflict))), "{claims:?}");
}
