//! Commits on SQLite: everything goes through one writer, which takes what has queued up and commits it at once, so that
//! one flush to the disk serves up to 256 commits.

mod append;
mod batch;
mod bulk;
mod guards;
mod writer;

use sea_orm::{DatabaseConnection, DatabaseTransaction, TransactionTrait as _};
use tokio::sync::{Semaphore, SemaphorePermit, mpsc, oneshot};
use tradepost_ports::changes::{ChangeSet, Committed, Stamp};
use tradepost_ports::store::{StoreError, StoreResult};

use crate::classify::{During, classify};
use crate::touch::{Note, Noted};

/// Most writes beside the commits that wait for their turn.
const MOST_BESIDE: usize = 64;

/// Most jobs that wait for the writer; beyond it callers are told that there is too much to do.
const QUEUE: usize = 1_024;

/// The way to the writer.
#[derive(Debug)]
pub(crate) struct SqliteCommits {
    connection: DatabaseConnection,
    inbox: mpsc::Sender<Job>,
    /// Who waits to write beside the commits, and whose turn it is: one at a time waits for the connection, so that the writer gets
    /// it back after each.
    beside: (Semaphore, Semaphore),
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
    pub(crate) fn start(connection: DatabaseConnection) -> Self {
        let (inbox, jobs) = mpsc::channel(QUEUE);
        tokio::spawn(writer::run(connection.clone(), jobs));
        Self { connection, inbox, beside: (Semaphore::new(MOST_BESIDE), Semaphore::new(1)) }
    }

    pub(crate) const fn connection(&self) -> &DatabaseConnection {
        &self.connection
    }

    /// Begins a transaction beside the commits, once it is its turn and if the guards hold.
    pub(crate) async fn beside(&self, guards: &[Stamp]) -> StoreResult<(DatabaseTransaction, Turn<'_>)> {
        let place = self.beside.0.try_acquire().map_err(|_| StoreError::Overloaded)?;
        let closed = |_| StoreError::Unavailable("storage is being closed".to_owned());
        let turn = Turn { _place: place, _turn: self.beside.1.acquire().await.map_err(closed)? };
        let failed = |error| classify(&error, During::Statement);
        let transaction = self.connection.begin_with_options(writer::immediate()).await.map_err(failed)?;
        let holding = guards::holding(&transaction, guards.iter().copied()).await.map_err(failed)?;
        if guards.iter().all(|guard| holding.contains(guard)) {
            Ok((transaction, turn))
        } else {
            Err(StoreError::CallerChanged)
        }
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
        // Jobs are done in the order in which they came, so the answer to the last one means that all are done.
        self.settle().await?;
        self.connection.clone().close().await.map_err(|error| classify(&error, During::Statement))
    }
}
