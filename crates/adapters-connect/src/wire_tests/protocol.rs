//! The rows of the table of answers that the protocol layer decides alone. A probe replaces the operations.

use futures::future::join_all;

use super::client::{Ask, CONNECT, GRPC, GRPC_WEB, PROTOCOLS, Protocol};
use super::{in_every_protocol, probe};

#[tokio::test]
async fn success() {
    let wire = probe::serve().await;
    insta::assert_snapshot!(in_every_protocol(&wire, &Ask::json(probe::READ, "{}")).await);
}

#[tokio::test]
async fn an_empty_message_is_an_empty_object() {
    let wire = probe::serve().await;
    insta::assert_snapshot!(in_every_protocol(&wire, &Ask::json(probe::WRITE, "{}")).await);
}

#[tokio::test]
async fn what_is_wrong_with_the_json_is_said_with_the_field() {
    let wire = probe::serve().await;
    let bodies = [
        "",
        "  ",
        "[]",
        "null",
        r#"{"limit": "#,
        r#"{"limit": "ten"}"#,
        r#"{"limit": 2147483648}"#,
        r#"{"limit": 1.5}"#,
        r#"{"cursor": 7}"#,
        r#"{"workspaceId": "%%%"}"#,
        r#"{"status": "PURCHASE_STATUS_NONSENSE"}"#,
        r#"{"limit": 1, "limit": 2}"#,
    ];
    let mut shown = Vec::new();
    for body in bodies {
        shown.push(format!("-- {body}\n{}", in_every_protocol(&wire, &Ask::json(probe::LIST, body)).await));
    }
    insta::assert_snapshot!(shown.concat());
}

#[tokio::test]
async fn a_field_inside_of_a_field_is_named_with_its_path() {
    let wire = probe::serve().await;
    let bodies = [
        r#"{"startsAt": "yesterday"}"#,
        r#"{"buying": {"budgetCents": "12x"}}"#,
        r#"{"priceReference": {"statistic": "PRICE_STATISTIC_GUESS"}}"#,
        r#"{"marketplaces": ["one", 2]}"#,
    ];
    let mut shown = Vec::new();
    for body in bodies {
        shown.push(format!("-- {body}\n{}\n", wire.ask(CONNECT, &Ask::json(probe::CREATE, body)).await.show()));
    }
    insta::assert_snapshot!(shown.concat());
}

#[tokio::test]
async fn generous_json_is_accepted() {
    let wire = probe::serve().await;
    let bodies = [
        r#"{"workspace_id": "AAECAwQFBgcICQoLDA0ODw=="}"#,
        r#"{"workspaceId": "AAECAwQFBgcICQoLDA0ODw", "limit": "10"}"#,
        r#"{"workspaceId": "_-ECAwQFBgcICQoLDA0ODw", "cursor": null}"#,
        r#"{"status": 1}"#,
    ];
    for body in bodies {
        let answer = wire.ask(CONNECT, &Ask::json(probe::LIST, body)).await;
        assert_eq!(answer.status, 200, "{body}: {}", answer.show());
    }
}

#[tokio::test]
async fn an_undecodable_binary_message_is_an_invalid_argument() {
    let wire = probe::serve().await;
    let ask = Ask::binary(probe::READ, &[0xff, 0xff, 0xff]);
    insta::assert_snapshot!(in_every_protocol(&wire, &ask).await);
}

#[tokio::test]
async fn an_unknown_method_or_service_is_unimplemented() {
    let wire = probe::serve().await;
    let mut shown = Vec::new();
    for path in ["/contracts.v1.Contracts/GetNothing", "/contracts.v9.Contracts/GetPurchase", "/favicon.ico"] {
        shown.push(format!("-- {path}\n{}", in_every_protocol(&wire, &Ask::json(path, "{}")).await));
    }
    insta::assert_snapshot!(shown.concat());
}

