//! `/livez` and `/readyz`: whether the process runs, and whether calls should be sent to it.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use tokio_util::sync::CancellationToken;
use tradepost_ports::store::{NotReady, Store};

/// What readiness depends on.
#[derive(Clone)]
pub(crate) struct Readiness {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) stopping: CancellationToken,
}

/// The pages.
pub(crate) fn pages(readiness: Readiness) -> Router {
    Router::new().route("/livez", get(async || "ok\n")).route("/readyz", get(readyz)).with_state(readiness)
}

async fn readyz(State(readiness): State<Readiness>) -> (StatusCode, String) {
    if readiness.stopping.is_cancelled() {
        return (StatusCode::SERVICE_UNAVAILABLE, "stopping\n".to_owned());
    }
    match readiness.store.check_ready().await {
        Ok(()) => (StatusCode::OK, "ok\n".to_owned()),
        Err(reason) => {
            match &reason {
                // Storage itself reports an outage, once.
                NotReady::Unreachable(_) => tracing::debug!(?reason, "not ready"),
                NotReady::LastWriteFailed(_) | NotReady::LittleSpace { .. } => tracing::warn!(?reason, "not ready"),
            }
            (StatusCode::SERVICE_UNAVAILABLE, format!("{reason}\n"))
        }
    }
}
