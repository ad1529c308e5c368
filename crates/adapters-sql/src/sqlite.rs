//! Commits on SQLite: everything goes through one writer, which takes what has queued up and commits it at once, so that
//! one flush to the disk serves up to 256 commits.

mod append;
mod batch;
mod bulk;
mod exclusive;
mod files;
mod guards;
mod recorder;
mod writer;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sea_orm::{DatabaseConnection, Statement};
use tokio::sync::{Semaphore, SemaphorePermit, mpsc, oneshot};
use tradepost_domain::markets::observation::MarketObservation;
use tradepost_ports::changes::{ChangeSet, Committed, VersionGuard};
use tradepost_ports::store::{NotReady, Recorded, StoreError, StoreResult};

use crate::classify::{During, classify};
use crate::touch::{Note, Noted};

pub(crate) use exclusive::{Condition, Exclusive, Writing};

/// Most writes beside the commits that wait for their turn.
const MOST_BESIDE: usize = 64;

/// Most jobs that wait for the writer; beyond it callers are told that there is too much to do.
const QUEUE: usize = 1_024;

/// The way to the writer.
#[derive(Debug)]
pub(crate) struct SqliteCommits {
    exclusive: Exclusive,
    inbox: mpsc::Sender<Job>,
    /// Who waits for a commit.
    awaited: Awaited,
    /// The way to the recorder of observations.
    recorder: mpsc::Sender<recorder::Batch>,
    /// Who waits to write beside the commits, and whose turn it is: one at a time waits for the connection, so that the writer gets
    /// it back after each.
    beside: (Semaphore, Semaphore),
}

/// How many wait for a commit.
#[derive(Debug, Clone, Default)]
struct Awaited(Arc<AtomicUsize>);

impl Awaited {
    fn any(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }

    fn one_more(&self) -> Waiting<'_> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Waiting(&self.0)
    }
}

/// Somebody who waits, until it is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A turn to write beside the commits.
#[derive(Debug)]
pub(crate) struct Turn<'a> {
    _place: SemaphorePermit<'a>,
    _turn: SemaphorePermit<'a>,
}

/// Something to write, and who waits for it.
#[derive(Debug)]
struct Job {
    work: Work,
    done: oneshot::Sender<StoreResult<Committed>>,
}

/// Something to write.
#[derive(Debug)]
enum Work {
    /// All of a set, or none.
    Commit(ChangeSet),
    /// When keys or sessions were last used.
    Touch(Noted, Vec<Note>),
}

impl Work {
    fn notes(&self, of: Noted) -> &[Note] {
        match self {
            Self::Touch(noted, uses) if *noted == of => uses,
            Self::Touch(..) | Self::Commit(_) => &[],
        }
    }
}

impl SqliteCommits {
    /// Starts the writer on its connection.
    pub(crate) fn start(exclusive: Exclusive) -> Self {
        let (inbox, jobs) = mpsc::channel(QUEUE);
        let (recorder, batches) = mpsc::channel(MOST_BESIDE);
        let awaited = Awaited::default();
        tokio::spawn(writer::run(exclusive.clone(), jobs));
        tokio::spawn(recorder::run(exclusive.clone(), batches, awaited.clone()));
        Self { exclusive, inbox, awaited, recorder, beside: (Semaphore::new(MOST_BESIDE), Semaphore::new(1)) }
    }

    pub(crate) const fn connection(&self) -> &DatabaseConnection {
        self.exclusive.connection()
    }

    /// Begins a transaction on the connection that writes.
    pub(crate) async fn begin(&self) -> StoreResult<Writing> {
        self.exclusive.begin().await
    }

    /// Runs one statement that writes beside the commits; how many rows it wrote.
    pub(crate) async fn execute(&self, statement: Statement) -> StoreResult<u64> {
        self.exclusive.execute(statement).await
    }

    /// Whether calls should be sent to this store.
    pub(crate) async fn check_ready(&self) -> Result<(), NotReady> {
        let settled = self.settle().await;
        self.exclusive.check_ready().await?;
        settled.map_err(NotReady::Unreachable)
    }

    /// Begins a transaction beside the commits, once it is its turn and if the guards hold.
    pub(crate) async fn beside(&self, guards: &[VersionGuard]) -> StoreResult<(Writing, Turn<'_>)> {
        let place = self.beside.0.try_acquire().map_err(|_| StoreError::Overloaded)?;
        let closed = |_| StoreError::Unavailable("storage is being closed".to_owned());
        let turn = Turn { _place: place, _turn: self.beside.1.acquire().await.map_err(closed)? };
        let writing = self.exclusive.begin().await?;
        let holds = guards::all_hold(&writing, guards).await;
        if self.exclusive.note(holds.map_err(|error| classify(&error, During::Statement)))? {
            Ok((writing, turn))
        } else {
            Err(StoreError::CallerChanged)
        }
    }

    /// Records observations; what became of each.
    pub(crate) async fn record(
        &self,
        guards: &[VersionGuard],
        observations: &[MarketObservation],
    ) -> StoreResult<Vec<Recorded>> {
        let _place = self.beside.0.try_acquire().map_err(|_| StoreError::Overloaded)?;
        let (done, answer) = oneshot::channel();
        let batch = recorder::Batch::new(guards, observations, done);
        let closed = |_| StoreError::Unavailable("storage is being closed".to_owned());
        self.recorder.send(batch).await.map_err(closed)?;
        // As with the writer.
        answer.await.unwrap_or_else(|_| Err(StoreError::Unknown("the recorder ended".to_owned())))
    }

    pub(crate) async fn commit(&self, set: ChangeSet) -> StoreResult<Committed> {
        self.submit(Work::Commit(set)).await
    }

    pub(crate) async fn touch(&self, noted: Noted, uses: Vec<Note>) -> StoreResult<()> {
        self.submit(Work::Touch(noted, uses)).await.map(|_| ())
    }

    /// Waits until everything that was submitted before is done.
    pub(crate) async fn settle(&self) -> StoreResult<()> {
        self.touch(Noted::Keys, Vec::new()).await
    }

    async fn submit(&self, work: Work) -> StoreResult<Committed> {
        let (done, answer) = oneshot::channel();
        let _waiting = self.awaited.one_more();
        self.inbox.try_send(Job { work, done }).map_err(|refused| match refused {
            mpsc::error::TrySendError::Full(_) => StoreError::Overloaded,
            mpsc::error::TrySendError::Closed(_) => StoreError::Unavailable("storage is being closed".to_owned()),
        })?;
        // The writer answers every job it has taken; if it is gone, whether it committed before cannot be known.
        answer.await.unwrap_or_else(|_| Err(StoreError::Unknown("the writer ended".to_owned())))
    }

    /// Lets the writer finish what it has, then closes its connection; the last one to close folds the write-ahead log into
    /// the file. Commits that come later find storage closed.
    pub(crate) async fn close(&self) -> StoreResult<()> {
        // Jobs are done in the order in which they came, so the answer to the last one means that all are done, whatever it is: on
        // a disk that fails the connection is closed as well, and stores what only its log holds.
        if let Err(overloaded @ StoreError::Overloaded) = self.settle().await {
            return Err(overloaded);
        }
        self.connection().clone().close().await.map_err(|error| classify(&error, During::Statement))
    }
}
