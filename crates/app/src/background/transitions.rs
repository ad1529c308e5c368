//! Giving changes of status their positions, and waking the watchers.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tradepost_operations::Operations;

use super::duty::Duty;

/// How often the log is checked for what other processes have committed: by the process that has the duty, and by one whose callers wait for it.
const LOOKING: Duration = Duration::from_millis(500);
/// The shortest time between two looks, so that many commits are reported together.
const PAUSE: Duration = Duration::from_millis(20);

/// Gives changes of status their positions until stopped, and then ends the waits for more.
pub(crate) async fn place_transitions(operations: Arc<Operations>, duty: Duty, stop: CancellationToken) {
    let mut ticks = super::ticks(LOOKING);
    let placing = async {
        loop {
            tokio::select! {
                _ = ticks.tick() => {
                    if !duty.is_ours() && !operations.has_waiting_calls() {
                        continue;
                    }
                }
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
        warn_of!(error, "changes of status cannot be watched yet");
        false
    })
}
