//! The metrics of the process, in the text format of Prometheus.

use std::time::Duration;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use crate::failure::{Exit, Failure, Outcome};

/// Upper bounds of the duration histograms, in seconds. The last stands well above the longest deadline of a call.
const SECONDS: [f64; 14] = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0];
const TIDYING: Duration = Duration::from_secs(5);

/// Begins to record, and gives the page that shows what was recorded.
pub(crate) fn record() -> Outcome<Router> {
    let failed = |error: metrics_exporter_prometheus::BuildError| {
        Failure::new(Exit::Failed, "cannot record metrics").because(error)
    };
    let buckets = PrometheusBuilder::new().set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS);
    let handle = buckets.map_err(failed)?.install_recorder().map_err(failed)?;
    metrics::gauge!("tradepost_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1);
    tokio::spawn(tidy(handle.clone()));
    let page = move || async move { ([(CONTENT_TYPE, "text/plain; version=0.0.4")], handle.render()) };
    Ok(Router::new().route("/metrics", get(page)))
}

/// Folds recorded durations into their histograms, which would otherwise wait in memory for the next reader.
async fn tidy(handle: PrometheusHandle) {
    let mut ticks = tokio::time::interval(TIDYING);
    loop {
        ticks.tick().await;
        handle.run_upkeep();
    }
}
