//! The metrics of the process, in the text format of Prometheus.

use std::net::IpAddr;
use std::time::Duration;

use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Extension, Router};
use ipnet::IpNet;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use serde_json::json;
use tradepost::transport::ClientAddress;

use crate::failure::{Exit, Failure, Outcome};

/// Upper bounds of the duration histograms, in seconds. The last is well above the longest deadline of a call.
const SECONDS: [f64; 14] = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0];
const PATH: &str = "/metrics";
/// Always 1; the label `version` has the version of the program.
const BUILD: &str = "tradepost_build_info";
/// The stable name of a refusal.
const REASON: HeaderName = HeaderName::from_static("x-error-reason");
const TIDYING: Duration = Duration::from_secs(5);

/// Begins to record.
pub(crate) fn record() -> Outcome<PrometheusHandle> {
    let failed = |error: metrics_exporter_prometheus::BuildError| {
        Failure::new(Exit::Failed, "cannot record metrics").because(error)
    };
    let buckets = PrometheusBuilder::new().set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS);
    let handle = buckets.map_err(failed)?.install_recorder().map_err(failed)?;
    metrics::gauge!(BUILD, "version" => env!("CARGO_PKG_VERSION")).set(1);
    tokio::spawn(tidy(handle.clone()));
    Ok(handle)
}

/// The page that shows what was recorded to every client that can reach it.
pub(crate) fn page(metrics: PrometheusHandle) -> Router {
    Router::new().route(PATH, get(move || async move { shown(&metrics) }))
}

/// The page on a port that strangers reach: it is for this machine and for these networks.
pub(crate) fn page_for(metrics: PrometheusHandle, readers: Vec<IpNet>) -> Router {
    let page = move |Extension(ClientAddress(client)): Extension<ClientAddress>| async move {
        let is_reader = |client: IpAddr| readers.iter().any(|network| network.contains(&client));
        let may_read = client.is_some_and(|client| client.is_loopback() || is_reader(client));
        if may_read { shown(&metrics) } else { refused() }
    };
    Router::new().route(PATH, get(page))
}

fn shown(metrics: &PrometheusHandle) -> Response {
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], metrics.render()).into_response()
}

fn refused() -> Response {
    let message = "metrics are for this machine and the networks that its operator names";
    let body = json!({ "code": "permission_denied", "message": message }).to_string();
    let headers = [(CONTENT_TYPE, "application/json"), (REASON, "PERMISSION_DENIED")];
    (StatusCode::FORBIDDEN, headers, body).into_response()
}

/// Folds recorded durations into their histograms, which would otherwise wait in memory for the next reader.
async fn tidy(handle: PrometheusHandle) {
    let mut ticks = tokio::time::interval(TIDYING);
    loop {
        ticks.tick().await;
        handle.run_upkeep();
    }
}
