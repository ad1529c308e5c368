//! The metrics of the process, in the text format of Prometheus.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Extension, Router};
use ipnet::IpNet;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector;
use serde_json::json;
use tradepost::ports::metrics::{
    ALL, BUILD_INFO, DATABASE_CONNECTIONS, DATABASE_CONNECTIONS_MAX, Metric, MetricKind, STANDBY_LAG,
};
use tradepost::sql::{PoolState, SqlStore};
use tradepost::transport::ClientAddress;
use tradepost::{MetricReads, Tradepost};

use crate::failure::{Exit, Failure, Outcome};

/// Upper bounds of the duration histograms, in seconds. The last is well above the longest deadline of a call.
const SECONDS: [f64; 14] = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0];
const PATH: &str = "/metrics";
/// The stable name of a refusal.
const REASON: HeaderName = HeaderName::from_static("x-error-reason");
const TIDYING: Duration = Duration::from_secs(5);

/// What was recorded, and what is looked at when it is shown.
#[derive(Clone)]
pub(crate) struct Metrics {
    recorded: PrometheusHandle,
    process: Collector,
    database: Option<Arc<SqlStore>>,
    reads: Option<MetricReads>,
}

/// Begins to record. Comes before anything that is counted.
pub(crate) fn record() -> Outcome<Metrics> {
    let failed = |error: metrics_exporter_prometheus::BuildError| {
        Failure::new(Exit::Failed, "cannot record metrics").because(error)
    };
    let buckets = PrometheusBuilder::new().set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS);
    let recorded = buckets.map_err(failed)?.install_recorder().map_err(failed)?;
    let process = Collector::default();
    process.describe();
    for (_, metric) in ALL {
        describe(metric);
    }
    metrics::gauge!(BUILD_INFO.name, "version" => env!("CARGO_PKG_VERSION")).set(1);
    tokio::spawn(tidy(recorded.clone()));
    Ok(Metrics { recorded, process, database: None, reads: None })
}

/// Gives a metric its help. A counter whose series are known begins at 0, so that its first increment is a rise.
fn describe(metric: &Metric) {
    let Metric { name, help, .. } = *metric;
    match metric.kind {
        MetricKind::Counter => metrics::describe_counter!(name, help),
        MetricKind::Gauge => metrics::describe_gauge!(name, help),
        MetricKind::Histogram => metrics::describe_histogram!(name, help),
    }
    if metric.kind == MetricKind::Counter && metric.has_known_series() {
        let mut series = vec![Vec::new()];
        for label in metric.labels {
            let with = |labels: &Vec<metrics::Label>, value| {
                labels.iter().cloned().chain([metrics::Label::new(label.name, value)]).collect()
            };
            series =
                series.iter().flat_map(|labels| label.values.iter().map(move |value| with(labels, *value))).collect();
        }
        for labels in series {
            metrics::counter!(name, labels).increment(0);
        }
    }
}

impl Metrics {
    /// The same, with the connections to the database.
    pub(crate) fn of(self, app: &Tradepost) -> Self {
        Self { database: app.database().cloned(), reads: Some(app.measure_installation()), ..self }
    }

    /// The text of the page.
    fn shown(&self) -> String {
        self.process.collect();
        if let Some(reads) = &self.reads {
            reads.note();
        }
        if let Some(database) = &self.database {
            let PoolState { idle, used, most } = database.pool_state();
            metrics::gauge!(DATABASE_CONNECTIONS.name, "state" => "idle").set(idle);
            metrics::gauge!(DATABASE_CONNECTIONS.name, "state" => "used").set(used);
            metrics::gauge!(DATABASE_CONNECTIONS_MAX.name).set(most);
            let lag = database.standby_lag().unwrap_or_default();
            metrics::gauge!(STANDBY_LAG.name).set(lag.as_secs_f64());
        }
        self.recorded.render()
    }
}

/// The page that shows what was recorded to every client that can reach it.
pub(crate) fn page(metrics: Metrics) -> Router {
    Router::new().route(PATH, get(move || async move { shown(&metrics) }))
}

/// The page on a port that strangers reach: it is for this machine and for these networks.
pub(crate) fn page_for(metrics: Metrics, readers: Vec<IpNet>) -> Router {
    let page = move |Extension(ClientAddress(client)): Extension<ClientAddress>| async move {
        let is_reader = |client: IpAddr| readers.iter().any(|network| network.contains(&client));
        let may_read = client.is_some_and(|client| client.is_loopback() || is_reader(client));
        if may_read { shown(&metrics) } else { refused() }
    };
    Router::new().route(PATH, get(page))
}

fn shown(metrics: &Metrics) -> Response {
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], metrics.shown()).into_response()
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
