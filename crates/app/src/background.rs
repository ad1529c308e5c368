//! What goes on beside the calls: storing when keys and sessions were last used, forgetting idle rate limits, and warming up.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Interval, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tradepost_adapters_auth::Argon2Passwords;
use tradepost_adapters_limits::GovernorLimiter;
use tradepost_operations::Operations;

/// How often uses of keys and sessions are stored. `lastUsedAt` and `lastSeenAt` are to the minute.
const FLUSHING: Duration = Duration::from_secs(30);
const FORGETTING: Duration = Duration::from_mins(1);

/// Loads the words that passwords are judged by, so that the first password does not wait for them.
pub(crate) async fn warm_passwords(passwords: Arc<Argon2Passwords>) {
    if passwords.warm().await.is_err() {
        tracing::debug!("passwords are being checked already");
    }
}

/// Stores uses of keys and sessions until told to stop.
pub(crate) async fn flush_uses(operations: Arc<Operations>, stop: CancellationToken) {
    let mut ticks = ticks(FLUSHING);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        if let Err(error) = operations.flush_uses().await {
            tracing::warn!(error = ?error.source, "when keys and sessions were last used was not stored");
        }
    }
}

/// Forgets callers whose whole burst is there again, until told to stop.
pub(crate) async fn forget_idle_limits(limiter: Arc<GovernorLimiter>, stop: CancellationToken) {
    let mut ticks = ticks(FORGETTING);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        limiter.forget_idle();
    }
}

fn ticks(period: Duration) -> Interval {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}
