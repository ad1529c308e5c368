//! What answers mean, and values that Steam writes in several forms. The tests of other modules make their answers by this one.

use serde_json::json;

use super::*;

/// When Steam gave the answers of these tests.
pub(crate) const NOW: u64 = 1_752_644_100;

/// An answer with this result in its header.
pub(crate) fn answer_of(result: Option<&str>, body: &str) -> ServiceAnswer {
    let headers = result.map(|result| ("x-eresult", result.to_owned())).into_iter().collect();
    ServiceAnswer { status: 200, headers, date: time_of(NOW), body: body.as_bytes().to_vec() }
}

/// A successful answer with this content under `response`.
pub(crate) fn answer(content: &Value) -> ServiceAnswer {
    answer_of(Some("1"), &json!({ "response": content }).to_string())
}

/// The same content with digits in place of each whole number, and a number in place of all digits.
pub(crate) fn swapped(content: &Value) -> Value {
    match content {
        Value::Number(number) if number.is_u64() => Value::String(number.to_string()),
        Value::String(text) => text.parse::<u64>().map_or_else(|_| content.clone(), Value::from),
        Value::Array(entries) => entries.iter().map(swapped).collect(),
        Value::Object(fields) => fields.iter().map(|(name, field)| (name.clone(), swapped(field))).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => content.clone(),
    }
}

pub(crate) fn at(seconds: u64) -> Timestamp {
    time_of(seconds).unwrap()
}

/// The text of an error that proves nothing.
pub(crate) fn unknown_text<T: std::fmt::Debug>(result: PlatformResult<T>) -> String {
    match result {
        Err(ExternalError::Unknown(text)) => text,
        Ok(_)
        | Err(ExternalError::Rejected(_) | ExternalError::RateLimited { .. } | ExternalError::AuthLost { .. }) => {
            panic!("{result:?} proves something")
        }
    }
}

const SHAPE: &[RequiredShape] =
    &[needed("$.response", OBJECT), needed("$.response.id", NUMBER), known("$.response.note", MAYBE_TEXT)];

fn read(answer: &ServiceAnswer) -> PlatformResult<Option<Value>> {
    response(answer, &[SHAPE])
}

#[test]
fn an_empty_answer_says_that_there_is_nothing_only_with_the_result_ok() {
    let empty = r#"{"response":{}}"#;
    assert_eq!(read(&answer_of(Some("1"), empty)), Ok(None));
    for result in [None, Some("2"), Some("15"), Some("OK")] {
        let text = unknown_text(read(&answer_of(result, empty)));
        assert_eq!(text, "its answer is empty, which proves nothing", "{result:?}");
    }
}

#[test]
fn an_answer_with_content_counts_though_it_is_marked_as_failed() {
    let full = r#"{"response":{"id":"7"}}"#;
    for result in [None, Some("1"), Some("2")] {
        assert_eq!(read(&answer_of(result, full)), Ok(Some(json!({ "response": { "id": "7" } }))), "{result:?}");
    }
    assert_eq!(unknown_text(read(&answer_of(Some("15"), full))), "it answered result 15");
}

