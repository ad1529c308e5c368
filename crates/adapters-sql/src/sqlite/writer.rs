//! The writer: takes jobs from the queue in batches, and answers each once its batch is committed.

use tokio::sync::mpsc;
use tradepost_ports::changes::Committed;
use tradepost_ports::store::{StoreError, StoreResult};

use super::batch::Batch;
use super::exclusive::Exclusive;
use super::job::{Job, Work};
use crate::classify::{DbOperation, classify};

/// Most jobs that share one commit.
const MOST_AT_ONCE: usize = 256;

/// Runs until every sender is dropped and the queue is empty.
pub(super) async fn run(exclusive: Exclusive, mut inbox: mpsc::Receiver<Job>) {
    let mut jobs = Vec::with_capacity(MOST_AT_ONCE);
    while inbox.recv_many(&mut jobs, MOST_AT_ONCE).await > 0 {
        let (works, waiting): (Vec<_>, Vec<_>) = jobs.drain(..).map(|job| (job.work, job.done)).unzip();
        for (done, answer) in waiting.into_iter().zip(write(&exclusive, &works).await) {
            // The caller may have been dropped. The write is kept all the same.
            let _ = done.send(answer);
        }
    }
}

async fn write(exclusive: &Exclusive, works: &[Work]) -> Vec<StoreResult<Committed>> {
    let failed = match write_batch(exclusive, works).await {
        Ok(answers) => return answers,
        Err(failed) => failed,
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
        answers.push(write_alone(exclusive, work).await);
    }
    answers
}

async fn write_alone(exclusive: &Exclusive, work: &Work) -> StoreResult<Committed> {
    let mut answers = write_batch(exclusive, std::slice::from_ref(work)).await?;
    // The batch is committed.
    answers.pop().unwrap_or_else(|| Err(StoreError::Unknown("a batch without an answer".to_owned())))
}

/// `Err`: a statement failed, and nothing was kept.
async fn write_batch(exclusive: &Exclusive, works: &[Work]) -> StoreResult<Vec<StoreResult<Committed>>> {
    let writing = exclusive.begin().await?;
    let applied = Batch::new(&writing, works).apply().await;
    let answers = exclusive.note(applied.map_err(|error| classify(&error, DbOperation::Statement)))?;
    match writing.commit().await {
        Ok(()) => {
            let is_stored = |answer: &StoreResult<Committed>, work: &Work| match (answer, work) {
                (Ok(Committed::Applied { .. }), Work::Commit(set)) => !set.writes.is_empty(),
                (Ok(_) | Err(_), Work::Commit(_) | Work::LastUse(..)) => false,
            };
            if answers.iter().zip(works).any(|(answer, work)| is_stored(answer, work)) {
                exclusive.note_success();
            }
            Ok(answers)
        }
        Err(failed) => Ok(answers.into_iter().map(|answer| answer.and(Err(failed.clone()))).collect()),
    }
}
