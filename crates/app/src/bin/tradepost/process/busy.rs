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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use tradepost::operations::OpError;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_a_busy_server_refuses_is_attempted_again_and_nothing_else_is() {
        let reasons = [Reason::Busy, Reason::Busy, Reason::EmailTaken, Reason::Busy];
        let attempts = Cell::new(0);
        let attempt = async || {
            let reason = reasons[attempts.replace(attempts.get() + 1)];
            Err::<(), _>(OpError::resource_exhausted(reason, "refused"))
        };
        assert_eq!(until_done(attempt).await.unwrap_err().reason, Reason::EmailTaken);
        assert_eq!(attempts.get(), 3);
    }
}