#[tokio::test]
async fn a_wrong_or_missing_content_type_is_refused_with_those_that_work() {
    let wire = probe::serve().await;
    let mut shown = Vec::new();
    for content_type in [Some("text/plain"), Some("application/jsonp"), Some("application/grpc+thrift"), None] {
        let answer = wire.send(CONNECT, &Ask::json(probe::READ, "{}").content_type(content_type)).await;
        shown.push(format!("-- {content_type:?}\n{}\n", answer.show()));
    }
    insta::assert_snapshot!(shown.concat());
}

#[tokio::test]
async fn another_http_method_is_refused_with_those_that_work() {
    let wire = probe::serve().await;
    let mut shown = Vec::new();
    for (method, path) in [("PUT", probe::READ), ("DELETE", probe::WRITE), ("GET", probe::WRITE), ("PUT", "/nothing")] {
        let answer = wire.send(CONNECT, &Ask::json(path, "{}").method(method)).await;
        shown.push(format!("-- {method} {path}\n{}\n", answer.show()));
    }
    insta::assert_snapshot!(shown.concat());
}

#[tokio::test]
async fn a_read_can_be_asked_for_with_get() {
    let wire = probe::serve().await;
    let path = format!("{}?connect=v1&encoding=json&message=%7B%7D", probe::READ);
    let answer = wire.send(CONNECT, &Ask::json(&path, "").method("GET").content_type(None)).await;
    assert_eq!(answer.status, 200, "{}", answer.show());
}

