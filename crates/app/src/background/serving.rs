//! Following the log of status changes, and serving what is due: one task for each receiver, so that one that hangs holds up no other.
//! Shared by webhooks and alerts. It must not know what is sent.

use std::collections::HashSet;
use std::future::Future;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::{JoinError, JoinSet};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tradepost_operations::{OpResult, Operations};

use super::duty::Duty;

/// How often the process that has the duty looks for what is due again, or what other processes enqueued.
const LOOKING: Duration = Duration::from_secs(1);
/// How long to wait before trying again what has failed in this process.
const AFTER_FAILURE: Duration = Duration::from_secs(5);
/// How long tries may still take once the server stops. One that is cut off is due again after a minute.
const FINISHING: Duration = Duration::from_secs(10);

/// A receiver for which something is due.
pub(super) trait Receiver: Copy + Eq + Hash + Send + Sync + 'static {
    /// What it receives.
    const WHAT: &'static str;

    /// Waits until something may be due that was not before.
    fn wait(operations: &Operations) -> impl Future<Output = ()> + Send;

    /// Returns the receivers for which something is due.
    fn list(operations: &Operations) -> impl Future<Output = OpResult<Vec<Self>>> + Send;

    /// Serves a part of it; returns `false` when nothing was due.
    fn serve(self, operations: &Operations) -> impl Future<Output = OpResult<bool>> + Send;
}

/// Takes steps behind the log until stopped: at once while there is more, else when something new is in it.
pub(super) async fn follow<F>(
    operations: Arc<Operations>,
    stop: CancellationToken,
    what: &str,
    once: impl Fn(Arc<Operations>) -> F + Send,
) where
    F: Future<Output = OpResult<bool>> + Send,
{
    let mut news = operations.new_events();
    let following = async {
        loop {
            match once(Arc::clone(&operations)).await {
                Ok(true) => {}
                Ok(false) => {
                    if !news.wait().await {
                        return;
                    }
                }
                Err(error) => {
                    warn_of!(error, "the log was not followed for {what}");
                    tokio::time::sleep(AFTER_FAILURE).await;
                }
            }
        }
    };
    stop.run_until_cancelled(following).await;
}

/// Serves what is due until stopped.
pub(super) async fn serve<R: Receiver>(operations: Arc<Operations>, duty: Duty, stop: CancellationToken) {
    let mut ticks = duty.ticks(LOOKING);
    let (mut serving, mut served) = (JoinSet::new(), HashSet::new());
    loop {
        let waking = async {
            tokio::select! {
                () = ticks.tick() => {}
                () = R::wait(&operations) => {}
                Some(ended) = serving.join_next() => release(&mut served, ended),
            }
        };
        if stop.run_until_cancelled(waking).await.is_none() {
            break;
        }
        match R::list(&operations).await {
            Ok(due) => {
                for receiver in due {
                    if served.insert(receiver) {
                        serving.spawn(serve_one(Arc::clone(&operations), receiver, stop.clone()));
                    }
                }
            }
            Err(error) => warn_of!(error, "due {} were not found", R::WHAT),
        }
    }
    let ending = async { while serving.join_next().await.is_some() {} };
    if timeout(FINISHING, ending).await.is_err() {
        tracing::info!(receivers = serving.len(), "{} were cut off; they are tried again after a minute", R::WHAT);
    }
}

/// Serves a receiver until nothing is due.
async fn serve_one<R: Receiver>(operations: Arc<Operations>, receiver: R, stop: CancellationToken) -> R {
    let serving = async {
        while !stop.is_cancelled() && receiver.serve(&operations).await? {}
        OpResult::Ok(())
    };
    if let Err(error) = serving.await {
        warn_of!(error, "{} were not sent or not recorded", R::WHAT);
        // What failed, such as the database, fails for the next one, too.
        stop.run_until_cancelled(tokio::time::sleep(AFTER_FAILURE)).await;
    }
    receiver
}

fn release<R: Receiver>(served: &mut HashSet<R>, ended: Result<R, JoinError>) {
    match ended {
        Ok(receiver) => {
            served.remove(&receiver);
        }
        // Which one it was is not known: all may be served again, and claims keep them apart.
        Err(error) => {
            tracing::error!(%error, "a task that sends {} ended", R::WHAT);
            served.clear();
        }
    }
}
