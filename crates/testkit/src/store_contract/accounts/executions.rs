//! Promises about calls that are executed once.

use futures::future::join_all;
use time::Duration;
use tradepost_domain::idempotency::{Execution, LIFE};
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::{Store, StoreError, Unique};

use crate::samples::{Samples, minute, start};
use crate::store_contract::{insert, revise, value};

fn execution(samples: &Samples) -> Execution {
    Execution::begun(samples.id(), [7; 32], start())
}

pub async fn an_execution_is_read_back_whole(store: &dyn Store) {
    let execution = execution(&Samples::seeded(1));
    insert(store, [execution.clone().into()]).await.unwrap();
    let found = store.executions().find(execution.id).await.unwrap().unwrap();
    assert_eq!(*found.peek(), execution);
    revise(store, found, |execution| execution.answered(vec![1, 2], true)).await.unwrap();
    assert_eq!(value(store.executions().find(execution.id).await.unwrap()), Some(execution.answered(vec![1, 2], true)));
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
    assert_eq!(store.executions().forget_answers(minute(9), 10).await.unwrap(), 0);
    assert!(value(store.executions().find(execution.id).await.unwrap()).unwrap().sealed.is_some());
    assert_eq!(store.executions().forget_answers(minute(10), 10).await.unwrap(), 1);
    assert!(value(store.executions().find(execution.id).await.unwrap()).unwrap().sealed.is_none());
    assert_eq!(store.executions().forget(start().plus(LIFE - Duration::seconds(1)), 10).await.unwrap(), 0);
    assert!(store.executions().find(execution.id).await.unwrap().is_some());
    assert_eq!(store.executions().forget(start().plus(LIFE), 10).await.unwrap(), 1);
    assert!(store.executions().find(execution.id).await.unwrap().is_none());
}

pub async fn keys_and_answers_are_forgotten_some_at_a_time_the_oldest_first(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let at = |minutes| Execution::begun(samples.id(), [7; 32], minute(minutes)).answered(vec![1], false);
    let (second, first, third) = (at(2), at(1), at(3));
    insert(store, [second.clone().into(), first.clone().into(), third.clone().into()]).await.unwrap();
    let (sealed, stored) = (
        async |execution: &Execution| {
            value(store.executions().find(execution.id).await.unwrap()).is_some_and(|found| found.sealed.is_some())
        },
        async |execution: &Execution| store.executions().find(execution.id).await.unwrap().is_some(),
    );
    let due = minute(2).plus(LIFE);
    assert_eq!(store.executions().forget_answers(due, 1).await.unwrap(), 1);
    assert_eq!((sealed(&first).await, sealed(&second).await), (false, true));
    assert_eq!(store.executions().forget_answers(due, 5).await.unwrap(), 1);
    assert_eq!(store.executions().forget(due, 1).await.unwrap(), 1);
    assert_eq!((stored(&first).await, stored(&second).await), (false, true));
    assert_eq!(store.executions().forget(due, 5).await.unwrap(), 1);
    assert_eq!((stored(&second).await, sealed(&third).await), (false, true));
}
