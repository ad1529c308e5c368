//! Re-sealing secrets after a rotation. It must not know what is sealed, nor under which key.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tradepost_operations::Operations;
use tradepost_operations::secrets::resealing::Resealed;

use super::duty::Duty;

/// How often retired keys are looked for, those that another process retired or left behind among them.
const LOOKING: Duration = Duration::from_secs(10);
/// How long to wait when nothing is left but what does not open: an operator has to check the database first.
const STUCK: Duration = Duration::from_mins(10);

/// Re-seals what is under retired keys, at once and after each rotation, until stopped. What is not done by then is
/// done after the next start.
pub(crate) async fn reseal_workspace_secrets(operations: Arc<Operations>, mut duty: Duty, stop: CancellationToken) {
    let rounds = async {
        let mut pause = Duration::ZERO;
        loop {
            let turn = async {
                sleep(pause).await;
                duty.ours().await;
            };
            tokio::select! {
                () = turn => {}
                () = operations.workspace_key_rotated() => {}
            }
            pause = look(&operations).await;
        }
    };
    stop.run_until_cancelled(rounds).await;
}

/// One round; gives how long to wait for the next one.
async fn look(operations: &Operations) -> Duration {
    match operations.reseal_workspace_secrets().await {
        Ok(Resealed { done: 0, broken: 1.. }) => STUCK,
        Ok(Resealed { done, broken }) => {
            if done > 0 {
                tracing::info!(done, broken, "secrets re-sealed under the active keys of their workspaces");
            }
            LOOKING
        }
        Err(error) => {
            warn_of!(error, "secrets under retired keys were not re-sealed");
            LOOKING
        }
    }
}
