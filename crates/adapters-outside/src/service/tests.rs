//! The client of services against one on loopback.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Body;
use axum::http::{HeaderMap as Heard, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response as Answered};
use axum::routing::{get, post};
use tokio::net::TcpListener;

use super::*;
use crate::egress::Egress;

const fn reads(path: &'static str) -> Route {
    Route::get(path)
}

const HEARD: Route = reads("/heard");
const BIG: Route = reads("/big");
const MOVED: Route = reads("/moved");
const HANGS: Route = reads("/hangs");
const LIMITS: Route = reads("/limits");
const REFUSES: Route = reads("/refuses");
const NO_GZIP: Route = reads("/no-gzip");
const BUYS: Route = Route::write_by_get("/buys");
const SENDS: Route = Route::write("/records/{id}/sends");
const ASKED: Route = Route::read_by_post("/asked");
const SPENT: Route = reads("/spent");
const RECORD: Route = reads("/records/{id}");
const PART: Route = reads("/records/{id}/part");
const SIGNS_IN: Route = Route::sign_in("/signs-in");
const ROUTES: &[Route] =
    &[ASKED, SPENT, RECORD, PART, SIGNS_IN, HEARD, BIG, MOVED, HANGS, LIMITS, REFUSES, NO_GZIP, BUYS, SENDS];

const WINDOW: Duration = Duration::from_mins(5);

fn limits() -> ServiceLimits {
    ServiceLimits {
        budget: Budget { calls: 4, window: WINDOW, gap: Duration::ZERO },
        connect: Duration::from_secs(2),
        whole: Duration::from_millis(500),
        answer_bytes: 4 * 1024,
        pause: Duration::from_secs(30),
        patience: Duration::ZERO,
    }
}

/// A service, and how many calls have reached it.
async fn service() -> (ServiceClient, Arc<AtomicUsize>) {
    service_with(limits()).await
}

