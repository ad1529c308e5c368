//! The duty of one process on a database: to look for work that any process may have left there. The process that began last has it.
//!
//! It only saves statements. Each piece of the work is safe in several processes at once, and a process does at once what it enqueued
//! itself.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Interval;
use tokio_util::sync::CancellationToken;
use tradepost_adapters_limits::GovernorLimiter;
use tradepost_ports::limiter::{HEARTBEAT, SharedCounts};
use tradepost_ports::store::StoreError;

use super::ticks;

/// Whether this process has the duty now.
#[derive(Clone)]
pub(crate) struct Duty(watch::Receiver<bool>);

impl Duty {
    /// The duty of a process that shares its database with no other one.
    pub(crate) fn of_one() -> Self {
        Self(watch::Sender::new(true).subscribe())
    }

    /// The duty of a process among several, which has it once [`report_alive`] has read so.
    pub(crate) fn of_several() -> (watch::Sender<bool>, Self) {
        let (sender, duty) = watch::channel(false);
        (sender, Self(duty))
    }

    pub(crate) fn is_ours(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until this process has the duty.
    pub(super) async fn ours(&mut self) {
        if self.0.wait_for(|is_ours| *is_ours).await.is_err() {
            // The server stops, and the answer changes no longer.
            pending::<()>().await;
        }
    }

    /// Returns ticks that come only while this process has the duty.
    pub(super) fn ticks(&self, period: Duration) -> DutyTicks {
        DutyTicks { ticks: ticks(period), duty: self.clone() }
    }
}

/// The times at which the process that has the duty looks for work.
pub(super) struct DutyTicks {
    ticks: Interval,
    duty: Duty,
}

impl DutyTicks {
    /// Waits for the next of them.
    pub(super) async fn tick(&mut self) {
        loop {
            self.duty.ours().await;
            self.ticks.tick().await;
            if self.duty.is_ours() {
                return;
            }
        }
    }
}

/// Reports to the other processes on the database that this one is alive, until stopped. It learns its share of the rate limits, and whether
/// the duty is its own. As long as the database does not answer, the last answer holds.
pub(crate) async fn report_alive(
    counts: Arc<dyn SharedCounts>,
    process: [u8; 16],
    limiter: Option<Arc<GovernorLimiter>>,
    duty: watch::Sender<bool>,
    stop: CancellationToken,
) {
    let mut ticks = ticks(HEARTBEAT);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        match counts.beat(process).await {
            Ok(alive) => {
                if let Some(limiter) = &limiter {
                    limiter.share_among(alive.count);
                }
                if duty.send_replace(alive.is_latest) != alive.is_latest {
                    tracing::debug!(
                        is_ours = alive.is_latest,
                        "the duty to look for work of all processes has changed hands"
                    );
                }
            }
            // Storage itself reports an outage.
            Err(StoreError::Unavailable(_)) => {}
            Err(error) => tracing::warn!(?error, "which processes are alive was not found out"),
        }
    }
    if let Err(error) = counts.leave(process).await {
        tracing::debug!(?error, "the end of this process was not recorded; the others notice within 15 s");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::timeout;

    const PERIOD: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn a_process_of_its_own_database_looks_at_each_tick() {
        let mut ticks = Duty::of_one().ticks(PERIOD);
        for _ in 0..3 {
            assert!(timeout(PERIOD * 2, ticks.tick()).await.is_ok());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_process_looks_only_while_it_has_the_duty() {
        let (sender, duty) = Duty::of_several();
        let mut ticks = duty.ticks(PERIOD);
        assert!(timeout(PERIOD * 9, ticks.tick()).await.is_err());
        sender.send_replace(true);
        assert!(timeout(PERIOD * 2, ticks.tick()).await.is_ok());
        sender.send_replace(false);
        assert!(timeout(PERIOD * 9, ticks.tick()).await.is_err());
    }
}
