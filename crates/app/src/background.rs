//! Work in the background: handing mails over, delivering webhooks, sending alerts, chaining the audit log, giving changes of status their positions, sealing
//! secrets again after a rotation, bringing what is stored under the newest root secret, storing when keys and sessions were last
//! used, reading the price sources and marketplaces of workspaces, putting prices of hours together, taking daily marks of equity, forgetting what is over, measuring the installation for its metrics, keeping up with the
//! other processes on the database, and warming up.

/// Logs what failed for the operator. Storage itself reports an outage, once.
macro_rules! warn_of {
    ($error:expr, $($line:tt)+) => {
        if $error.reason != tradepost_operations::Reason::StorageUnavailable {
            tracing::warn!(reason = $error.reason.as_str(), error = ?$error.source, $($line)+);
        }
    };
}

mod alerts;
mod duty;
mod feeds;
mod mails;
mod measuring;
mod recorded_desks;
mod renewing;
mod resealing;
mod serving;
mod trading;
mod transitions;
mod webhooks;

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Interval, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tradepost_adapters_auth::Argon2Passwords;
use tradepost_adapters_limits::GovernorLimiter;
use tradepost_adapters_sql::{RightsNews, SqlStore};
use tradepost_operations::upkeep::CleanupSummary;
use tradepost_operations::{OpResult, Operations};
use tradepost_ports::store::StoreResult;

pub(crate) use alerts::{follow_alerts, look_for_alerts, send_alerts};
pub(crate) use duty::{Duty, report_alive};
pub(crate) use feeds::{FeedProbe, ListingFeedProbe, Turns, read_listings, read_prices};
pub(crate) use mails::hand_over_mails;
pub use measuring::MetricReads;
pub(crate) use measuring::measure;
pub(crate) use recorded_desks::{Host, trade_by_records};
pub(crate) use renewing::renew;
pub(crate) use resealing::reseal_workspace_secrets;
pub(crate) use trading::{Drive, LastPasses, trade_to_the_end};
pub(crate) use transitions::place_transitions;
pub(crate) use webhooks::{deliver_webhooks, follow_events};

/// How often uses of keys and sessions are stored. `lastUsedAt` and `lastSeenAt` are to the minute.
const FLUSHING: Duration = Duration::from_secs(30);
const FORGETTING: Duration = Duration::from_mins(1);
/// How often what was observed is put into the prices of hours.
const FORMING: Duration = Duration::from_secs(10);
/// How often days are looked for that ended without a mark of equity: in a market whose clock is fast a day is over in seconds.
const MARKING: Duration = Duration::from_secs(2);
/// How long to wait after a mark that failed: what keeps a workspace from its mark takes an operator to correct.
const MARKING_AFTER_FAILURE: Duration = Duration::from_mins(1);
/// How often contracts are looked for that no engine serves. Engines renew their leases more often.
const SERVING: Duration = Duration::from_mins(1);
/// How often the audit log is checked for events to chain.
const CHAINING: Duration = Duration::from_secs(1);
/// How often a part of what is over is cleared away, and how long to wait before the next part where there is more.
const SWEEPING: Duration = Duration::from_mins(5);
const BETWEEN_SWEEPS: Duration = Duration::from_millis(100);
/// How long to wait before listening again for changed rights.
const RECONNECT_AFTER: Duration = Duration::from_secs(1);

/// Loads the words that passwords are judged by, so that the first password does not wait for them.
pub(crate) async fn warm_passwords(passwords: Arc<Argon2Passwords>) {
    if passwords.warm().await.is_err() {
        tracing::debug!("passwords are being checked already");
    }
}

/// Forgets what is not kept any longer until nothing of it is left, in one process at a time, until stopped.
pub(crate) async fn forget_old(operations: Arc<Operations>, duty: Duty, stop: CancellationToken) {
    let mut ticks = duty.ticks(FORGETTING);
    let forgetting = async {
        loop {
            ticks.tick().await;
            match operations.begin_clearing().await {
                // The others have their turn while there is much of one kind.
                Ok(Some(_turn)) => while forget_some(&operations).await > 0 {},
                Ok(None) => tracing::debug!("another process forgets what is not kept any longer"),
                Err(error) => warn_of!(error, "what is not kept any longer was not forgotten"),
            }
        }
    };
    stop.run_until_cancelled(forgetting).await;
}

/// Some of every kind; how much it was.
async fn forget_some(operations: &Operations) -> u64 {
    [
        forgotten(operations.forget_old_answers().await, "old answers were not forgotten"),
        forgotten(operations.forget_old_credentials().await, "sessions and links that are over were not forgotten"),
        forgotten(operations.forget_old_links().await, "links to other platforms that are over were not forgotten"),
        forgotten(operations.forget_old_usage().await, "old usage was not forgotten"),
        forgotten(operations.forget_old_evaluations().await, "old evaluations were not forgotten"),
        forgotten(operations.forget_old_observations().await, "old observations were not forgotten"),
        forgotten(operations.forget_old_deliveries().await, "old webhook deliveries were not forgotten"),
        forgotten(operations.forget_old_alerts().await, "old alert messages were not forgotten"),
        forgotten(operations.forget_old_chats().await, "old chat messages were not forgotten"),
        forgotten(operations.forget_old_places().await, "old positions of status changes were not forgotten"),
    ]
    .into_iter()
    .fold(0, u64::saturating_add)
}

