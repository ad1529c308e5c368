//! Following the log of status changes for webhook endpoints, and delivering what they ask for. It must not know what is in a delivery,
//! nor when which is tried again.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tradepost_operations::events::DueEndpoint;
use tradepost_operations::{OpResult, Operations};

/// How often deliveries are looked for that are due again, or that other processes enqueued.
const LOOKING: Duration = Duration::from_secs(1);
/// How long to wait before trying again what has failed in this process.
const AFTER_FAILURE: Duration = Duration::from_secs(5);
/// How long deliveries that are being tried may still take once the server stops. One that is cut off is due again after a minute.
const FINISHING: Duration = Duration::from_secs(10);

/// Lets endpoints follow the log until stopped.
pub(crate) async fn follow_events(operations: Arc<Operations>, stop: CancellationToken) {
    let mut news = operations.new_events();
    let following = async {
        loop {
            match operations.follow_events().await {
                Ok(true) => {}
                Ok(false) => {
                    if !news.wait().await {
                        return;
                    }
                }
                Err(error) => {
                    tracing::warn!(error = ?error.source, "the log was not followed for webhooks");
                    tokio::time::sleep(AFTER_FAILURE).await;
                }
            }
        }
    };
    stop.run_until_cancelled(following).await;
}

/// Delivers what is due until stopped: one task an endpoint, so that a receiver that hangs holds up no other.
pub(crate) async fn deliver_webhooks(operations: Arc<Operations>, stop: CancellationToken) {
    let mut ticks = super::ticks(LOOKING);
    let (mut serving, mut served) = (JoinSet::new(), HashSet::new());
    loop {
        let waking = async {
            tokio::select! {
                _ = ticks.tick() => {}
                () = operations.delivery_enqueued() => {}
                Some(ended) = serving.join_next() => release(&mut served, ended),
            }
        };
        if stop.run_until_cancelled(waking).await.is_none() {
            break;
        }
        match operations.list_due_endpoints().await {
            Ok(due) => {
                for endpoint in due {
                    if served.insert(endpoint) {
                        serving.spawn(serve(Arc::clone(&operations), endpoint, stop.clone()));
                    }
                }
            }
            Err(error) => tracing::warn!(error = ?error.source, "due webhook deliveries were not found"),
        }
    }
    let ending = async { while serving.join_next().await.is_some() {} };
    if timeout(FINISHING, ending).await.is_err() {
        tracing::info!(
            endpoints = serving.len(),
            "webhook deliveries were cut off; they are tried again after a minute"
        );
    }
}

/// Tries the deliveries of an endpoint until none is due.
async fn serve(operations: Arc<Operations>, endpoint: DueEndpoint, stop: CancellationToken) -> DueEndpoint {
    let serving = async {
        while !stop.is_cancelled() && operations.deliver_due(endpoint).await? {}
        OpResult::Ok(())
    };
    if let Err(error) = serving.await {
        tracing::warn!(error = ?error.source, "webhook deliveries were not made or not recorded");
        // What failed, such as the database, fails for the next delivery, too.
        stop.run_until_cancelled(tokio::time::sleep(AFTER_FAILURE)).await;
    }
    endpoint
}

fn release(served: &mut HashSet<DueEndpoint>, ended: Result<DueEndpoint, tokio::task::JoinError>) {
    match ended {
        Ok(endpoint) => {
            served.remove(&endpoint);
        }
        // Which one it was is not known: all may be served again, and claims keep them apart.
        Err(error) => {
            tracing::error!(%error, "a task that delivers webhooks ended");
            served.clear();
        }
    }
}
