//! Measuring the installation for its metrics: at intervals, because a scrape must be quick and may come from several readers. It
//! knows which counter of the census is which metric.
//!
//! Of several processes on a database the one that has the [duty](Duty) always measures, and each of the others while its metrics
//! are read.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tradepost_adapters_sql::{Census, QueueState, SqlStore};
use tradepost_domain::contracts::contract::ContractStatus;
use tradepost_domain::contracts::intent::IntentStatus;
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::contracts::remediation::{RemediationStatus, Severity};
use tradepost_domain::markets::provider::BreakerState;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade_offer::TradeOfferStatus;
use tradepost_domain::trading::trading_account::AccountStatus;
use tradepost_ports::clock::Clock;
use tradepost_ports::metrics as metric;
use tradepost_ports::record::Kind;
use tradepost_ports::store::StoreError;

use super::Duty;

/// How often the installation is measured.
const MEASURED_EVERY: Duration = Duration::from_secs(15);

/// How long after a reading of its metrics a process goes on to measure.
const READ_LATELY: Duration = Duration::from_mins(5);

/// When the metrics of this process were last read: what [`measure_installation`] returns.
///
/// [`measure_installation`]: crate::Tradepost::measure_installation
#[derive(Debug, Clone)]
pub struct MetricReads(watch::Sender<Option<Instant>>);

impl MetricReads {
    pub(crate) fn none() -> Self {
        Self(watch::Sender::new(None))
    }

    /// Notes that the metrics are being read. A process that has not measured since begins at once, so that its second reader sees values
    /// that are at most 15 s old.
    pub fn note(&self) {
        self.0.send_replace(Some(Instant::now()));
    }

    /// Waits until the process has to measure.
    async fn or_duty(&self, duty: &mut Duty) {
        let mut reads = self.0.subscribe();
        let is_lately = |read: &Option<Instant>| read.is_some_and(|at| at.elapsed() < READ_LATELY);
        tokio::select! {
            () = duty.ours() => {}
            _ = reads.wait_for(is_lately) => {}
        }
    }
}

/// Measures the installation until stopped.
pub(crate) async fn measure(
    database: Arc<SqlStore>,
    clock: Arc<dyn Clock>,
    mut duty: Duty,
    reads: MetricReads,
    stop: CancellationToken,
) {
    let mut ticks = super::ticks(MEASURED_EVERY);
    let mut next = async || {
        reads.or_duty(&mut duty).await;
        ticks.tick().await;
    };
    while stop.run_until_cancelled(next()).await.is_some() {
        let (began, at) = (Instant::now(), clock.now());
        match database.census(at).await {
            Ok(census) => {
                publish(&census, at);
                metrics::gauge!(metric::MEASURING.name).set(began.elapsed());
                metrics::gauge!(metric::MEASURED_AT.name).set(seconds(at));
            }
            // Storage itself reports an outage.
            Err(StoreError::Unavailable(_)) => {}
            Err(error) => tracing::warn!(?error, "the installation was not measured for its metrics"),
        }
    }
}

/// Seconds since 1970.
#[expect(
    clippy::cast_precision_loss,
    reason = "gauges are floating-point numbers, exact to a microsecond for 285 years"
)]
pub(crate) const fn seconds(at: Timestamp) -> f64 {
    at.as_micros() as f64 / 1_000_000.0
}

#[expect(clippy::cast_precision_loss, reason = "gauges are floating-point numbers, exact up to 9,007,199,254,740,992")]
const fn number(counted: i64) -> f64 {
    counted as f64
}

fn publish(census: &Census, at: Timestamp) {
    metrics::gauge!(metric::WORKSPACES.name).set(number(census.workspaces.try_into().unwrap_or(i64::MAX)));
    metrics::gauge!(metric::WORKSPACES_HALTED.name).set(number(census.halted.try_into().unwrap_or(i64::MAX)));
    publish_statuses(census);
    for severity in Severity::ALL {
        let open = census.open_remediations.get(severity).copied().unwrap_or_default();
        metrics::gauge!(metric::REMEDIATIONS_OPEN.name, "severity" => severity.as_str()).set(number(open));
    }
    for ((currency, account), cents) in &census.balances {
        metrics::gauge!(metric::LEDGER_BALANCE.name, "account" => account.as_str(), "currency" => currency.clone())
            .set(number(*cents));
    }
    for state in BreakerState::ALL {
        let many = census.breakers.get(state).copied().unwrap_or_default();
        metrics::gauge!(metric::PROVIDER_BREAKERS.name, "state" => state.as_str()).set(number(many));
    }
    for QueueState { queue, waiting, oldest } in &census.queues {
        metrics::gauge!(metric::QUEUE_LENGTH.name, "queue" => *queue).set(number(*waiting));
        let age = oldest.map_or(0.0, |oldest| at.since(oldest).as_seconds_f64().max(0.0));
        metrics::gauge!(metric::QUEUE_OLDEST.name, "queue" => *queue).set(age);
    }
}

/// Publishes the counts of a kind of record in every status, also in those that none is in.
macro_rules! publish_statuses {
    ($census:expr, $($kind:ident => $metric:ident, $status:ident;)+) => {$(
        for status in $status::ALL {
            let many = $census.records.get(&(Kind::$kind, status.code())).copied().unwrap_or_default();
            metrics::gauge!(metric::$metric.name, "status" => status.as_str()).set(number(many));
        }
    )+};
}

fn publish_statuses(census: &Census) {
    publish_statuses! { census,
        Contract => CONTRACTS, ContractStatus;
        Intent => INTENTS, IntentStatus;
        Purchase => PURCHASES, PurchaseStatus;
        InventoryItem => INVENTORY_ITEMS, ItemStatus;
        TradeOffer => TRADE_OFFERS, TradeOfferStatus;
        TradingAccount => TRADING_ACCOUNTS, AccountStatus;
        Remediation => REMEDIATIONS, RemediationStatus;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::{advance, timeout};

    #[tokio::test(start_paused = true)]
    async fn a_process_without_the_duty_measures_for_five_minutes_after_its_metrics_were_read() {
        let ((sender, mut duty), reads) = (Duty::of_several(), MetricReads::none());
        let mut measures = async || timeout(Duration::from_secs(1), reads.or_duty(&mut duty)).await.is_ok();
        assert!(!measures().await);
        reads.note();
        assert!(measures().await);
        advance(READ_LATELY).await;
        assert!(!measures().await);
        sender.send_replace(true);
        assert!(measures().await);
    }
}