/// What failed is tried again with the next tick.
fn forgotten(done: OpResult<u64>, failed: &str) -> u64 {
    done.unwrap_or_else(|error| {
        warn_of!(error, "{failed}");
        0
    })
}

/// Puts observations into the prices of hours until stopped.
pub(crate) async fn form_candles(operations: Arc<Operations>, duty: Duty, stop: CancellationToken) {
    let mut ticks = duty.ticks(FORMING);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        log_failure(operations.form_candles().await, "prices of hours were not formed yet");
    }
}

/// Takes the daily marks of equity until stopped.
pub(crate) async fn take_equity_marks(operations: Arc<Operations>, duty: Duty, stop: CancellationToken) {
    let mut ticks = duty.ticks(MARKING);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        match operations.take_equity_marks().await {
            Ok(0) => {}
            Ok(marks) => tracing::debug!(marks, "daily marks of equity were taken"),
            Err(error) => {
                warn_of!(error, "daily marks of equity were not taken yet");
                stop.run_until_cancelled(tokio::time::sleep(MARKING_AFTER_FAILURE)).await;
            }
        }
    }
}

/// Reports active contracts that no engine serves, until the server stops.
pub(crate) async fn look_for_unserved_contracts(operations: Arc<Operations>, duty: Duty, stop: CancellationToken) {
    let mut ticks = duty.ticks(SERVING);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        match operations.look_for_unserved_contracts().await {
            Ok(0) => {}
            Ok(many) => {
                tracing::warn!(contracts = many, "contracts are active, and no engine serves their marketplaces");
            }
            Err(error) => warn_of!(error, "contracts that no engine serves were not looked for"),
        }
    }
}

/// Stores uses of keys and sessions until stopped.
pub(crate) async fn flush_uses(operations: Arc<Operations>, stop: CancellationToken) {
    let mut ticks = ticks(FLUSHING);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        log_failure(operations.flush_uses().await, "when keys and sessions were last used was not stored");
        log_failure(operations.flush_usage().await, "how much workspaces are used was not stored yet");
    }
}

/// Forgets callers whose whole burst is there again, until stopped.
pub(crate) async fn forget_idle_limits(limiter: Arc<GovernorLimiter>, stop: CancellationToken) {
    let mut ticks = ticks(FORGETTING);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        limiter.forget_idle();
    }
}

/// Chains the events of the audit log until stopped.
pub(crate) async fn chain_audit_events(operations: Arc<Operations>, duty: Duty, stop: CancellationToken) {
    let mut ticks = duty.ticks(CHAINING);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        log_failure(operations.chain_audit_events().await, "events of the audit log were not chained yet");
    }
}

/// Deletes expired records, a bounded part at a time and until nothing of it is left, until stopped.
pub(crate) async fn sweep(operations: Arc<Operations>, duty: Duty, stop: CancellationToken) {
    let mut ticks = duty.ticks(SWEEPING);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        while sweep_some(&operations).await && !stop.is_cancelled() {
            tokio::time::sleep(BETWEEN_SWEEPS).await;
        }
    }
}

/// Whether there may be more.
async fn sweep_some(operations: &Operations) -> bool {
    match operations.sweep().await {
        Ok(swept) => {
            if swept != CleanupSummary::default() {
                tracing::info!(?swept, "cleared away what is over");
            }
            swept.may_be_more()
        }
        Err(error) => {
            warn_of!(error, "what is over was not cleared away");
            false
        }
    }
}

/// Forgets callers when rights have changed in another process, until stopped. While the news may be missed no caller is
/// remembered.
pub(crate) async fn follow_rights(
    store: Arc<SqlStore>,
    operations: Arc<Operations>,
    mut news: RightsNews,
    stop: CancellationToken,
) {
    let following = async {
        loop {
            operations.remember_callers(true);
            let lost = forget_at_news(&operations, &mut news).await;
            operations.remember_callers(false);
            tracing::debug!(error = ?lost, "changes of rights in other processes are not received; every caller is looked up again");
            news = listen_again(&store).await;
        }
    };
    stop.run_until_cancelled(following).await;
}

/// Until the connection is lost, which is what it answers.
async fn forget_at_news(operations: &Operations, news: &mut RightsNews) -> StoreResult<()> {
    loop {
        news.next().await?;
        operations.forget_callers();
    }
}

async fn listen_again(store: &SqlStore) -> RightsNews {
    loop {
        tokio::time::sleep(RECONNECT_AFTER).await;
        match store.listen_for_rights().await {
            Ok(Some(news)) => return news,
            Ok(None) => {}
            Err(error) => tracing::debug!(?error, "listening for changes of rights failed"),
        }
    }
}

/// Logs what failed for the operator; the next tick tries again.
fn log_failure<T>(done: OpResult<T>, failed: &str) {
    if let Err(error) = done {
        warn_of!(error, "{failed}");
    }
}

fn ticks(period: Duration) -> Interval {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}
