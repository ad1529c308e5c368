//! Following the log of status changes for alert channels, looking for what is not in it, and sending what is due. It must not know what
//! is in a message, nor when which is tried again.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tradepost_operations::alerts::DueChannel;
use tradepost_operations::{OpResult, Operations};

use super::duty::Duty;
use super::serving::{Receiver, follow, serve};

/// How often halts, silent engines, summaries and heartbeats are looked for.
const LOOKING: Duration = Duration::from_secs(5);

impl Receiver for DueChannel {
    const WHAT: &'static str = "alerts";

    async fn wait(operations: &Operations) {
        operations.alert_enqueued().await;
    }

    async fn list(operations: &Operations) -> OpResult<Vec<Self>> {
        operations.list_due_channels().await
    }

    async fn serve(self, operations: &Operations) -> OpResult<bool> {
        operations.send_due(self).await
    }
}

/// Lets channels follow the log until stopped.
pub(crate) async fn follow_alerts(operations: Arc<Operations>, stop: CancellationToken) {
    let once = |operations: Arc<Operations>| async move { operations.follow_alerts().await };
    follow(operations, stop, "alerts", once).await;
}

/// Looks for what is not in the log until stopped.
pub(crate) async fn look_for_alerts(operations: Arc<Operations>, duty: Duty, stop: CancellationToken) {
    let mut ticks = duty.ticks(LOOKING);
    let looking = async {
        loop {
            ticks.tick().await;
            if let Err(error) = operations.look_for_alerts().await {
                warn_of!(error, "alerts were not looked for");
            }
        }
    };
    stop.run_until_cancelled(looking).await;
}

/// Sends what is due until stopped.
pub(crate) async fn send_alerts(operations: Arc<Operations>, duty: Duty, stop: CancellationToken) {
    serve::<DueChannel>(operations, duty, stop).await;
}
