//! systemd as the parent of the process: what it is notified of, and the socket that it passes.

use std::time::Duration;

use listenfd::ListenFd;
use sd_notify::NotifyState;
use tokio::net::TcpListener;
use tokio_util::task::AbortOnDropHandle;

use crate::failure::{Exit, Failure, Outcome};

/// Reports that calls are accepted. From then on the watchdog hears from this process until the value is dropped.
///
/// The notices come from the runtime that answers the calls: one that no longer runs its tasks falls silent and is restarted.
/// An unreachable database does not restart the server.
#[must_use]
pub(crate) fn ready() -> Option<AbortOnDropHandle<()>> {
    notify(NotifyState::Ready);
    let interval = sd_notify::watchdog_enabled()?;
    Some(AbortOnDropHandle::new(tokio::spawn(feed_watchdog(interval / 2))))
}

/// Reports that the process ends.
pub(crate) fn stopping() {
    notify(NotifyState::Stopping);
}

/// The socket that the service manager listens on for this process (`LISTEN_FDS`), if there is one.
pub(crate) fn passed_socket() -> Outcome<Option<TcpListener>> {
    let mut passed = ListenFd::from_env();
    let failed = |why: String| {
        Failure::new(Exit::Config, "the socket that the service manager passes cannot be used")
            .because(why)
            .with_try("pass one TCP socket: ListenStream=127.0.0.1:8080")
    };
    if passed.len() > 1 {
        return Err(failed(format!("LISTEN_FDS passes {} sockets, and one is served", passed.len())));
    }
    let socket = passed.take_tcp_listener(0).map_err(|error| failed(error.to_string()))?;
    let listener = |socket: std::net::TcpListener| {
        socket.set_nonblocking(true)?;
        TcpListener::from_std(socket)
    };
    socket.map(listener).transpose().map_err(|error| failed(error.to_string()))
}

async fn feed_watchdog(every: Duration) {
    let mut ticks = tokio::time::interval(every.max(Duration::from_millis(1)));
    loop {
        ticks.tick().await;
        notify(NotifyState::Watchdog);
    }
}

/// Sends a notice where there is a service manager. The server works without it.
fn notify(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "the service manager cannot be notified");
    }
}
