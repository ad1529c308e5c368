//! One log line and two metrics for every call: what was called, by whom, with what outcome, how long it took.
//!
//! Metrics carry no workspace and no key: their number is bounded by the interface.

use std::net::IpAddr;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use connectrpc::{ErrorCode, Protocol};
use http::StatusCode;
use http::header::CONTENT_TYPE;
use tradepost_operations::rules::Rule;
use tradepost_ports::metrics::{RPC_DURATION, RPC_REQUESTS};

use crate::client_address::ClientAddress;
use crate::deadline;
use crate::outcome::{self, Asked, Notes};

/// Calls of paths that are no operation share one name, so that a scanner cannot fill the metrics.
const NO_OPERATION: &str = "unknown";

/// The most bytes of a request body, by path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodySizes {
    pub(crate) usual: usize,
    /// The paths that take more, and how much.
    pub(crate) larger: [(&'static str, usize); 2],
}

impl BodySizes {
    fn most(&self, path: &str) -> usize {
        self.larger.iter().find(|(larger, _)| *larger == path).map_or(self.usual, |(_, bytes)| *bytes)
    }
}

/// The middleware around the protocol library, with the caller's deadline and the reasons of the library's refusals.
pub(crate) async fn access_log(State(sizes): State<BodySizes>, mut request: Request, next: Next) -> Response {
    let mut call = Call::of(&request);
    let form = request.headers().get(CONTENT_TYPE).map(|value| (CONTENT_TYPE, value.clone()));
    let asked = Asked { form: form.into_iter().collect(), max_body_bytes: sizes.most(request.uri().path()) };
    request.extensions_mut().insert(call.notes.clone());
    let answer = deadline::within(call.protocol, request, next).await;
    let (code, answer) = outcome::explained(&call.notes, &asked, answer).await;
    call.answered = Some((answer.status(), code));
    answer
}

/// A call in progress. It is logged when it is dropped, so that one that the client abandons is logged too.
struct Call {
    service: &'static str,
    method: &'static str,
    protocol: Option<Protocol>,
    client: Option<IpAddr>,
    notes: Notes,
    since: Instant,
    answered: Option<(StatusCode, &'static str)>,
}

impl Call {
    fn of(request: &Request) -> Self {
        let rule = Rule::of_path(request.uri().path());
        Self {
            service: rule.map_or(NO_OPERATION, |rule| rule.service),
            method: rule.map_or(NO_OPERATION, |rule| rule.method),
            protocol: Protocol::detect(request.headers()).map(|detected| detected.protocol),
            client: request.extensions().get::<ClientAddress>().and_then(|address| address.0),
            notes: Notes::default(),
            since: Instant::now(),
            answered: None,
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let elapsed = self.since.elapsed();
        let (status, code) = self.answered.map_or((None, ErrorCode::Canceled.as_str()), |(s, c)| (Some(s.as_u16()), c));
        metrics::counter!(RPC_REQUESTS.name, "service" => self.service, "method" => self.method, "code" => code)
            .increment(1);
        metrics::histogram!(RPC_DURATION.name, "service" => self.service, "method" => self.method).record(elapsed);
        tracing::info!(
            target: "tradepost::access",
            service = self.service,
            method = self.method,
            code,
            status,
            micros = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX),
            protocol = self.protocol.map(tracing::field::display),
            key = self.notes.token_prefix(),
            client = self.client.map(tracing::field::display),
            "call",
        );
    }
}
