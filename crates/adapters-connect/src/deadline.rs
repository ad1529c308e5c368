//! How long a caller waits: `Connect-Timeout-Ms` and `grpc-timeout`, read strictly. Their end is always reported as
//! `deadline_exceeded`.
//!
//! The protocol library keeps deadlines too, but takes one that it cannot read for none. And the host has a timer of its
//! own for `grpc-timeout`, which answers `cancelled`: it is beaten by looking at the clock after each step of the call,
//! measured from before the host's timer was set. It still wins where the time ends between that look and the host's own,
//! right after it: a moment that only a preempted thread makes long enough.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use connectrpc::{ConnectError, Protocol};
use http::HeaderValue;
use http::header::CONTENT_TYPE;
use tokio::time::Instant;

/// When the host took a request, before it set its timer. In the extensions of the request.
#[derive(Debug, Clone, Copy)]
struct Taken(Instant);

/// Notes when a request was taken. To be called by the host itself, in no future.
pub(crate) fn taken<B>(mut request: http::Request<B>) -> http::Request<B> {
    request.extensions_mut().insert(Taken(Instant::now()));
    request
}

/// The methods that wait until something happens, or take long: where their caller sets no limit they have the longest that the server takes.
const WAITING: [&str; 5] = [
    "/alerts.v1.Alerts/SendTestAlert",
    "/contracts.v1.Contracts/WatchTransitions",
    "/events.v1.Events/SendTestEvent",
    // Encrypted files take seconds to open, and a thousand accounts to write.
    "/trading.v1.Trading/ApplyImport",
    "/trading.v1.Trading/CreateImport",
];

/// How a protocol says how long a caller waits.
struct Form {
    header: &'static str,
    longest: &'static str,
    described: &'static str,
    read: fn(&str) -> Option<Duration>,
}

/// The Connect protocol, "Unary-Request".
const CONNECT: Form = Form {
    header: "connect-timeout-ms",
    longest: "9999999999",
    described: "1 to 10 digits, a number of milliseconds",
    read: |text| number(text, 10).map(Duration::from_millis),
};

/// gRPC over HTTP/2, "Timeout".
const GRPC: Form = Form {
    header: "grpc-timeout",
    longest: "99999999S",
    described: "1 to 8 digits and a unit: H, M, S, m, u or n",
    read: |text| {
        let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
        let number = number(digits, 8)?;
        match unit {
            "H" => Some(Duration::from_hours(number)),
            "M" => Some(Duration::from_mins(number)),
            "S" => Some(Duration::from_secs(number)),
            "m" => Some(Duration::from_millis(number)),
            "u" => Some(Duration::from_micros(number)),
            "n" => Some(Duration::from_nanos(number)),
            _ => None,
        }
    },
};

fn number(digits: &str, most: usize) -> Option<u64> {
    let is_number = digits.len() <= most && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

/// Goes on with the call, for as long as its caller waits.
pub(crate) async fn within(protocol: Option<Protocol>, mut request: Request, next: Next) -> Response {
    let form = if matches!(protocol, Some(Protocol::Grpc | Protocol::GrpcWeb)) { &GRPC } else { &CONNECT };
    let Some(given) = request.headers().get(form.header) else {
        if WAITING.contains(&request.uri().path()) {
            request.headers_mut().insert(form.header, HeaderValue::from_static(form.longest));
        }
        return next.run(request).await;
    };
    let patience = given.to_str().ok().and_then(form.read);
    let taken = request.extensions().get().map_or_else(Instant::now, |Taken(at)| *at);
    let content_type = request.headers().get(CONTENT_TYPE).map(|value| (CONTENT_TYPE, value.clone()));
    let refused = |error: ConnectError| error.into_http_response(&content_type.into_iter().collect()).map(Body::new);
    let Some(patience) = patience else {
        return refused(ConnectError::invalid_argument(format!("{} must be {}", form.header, form.described)));
    };
    let is_over = || taken.elapsed() >= patience;
    let over = || ConnectError::deadline_exceeded("the time that the caller gave is over");
    if is_over() {
        return refused(over());
    }
    let mut call = pin!(next.run(request));
    let answer = poll_fn(|context| match call.as_mut().poll(context) {
        Poll::Ready(answer) => Poll::Ready(Some(answer)),
        Poll::Pending if is_over() => Poll::Ready(None),
        Poll::Pending => Poll::Pending,
    });
    answer.await.unwrap_or_else(|| refused(over()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_the_form_of_their_protocol() {
        assert_eq!((CONNECT.read)("0"), Some(Duration::ZERO));
        assert_eq!((CONNECT.read)("9999999999"), Some(Duration::from_millis(9_999_999_999)));
        for (unit, nanos) in [("S", 1_000_000_000), ("m", 1_000_000), ("u", 1_000), ("n", 1)] {
            assert_eq!((GRPC.read)(&format!("2{unit}")), Some(Duration::from_nanos(2 * nanos)), "{unit}");
        }
        assert_eq!((GRPC.read)("3M"), Some(Duration::from_mins(3)));
        assert_eq!((GRPC.read)("99999999H"), Some(Duration::from_hours(99_999_999)));
    }

    #[test]
    fn anything_else_is_no_time() {
        for text in ["", "-1", "+1", "x", " 1", "1.5", "10000000000", "1S"] {
            assert_eq!((CONNECT.read)(text), None, "{text:?}");
        }
        for text in ["", "S", "1", "-1S", "+1S", "1s", "1 S", "100000000S", "1\u{e9}"] {
            assert_eq!((GRPC.read)(text), None, "{text:?}");
        }
    }
}