#[test]
fn a_limit_and_a_lost_session_have_no_effect() {
    let limited = ExternalError::RateLimited { retry_after: LIMITED_FOR, effect: Effect::Nothing };
    assert_eq!(read(&answer_of(Some("84"), r#"{"response":{}}"#)), Err(limited));
    let signed_out = ServiceAnswer { status: 401, ..answer_of(None, "<html>") };
    assert_eq!(read(&signed_out), Err(ExternalError::AuthLost { effect: Effect::Nothing }));
}

#[test]
fn another_status_proves_nothing_though_its_body_has_the_form_of_an_answer() {
    let forbidden = ServiceAnswer { status: 403, ..answer_of(Some("1"), r#"{"response":{}}"#) };
    assert_eq!(unknown_text(read(&forbidden)), "it answered 403");
}

#[test]
fn a_content_of_another_shape_is_an_error_with_its_path() {
    for (body, text) in [
        ("null", "SHAPE_DRIFT: $.response is missing"),
        (r#"{"response":{"name":"secret"}}"#, "SHAPE_DRIFT: $.response.id is missing"),
    ] {
        assert_eq!(unknown_text(read(&answer_of(Some("1"), body))), text, "{body}");
    }
}

#[test]
fn a_number_is_read_in_digits_too_and_to_its_last_digit() {
    let fields = json!({ "a": 18_446_744_073_709_551_615_u64, "b": "18446744073709551615", "c": null, "d": "0" });
    let entry = Entry::of(&fields);
    assert_eq!((entry.number::<u64>("a"), entry.number::<u64>("b")), (Ok(u64::MAX), Ok(u64::MAX)));
    assert_eq!((entry.maybe_number::<u64>("c"), entry.maybe_number::<u64>("x")), (Ok(None), Ok(None)));
    assert_eq!((entry.maybe_id("d"), entry.maybe_time("d")), (Ok(None), Ok(None)));
    assert_eq!(unknown_text(entry.number::<u32>("a")), "SHAPE_DRIFT: $.a is missing or cannot be read");
    assert_eq!(unknown_text(entry.id("d")), "SHAPE_DRIFT: $.d is missing or cannot be read");
    for bad in [json!(-1), json!(1.5), json!(""), json!("1.5"), json!("abc"), json!(true), json!([1])] {
        let fields = json!({ "a": bad });
        assert!(Entry::of(&fields).maybe_number::<u64>("a").is_err(), "{fields}");
    }
}

#[test]
fn a_flag_is_a_boolean_or_a_number() {
    let fields = json!({ "a": true, "b": 1, "c": "0", "d": false, "e": "yes" });
    let entry = Entry::of(&fields);
    let flags = ["a", "b", "c", "d"].map(|name| entry.flag(name).unwrap());
    assert_eq!((flags, entry.maybe_flag("x")), ([true, true, false, false], Ok(None)));
    assert!(entry.flag("e").is_err() && entry.flag("x").is_err());
}

#[test]
fn an_entry_of_a_list_names_its_path() {
    let whole = json!({ "response": { "trades": [{ "items": [{ "id": "secret" }] }] } });
    let response = Entry::of(&whole).object("response").unwrap();
    let trades = response.list("trades");
    let items = trades[0].list("items");
    let expected = "SHAPE_DRIFT: $.response.trades[].items[].id is missing or cannot be read";
    assert_eq!(unknown_text(items[0].id("id")), expected);
    assert!(trades[0].list("others").is_empty());
    assert!(response.object("trades").is_err());
}

#[test]
fn an_id_that_is_not_a_number_of_steam_names_nothing() {
    let id = |text: &str| ExternalId::new(text).unwrap();
    assert_eq!(numbered(&id("798942565122442387")).map(NonZeroU64::get), Ok(798_942_565_122_442_387));
    for bad in ["0", "007", "+7", "-7", "no-such-thing", "99999999999999999999"] {
        assert_eq!(numbered(&id(bad)), Err(ExternalError::Rejected(PlatformRefusal::NotFound)), "{bad}");
    }
}

#[test]
fn a_short_number_is_the_lower_half_of_an_individual_account() {
    let number = |short| individual(short).map(|user: PlatformUserId| (user.number().get(), user.is_individual()));
    assert_eq!(number(119_913_840), Some((76_561_198_080_179_568, true)));
    assert_eq!(number(u32::MAX).map(|(_, is_individual)| is_individual), Some(true));
    assert_eq!(number(0), None);
}

#[test]
fn times_are_whole_seconds_since_1970() {
    assert_eq!(at(1_641_951_429).to_string(), "2022-01-12T01:37:09Z");
    assert_eq!(time_of(u64::MAX), None);
    let half = Timestamp::from_micros(10_500_000).unwrap();
    assert_eq!([Timestamp::MIN, half, Timestamp::MAX].map(whole_seconds), [0, 10, u32::MAX.into()]);
}
