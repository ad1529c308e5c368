//! Observations on SQLite: batches that wait are written together, so that one flush serves several; in slices, between which
//! commits go first.

use tokio::sync::{mpsc, oneshot};
use tradepost_domain::markets::observation::MarketObservation;
use tradepost_ports::changes::VersionGuard;
use tradepost_ports::store::{Recorded, StoreError, StoreResult};

use super::exclusive::{Exclusive, Writing as Open};
use super::guards;
use super::job::Awaited;
use crate::classify::{DbOperation, classify};
use crate::markets::recording;

/// Most batches that share a transaction. A commit that comes while it is flushed waits for it.
const MOST_AT_ONCE: usize = 4;
/// Observations of a slice, so many that each table takes one statement.
const SLICE: usize = 128;

/// Observations to record, and where their outcome is sent.
#[derive(Debug)]
pub(super) struct Batch {
    guards: Vec<VersionGuard>,
    observations: Vec<MarketObservation>,
    /// The outcome of those that were written.
    recorded: Vec<Recorded>,
    /// How many of them stay, whatever happens.
    kept: usize,
    done: oneshot::Sender<StoreResult<Vec<Recorded>>>,
}

impl Batch {
    pub(super) fn new(
        guards: &[VersionGuard],
        observations: &[MarketObservation],
        done: oneshot::Sender<StoreResult<Vec<Recorded>>>,
    ) -> Self {
        let (guards, observations) = (guards.to_vec(), observations.to_vec());
        Self { guards, observations, recorded: Vec::new(), kept: 0, done }
    }

    fn left(&self) -> &[MarketObservation] {
        self.observations.get(self.recorded.len()..).unwrap_or_default()
    }

    /// Answers, by what went wrong unless all of it stays. What nothing went wrong with was refused.
    fn end(self, failed: Option<StoreError>) {
        let is_whole = self.kept == self.observations.len();
        let answer = if is_whole { Ok(self.recorded) } else { Err(failed.unwrap_or(StoreError::CallerChanged)) };
        // The caller may have been dropped. What was written is kept all the same.
        let _ = self.done.send(answer);
    }
}

/// Runs until every sender is dropped and the queue is empty.
pub(super) async fn run(exclusive: Exclusive, mut inbox: mpsc::Receiver<Batch>, commits: Awaited) {
    let mut batches = Vec::with_capacity(MOST_AT_ONCE);
    while inbox.recv_many(&mut batches, MOST_AT_ONCE).await > 0 {
        write(&exclusive, &commits, &mut batches).await;
    }
}

async fn write(exclusive: &Exclusive, commits: &Awaited, batches: &mut Vec<Batch>) {
    let failed = Writing { exclusive, commits, open: None }.all(batches).await.err();
    // One bad row spoils what shares its transaction: then each batch answers for itself. Where the disk is full or a commit
    // has no answer, it would be no better for each alone.
    let in_turn = match &failed {
        Some(StoreError::Unavailable(_) | StoreError::Unknown(_)) | None => false,
        Some(_) => batches.len() > 1,
    };
    for mut batch in batches.drain(..) {
        let mut failed = failed.clone();
        if in_turn {
            batch.recorded.truncate(batch.kept);
            failed = Writing { exclusive, commits, open: None }.all(std::slice::from_mut(&mut batch)).await.err();
        }
        batch.end(failed);
    }
}

/// Batches being written. An open transaction is rolled back when this is dropped.
struct Writing<'a> {
    exclusive: &'a Exclusive,
    commits: &'a Awaited,
    open: Option<Open>,
}

impl Writing<'_> {
    async fn all(mut self, batches: &mut [Batch]) -> StoreResult<()> {
        for number in 0..batches.len() {
            while let Some(batch) = batches.get_mut(number).filter(|batch| !batch.left().is_empty()) {
                if !self.write_slice(batch).await? {
                    break;
                }
                if self.commits.any() {
                    self.keep(batches).await?;
                }
            }
        }
        self.keep(batches).await
    }

    /// Writes the next slice; false if the guards do not hold. What holds does so until the transaction ends.
    async fn write_slice(&mut self, batch: &mut Batch) -> StoreResult<bool> {
        let failed = |error| classify(&error, DbOperation::Statement);
        let is_begun = self.open.is_some() && !batch.recorded.is_empty();
        let open = match self.open.take() {
            Some(open) => open,
            None => self.exclusive.begin().await?,
        };
        let open = self.open.insert(open);
        if !is_begun && !self.exclusive.note(guards::all_hold(open, &batch.guards).await.map_err(failed))? {
            return Ok(false);
        }
        let left = batch.left();
        let recorded = recording::slice(open, left.get(..SLICE).unwrap_or(left), &batch.observations).await;
        batch.recorded.extend(self.exclusive.note(recorded)?);
        Ok(true)
    }

    async fn keep(&mut self, batches: &mut [Batch]) -> StoreResult<()> {
        if let Some(open) = self.open.take() {
            open.commit().await?;
        }
        for batch in batches {
            batch.kept = batch.recorded.len();
        }
        Ok(())
    }
}