#[tokio::test]
async fn a_body_over_the_limit_is_an_invalid_argument() {
    let wire = probe::serve().await;
    let body = format!(r#"{{"cursor": "{}"}}"#, "x".repeat(64 * 1024));
    insta::assert_snapshot!(in_every_protocol(&wire, &Ask::json(probe::LIST, &body)).await);
}

#[tokio::test]
async fn a_body_that_grows_over_the_limit_when_decompressed_is_an_invalid_argument() {
    let wire = probe::serve().await;
    let body = format!(r#"{{"cursor": "{}"}}"#, "x".repeat(64 * 1024));
    insta::assert_snapshot!(in_every_protocol(&wire, &Ask::json(probe::LIST, &body).gzipped()).await);
}

/// Compressed, says the frame; by what, says nothing.
#[tokio::test]
async fn a_compressed_frame_without_an_encoding_is_an_invalid_argument() {
    let wire = probe::serve().await;
    for protocol in [GRPC, GRPC_WEB] {
        let answer = wire.ask(protocol, &Ask::json(probe::READ, "{}").gzipped().without_encoding()).await;
        assert_eq!((answer.status, answer.grpc_code()), (200, 3), "{protocol}: {}", answer.show());
        assert_eq!(answer.header("x-error-reason"), Some("MALFORMED"), "{protocol}");
        assert!(!answer.show().contains("compressed message without"), "{protocol}: {}", answer.show());
    }
}

#[tokio::test]
async fn a_broken_chunked_body_is_an_invalid_argument() {
    let wire = probe::serve().await;
    for content_type in ["application/json", "application/proto", "application/grpc-web+json"] {
        let head = format!("POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {content_type}\r\n", probe::READ);
        let shown = wire.raw(&format!("{head}Transfer-Encoding: chunked\r\n\r\nnonsense\r\n")).await;
        assert!(shown.contains("x-error-reason: MALFORMED"), "{content_type}: {shown}");
        let status = if content_type.contains("grpc") { "HTTP/1.1 200" } else { "HTTP/1.1 400" };
        assert!(shown.starts_with(status), "{content_type}: {shown}");
        assert!(!shown.contains("failed to read"), "{content_type}: {shown}");
    }
}

#[tokio::test]
async fn a_compressed_body_is_read() {
    let wire = probe::serve().await;
    for protocol in PROTOCOLS {
        let answer = wire.ask(protocol, &Ask::json(probe::LIST, r#"{"limit": 3}"#).gzipped()).await;
        assert_eq!((answer.status, answer.grpc_code()), (200, 0), "{protocol}: {}", answer.show());
    }
}

#[tokio::test]
async fn headers_over_the_limit_are_refused() {
    let wire = probe::serve().await;
    let ask = Ask::json(probe::READ, "{}").header("x-padding", &"x".repeat(16 * 1024));
    insta::assert_snapshot!(in_every_protocol(&wire, &ask).await);
}

#[tokio::test]
async fn a_passed_deadline_is_deadline_exceeded() {
    let wire = probe::serve().await;
    let ask = Ask::json(probe::HANG, "{}").header("connect-timeout-ms", "200");
    insta::assert_snapshot!(wire.ask(CONNECT, &ask).await.show());
}

/// The host watches `grpc-timeout` as well, and would answer with 1 (cancelled).
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_passed_grpc_deadline_is_not_answered_by_the_host() {
    let wire = probe::serve().await;
    for protocol in [GRPC, GRPC_WEB] {
        let patience = |number: u32| format!("{}u", 100_000 + 700 * number);
        let ended = |number| {
            let ask = Ask::json(probe::HANG, "{}").header("grpc-timeout", &patience(number));
            let wire = wire.clone();
            async move { wire.ask(protocol, &ask).await }
        };
        for answer in join_all((0..50).map(ended)).await {
            assert_eq!(answer.grpc_code(), 4, "{protocol}: {}", answer.show());
            assert_eq!(answer.header("x-error-reason"), Some("DEADLINE_EXCEEDED"), "{protocol}");
        }
    }
}

fn timeout_header(protocol: Protocol) -> &'static str {
    if protocol == CONNECT { "connect-timeout-ms" } else { "grpc-timeout" }
}

#[tokio::test]
async fn no_time_at_all_is_over_at_once() {
    let wire = probe::serve().await;
    for (protocol, none) in [(CONNECT, "0"), (GRPC, "0S"), (GRPC_WEB, "0n")] {
        let answer = wire.ask(protocol, &Ask::json(probe::READ, "{}").header(timeout_header(protocol), none)).await;
        assert_eq!(answer.header("x-error-reason"), Some("DEADLINE_EXCEEDED"), "{protocol}: {}", answer.show());
    }
}

#[tokio::test]
async fn a_deadline_that_cannot_be_read_is_an_invalid_argument() {
    let wire = probe::serve().await;
    for protocol in PROTOCOLS {
        for nonsense in ["", "-1", "x", "1.5", "99999999999", "99999999999S", "1 S"] {
            let ask = Ask::json(probe::READ, "{}").header(timeout_header(protocol), nonsense);
            let shown = wire.ask(protocol, &ask).await.show();
            assert!(shown.contains("x-error-reason: MALFORMED"), "{protocol} {nonsense:?}: {shown}");
            assert!(shown.contains(timeout_header(protocol)), "{protocol} {nonsense:?}: {shown}");
        }
    }
}

#[tokio::test]
async fn a_deadline_that_is_far_enough_changes_nothing() {
    let wire = probe::serve().await;
    for (protocol, patience) in [(CONNECT, "9999999999"), (GRPC, "99999999H"), (GRPC_WEB, "20S")] {
        let ask = Ask::json(probe::READ, "{}").header(timeout_header(protocol), patience);
        let answer = wire.ask(protocol, &ask).await;
        assert_eq!((answer.status, answer.grpc_code()), (200, 0), "{protocol}: {}", answer.show());
    }
}

#[tokio::test]
async fn media_types_are_read_in_any_case_and_with_parameters() {
    let wire = probe::serve().await;
    let written = [
        (CONNECT, "Application/JSON"),
        (CONNECT, "application/json; charset=utf-8"),
        (CONNECT, "APPLICATION/JSON ;Charset=UTF-8"),
        (GRPC, "application/gRPC+JSON"),
        (GRPC_WEB, "Application/grpc-web+json"),
    ];
    for (protocol, content_type) in written {
        let answer = wire.ask(protocol, &Ask::json(probe::READ, "{}").content_type(Some(content_type))).await;
        assert_eq!((answer.status, answer.grpc_code()), (200, 0), "{content_type}: {}", answer.show());
    }
}

#[tokio::test]
async fn a_body_that_is_no_utf_8_is_malformed_wherever_it_is_not() {
    let wire = probe::serve().await;
    for body in [&b"{\"cursor\": \"\xff\"}"[..], b"{\"unheardOf\": \"\xff\"}", b"{\"\xc3\": 1}", b"{} \x80"] {
        for protocol in PROTOCOLS {
            let shown = wire.ask(protocol, &Ask::json(probe::LIST, body)).await.show();
            assert!(shown.contains("x-error-reason: MALFORMED"), "{protocol}: {shown}");
        }
    }
}

#[tokio::test]
async fn a_stream_of_connect_is_refused_with_a_reason() {
    let wire = probe::serve().await;
    let ask = Ask::json(probe::READ, [0, 0, 0, 0, 2, b'{', b'}']).content_type(Some("application/connect+json"));
    let answer = wire.send(CONNECT, &ask).await;
    assert_eq!(answer.header("x-error-reason"), Some("MALFORMED"), "{}", answer.show());
}

#[tokio::test]
async fn a_page_that_is_not_there_is_refused_with_a_reason() {
    let wire = probe::serve().await;
    for path in ["/", "/favicon.ico"] {
        let answer = wire.send(CONNECT, &Ask::json(path, "").method("GET").content_type(None)).await;
        assert_eq!((answer.status, answer.header("x-error-reason")), (404, Some("UNIMPLEMENTED")), "{path}");
    }
}

#[tokio::test]
async fn a_panic_is_an_internal_error_and_the_connection_lives_on() {
    let wire = probe::serve().await;
    insta::assert_snapshot!(in_every_protocol(&wire, &Ask::json(probe::PANIC, "{}")).await);
    for protocol in PROTOCOLS {
        let answer = wire.ask(protocol, &Ask::json(probe::READ, "{}")).await;
        assert_eq!((answer.status, answer.grpc_code()), (200, 0), "{protocol}");
    }
}

#[tokio::test]
async fn what_the_library_says_about_an_internal_error_stays_inside() {
    let wire = probe::serve().await;
    for protocol in PROTOCOLS {
        let answer = wire.ask(protocol, &Ask::json(probe::FAIL, "{}")).await;
        assert!(answer.show().contains("internal error"), "{}", answer.show());
        assert!(!answer.show().contains(probe::SECRET), "{}", answer.show());
    }
}

#[tokio::test]
async fn every_answer_carries_the_callers_request_id() {
    let wire = probe::serve().await;
    for protocol in PROTOCOLS {
        for path in [probe::READ, probe::PANIC, "/nothing"] {
            let answer = wire.ask(protocol, &Ask::json(path, "{}").header("x-request-id", "order-4711")).await;
            assert_eq!(answer.header("x-request-id"), Some("order-4711"), "{protocol} {path}");
        }
    }
}

#[tokio::test]
async fn an_answer_to_a_call_without_a_request_id_has_a_new_one() {
    let wire = probe::serve().await;
    let answer = wire.ask(CONNECT, &Ask::json(probe::READ, "{}")).await;
    assert_eq!(answer.header("x-request-id").map(str::len), Some(32));
}

/// An error of gRPC says so in the trailers, and in the headers when nothing else follows.
#[tokio::test]
async fn grpc_errors_are_in_headers_or_trailers_and_grpc_web_errors_in_the_body() {
    let wire = probe::serve().await;
    for protocol in [GRPC, GRPC_WEB] {
        let answer = wire.ask(protocol, &Ask::json("/nothing.v1.Nothing/Get", "{}")).await;
        assert_eq!((answer.status, answer.grpc_code()), (200, 12), "{protocol}");
    }
}
