//! Promises about calls that are carried out once.

use futures::future::join_all;
use time::Duration;
use tradepost_domain::idempotency::{Execution, LIFE};

use super::{insert, revise, value};
use crate::changes::{Caller, Changes};
use crate::store::{Store, StoreError, Unique};
use crate::testing::samples::{Samples, minute, start};

fn execution(samples: &Samples) -> Execution {
    Execution::begun(samples.id(), [7; 32], start())
}

pub async fn an_execution_is_read_back_whole(store: &dyn Store) {
    let execution = execution(&Samples::seeded(1));
    insert(store, [execution.clone().into()]).await.unwrap();
    let found = store.find_execution(execution.id).await.unwrap().unwrap();
    assert_eq!(*found.peek(), execution);
    revise(store, found, |execution| execution.answered(vec![1, 2], true)).await.unwrap();
    assert_eq!(value(store.find_execution(execution.id).await.unwrap()), Some(execution.answered(vec![1, 2], true)));
}

pub async fn what_is_done_under_one_key_at_once_is_done_once(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let once = Caller { once: Some(execution(&samples)), ..Caller::system() };
    let outcomes = (0..64).map(|_| {
        let mut changes = Changes::by(&once);
        changes.insert(samples.user());
        store.commit(changes)
    });
    let outcomes = join_all(outcomes.collect::<Vec<_>>()).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    let spent = Err(StoreError::Duplicate(Unique::IdempotencyKey));
    assert!(outcomes.iter().all(|outcome| outcome.is_ok() || *outcome == spent), "{outcomes:?}");
}

pub async fn answers_are_forgotten_before_their_keys(store: &dyn Store) {
    let execution = execution(&Samples::seeded(1));
    insert(store, [execution.clone().answered(vec![1], true).into()]).await.unwrap();
    store.forget_executions(minute(9)).await.unwrap();
    assert!(value(store.find_execution(execution.id).await.unwrap()).unwrap().sealed.is_some());
    store.forget_executions(minute(10)).await.unwrap();
    assert!(value(store.find_execution(execution.id).await.unwrap()).unwrap().sealed.is_none());
    store.forget_executions(start().plus(LIFE - Duration::seconds(1))).await.unwrap();
    assert!(store.find_execution(execution.id).await.unwrap().is_some());
    store.forget_executions(start().plus(LIFE)).await.unwrap();
    assert!(store.find_execution(execution.id).await.unwrap().is_none());
}
