//! The signals that end the process: the first asks it to finish, the second ends it at once.

use std::process;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::failure::{Exit, Failure, Outcome};

/// The exit code of a process that was told twice: 128 and the number of SIGTERM, as shells count.
const KILLED: i32 = 143;

/// A token that SIGTERM or SIGINT cancels. From then on the next one of them ends the process without further ado.
pub(crate) fn asked_to_stop() -> Outcome<CancellationToken> {
    let listen =
        |kind| signal(kind).map_err(|error| Failure::new(Exit::Failed, "cannot listen for signals").because(error));
    let (mut terminate, mut interrupt) = (listen(SignalKind::terminate())?, listen(SignalKind::interrupt())?);
    let token = CancellationToken::new();
    let asked = token.clone();
    tokio::spawn(async move {
        either(&mut terminate, &mut interrupt).await;
        tracing::info!("asked to stop; finishing calls under way, a second signal stops at once");
        asked.cancel();
        either(&mut terminate, &mut interrupt).await;
        tracing::warn!("told to stop at once");
        process::exit(KILLED);
    });
    Ok(token)
}

async fn either(one: &mut Signal, other: &mut Signal) {
    tokio::select! {
        _ = one.recv() => {}
        _ = other.recv() => {}
    }
}
