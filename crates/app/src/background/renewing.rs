//! Re-wrapping under the newest root secret what is stored under the former one, once after the start. Whatever another process
//! makes under the former one later is found by the start of that process under the newest.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tradepost_operations::secrets::key_rollover::RolloverProgress;
use tradepost_operations::{OpResult, Operations};

/// How long to wait before another round.
const AGAIN: Duration = Duration::from_secs(10);

/// Goes through data keys and logs of the audit log until all of them are under the newest root secret, or until stopped.
/// What is not done by then is done after the next start.
pub(crate) async fn renew(operations: Arc<Operations>, stop: CancellationToken) {
    let rounds = async {
        while !round(&operations).await {
            tokio::time::sleep(AGAIN).await;
        }
    };
    stop.run_until_cancelled(rounds).await;
}

/// Whether nothing is left to be done.
async fn round(operations: &Operations) -> bool {
    let keys = is_whole(operations.reseal_data_keys().await, "data keys");
    let logs = is_whole(operations.reauthenticate_audit_logs().await, "logs of the audit log");
    keys && logs
}

fn is_whole(round: OpResult<RolloverProgress>, what: &str) -> bool {
    match round {
        Ok(RolloverProgress { done, missed, broken }) => {
            if done + missed + broken > 0 {
                tracing::info!(done, missed, broken, "{what} were brought under the newest root secret");
            }
            missed == 0
        }
        Err(error) => {
            warn_of!(error, "{what} were not brought under the newest root secret");
            false
        }
    }
}
