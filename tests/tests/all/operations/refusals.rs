//! Each way in which an operation is refused: code, reason, a body of nothing but code and message, and nothing changed.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tradepost_operations::Code;
use tradepost_operations::rules::{Access, Rule};

use crate::cases::{self, Case, Refusal, merged};
use crate::descriptor;
use crate::harness::{Answer, Database, Key, World, on_both_databases};

on_both_databases! {
    long on_postgresql;

    async fn no_operation_answers_without_a_valid_key(database) {
        let world = World::new(database).await;
        for case in cases::all().into_iter().filter(|case| Rule::of(case.method).unwrap().access != Access::Public) {
            for token in [None, Some("tpk_nonsense"), Some(world.token(Key::Expired)), Some(world.token(Key::Revoked))] {
                // A request that cannot be read is rejected for want of a key all the same.
                for body in [json!({}), json!([7])] {
                    let answer = world.client.call(token, case.method, &body).await;
                    let body = r#"{"code":"unauthenticated","message":"no valid API key or session in the Authorization header"}"#;
                    assert_eq!((answer.status, answer.body.as_str()), (401, body), "{} {token:?}", case.method);
                    assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
                    assert_eq!(answer.header("x-error-reason"), Some("UNAUTHENTICATED"));
                }
            }
        }
    }

    async fn no_operation_goes_beyond_the_rights_of_its_caller(database) {
        refused_as_documented(database, |code| code == Code::PermissionDenied).await;
    }

    async fn what_is_not_there_is_not_found(database) {
        refused_as_documented(database, |code| code == Code::NotFound).await;
    }

    async fn what_the_state_of_things_does_not_allow_is_refused(database) {
        refused_as_documented(database, |code| matches!(code, Code::FailedPrecondition | Code::AlreadyExists)).await;
    }

    async fn values_that_make_no_sense_are_refused(database) {
        refused_as_documented(database, |code| code == Code::InvalidArgument).await;
    }

    async fn a_missing_required_field_is_refused_by_its_name(database) {
        let world = World::new(database).await;
        for case in cases::all() {
            let (request, before) = (case.ready(&world).await, world.contents().await);
            for field in case.required {
                let mut without = request.clone();
                without.as_object_mut().unwrap().remove(*field);
                let answer = world.call(case.by, case.method, &without).await;
                assert_names_field(&case, &answer, field);
            }
            assert_unchanged(&case, &before, &world.contents().await, &[]);
        }
    }

    async fn a_malformed_field_is_refused_by_its_name(database) {
        let world = World::new(database).await;
        for case in cases::all() {
            let (request, before) = (case.ready(&world).await, world.contents().await);
            for (path, change) in descriptor::malformed_fields(&descriptor::method(case.method).input()) {
                let answer = world.call(case.by, case.method, &merged(request.clone(), &change)).await;
                assert_names_field(&case, &answer, &path);
            }
            assert_unchanged(&case, &before, &world.contents().await, &[]);
        }
    }
}

/// Makes every refused call of the table whose code is one of these.
async fn refused_as_documented(database: Database, is_asked_for: fn(Code) -> bool) {
    let world = World::new(database).await;
    for case in cases::all() {
        let refusals: Vec<Refusal> =
            case.refusals.iter().copied().filter(|refusal| is_asked_for(refusal.code)).collect();
        if refusals.is_empty() {
            continue;
        }
        let request = case.ready(&world).await;
        let mut before = world.contents().await;
        for refusal in refusals {
            let request = merged(request.clone(), &(refusal.change)(&world));
            let answer = world.call(refusal.by, case.method, &request).await;
            assert_refused(&case, &refusal, &answer);
            let after = world.contents().await;
            assert_unchanged(&case, &before, &after, spent_on_refusal(refusal.reason));
            before = after;
        }
    }
}

/// What a refused call writes: a wrong code is one try less, and evidence that contradicts a chain opens a remediation.
fn spent_on_refusal(reason: &str) -> &'static [&'static str] {
    match reason {
        "CODE_MISMATCH" => {
            &["audit_events", "challenges", "code_guesses", "guesses", "pending_sign_ins", "totp_enrollments"]
        }
        "ASSET_ID_MISMATCH" => &["record_counts", "remediations", "transitions", "transition_places"],
        _ => &[],
    }
}

#[track_caller]
fn assert_refused(case: &Case, refusal: &Refusal, answer: &Answer) {
    let expected = (refusal.code.name(), refusal.reason);
    let (status, code, reason) = answer.refusal();
    assert_eq!((code.as_str(), reason.as_str()), expected, "{} by {:?}: {answer:?}", case.method, refusal.by);
    assert_eq!(status, http_status(refusal.code), "{}", case.method);
    assert_error_body(case, answer);
}

#[track_caller]
fn assert_names_field(case: &Case, answer: &Answer, field: &str) {
    let (status, code, reason) = answer.refusal();
    assert_eq!((status, code.as_str()), (400, "invalid_argument"), "{} {field}: {answer:?}", case.method);
    assert!(!reason.is_empty(), "{} {field}: {answer:?}", case.method);
    assert!(answer.message().contains(field), "{} does not name {field}: {}", case.method, answer.body);
    assert_error_body(case, answer);
}

/// An error is an object of exactly `code` and `message`.
#[track_caller]
fn assert_error_body(case: &Case, answer: &Answer) {
    let Value::Object(body) = answer.json() else { panic!("{}: {answer:?}", case.method) };
    assert_eq!(body.keys().collect::<Vec<_>>(), ["code", "message"], "{}", case.method);
    assert!(body["message"].as_str().is_some_and(|message| !message.is_empty()), "{}: {answer:?}", case.method);
    assert_eq!(answer.header("content-type"), Some("application/json"), "{}", case.method);
    assert!(answer.header("x-request-id").is_some_and(|id| !id.is_empty()), "{}", case.method);
}

#[track_caller]
fn assert_unchanged(
    case: &Case,
    before: &BTreeMap<String, Vec<String>>,
    after: &BTreeMap<String, Vec<String>>,
    but: &[&str],
) {
    for (table, rows) in before.iter().filter(|(table, _)| !but.contains(&table.as_str())) {
        assert_eq!(rows, &after[table], "a refused {} changed {table}", case.method);
    }
}

/// Part 7 of the interface.
fn http_status(code: Code) -> u16 {
    match code {
        Code::InvalidArgument | Code::FailedPrecondition => 400,
        Code::Unauthenticated => 401,
        Code::PermissionDenied => 403,
        Code::NotFound => 404,
        Code::AlreadyExists => 409,
        Code::ResourceExhausted => 429,
        Code::Internal => 500,
    }
}
