//! Giving changes of status their positions, and waking whoever watches them.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tradepost_operations::Operations;

/// How often the log is looked into for what other processes have committed.
const LOOKING: Duration = Duration::from_millis(500);
/// The shortest time between two looks, so that many commits are told of together.
const PAUSE: Duration = Duration::from_millis(20);

/// Gives changes of status their positions until told to stop, and lets go whoever waits for more by then.
pub(crate) async fn place_transitions(operations: Arc<Operations>, stop: CancellationToken) {
    let mut ticks = super::ticks(LOOKING);
    let placing = async {
        loop {
            tokio::select! {
                _ = ticks.tick() => {}
                () = operations.transition_written() => {}
            }
            while place(&operations).await {
                sleep(PAUSE).await;
            }
        }
    };
    stop.run_until_cancelled(placing).await;
    operations.end_watching();
}

/// Whether there was something to place, and so may be more.
async fn place(operations: &Operations) -> bool {
    operations.place_transitions().await.unwrap_or_else(|error| {
        tracing::warn!(error = ?error.source, "changes of status cannot be watched yet");
        false
    })
}
