//! The edge of the server: what every request gets and every answer has, whatever answers it.
//!
//! A request gets an id and the address it came from, and its media type in lower case. One that names another server is
//! refused. An answer has that id, and a body
//! in the error shape where the library or the router refused with a bare status. Nothing here knows operations.

mod host;
mod request_id;

use std::sync::Arc;

use axum::body::{Body, HttpBody as _};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use connectrpc::{ConnectError, ErrorCode};
use http::header::{ALLOW, CONTENT_LENGTH, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use tracing::Instrument as _;
use tradepost_operations::Reason;

use crate::browser::LocalOrigins;
use crate::client_address::{ClientAddress, TrustedProxies, peer};
use crate::error::give_reason;
use request_id::REQUEST_ID;

pub(crate) use host::Hosts;
pub(crate) use request_id::RequestId;

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// What the edge has to know.
#[derive(Debug)]
pub(crate) struct Edge {
    pub(crate) proxies: TrustedProxies,
    pub(crate) max_header_bytes: usize,
    pub(crate) hosts: Hosts,
    /// Where the server is reached if only this machine reaches it.
    pub(crate) local_origins: Option<LocalOrigins>,
}

/// The middleware around everything that is served.
pub(crate) async fn edge(State(edge): State<Arc<Edge>>, mut request: Request, next: Next) -> Response {
    let id = RequestId::of(request.headers());
    let client = peer(request.extensions()).map(|peer| edge.proxies.client(peer, request.headers()));
    request.extensions_mut().insert(ClientAddress(client));
    request.extensions_mut().insert(id.clone());
    if let Some(origins) = &edge.local_origins {
        request.extensions_mut().insert(origins.clone());
    }
    lower_media_type(request.headers_mut());
    let is_grpc = is_grpc(request.headers());
    let mut answer = if header_bytes(request.headers()) > edge.max_header_bytes {
        headers_too_large(request.headers(), edge.max_header_bytes)
    } else if let Some(host) = edge.hosts.refused(&request) {
        host_refused(request.headers(), &host)
    } else {
        next.run(request).instrument(tracing::info_span!("request", id = id.as_str())).await
    };
    if !is_grpc {
        answer = with_body(answer);
    }
    let headers = answer.headers_mut();
    headers.insert(REQUEST_ID, id.into_value());
    // No foreign page embeds an answer, and no browser guesses what it is.
    headers.entry(X_CONTENT_TYPE_OPTIONS).or_insert(HeaderValue::from_static("nosniff"));
    headers.entry(RESOURCE_POLICY).or_insert(HeaderValue::from_static("same-origin"));
    answer
}

/// Media types are written in any case (RFC 9110 §8.3.1), and the protocol library knows one.
fn lower_media_type(headers: &mut HeaderMap) {
    let Some(given) = headers.get_mut(CONTENT_TYPE) else { return };
    if given.as_bytes().iter().all(|byte| !byte.is_ascii_uppercase()) {
        return;
    }
    let (media_type, parameters) = given.as_bytes().split_at(end_of_media_type(given));
    if let Ok(lower) = HeaderValue::from_bytes(&[&media_type.to_ascii_lowercase(), parameters].concat()) {
        *given = lower;
    }
}

fn end_of_media_type(value: &HeaderValue) -> usize {
    value.as_bytes().iter().position(|byte| *byte == b';').unwrap_or(value.len())
}

fn is_grpc(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_TYPE).is_some_and(|value| value.as_bytes().starts_with(b"application/grpc"))
}

fn header_bytes(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len().saturating_add(value.len())).sum()
}

fn headers_too_large(request: &HeaderMap, most: usize) -> Response {
    let mut error = ConnectError::resource_exhausted(format!("the request headers have more than {most} bytes"))
        .with_http_status(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
    give_reason(error.response_headers_mut(), Reason::HeadersTooLarge);
    error.into_http_response(request).map(Body::new)
}

fn host_refused(request: &HeaderMap, host: &str) -> Response {
    let message = format!("this server does not answer to the host {host:?}; its operator names further ones");
    let mut error = ConnectError::permission_denied(message);
    give_reason(error.response_headers_mut(), Reason::HostRefused);
    error.into_http_response(request).map(Body::new)
}

/// Gives a refusal without a body the body and the reason that every error has.
fn with_body(answer: Response) -> Response {
    let refusal = match answer.status() {
        StatusCode::NOT_FOUND => (ErrorCode::Unimplemented, Reason::Unimplemented, "there is nothing at this path"),
        StatusCode::METHOD_NOT_ALLOWED => {
            (ErrorCode::Unknown, Reason::HttpMethodNotAllowed, "this path does not take this HTTP method; see Allow")
        }
        StatusCode::UNSUPPORTED_MEDIA_TYPE => (
            ErrorCode::Unknown,
            Reason::UnsupportedMediaType,
            "unsupported or missing Content-Type; use application/json, or see Accept-Post",
        ),
        _ => return answer,
    };
    let (code, reason, message) = refusal;
    let (mut parts, body) = answer.into_parts();
    if parts.status == StatusCode::METHOD_NOT_ALLOWED {
        // A GET for a method with side effects is refused with a body and without this header.
        parts.headers.entry(ALLOW).or_insert(HeaderValue::from_static("POST"));
    }
    if body.size_hint().exact() != Some(0) {
        return Response::from_parts(parts, body);
    }
    give_reason(&mut parts.headers, reason);
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    parts.headers.remove(CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(ConnectError::new(code, message).to_json()))
}
