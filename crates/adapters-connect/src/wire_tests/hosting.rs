//! The host itself: TLS, mounting, what it offers besides the services, how it stops, what it records.

use std::future::pending;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::routing::get;
use connectrpc::{RequestContext, Response, Router, handler_fn};
use http::Request;
use http_body_util::BodyExt as _;
use metrics_exporter_prometheus::PrometheusBuilder;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tower::ServiceExt as _;

use super::client::{Ask, CONNECT, GRPC, PROTOCOLS, Wire};
use super::probe;
use crate::server::protocols;
use crate::{ServeError, Tls, TlsError, Transport, TransportSettings};
use tradepost_proto::contracts::v1::{GetPurchaseRequest, GetPurchaseResponse};

pub(super) const CERTIFICATE: &[u8] = include_bytes!("tls/certificate.pem");
pub(super) const KEY: &[u8] = include_bytes!("tls/key.pem");

#[tokio::test]
async fn tls_is_spoken_with_clients_of_either_http_version() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let tls = Tls::from_pem(CERTIFICATE, KEY).unwrap();
    tokio::spawn(probe::transport().serve(listener, Some(tls), pending()));
    for version in ["http/1.1", "h2"] {
        let connection = shake_hands(version, address).await;
        assert_eq!(connection.get_ref().1.alpn_protocol(), Some(version.as_bytes()));
    }
}

/// A connection of a client that speaks one version of HTTP.
pub(super) async fn shake_hands(version: &str, address: SocketAddr) -> TlsStream<TcpStream> {
    let tcp = TcpStream::connect(address).await.unwrap();
    trusting(version).connect(ServerName::try_from("localhost").unwrap(), tcp).await.unwrap()
}

/// A client that trusts the certificates of the tests and speaks one version of HTTP.
fn trusting(version: &str) -> TlsConnector {
    let mut roots = RootCertStore::empty();
    for certificate in [CERTIFICATE, include_bytes!("tls/other-certificate.pem")] {
        roots.add(CertificateDer::from_pem_slice(certificate).unwrap()).unwrap();
    }
    // Named, since a build of the whole workspace holds more than one provider.
    let provider = Arc::new(tokio_rustls::rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let mut config = config.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![version.as_bytes().to_vec()];
    TlsConnector::from(Arc::new(config))
}

#[test]
fn a_certificate_or_key_that_cannot_be_used_is_named() {
    assert!(matches!(Tls::from_pem(b"nonsense", KEY), Err(TlsError::Certificates(_))));
    assert!(matches!(Tls::from_pem(CERTIFICATE, b"nonsense"), Err(TlsError::Key(_))));
    assert!(matches!(Tls::from_pem(CERTIFICATE, CERTIFICATE), Err(TlsError::Key(_))));
}

#[tokio::test]
async fn it_can_be_mounted_in_an_application() {
    let application =
        axum::Router::new().route("/own", get(async || "own")).merge(probe::transport().into_router().await);
    let call = Request::post(probe::READ).header("content-type", "application/json").body(Body::from("{}")).unwrap();
    let answer = application.clone().oneshot(call).await.unwrap();
    assert_eq!(answer.into_body().collect().await.unwrap().to_bytes(), "{}");
    let own = application.oneshot(Request::get("/own").body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(own.status(), 200);
}

#[tokio::test]
async fn pages_of_the_application_are_on_the_same_port() {
    let pages = axum::Router::new().route("/livez", get(async || "alive"));
    let wire = Wire::serve(probe::transport().with_pages(pages)).await;
    let answer = wire.send(CONNECT, &Ask::json("/livez", "").method("GET").content_type(None)).await;
    assert!(answer.show().ends_with("alive"), "{}", answer.show());
    assert!(answer.header("x-request-id").is_some());
    let refused = wire.send(CONNECT, &Ask::json("/livez", "{}")).await;
    assert_eq!((refused.status, refused.json()["code"].as_str()), (405, Some("unknown")), "{}", refused.show());
}

#[tokio::test]
async fn reflection_lists_the_services() {
    // ServerReflectionRequest { list_services: "" }
    let list = Ask::binary("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", &[0x3a, 0x00]);
    let answer = probe::serve().await.ask(GRPC, &list).await.show();
    let own = [
        "accounts.v1.Accounts",
        "alerts.v1.Alerts",
        "contracts.v1.Contracts",
        "events.v1.Events",
        "markets.v1.Markets",
        "trading.v1.Trading",
    ];
    for service in own.into_iter().chain(["grpc.health.v1.Health"]) {
        assert!(answer.contains(service), "{service}: {answer}");
    }
}

/// A server of one method that answers on a signal, and the sender of the signal.
struct Slow {
    wire: Wire,
    entered: Arc<Notify>,
    release: Arc<Notify>,
    stop: oneshot::Sender<()>,
    served: JoinHandle<Result<(), ServeError>>,
}

async fn slow(settings: &TransportSettings) -> Slow {
    let (entered, release) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let gate = (Arc::clone(&entered), Arc::clone(&release));
    let handler = handler_fn(move |_: RequestContext, _: GetPurchaseRequest| {
        let (entered, release) = gate.clone();
        async move {
            entered.notify_one();
            release.notified().await;
            Response::ok(GetPurchaseResponse::default())
        }
    });
    let router = Router::new().route("contracts.v1.Contracts", "GetPurchase", handler);
    let transport = Transport::host(protocols(router, settings), Vec::new(), probe::names(), settings);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let wire = Wire::to(listener.local_addr().unwrap());
    let (stop, stopped) = oneshot::channel();
    let shutdown = async { drop(stopped.await) };
    let served = tokio::spawn(transport.serve(listener, None, shutdown));
    Slow { wire, entered, release, stop, served }
}

/// Calls the slow method in the background.
fn call(wire: &Wire) -> JoinHandle<u16> {
    let wire = wire.clone();
    tokio::spawn(async move { wire.ask(CONNECT, &Ask::json(probe::READ, "{}")).await.status })
}

#[tokio::test]
async fn a_call_under_way_is_answered_when_the_server_stops() {
    let Slow { wire, entered, release, stop, served } = slow(&TransportSettings::default()).await;
    let call = call(&wire);
    entered.notified().await;
    stop.send(()).unwrap();
    release.notify_one();
    assert_eq!(call.await.unwrap(), 200);
    served.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_call_that_does_not_end_holds_the_stop_up_only_for_the_grace() {
    let settings = TransportSettings { shutdown_grace: Duration::from_millis(1), ..TransportSettings::default() };
    let Slow { wire, entered, stop, served, .. } = slow(&settings).await;
    let call = call(&wire);
    entered.notified().await;
    stop.send(()).unwrap();
    served.await.unwrap().unwrap();
    call.abort();
}

#[tokio::test]
async fn every_call_is_counted_by_service_method_and_code() {
    let recorder = PrometheusBuilder::new().build_recorder();
    // One thread runs the test and the server, so the recorder of the thread sees both.
    let _guard = metrics::set_default_local_recorder(&recorder);
    let wire = probe::serve().await;
    for protocol in PROTOCOLS {
        for path in [probe::READ, probe::PANIC, "/nothing.v1.Nothing/Get"] {
            wire.ask(protocol, &Ask::json(path, "{}")).await;
        }
    }
    wire.ask(CONNECT, &Ask::json(probe::HANG, "{}").header("connect-timeout-ms", "1")).await;
    let rendered = recorder.handle().render();
    let mut counted: Vec<&str> = rendered.lines().filter(|line| line.contains("requests_total{")).collect();
    counted.sort_unstable();
    insta::assert_snapshot!(counted.join("\n"));
}
