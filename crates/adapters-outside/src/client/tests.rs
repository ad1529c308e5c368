//! The client against a receiver on loopback.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response as Answered};
use axum::routing::post;
use tokio::net::TcpListener;

use super::*;
use crate::resolver::Lookup;

/// In place of a public address: the operator of these tests allows it alone.
const PUBLIC: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

/// Answers a public address first, and loopback from then on.
#[derive(Default)]
struct Rebinding(AtomicUsize);

impl Names for Rebinding {
    fn look_up(&self, _: String) -> Lookup {
        let first = self.0.fetch_add(1, Ordering::SeqCst) == 0;
        let address = if first { PUBLIC } else { Ipv4Addr::LOCALHOST };
        Box::pin(async move { Ok(vec![IpAddr::V4(address)]) })
    }
}

/// Answers these addresses.
struct Fixed(Vec<IpAddr>);

impl Names for Fixed {
    fn look_up(&self, _: String) -> Lookup {
        let addresses = self.0.clone();
        Box::pin(async move { Ok(addresses) })
    }
}

async fn big() -> Answered {
    Body::from(vec![b'x'; 10 * 1024 * 1024]).into_response()
}

async fn seen(headers: HeaderMap, body: String) -> String {
    let names: Vec<&str> = headers.keys().map(HeaderName::as_str).collect();
    format!("{} {} {body}", headers["user-agent"].to_str().unwrap(), names.join(","))
}

/// The port of a receiver.
async fn receiver() -> u16 {
    receiver_at(Ipv4Addr::LOCALHOST).await
}

async fn receiver_at(address: Ipv4Addr) -> u16 {
    let routes = axum::Router::new()
        .route("/seen", post(seen))
        .route("/big", post(big))
        .route("/moved", post(|| async { Redirect::temporary("/seen") }))
        .route("/later", post(|| async { (StatusCode::SERVICE_UNAVAILABLE, [("retry-after", "7")], "no") }))
        .route("/hangs", post(std::future::pending::<&'static str>));
    let listener = TcpListener::bind((address, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { axum::serve(listener, routes).await });
    port
}

fn loopback() -> Reach {
    Reach::public_and(vec!["127.0.0.0/8".parse().unwrap()])
}

fn quick() -> ClientLimits {
    ClientLimits { whole: Duration::from_millis(300), ..ClientLimits::default() }
}

async fn call(client: &OutsideClient, url: &str, reach: &Reach) -> Result<Answer, CallError> {
    let target = Target::parse(url, reach, true).unwrap();
    client.post(Post { target, headers: HeaderMap::new(), body: b"hello".to_vec() }).await
}

#[tokio::test]
async fn a_call_names_the_program_follows_nothing_and_reads_a_bounded_answer() {
    let (port, reach) = (receiver().await, loopback());
    let client = OutsideClient::new(&reach, quick()).unwrap();
    let at = |path: &str| format!("http://127.0.0.1:{port}{path}?token=secret-of-the-path");

    let answer = call(&client, &at("/seen"), &reach).await.unwrap();
    let text = String::from_utf8(answer.body).unwrap();
    assert!(
        text.starts_with(concat!("tradepost/", env!("CARGO_PKG_VERSION"), " ")) && text.ends_with(" hello"),
        "{text}"
    );
    assert!(!text.contains("cookie") && !text.contains("referer"), "{text}");

    assert_eq!(call(&client, &at("/moved"), &reach).await.unwrap().status, 307);
    let later = call(&client, &at("/later"), &reach).await.unwrap();
    assert_eq!((later.status, later.retry_after), (503, Some(Duration::from_secs(7))));
    assert_eq!(call(&client, &at("/big"), &reach).await.unwrap().body.len(), 4 * 1024);
    assert_eq!(call(&client, &at("/hangs"), &reach).await, Err(CallError::TimedOut(quick().whole)));
}

#[tokio::test]
async fn no_error_holds_the_address() {
    let reach = loopback();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let client = OutsideClient::new(&reach, quick()).unwrap();
    let failed = call(&client, &format!("http://127.0.0.1:{port}/secret?token=secret"), &reach).await.unwrap_err();
    assert!(matches!(failed, CallError::OnTheWay(_)), "{failed:?}");
    assert!(!format!("{failed} {failed:?}").contains("secret"), "{failed:?}");
}

#[tokio::test]
async fn a_name_is_judged_at_every_call_by_the_addresses_that_are_connected_to() {
    let port = receiver_at(PUBLIC).await;
    let url = format!("http://hook.example.com:{port}/seen");
    let reach = Reach::public_and(vec!["127.0.0.2/32".parse().unwrap()]);
    let client = OutsideClient::with_names(&reach, quick(), Arc::new(Rebinding::default())).unwrap();
    assert_eq!(call(&client, &url, &reach).await.unwrap().status, 200);
    assert_eq!(call(&client, &url, &reach).await, Err(CallError::NotReachable));
}

#[tokio::test]
async fn only_the_judged_addresses_of_a_name_are_handed_on() {
    let port = receiver().await;
    let url = format!("http://hook.example.com:{port}/seen");
    let both = vec!["::1".parse().unwrap(), "10.0.0.1".parse().unwrap(), "127.0.0.1".parse().unwrap()];
    let client = OutsideClient::with_names(&loopback(), quick(), Arc::new(Fixed(both.clone()))).unwrap();
    assert_eq!(call(&client, &url, &loopback()).await.unwrap().status, 200);

    let public = Reach::default();
    let client = OutsideClient::with_names(&public, quick(), Arc::new(Fixed(both))).unwrap();
    assert_eq!(call(&client, &url, &public).await, Err(CallError::NotReachable));
}
