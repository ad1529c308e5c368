//! The writer: takes jobs from the queue in batches, and answers each once its batch is committed.

use sea_orm::{DatabaseConnection, DbErr, SqliteTransactionMode, TransactionOptions, TransactionTrait as _};
use tokio::sync::mpsc;
use tradepost_ports::changes::Committed;
use tradepost_ports::store::{StoreError, StoreResult};

use super::batch::Batch;
use super::{Job, Work};
use crate::classify::{During, classify};

/// Most jobs that share one commit.
const MOST_AT_ONCE: usize = 256;

/// A transaction that is going to write says so at its start: one that finds out later fails at once when another process
/// has written meanwhile, without waiting.
pub(super) fn immediate() -> TransactionOptions {
    TransactionOptions { sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate), ..Default::default() }
}

/// Runs until every sender is gone and the queue is empty.
pub(super) async fn run(db: DatabaseConnection, mut inbox: mpsc::Receiver<Job>) {
    let mut jobs = Vec::with_capacity(MOST_AT_ONCE);
    while inbox.recv_many(&mut jobs, MOST_AT_ONCE).await > 0 {
        let (works, waiting): (Vec<_>, Vec<_>) = jobs.drain(..).map(|job| (job.work, job.done)).unzip();
        for (done, answer) in waiting.into_iter().zip(write(&db, &works).await) {
            // Nobody may wait any more; the write stands all the same.
            let _ = done.send(answer);
        }
    }
}

async fn write(db: &DatabaseConnection, works: &[Work]) -> Vec<StoreResult<Committed>> {
    let failed = match write_batch(db, works).await {
        Ok(answers) => return answers,
        Err(error) => classify(&error, During::Statement),
    };
    if works.len() == 1 {
        return vec![Err(failed)];
    }
    // The disk is full or another process holds the file: it would be no better for each alone.
    if let StoreError::Unavailable(why) = failed {
        return works.iter().map(|_| Err(StoreError::Unavailable(why.clone()))).collect();
    }
    // One bad row spoils the batch, and nothing of it was kept: each set answers for itself.
    let mut answers = Vec::with_capacity(works.len());
    for work in works {
        answers.push(write_alone(db, work).await);
    }
    answers
}

async fn write_alone(db: &DatabaseConnection, work: &Work) -> StoreResult<Committed> {
    let answers = write_batch(db, std::slice::from_ref(work)).await;
    let mut answers = answers.map_err(|error| classify(&error, During::Statement))?;
    answers.pop().unwrap_or_else(|| Err(StoreError::Bug("a batch without an answer".to_owned())))
}

/// `Err`: a statement failed, and nothing was kept.
async fn write_batch(db: &DatabaseConnection, works: &[Work]) -> Result<Vec<StoreResult<Committed>>, DbErr> {
    let transaction = db.begin_with_options(immediate()).await?;
    let answers = Batch::new(&transaction, works).apply().await?;
    match transaction.commit().await {
        Ok(()) => Ok(answers),
        Err(error) => Ok(answers.into_iter().map(|answer| answer.and(Err(commit_failed(&error)))).collect()),
    }
}

/// What a failed COMMIT means. Where SQLite could not even write the commit record (full) or did not begin to (busy), it has
/// taken the transaction back; after any other failure the record may be on the disk.
fn commit_failed(error: &DbErr) -> StoreError {
    let failed = classify(error, During::Commit);
    if matches!(failed, StoreError::Unavailable(_)) { failed } else { StoreError::Unknown(failed.to_string()) }
}
