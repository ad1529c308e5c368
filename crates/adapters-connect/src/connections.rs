//! Connections before they are served: how many there may be, of which networks, and for how long one may stay silent.
//!
//! The host's own timers begin with the first bytes of a request. A connection that sends none would otherwise hold its
//! descriptor for ever, and about a thousand of them end a process, which then can open none.

mod admission;
mod first_bytes;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use futures::{Stream, stream};
use tokio::net::{TcpListener, TcpStream};

pub(crate) use admission::{Admission, Permit};
pub(crate) use first_bytes::Connection;

/// How long to wait after the operating system gave no connection, for want of descriptors or memory.
const RECOVERY: Duration = Duration::from_millis(100);

/// The connections of a listener that are admitted, with their permits. Others are closed at once.
pub(crate) fn admitted(
    listener: TcpListener,
    admission: Arc<Admission>,
) -> impl Stream<Item = io::Result<(TcpStream, Permit)>> {
    stream::unfold((listener, admission), |(listener, admission)| async move {
        let accepted = next(&listener, &admission).await;
        Some((Ok(accepted), (listener, admission)))
    })
}

async fn next(listener: &TcpListener, admission: &Arc<Admission>) -> (TcpStream, Permit) {
    loop {
        match listener.accept().await {
            Ok((connection, peer)) => {
                if let Some(permit) = Admission::admit(admission, peer.ip().to_canonical()) {
                    if let Err(error) = connection.set_nodelay(true) {
                        tracing::debug!(%error, "a connection keeps Nagle's algorithm");
                    }
                    return (connection, permit);
                }
            }
            Err(error) if is_of_one_connection(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "no connection was accepted");
                tokio::time::sleep(RECOVERY).await;
            }
        }
    }
}

fn is_of_one_connection(error: &io::Error) -> bool {
    let kinds = [io::ErrorKind::ConnectionAborted, io::ErrorKind::ConnectionReset, io::ErrorKind::Interrupted];
    kinds.contains(&error.kind())
}
