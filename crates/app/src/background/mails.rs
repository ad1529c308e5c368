//! Handing over the mails of the outbox. It must not know what is in them, nor when which is tried again.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tradepost_operations::{OpError, Operations};

use super::duty::Duty;

/// How often the process that has the duty checks the outbox for what other processes left there, and for what is due again.
const LOOKING: Duration = Duration::from_secs(5);

/// Hands mails over until stopped; mails that are being handed over are completed.
pub(crate) async fn hand_over_mails(operations: Arc<Operations>, duty: Duty, stop: CancellationToken) {
    let mut ticks = duty.ticks(LOOKING);
    loop {
        let waking = async {
            tokio::select! {
                () = ticks.tick() => {}
                () = operations.mail_posted() => {}
            }
        };
        if stop.run_until_cancelled(waking).await.is_none() {
            return;
        }
        if let Err(error) = hand_over_what_is_due(&operations, &stop).await {
            warn_of!(error, "the outbox could not be read");
        }
    }
}

async fn hand_over_what_is_due(operations: &Operations, stop: &CancellationToken) -> Result<(), OpError> {
    while !stop.is_cancelled() && operations.hand_over_mails().await? {}
    Ok(())
}
