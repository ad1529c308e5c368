//! Sending a reply in the form of its route, packed with brotli, or as a fault of the wire has it.

use axum::body::{Body, Bytes};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use futures::StreamExt as _;
use time::OffsetDateTime;
use time::macros::format_description;
use tradepost_domain::time::Timestamp;

use super::{Form, Reply};
use crate::cutting::Cutter;
use crate::fault::Fault;

const PAGE: &str = "<!DOCTYPE html><html><body>We will be right back.</body></html>";

pub(super) fn send(reply: Reply, form: Form, now: Timestamp, fault: Option<&Fault>, cutter: &Cutter) -> Response {
    let (kind, body) = (form.content_type(), form.bytes(&reply.body));
    let mut response = match fault {
        Some(Fault::F06) => with(200, Form::Html.content_type(), None, Body::from(PAGE)),
        Some(Fault::F08Stall) => {
            let begun = futures::stream::once(async { Ok::<_, std::convert::Infallible>(Bytes::from_static(b"[")) });
            with(200, kind, None, Body::from_stream(begun.chain(futures::stream::pending())))
        }
        Some(Fault::F08Huge { mib }) => {
            let huge = vec![b' '; mib.saturating_mul(1024 * 1024)];
            with(200, kind, Some("br"), Body::from(brotli(&huge)))
        }
        Some(Fault::F08Truncated) => {
            let half = body.get(..body.len() / 2).unwrap_or_default();
            with(200, kind, Some("br"), Body::from(brotli(half)))
        }
        Some(Fault::F08WrongGzip) => with(200, kind, Some("gzip"), Body::from(body)),
        Some(Fault::F07 { bytes }) => {
            cutter.cut_after(*bytes);
            with(reply.status, kind, Some("br"), Body::from(brotli(&body)))
        }
        Some(_) | None => with(reply.status, kind, Some("br"), Body::from(brotli(&body))),
    };
    for (name, value) in reply.headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
    // The world has a clock of its own.
    if let Some(date) = date(now).and_then(|date| HeaderValue::from_str(&date).ok()) {
        response.headers_mut().insert(header::DATE, date);
    }
    response
}

fn date(now: Timestamp) -> Option<String> {
    let format =
        format_description!("[weekday repr:short], [day] [month repr:short] [year] [hour]:[minute]:[second] GMT");
    OffsetDateTime::from_unix_timestamp(now.as_micros() / 1_000_000).ok()?.format(&format).ok()
}

fn with(status: u16, kind: &'static str, encoding: Option<&'static str>, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    if let Some(encoding) = encoding {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

/// Packs bytes quickly: the content matters here, and not the size.
fn brotli(bytes: &[u8]) -> Vec<u8> {
    let settings = brotli::enc::BrotliEncoderParams { quality: 1, ..Default::default() };
    let mut packed = Vec::new();
    // A vector takes all that is written to it.
    let _written = brotli::BrotliCompress(&mut &*bytes, &mut packed, &settings);
    packed
}
