//! The host: one port for Connect, gRPC and gRPC-Web, with health, reflection and the pages an application adds.

use std::future::{Future, Ready, ready};
use std::sync::Arc;
use std::task::{self, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use connectrpc::{ConnectRpcBody, ConnectRpcService, DeadlinePolicy, Limits, Router};
use futures::TryStreamExt as _;
use futures::future::Either;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tonic::service::Routes;
use tonic::transport::Server;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;
use tower::layer::layer_fn;
use tower::util::{MapRequestLayer, option_layer};
use tower::{Service, ServiceBuilder, ServiceExt};
use tradepost_operations::Operations;
use tradepost_proto::DESCRIPTOR;

use crate::access_log::{BodySizes, access_log};
use crate::authentication::Authentication;
use crate::browser::{Browsers, CookieNames, LocalOrigins, PageOrigins, browser};
use crate::connections::{Admission, Connection, admitted};
use crate::deadline::taken;
use crate::edge::{Edge, Hosts, edge};
use crate::handlers::{
    AccountsHandlers, AlertsHandlers, ContractsHandlers, EventsHandlers, MarketsHandlers, TradingHandlers,
};
use crate::idempotency::Idempotency;
use crate::outcome::Outcome;
use crate::settings::TransportSettings;
use crate::strict_json::StrictJson;
use crate::tls::Tls;

/// The interface, ready to be mounted or served.
pub struct Transport {
    calls: axum::Router,
    browsers: Browsers,
    body_sizes: BodySizes,
    front: Option<Front>,
    pages: axum::Router,
    edge: Edge,
    admission: Arc<Admission>,
    first_bytes_timeout: Duration,
    shutdown_grace: Duration,
}

/// Answers a request in front of the interface, or leaves it to the interface.
pub type Front = fn(&Request) -> Option<Response>;

/// The host failed.
#[derive(Debug, thiserror::Error)]
#[error("the server failed")]
pub struct ServeError(#[from] tonic::transport::Error);

/// Names under which `grpc.health.v1` reports; the empty one is the server as a whole.
const HEALTH_NAMES: [&str; 7] = [
    "",
    "accounts.v1.Accounts",
    "alerts.v1.Alerts",
    "contracts.v1.Contracts",
    "events.v1.Events",
    "markets.v1.Markets",
    "trading.v1.Trading",
];

/// The operations that take more at once than all others, and how much the body of each may have at least: many records, and
/// 4 MiB of content, which are a third more in JSON.
const LARGER: [(&str, usize); 2] = [
    ("/markets.v1.Markets/RecordMarketObservations", 1024 * 1024),
    ("/trading.v1.Trading/CreateImport", 6 * 1024 * 1024),
];

/// Where an HTTP/2 connection stops reading headers. Above the limit of the edge, which refuses in the caller's protocol.
const MOST_HTTP2_HEADER_BYTES: u32 = 64 * 1024;

/// How often a silent HTTP/2 connection is asked whether it is still there.
const HTTP2_KEEPALIVE: Duration = Duration::from_mins(1);

impl Transport {
    /// The interface over these operations.
    pub fn new(operations: Arc<Operations>, settings: &TransportSettings) -> Self {
        let names = CookieNames::of(&operations.installation_marks());
        let calls = move |settings: &TransportSettings| {
            let router = Router::new()
                .add_service(Arc::new(AccountsHandlers(Arc::clone(&operations))))
                .add_service(Arc::new(AlertsHandlers(Arc::clone(&operations))))
                .add_service(Arc::new(ContractsHandlers(Arc::clone(&operations))))
                .add_service(Arc::new(EventsHandlers(Arc::clone(&operations))))
                .add_service(Arc::new(MarketsHandlers(Arc::clone(&operations))))
                .add_service(Arc::new(TradingHandlers(Arc::clone(&operations))));
            protocols(router, settings)
                .with_interceptor(Authentication(Arc::clone(&operations)))
                .with_interceptor(Idempotency(Arc::clone(&operations)))
                .with_interceptor(StrictJson)
        };
        let larger = larger(settings)
            .map(|(path, max_body_bytes)| (path, calls(&TransportSettings { max_body_bytes, ..settings.clone() })));
        Self::host(calls(settings), larger.into(), names, settings)
    }

    /// Hosts what answers the calls. The limits of the library are those of all its methods, so what takes larger bodies is
    /// hosted by itself.
    pub(crate) fn host(
        calls: ConnectRpcService,
        larger_calls: Vec<(&'static str, ConnectRpcService)>,
        names: CookieNames,
        settings: &TransportSettings,
    ) -> Self {
        let protocols =
            |calls: ConnectRpcService| ServiceExt::<Request>::map_response(calls, |answer| answer.map(sized));
        let mut hosted = axum::Router::new().fallback_service(protocols(calls));
        for (path, calls) in larger_calls {
            hosted = hosted.route_service(path, protocols(calls));
        }
        Self {
            calls: hosted,
            browsers: Browsers { names: Arc::new(names), origins: PageOrigins::of(&settings.page_origins) },
            body_sizes: BodySizes { usual: settings.max_body_bytes, larger: larger(settings) },
            front: None,
            pages: axum::Router::new(),
            edge: Edge {
                proxies: settings.trusted_proxies.clone(),
                max_header_bytes: settings.max_header_bytes,
                hosts: Hosts { names: settings.host_names.clone(), on_loopback: false },
                local_origins: None,
            },
            admission: Arc::new(Admission::new(settings)),
            first_bytes_timeout: settings.first_bytes_timeout,
            shutdown_grace: settings.shutdown_grace,
        }
    }

    /// Adds pages of the application, such as `/livez`. Their paths must not begin with the name of a service.
    #[must_use]
    pub fn with_pages(self, pages: axum::Router) -> Self {
        Self { pages: self.pages.merge(pages), ..self }
    }

    /// Asks `front` before the interface, for every request whose path is none of a page. It must leave the paths of operations alone.
    #[must_use]
    pub fn with_front(self, front: Front) -> Self {
        Self { front: Some(front), ..self }
    }

    /// A router to mount in an axum application, at the root. For the client's address the application serves it with
    /// `into_make_service_with_connect_info::<SocketAddr>()`.
    pub async fn into_router(self) -> axum::Router {
        self.routed().await.0
    }

    /// Everything that is served, and what reports its health: the pages, and where none of them answers the front and the interface.
    ///
    /// Each layer of axum copies all that is inside of it for every request, so those around the calls are one.
    async fn routed(self) -> (axum::Router, HealthReporter) {
        let (health, health_service) = tonic_health::server::health_reporter();
        report(&health, ServingStatus::Serving).await;
        let around_calls = ServiceBuilder::new()
            .layer(option_layer(self.front.map(|front| layer_fn(move |inner| InFront { front, inner }))))
            .layer(from_fn_with_state(self.body_sizes, access_log))
            .layer(from_fn_with_state(self.browsers, browser));
        let routes = Routes::from(self.calls.layer(around_calls)).add_service(health_service);
        let served = with_reflection(routes).into_axum_router().merge(self.pages);
        (served.layer(from_fn_with_state(Arc::new(self.edge), edge)), health)
    }

    /// Serves a listener until `shutdown` is done: HTTP/1.1 and HTTP/2, with TLS or without.
    ///
    /// From then on nothing new is accepted, health reports `NOT_SERVING`, and calls in progress complete,
    /// within the time of the settings.
    ///
    /// # Errors
    /// [`ServeError`] when the host fails.
    pub async fn serve(
        mut self,
        listener: TcpListener,
        tls: Option<Tls>,
        shutdown: impl Future<Output = ()>,
    ) -> Result<(), ServeError> {
        let address = listener.local_addr().ok();
        self.edge.hosts.on_loopback = address.is_some_and(|address| address.ip().is_loopback());
        self.edge.local_origins = address.and_then(|address| LocalOrigins::of(address, tls.is_some()));
        let (most, patience, grace) = (self.admission.most(), self.first_bytes_timeout, self.shutdown_grace);
        let incoming = admitted(listener, Arc::clone(&self.admission));
        let (routes, health) = self.routed().await;
        let (signal, signalled) = oneshot::channel();
        let stop = async move {
            shutdown.await;
            report(&health, ServingStatus::NotServing).await;
            drop(signal);
        };
        let mut host = Server::builder()
            .accept_http1(true)
            .http2_max_header_list_size(MOST_HTTP2_HEADER_BYTES)
            .http2_keepalive_interval(Some(HTTP2_KEEPALIVE))
            .layer(MapRequestLayer::new(taken));
        let host = host.add_routes(Routes::from(routes).prepare());
        let serving = if let Some(tls) = tls {
            let incoming = tls.accept(incoming, most).map_ok(move |(io, permit)| Connection::new(io, permit, patience));
            Either::Left(host.serve_with_incoming_shutdown(incoming, stop))
        } else {
            let incoming = incoming.map_ok(move |(io, permit)| Connection::new(io, permit, patience));
            Either::Right(host.serve_with_incoming_shutdown(incoming, stop))
        };
        tokio::select! {
            served = serving => Ok(served?),
            () = out_of_patience(signalled, grace) => {
                tracing::warn!(seconds = grace.as_secs(), "calls that did not end in time were cut off");
                Ok(())
            }
        }
    }
}

fn larger(settings: &TransportSettings) -> [(&'static str, usize); LARGER.len()] {
    LARGER.map(|(path, bytes)| (path, settings.max_body_bytes.max(bytes)))
}

/// The protocol library with its limits and the outermost interceptor.
pub(crate) fn protocols(router: Router, settings: &TransportSettings) -> ConnectRpcService {
    let limits = Limits::default()
        .with_max_request_body_size(settings.max_body_bytes)
        .with_max_message_size(settings.max_body_bytes);
    let deadlines =
        DeadlinePolicy::new().with_default_timeout(settings.default_deadline).with_max(settings.max_deadline);
    ConnectRpcService::new(router).with_limits(limits).with_deadline_policy(deadlines).with_interceptor(Outcome)
}

/// Returns the body of an answer, with its length where that is known: the library's own body does not report it.
fn sized(body: ConnectRpcBody) -> Body {
    if let ConnectRpcBody::Full(whole) = body { Body::new(whole) } else { Body::new(body) }
}

/// Adds `grpc.reflection.v1` and the older `v1alpha`, which many tools still ask for.
fn with_reflection(routes: Routes) -> Routes {
    let describe = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(DESCRIPTOR)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    match (describe().build_v1(), describe().build_v1alpha()) {
        (Ok(v1), Ok(v1alpha)) => routes.add_service(v1).add_service(v1alpha),
        (Err(error), _) | (_, Err(error)) => {
            tracing::error!(%error, "reflection is off: the descriptor of the interface cannot be read");
            routes
        }
    }
}

/// A service behind a front.
#[derive(Clone)]
struct InFront<S> {
    front: Front,
    inner: S,
}

impl<S: Service<Request, Response = Response>> Service<Request> for InFront<S> {
    type Response = Response;
    type Error = S::Error;
    type Future = Either<Ready<Result<Response, S::Error>>, S::Future>;

    fn poll_ready(&mut self, context: &mut task::Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        match (self.front)(&request) {
            Some(answer) => Either::Left(ready(Ok(answer))),
            None => Either::Right(self.inner.call(request)),
        }
    }
}

async fn report(health: &HealthReporter, status: ServingStatus) {
    for name in HEALTH_NAMES {
        health.set_service_status(name, status).await;
    }
}

/// Completes `grace` after the stop signal. The signal is the end of the sender.
async fn out_of_patience(stop: oneshot::Receiver<()>, grace: Duration) {
    if stop.await.is_err() {
        tokio::time::sleep(grace).await;
    }
}
