//! Connections that send nothing, too many of them, and requests that name another server.

use std::future::pending;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};

use super::client::{Ask, CONNECT, GRPC, Wire};
use super::hosting::{CERTIFICATE, KEY, shake_hands};
use super::{in_every_protocol, probe};
use crate::{Tls, TransportSettings};

const OTHER_CERTIFICATE: &[u8] = include_bytes!("tls/other-certificate.pem");
const OTHER_KEY: &[u8] = include_bytes!("tls/other-key.pem");

const REQUEST: &[u8] = b"POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n";

async fn serve(settings: &TransportSettings, tls: Option<Tls>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(probe::transport_with(settings).serve(listener, tls, pending()));
    address
}

fn impatient() -> TransportSettings {
    TransportSettings { first_bytes_timeout: Duration::from_millis(50), ..TransportSettings::default() }
}

/// Connects from another address of this machine.
async fn connect_from(from: &str, to: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(format!("{from}:0").parse().unwrap()).unwrap();
    socket.connect(to).await.unwrap()
}

/// Whether the server ended the connection without a byte.
async fn is_closed(mut connection: TcpStream) -> bool {
    connection.read(&mut [0; 1]).await.is_ok_and(|read| read == 0)
}

/// Whether a request is answered on the connection.
async fn is_answered(connection: &mut TcpStream) -> bool {
    connection.write_all(REQUEST).await.is_ok() && connection.read(&mut [0; 64]).await.is_ok_and(|read| read > 0)
}

#[tokio::test]
async fn a_silent_connection_is_closed() {
    let server = serve(&impatient(), None).await;
    assert!(is_closed(TcpStream::connect(server).await.unwrap()).await);
}

#[tokio::test]
async fn a_connection_that_sends_half_of_a_preface_is_closed() {
    let server = serve(&impatient(), None).await;
    let mut connection = TcpStream::connect(server).await.unwrap();
    connection.write_all(b"PRI * HTTP/2.0\r\n").await.unwrap();
    assert!(is_closed(connection).await);
}

#[tokio::test]
async fn a_connection_that_is_silent_after_its_handshake_is_closed() {
    let server = serve(&impatient(), Some(Tls::from_pem(CERTIFICATE, KEY).unwrap())).await;
    let mut connection = shake_hands("http/1.1", server).await;
    // Closed with or without a farewell of TLS.
    assert!(!connection.read(&mut [0; 1]).await.is_ok_and(|read| read > 0));
}

#[tokio::test]
async fn a_network_with_too_many_connections_shuts_itself_out_alone() {
    let settings = TransportSettings { max_connections_per_network: 2, ..TransportSettings::default() };
    let server = serve(&settings, None).await;
    let mut held = Vec::new();
    for _ in 0..2 {
        let mut connection = connect_from("127.0.0.2", server).await;
        assert!(is_answered(&mut connection).await);
        held.push(connection);
    }
    assert!(is_closed(connect_from("127.0.0.2", server).await).await);
    assert!(is_answered(&mut connect_from("127.0.0.3", server).await).await);
    drop(held);
    while !is_answered(&mut connect_from("127.0.0.2", server).await).await {}
}

#[tokio::test]
async fn a_certificate_is_replaced_for_the_connections_after_it() {
    let tls = Tls::from_pem(CERTIFICATE, KEY).unwrap();
    let server = serve(&TransportSettings::default(), Some(tls.clone())).await;
    let before = shake_hands("h2", server).await;
    tls.replace(&Tls::from_pem(OTHER_CERTIFICATE, OTHER_KEY).unwrap());
    let after = shake_hands("h2", server).await;
    let shown = [&before, &after].map(|connection| connection.get_ref().1.peer_certificates().unwrap()[0].clone());
    assert_ne!(shown[0], shown[1]);
}

#[tokio::test]
async fn a_request_to_loopback_under_a_foreign_name_is_refused() {
    let wire = probe::serve().await;
    insta::assert_snapshot!(
        in_every_protocol(&wire, &Ask::json(probe::READ, "{}").header("host", "evil.example")).await
    );
}

#[tokio::test]
async fn a_configured_name_passes() {
    let settings =
        TransportSettings { host_names: vec!["desk.example.com".to_owned()], ..TransportSettings::default() };
    let wire = Wire::to(serve(&settings, None).await);
    let ask = Ask::json(probe::READ, "{}").header("host", "desk.example.com:8443");
    for protocol in [CONNECT, GRPC] {
        let answer = wire.ask(protocol, &ask.clone().header("origin", "https://desk.example.com")).await;
        assert_eq!((answer.status, answer.grpc_code()), (200, 0), "{protocol}: {}", answer.show());
    }
}