async fn service_with(limits: ServiceLimits) -> (ServiceClient, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let heard = |headers: Heard| async move {
        let mut all: Vec<String> =
            headers.iter().map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())).collect();
        all.sort();
        all.join("\n")
    };
    let asked = |headers: Heard, body: String| async move { format!("{} {body}", headers["x-key"].to_str().unwrap()) };
    let no_gzip = || async { ([("content-encoding", "gzip")], "this is no gzip") };
    let routes = axum::Router::new()
        .route("/heard", get(heard))
        .route("/big", get(|| async { Body::from(vec![b'x'; 4 * 1024 + 1]).into_response() }))
        .route("/moved", get(|| async { Redirect::temporary("/heard") }))
        .route("/hangs", get(std::future::pending::<&'static str>))
        .route("/limits", get(|| async { (StatusCode::TOO_MANY_REQUESTS, [("retry-after", "7")]).into_response() }))
        .route("/refuses", get(|| async { StatusCode::TOO_MANY_REQUESTS }))
        .route("/no-gzip", get(no_gzip))
        .route("/asked", post(asked))
        .route("/spent", get(|| async { ([("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "20")], "{}") }))
        .route("/records/{id}", get(|uri: axum::http::Uri| async move { uri.to_string() }))
        .route("/records/{id}/part", get(|uri: axum::http::Uri| async move { uri.to_string() }))
        .route("/signs-in", post(|| async { ([("x-outcome", "1"), ("x-other", "2")], "tokens") }))
        .route("/buys", get(|| async { "bought" }))
        .route("/records/{id}/sends", post(|body: String| async move { format!("sent {body}") }))
        .layer(axum::middleware::from_fn({
            let calls = Arc::clone(&calls);
            move |request: axum::extract::Request,
                  next: axum::middleware::Next|
                  -> std::pin::Pin<Box<dyn Future<Output = Answered> + Send>> {
                calls.fetch_add(1, Ordering::SeqCst);
                Box::pin(next.run(request))
            }
        }));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, routes).await });
    let address = Egress::default().admit(&address).unwrap();
    (ServiceClient::new(address, ROUTES, limits).unwrap(), calls)
}

#[tokio::test]
async fn a_call_has_complete_headers_that_say_who_calls() {
    let (client, _) = service().await;
    let answer = client.get(HEARD, &[]).await.unwrap();
    let heard = String::from_utf8(answer.body).unwrap();
    let mut lines: Vec<&str> = heard.lines().filter(|line| !line.starts_with("host: ")).collect();
    lines.sort_unstable();
    let who = concat!("user-agent: tradepost/", env!("CARGO_PKG_VERSION"));
    assert_eq!(lines, ["accept-encoding: gzip,br", "accept-language: en", "accept: application/json", who]);
}

#[tokio::test]
async fn a_route_that_writes_and_one_that_is_not_listed_are_refused_before_anything_is_sent() {
    let (client, calls) = service().await;
    assert_eq!(client.get(BUYS, &[]).await, Err(ServiceError::Write("/buys")));
    assert_eq!(client.get(reads("/buys"), &[]).await, Err(ServiceError::NotListed("/buys")));
    assert_eq!(calls.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_route_that_writes_is_called_with_the_permission_of_a_person_alone() {
    let (client, calls) = service().await;
    let question = || Question { id: Some("7"), body: b"all".to_vec(), ..Question::of(SENDS, &[]) };
    assert_eq!(client.ask(question()).await, Err(ServiceError::Write("/records/{id}/sends")));
    assert!(WritePermission::where_given(false).is_none());
    assert_eq!(calls.load(Ordering::SeqCst), 0);
    let permission = WritePermission::where_given(true).unwrap();
    assert_eq!(client.write(&permission, question()).await.unwrap().body, b"sent all");
    assert_eq!(client.write(&permission, Question::of(BUYS, &[])).await.unwrap().body, b"bought");
    let other = Question::of(Route::write("/heard"), &[]);
    assert_eq!(client.write(&permission, other).await, Err(ServiceError::NotListed("/heard")));
    assert_eq!(calls.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_route_of_signing_in_is_called_and_the_headers_that_its_driver_names_are_read() {
    let (client, calls) = service().await;
    let question = Question { heard: &["x-outcome", "x-missing"], ..Question::of(SIGNS_IN, &[]) };
    let answer = client.ask(question).await.unwrap();
    assert_eq!((answer.headers, answer.body), (vec![("x-outcome", "1".to_owned())], b"tokens".to_vec()));
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_query_is_written_as_it_is_sent() {
    let (client, _) = service().await;
    let query = [("title", "★ Karambit | Doppler (Factory New)"), ("limit", "100")];
    let written = "title=%E2%98%85+Karambit+%7C+Doppler+%28Factory+New%29&limit=100";
    assert_eq!(client.written(&query), written);
    assert_eq!(client.written(&[]), "");
    let sent = client.ask(Question { id: Some("7"), ..Question::of(RECORD, &query) }).await.unwrap();
    assert_eq!(String::from_utf8(sent.body).unwrap(), format!("/records/7?{written}"));
}

#[tokio::test]
async fn an_answer_is_read_up_to_its_limit_and_no_redirect_is_followed() {
    let (client, calls) = service().await;
    assert_eq!(client.get(BIG, &[]).await, Err(ServiceError::TooLarge(4 * 1024)));
    assert_eq!(client.get(MOVED, &[]).await.unwrap().status, 307);
    assert_eq!(client.get(HANGS, &[]).await, Err(ServiceError::Call(CallError::TimedOut(limits().whole))));
    assert_eq!(calls.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn what_is_packed_wrongly_is_an_error_without_the_address() {
    let (client, _) = service().await;
    let failed = client.get(NO_GZIP, &[("key", "secret")]).await.unwrap_err();
    assert!(matches!(failed, ServiceError::Call(CallError::OnTheWay(_))), "{failed:?}");
    assert!(!format!("{failed} {failed:?}").contains("secret"), "{failed:?}");
    assert!(!format!("{failed} {failed:?}").contains("127.0.0.1"), "{failed:?}");
}

#[tokio::test]
async fn the_budget_of_a_service_holds_over_all_calls_and_nothing_is_sent_beyond_it() {
    let (client, calls) = service().await;
    for _ in 0..4 {
        client.get(HEARD, &[]).await.unwrap();
    }
    assert!(matches!(client.get(HEARD, &[]).await, Err(ServiceError::Paced(wait)) if wait <= WINDOW));
    assert_eq!(calls.load(Ordering::SeqCst), 4);
}

#[tokio::test]
async fn a_limit_with_a_time_is_kept_by_calling_nothing_until_then() {
    let (client, calls) = service().await;
    assert_eq!(client.get(LIMITS, &[]).await, Err(ServiceError::Limited(Duration::from_secs(7))));
    assert!(matches!(client.get(HEARD, &[]).await, Err(ServiceError::Paced(_))));
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_limit_without_a_time_after_other_calls_closes_the_budget_for_the_usual_pause() {
    let (client, _) = service().await;
    client.get(HEARD, &[]).await.unwrap();
    assert_eq!(client.get(REFUSES, &[]).await, Err(ServiceError::Limited(limits().pause)));
}

#[tokio::test]
async fn a_limit_of_the_first_call_without_a_time_is_a_refusal_of_the_client() {
    let (client, calls) = service().await;
    let refused = client.get(REFUSES, &[]).await.unwrap_err();
    assert_eq!(refused, ServiceError::RefusedAsClient(WINDOW));
    assert!(matches!(client.get(HEARD, &[]).await, Err(ServiceError::Paced(_))), "it is not worked around");
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_refusal_of_the_client_lasts_until_the_next_answer() {
    let (client, _) = service_with(ServiceLimits { pause: Duration::ZERO, ..limits() }).await;
    assert_eq!(client.refusal(), None);
    let refused = client.get(REFUSES, &[]).await.unwrap_err();
    assert_eq!(client.refusal(), Some(refused.clone()));
    assert_eq!(client.get(REFUSES, &[]).await, Err(ServiceError::Limited(Duration::ZERO)));
    assert_eq!(client.refusal(), Some(refused), "nothing was answered");
    client.get(HEARD, &[]).await.unwrap();
    assert_eq!(client.refusal(), None);
    client.get(REFUSES, &[]).await.unwrap_err();
    assert_eq!(client.refusal(), None, "it follows other calls");
}

#[tokio::test]
async fn a_question_is_asked_with_its_headers_and_body_by_the_method_of_its_route_alone() {
    let (client, calls) = service().await;
    let headers = || vec![("x-key", "secret".to_owned())];
    let question =
        |route| Question { headers: headers(), body: b"{\"titles\":[]}".to_vec(), ..Question::of(route, &[]) };
    assert_eq!(client.ask(question(ASKED)).await.unwrap().body, b"secret {\"titles\":[]}");
    assert_eq!(client.ask(question(reads("/asked"))).await, Err(ServiceError::NotListed("/asked")));
    let broken = Question { headers: vec![("x-key", "sec\nret".to_owned())], ..question(ASKED) };
    let failed = client.ask(broken).await.unwrap_err();
    assert_eq!(failed, ServiceError::Header("x-key"));
    assert!(!failed.to_string().contains("ret"), "{failed}");
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn the_id_of_a_record_is_one_segment_of_the_path_and_any_other_text_is_refused_before_anything_is_sent() {
    let (client, calls) = service().await;
    let of = |route, id| Question { id, ..Question::of(route, &[("a", "b")]) };
    let answer = client.ask(of(RECORD, Some("324288155723370196_a-B"))).await.unwrap();
    assert_eq!(answer.body, b"/records/324288155723370196_a-B?a=b");
    let part = client.ask(of(PART, Some("7"))).await.unwrap();
    assert_eq!(part.body, b"/records/7/part?a=b");
    for text in ["", "..", "1/2", "1?x=y", "1#x", "%2e", "é", "1 2", "1\n"] {
        let failed = client.ask(of(RECORD, Some(text))).await;
        assert_eq!(failed, Err(ServiceError::Id("/records/{id}")), "{text:?}");
    }
    assert_eq!(client.ask(of(RECORD, None)).await, Err(ServiceError::Id("/records/{id}")));
    assert_eq!(client.ask(of(HEARD, Some("1"))).await, Err(ServiceError::Id("/heard")));
    assert_eq!(calls.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_service_whose_headers_say_that_no_call_is_left_is_not_called_until_then() {
    let (client, calls) = service().await;
    assert_eq!(client.get(SPENT, &[]).await.unwrap().status, 200);
    let early = client.get(HEARD, &[]).await;
    assert!(matches!(early, Err(ServiceError::Paced(wait)) if wait <= Duration::from_secs(20)), "{early:?}");
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_call_waits_for_its_turn_as_long_as_its_patience() {
    let gap = Duration::from_millis(50);
    let patient = ServiceLimits { budget: Budget { gap, ..limits().budget }, patience: gap, ..limits() };
    let (client, calls) = service_with(patient).await;
    let begun = Instant::now();
    client.get(HEARD, &[]).await.unwrap();
    client.get(HEARD, &[]).await.unwrap();
    assert!(begun.elapsed() >= gap);
    assert_eq!(calls.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_call_whose_turn_comes_after_its_patience_is_not_made() {
    let gap = Duration::from_mins(1);
    let patience = Duration::from_secs(5);
    let hasty = ServiceLimits { budget: Budget { gap, ..limits().budget }, patience, ..limits() };
    let (client, calls) = service_with(hasty).await;
    client.get(HEARD, &[]).await.unwrap();
    assert!(matches!(client.get(HEARD, &[]).await, Err(ServiceError::Paced(wait)) if wait > patience));
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}
