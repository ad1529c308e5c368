//! The signals that end the process: the first asks it to finish, the second ends it at once.

use std::future::Future;
use std::pin::pin;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::failure::{Exit, Failure, Outcome};
use crate::process::service_manager;

/// Does work with a token that the first SIGTERM or SIGINT cancels. The second one drops the work wherever it is: what it
/// holds, such as a temporary folder, goes with it.
pub(crate) async fn heed<W: Future<Output = Outcome>>(work: impl FnOnce(CancellationToken) -> W) -> Outcome {
    let listen =
        |kind| signal(kind).map_err(|error| Failure::new(Exit::Failed, "cannot listen for signals").because(error));
    let (mut terminate, mut interrupt) = (listen(SignalKind::terminate())?, listen(SignalKind::interrupt())?);
    let asked = CancellationToken::new();
    let mut work = pin!(work(asked.clone()));
    tokio::select! {
        done = &mut work => return done,
        () = either(&mut terminate, &mut interrupt) => {}
    }
    tracing::info!("stopping after open calls; a second signal stops at once");
    service_manager::stopping();
    asked.cancel();
    tokio::select! {
        done = work => {
            if done.is_ok() {
                tracing::info!("stopped");
            }
            done
        }
        () = either(&mut terminate, &mut interrupt) => {
            tracing::warn!("second stop signal; stopping immediately");
            Err(Failure::new(Exit::Killed, "stopped at once: open calls were cut off").because("a second signal came"))
        }
    }
}

async fn either(one: &mut Signal, other: &mut Signal) {
    tokio::select! {
        _ = one.recv() => {}
        _ = other.recv() => {}
    }
}
