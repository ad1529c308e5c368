//! Serving: the listener, the ops pages on it or on one of their own, and the orderly end.

use std::io;
use std::net::SocketAddr;

use ipnet::IpNet;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tradepost::Tradepost;
use tradepost::transport::Tls;

use crate::failure::{Exit, Failure, Outcome, chain};
use crate::process::interface_pages;
use crate::process::metrics::{self, Metrics};

/// The pages for operators.
pub(crate) struct Ops {
    pub(crate) pages: OpsPages,
    pub(crate) metrics: Metrics,
}

/// Where the ops pages are.
pub(crate) enum OpsPages {
    /// Served in addition to the interface. Metrics are for this machine and these networks.
    OnMainPort { readers: Vec<IpNet> },
    /// On a port of their own.
    On(TcpListener),
}

/// Takes the port that a setting names.
pub(crate) async fn bind(address: SocketAddr, setting: &str) -> Outcome<TcpListener> {
    let variable = format!("TRADEPOST_{}", setting.replace('.', "__").to_uppercase());
    bind_or_advise(address, |address| format!("{address}      (setting {setting}, {variable})")).await
}

/// Takes the port. `elsewhere` says how another address is named.
pub(crate) async fn bind_or_advise(address: SocketAddr, elsewhere: impl Fn(String) -> String) -> Outcome<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| {
        let failure = Failure::new(Exit::Unavailable, format!("cannot listen on {address}: {}", plain(&error)));
        if error.kind() == io::ErrorKind::AddrInUse {
            failure
                .because("another process holds the port")
                .with_try(elsewhere(format!("{}:{}", address.ip(), address.port().wrapping_add(1))))
                .with_try(format!("any free port: {}:0", address.ip()))
        } else if error.kind() == io::ErrorKind::PermissionDenied {
            let why = "ports below 1024 are for the system's administrator";
            failure.because(why).with_try(elsewhere(format!("{}:8080", address.ip())))
        } else {
            let why = "this machine has no such address, or it cannot be used";
            failure.because(why).with_try(elsewhere("127.0.0.1:8080".to_owned()))
        }
    })
}

/// Without the number that the operating system gives the error.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

/// The address that was taken; it differs from the one asked for where that had port 0.
pub(crate) fn address_of(listener: &TcpListener) -> Outcome<SocketAddr> {
    listener.local_addr().map_err(|error| Failure::new(Exit::Failed, "the listener has no address").because(error))
}

/// Serves until `stop`, then completes open calls, stores what is not stored yet and closes the database.
pub(crate) async fn serve(
    app: &Tradepost,
    listener: TcpListener,
    tls: Option<Tls>,
    ops: Ops,
    stop: CancellationToken,
) -> Outcome {
    let metrics = ops.metrics.of(app);
    let finished = CancellationToken::new();
    let (main_port, ops) = match ops.pages {
        OpsPages::OnMainPort { readers } => (metrics::page_for(metrics, readers).merge(app.health_router()), None),
        OpsPages::On(listener) => {
            let pages = metrics::page(metrics).merge(app.health_router());
            let serving = axum::serve(listener, pages).with_graceful_shutdown(finished.clone().cancelled_owned());
            (axum::Router::new(), Some(tokio::spawn(serving.into_future())))
        }
    };
    let pages = main_port.merge(interface_pages::pages());
    let served = app.serve(listener, tls, pages, stop.cancelled_owned()).await;
    let closed = end(app).await;
    finished.cancel();
    if let Some(ops) = ops {
        // Open connections of its readers must not hold the process up.
        ops.abort();
    }
    served.map_err(|error| Failure::new(Exit::Failed, "the server failed").because(chain(&error)))?;
    closed
}

/// Stores what is not stored yet and closes the database.
pub(crate) async fn end(app: &Tradepost) -> Outcome {
    let failed = |error| Failure::new(Exit::Failed, "the server did not end in order").because(chain(&error));
    app.shutdown().await.map_err(failed)
}
