//! The host: one port for Connect, gRPC and gRPC-Web, with health, reflection and the pages an application adds.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
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
use tower::ServiceExt;
use tower::util::MapRequestLayer;
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
    routes: axum::Router,
    front: Option<Front>,
    pages: axum::Router,
    edge: Edge,
    health: HealthReporter,
    admission: Admission,
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

/// The one operation that takes many records at once, and how much its body may have at least.
const MANY: &str = "/markets.v1.Markets/RecordMarketObservations";
const MOST_BYTES_OF_MANY: usize = 1024 * 1024;

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
        let of_many = calls(&TransportSettings { max_body_bytes: bytes_of_many(settings), ..settings.clone() });
        Self::host(calls(settings), Some(of_many), names, settings)
    }

    /// Hosts what answers the calls. The limits of the library are those of all its methods, so what takes larger bodies is
    /// hosted by itself.
    pub(crate) fn host(
        calls: ConnectRpcService,
        of_many: Option<ConnectRpcService>,
        names: CookieNames,
        settings: &TransportSettings,
    ) -> Self {
        let (health, health_service) = tonic_health::server::health_reporter();
        let protocols =
            |calls: ConnectRpcService| ServiceExt::<Request>::map_response(calls, |answer| answer.map(sized));
        let mut hosted = axum::Router::new().fallback_service(protocols(calls));
        if let Some(of_many) = of_many {
            hosted = hosted.route_service(MANY, protocols(of_many));
        }
        let sizes = BodySizes { usual: settings.max_body_bytes, larger: (MANY, bytes_of_many(settings)) };
        let browsers = Browsers { names: Arc::new(names), origins: PageOrigins::of(&settings.page_origins) };
        let calls = hosted.layer(from_fn_with_state(browsers, browser)).layer(from_fn_with_state(sizes, access_log));
        let routes = with_reflection(Routes::from(calls).add_service(health_service));
        Self {
            routes: routes.into_axum_router(),
            front: None,
            pages: axum::Router::new(),
            edge: Edge {
                proxies: settings.trusted_proxies.clone(),
                max_header_bytes: settings.max_header_bytes,
                hosts: Hosts { names: settings.host_names.clone(), on_loopback: false },
                local_origins: None,
            },
            admission: Admission::new(settings),
            first_bytes_timeout: settings.first_bytes_timeout,
            health,
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
        routed(served(self.routes, self.front, self.pages), self.edge, &self.health).await
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
        let (health, grace) = (self.health.clone(), self.shutdown_grace);
        let (signal, signalled) = oneshot::channel();
        let stop = async move {
            shutdown.await;
            report(&health, ServingStatus::NotServing).await;
            drop(signal);
        };
        let address = listener.local_addr().ok();
        self.edge.hosts.on_loopback = address.is_some_and(|address| address.ip().is_loopback());
        self.edge.local_origins = address.and_then(|address| LocalOrigins::of(address, tls.is_some()));
        let (most, patience) = (self.admission.most(), self.first_bytes_timeout);
        let incoming = admitted(listener, Arc::new(self.admission));
        let routes = served(self.routes, self.front, self.pages);
        let routes = Routes::from(routed(routes, self.edge, &self.health).await).prepare();
        let mut host = Server::builder()
            .accept_http1(true)
            .http2_max_header_list_size(MOST_HTTP2_HEADER_BYTES)
            .http2_keepalive_interval(Some(HTTP2_KEEPALIVE))
            .layer(MapRequestLayer::new(taken));
        let host = host.add_routes(routes);
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

fn bytes_of_many(settings: &TransportSettings) -> usize {
    settings.max_body_bytes.max(MOST_BYTES_OF_MANY)
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

/// Everything that is served: the pages, and where none of them answers the front and the interface.
fn served(routes: axum::Router, front: Option<Front>, pages: axum::Router) -> axum::Router {
    match front {
        Some(front) => routes.layer(from_fn_with_state(front, in_front)).merge(pages),
        None => routes.merge(pages),
    }
}

async fn in_front(State(front): State<Front>, request: Request, next: Next) -> Response {
    match front(&request) {
        Some(answer) => answer,
        None => next.run(request).await,
    }
}

/// The routes behind the edge, ready to be called.
async fn routed(routes: axum::Router, behind: Edge, health: &HealthReporter) -> axum::Router {
    report(health, ServingStatus::Serving).await;
    routes.layer(from_fn_with_state(behind, edge))
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
