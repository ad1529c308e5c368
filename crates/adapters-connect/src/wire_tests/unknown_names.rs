//! Names in a JSON request that the interface does not have: those of fields, and those of values.

use super::client::{Answer, Ask, CONNECT, PROTOCOLS};
use super::{in_every_protocol, probe};

const HEADER: &str = "tradepost-unknown-fields";

fn said(answer: &Answer, reason: &str) -> String {
    assert_eq!((answer.status, answer.header("x-error-reason")), (400, Some(reason)), "{}", answer.show());
    answer.json()["message"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_mistyped_limit_is_refused_with_its_path_and_the_nearest_name() {
    let wire = probe::serve().await;
    let mistyped = [
        (r#"{"buying": {"minDiscountBp": 250}}"#, "buying.minDiscountBp", "buying.minDiscountBps"),
        (r#"{"buying": {"dailyBudgetCent": "100"}}"#, "buying.dailyBudgetCent", "buying.dailyBudgetCents"),
        (r#"{"markteplaces": []}"#, "markteplaces", "marketplaces"),
        (r#"{"price_referenc": {}}"#, "price_referenc", "priceReference"),
    ];
    for (body, path, nearest) in mistyped {
        let answer = wire.ask(CONNECT, &Ask::json(probe::CREATE, body)).await;
        let expected = format!("{path} is not a known field; the nearest known one is {nearest}");
        assert_eq!(said(&answer, "UNKNOWN_FIELD"), expected);
    }
}

#[tokio::test]
async fn an_unknown_field_is_refused_in_every_protocol() {
    let wire = probe::serve().await;
    insta::assert_snapshot!(in_every_protocol(&wire, &Ask::json(probe::LIST, r#"{"unheardOf": {"a": [1]}}"#)).await);
}

#[tokio::test]
async fn an_unknown_field_of_a_get_is_refused() {
    let wire = probe::serve().await;
    let path = format!("{}?connect=v1&encoding=json&message=%7B%22unheardOf%22%3A1%7D", probe::READ);
    let answer = wire.send(CONNECT, &Ask::json(&path, "").method("GET").content_type(None)).await;
    assert_eq!(said(&answer, "UNKNOWN_FIELD"), "unheardOf is not a known field");
}

#[tokio::test]
async fn a_client_newer_than_its_server_has_unknown_fields_ignored() {
    let wire = probe::serve().await;
    let ask = Ask::json(probe::CREATE, r#"{"unheardOf": [{}], "buying": {"unheardOf": 1}}"#);
    for protocol in PROTOCOLS {
        let refused = wire.ask(protocol, &ask).await.show();
        assert!(refused.contains("x-error-reason: UNKNOWN_FIELD"), "{protocol}: {refused}");
        let answer = wire.ask(protocol, &ask.clone().header(HEADER, "ignore")).await;
        assert_eq!((answer.status, answer.grpc_code()), (200, 0), "{protocol}: {}", answer.show());
    }
}

#[tokio::test]
async fn the_header_takes_one_word() {
    let wire = probe::serve().await;
    for word in ["", "Ignore", "refuse", "true"] {
        let answer = wire.ask(CONNECT, &Ask::json(probe::CREATE, "{}").header(HEADER, word)).await;
        assert_eq!(said(&answer, "INVALID_FIELD"), r#"tradepost-unknown-fields must be "ignore""#, "{word:?}");
    }
}

#[tokio::test]
async fn an_unknown_name_of_an_enum_lists_the_allowed_ones_whatever_the_header_says() {
    let wire = probe::serve().await;
    let ask = Ask::json(probe::CREATE, r#"{"priceReference": {"statistic": "PRICE_STATISTIC_GUESS"}}"#);
    for ask in [ask.clone(), ask.header(HEADER, "ignore")] {
        let said = said(&wire.ask(CONNECT, &ask).await, "INVALID_FIELD");
        let (begin, allowed) = said.split_once("; allowed: ").unwrap();
        assert_eq!(begin, r#"priceReference.statistic: unknown value "PRICE_STATISTIC_GUESS""#);
        let allowed: Vec<&str> = allowed.split(", ").collect();
        assert!(allowed.contains(&"PRICE_STATISTIC_MEDIAN"), "{allowed:?}");
        assert!(!allowed.contains(&"PRICE_STATISTIC_UNSPECIFIED"), "{allowed:?}");
    }
}

/// 60,000 bytes of a caller's own text in an answer or in the log are of no use.
#[tokio::test]
async fn an_answer_never_repeats_a_long_text_of_the_request() {
    let wire = probe::serve().await;
    let long = "x".repeat(60_000);
    let bodies = [
        format!(r#"{{"{long}": 1}}"#),
        format!(r#"{{"{long}": {{"limit": [}}"#),
        format!(r#"{{"status": "{long}"}}"#),
        format!(r#"{{"limit": "{long}"}}"#),
        format!(r#"{{"workspaceId": "{long}%"}}"#),
        format!(r#"{{"limit": 1, "limit": "{long}"}}"#),
    ];
    for body in bodies {
        for ask in [Ask::json(probe::LIST, &body), Ask::json(probe::LIST, &body).header(HEADER, "ignore")] {
            let answer = wire.ask(CONNECT, &ask).await;
            assert!(answer.body().len() < 4_096, "{} bytes for {:.40}", answer.body().len(), body);
        }
    }
}
