//! Helpers by which promises write and read.

use tradepost_ports::changes::{Caller, Changes, Committed, Seen};
use tradepost_ports::record::{AnyRecord, Record};
use tradepost_ports::store::{Store, StoreResult};

/// Returns changes of the system, without a key.
pub(crate) fn system() -> Changes {
    Changes::by(&Caller::system())
}

/// Writes new records in one commit.
pub(super) async fn insert<const N: usize>(store: &dyn Store, records: [AnyRecord; N]) -> StoreResult<Committed> {
    let mut changes = system();
    for record in records {
        changes.insert(record);
    }
    store.commit(changes).await
}

/// Replaces a record by the result of `decide`.
pub(super) async fn revise<T: Record>(
    store: &dyn Store,
    seen: Seen<T>,
    decide: impl FnOnce(T) -> T,
) -> StoreResult<Committed> {
    let mut changes = system();
    changes.revise(seen, |record| Ok::<_, std::convert::Infallible>(decide(record))).unwrap();
    store.commit(changes).await
}

/// Removes a record.
pub(super) async fn remove<T: Record>(store: &dyn Store, seen: Seen<T>) -> StoreResult<Committed> {
    let mut changes = system();
    changes.remove(seen);
    store.commit(changes).await
}

/// Returns the record alone.
pub(super) fn value<T: Record>(seen: Option<Seen<T>>) -> Option<T> {
    seen.map(|seen| seen.into_display().0)
}

/// Returns the records alone.
pub(super) fn values<T: Record>(seen: Vec<Seen<T>>) -> Vec<T> {
    seen.into_iter().map(|seen| seen.into_display().0).collect()
}
