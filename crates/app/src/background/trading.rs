//! Lets an engine trade. The engine decides what it does.

use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tradepost_engine::Engine;

use crate::PassObserver;

/// Takes pass after pass until stopped, and logs what each did. A pass that was begun is completed: it may be
/// waiting for an answer that it has to write down.
pub(crate) async fn trade(
    mut engine: Engine,
    every: Duration,
    mut observer: impl PassObserver,
    stop: CancellationToken,
) {
    let mut ticks = super::ticks(every);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        observer.before_pass();
        let pass = engine.pass().await;
        if let Some(trouble) = pass.errors.first() {
            tracing::debug!(%trouble, troubles = pass.errors.len(), "steps were left for the next pass");
        }
        observer.after_pass(pass);
    }
}
