//! Waiting for a busy machine: on one, judging a password can take longer than the operations let a caller wait.

use std::time::{Duration, Instant};

use tradepost::operations::{OpResult, Reason};

/// How long to wait in all, and between two attempts.
const PATIENCE: Duration = Duration::from_mins(1);
const PAUSE: Duration = Duration::from_millis(500);

/// Attempts what a busy server refuses until it has time for it.
pub(crate) async fn until_done<T>(attempt: impl AsyncFn() -> OpResult<T>) -> OpResult<T> {
    let began = Instant::now();
    loop {
        match attempt().await {
            Err(error) if error.reason == Reason::Busy && began.elapsed() < PATIENCE => {
                tokio::time::sleep(PAUSE).await;
            }
            done => return done,
        }
    }
}
