//! Commits on SQLite: everything goes through one writer, which takes what has queued up and commits it at once, so that
//! one flush to the disk serves up to 256 commits.

mod append;
mod batch;
mod bulk;
mod condition;
mod connections;
mod exclusive;
mod files;
mod guards;
mod job;
mod recorder;
mod serve_lock;
mod writer;

use sea_orm::{DatabaseConnection, Statement};
use tokio::sync::{Semaphore, SemaphorePermit, mpsc, oneshot};
use tradepost_domain::markets::observation::MarketObservation;
use tradepost_ports::changes::{ChangeSet, Committed, VersionGuard};
use tradepost_ports::store::{NotReady, Recorded, StoreError, StoreResult};

use crate::classify::{DbOperation, classify};
use crate::last_used::{LastUse, LastUseOf};
use job::{Awaited, Job, Work};

pub(crate) use connections::{make_private, readers};
pub(crate) use exclusive::{Exclusive, Writing};
pub use serve_lock::{ServeLock, ServeLockError};

/// Side writes that may wait for their permit. A side write is one outside the commit queue.
const MAX_SIDE_WRITES: usize = 64;

/// Jobs that may wait for the writer. Further callers get [`StoreError::Overloaded`].
const QUEUE: usize = 1_024;

/// The way to the writer.
#[derive(Debug)]
pub(crate) struct SqliteCommits {
    exclusive: Exclusive,
    inbox: mpsc::Sender<Job>,
    /// The callers that wait for a commit.
    awaited: Awaited,
    /// The way to the recorder of observations.
    recorder: mpsc::Sender<recorder::Batch>,
    side_writes: SideWrites,
}

/// The permits of side writes.
#[derive(Debug)]
struct SideWrites {
    /// Bounds how many wait.
    waiting: Semaphore,
    /// Lets one at a time wait for the connection, so that the writer gets it back after each.
    active: Semaphore,
}

/// The permit of one side write.
#[derive(Debug)]
pub(crate) struct WritePermit<'a> {
    _waiting: SemaphorePermit<'a>,
    _active: SemaphorePermit<'a>,
}

impl SqliteCommits {
    /// Starts the writer on its connection.
    pub(crate) fn start(exclusive: Exclusive) -> Self {
        let (inbox, jobs) = mpsc::channel(QUEUE);
        let (recorder, batches) = mpsc::channel(MAX_SIDE_WRITES);
        let awaited = Awaited::default();
        tokio::spawn(writer::run(exclusive.clone(), jobs));
        tokio::spawn(recorder::run(exclusive.clone(), batches, awaited.clone()));
        let side_writes = SideWrites { waiting: Semaphore::new(MAX_SIDE_WRITES), active: Semaphore::new(1) };
        Self { exclusive, inbox, awaited, recorder, side_writes }
    }

    pub(crate) const fn connection(&self) -> &DatabaseConnection {
        self.exclusive.connection()
    }

    /// Begins a transaction on the connection that writes.
    pub(crate) async fn begin(&self) -> StoreResult<Writing> {
        self.exclusive.begin().await
    }

    /// Runs one statement outside the commit queue. Returns how many rows it wrote.
    pub(crate) async fn execute(&self, statement: Statement) -> StoreResult<u64> {
        self.exclusive.execute(statement).await
    }

    /// Whether calls should be sent to this store.
    pub(crate) async fn check_ready(&self) -> Result<(), NotReady> {
        let settled = self.settle().await;
        self.exclusive.check_ready().await?;
        settled.map_err(NotReady::Unreachable)
    }

    /// Begins a transaction outside the commit queue, if the guards hold.
    pub(crate) async fn side_transaction(&self, guards: &[VersionGuard]) -> StoreResult<(Writing, WritePermit<'_>)> {
        let waiting = self.side_writes.waiting.try_acquire().map_err(|_| StoreError::Overloaded)?;
        let closed = |_| StoreError::Unavailable("storage is being closed".to_owned());
        let active = self.side_writes.active.acquire().await.map_err(closed)?;
        let permit = WritePermit { _waiting: waiting, _active: active };
        let transaction = self.exclusive.begin().await?;
        let holds = guards::all_hold(&transaction, guards).await;
        if self.exclusive.note(holds.map_err(|error| classify(&error, DbOperation::Statement)))? {
            Ok((transaction, permit))
        } else {
            Err(StoreError::CallerChanged)
        }
    }

    /// Records observations. Returns the outcome of each.
    pub(crate) async fn record(
        &self,
        guards: &[VersionGuard],
        observations: &[MarketObservation],
    ) -> StoreResult<Vec<Recorded>> {
        let _place = self.side_writes.waiting.try_acquire().map_err(|_| StoreError::Overloaded)?;
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

    pub(crate) async fn record_last_use(&self, noted: LastUseOf, uses: Vec<LastUse>) -> StoreResult<()> {
        self.submit(Work::LastUse(noted, uses)).await.map(|_| ())
    }

    /// Waits until everything that was submitted before is done.
    pub(crate) async fn settle(&self) -> StoreResult<()> {
        self.record_last_use(LastUseOf::Keys, Vec::new()).await
    }

    async fn submit(&self, work: Work) -> StoreResult<Committed> {
        let (done, answer) = oneshot::channel();
        let _waiting = self.awaited.one_more();
        self.inbox.try_send(Job { work, done }).map_err(|refused| match refused {
            mpsc::error::TrySendError::Full(_) => StoreError::Overloaded,
            mpsc::error::TrySendError::Closed(_) => StoreError::Unavailable("storage is being closed".to_owned()),
        })?;
        // The writer answers every job it has taken; if it ended, whether it committed before is unknown.
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
        self.connection().clone().close().await.map_err(|error| classify(&error, DbOperation::Statement))
    }
}
