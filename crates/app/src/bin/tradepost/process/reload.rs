//! SIGHUP: the settings are read again, and what can change while the server runs is taken over: the log's level and file, and
//! the files of TLS. What cannot be used is logged, and the server goes on as before.

use tokio::signal::unix::{Signal, SignalKind, signal};
use tradepost::transport::Tls;

use crate::assembly;
use crate::failure::{Exit, Failure, Outcome};
use crate::process::log::Reloading;
use crate::settings::Loaded;

/// Hangups from now on. One that comes before [`follow`] waits for it, and none ends the process.
pub(crate) fn hangups() -> Outcome<Signal> {
    signal(SignalKind::hangup()).map_err(|error| Failure::new(Exit::Failed, "cannot listen for signals").because(error))
}

/// Reloads at every hangup, until the process ends.
pub(crate) async fn follow(mut hangups: Signal, read: impl Fn() -> Outcome<Loaded>, log: Reloading, tls: Option<Tls>) {
    while hangups.recv().await.is_some() {
        match read().and_then(|loaded| log.again(&loaded).and(again(&loaded, tls.as_ref()))) {
            Ok(()) => tracing::info!("the log and the files of TLS were reloaded; other settings need a restart"),
            Err(failure) => tracing::error!(failure = failure.in_short(), "not everything was reloaded"),
        }
    }
}

fn again(loaded: &Loaded, served: Option<&Tls>) -> Outcome {
    match (served, assembly::tls(loaded)?) {
        (Some(served), Some(tls)) => served.replace(&tls),
        (None, None) => {}
        (Some(_), None) | (None, Some(_)) => {
            tracing::warn!("HTTPS is switched on or off by a restart alone");
        }
    }
    Ok(())
}
