//! Lists of confirmations as Steam writes them, and what it means that there is none.

use serde_json::json;

use super::*;
use crate::reading::tests::{answer_of, at, swapped, unknown_text};

const CREATED: u64 = 1_687_313_872;

/// An example of the open programs that read this list.
fn entry() -> Value {
    json!({
        "type": 2, "type_name": "Trade Offer", "id": "13799599785", "creator_id": "6149531996",
        "nonce": "9141945700999917347", "creation_time": CREATED, "cancel": "Cancel", "accept": "Accept",
        "icon": "https://icons.example.com/1", "multi": false, "headline": "gaming",
        "summary": ["You will give up your Key", "You will receive nothing"], "warn": null,
    })
}

/// The same with another field.
fn changed(name: &str, value: Value) -> Value {
    let mut entry = entry();
    entry[name] = value;
    entry
}

fn listed(entries: &[Value]) -> Value {
    json!({ "success": true, "conf": entries })
}

fn read_json(whole: &Value) -> PlatformResult<Vec<Confirmation>> {
    read(&answer_of(None, &whole.to_string()))
}

#[test]
fn a_confirmation_is_read_with_what_an_answer_to_it_needs() {
    let [read]: [Confirmation; 1] = read_json(&listed(&[entry()])).unwrap().try_into().unwrap();
    let expected = Confirmation {
        id: ExternalId::from(13_799_599_785),
        handle: ConfirmationHandle("9141945700999917347".to_owned()),
        kind: 2,
        kind_name: "Trade Offer".to_owned(),
        creator: ExternalId::from(6_149_531_996),
        headline: "gaming".to_owned(),
        summary: vec!["You will give up your Key".to_owned(), "You will receive nothing".to_owned()],
        created_at: at(CREATED),
    };
    assert_eq!(read, expected);
    assert!(read.is_about_offer(&ExternalId::from(6_149_531_996)));
    assert_eq!(read_json(&swapped(&listed(&[entry()]))), Ok(vec![expected]), "in other types");
}

#[test]
fn texts_decide_nothing_and_a_number_of_a_kind_that_is_not_known_is_carried_along() {
    for name in ["type_name", "headline", "summary", "warn", "icon"] {
        for value in [Value::Null, json!(7), json!(true), json!(["a", 7, null])] {
            let read = read_json(&listed(&[changed(name, value.clone())])).unwrap();
            assert_eq!(read[0].id.as_str(), "13799599785", "{name} {value}");
        }
    }
    let digits = read_json(&listed(&[changed("headline", json!(1337))])).unwrap();
    assert_eq!(digits[0].headline, "1337");
    assert_eq!(read_json(&listed(&[changed("type", json!(97))])).unwrap()[0].kind, 97);
    assert_eq!(read_json(&listed(&[changed("creator_id", json!(0))])).unwrap()[0].creator.as_str(), "0");
}

#[test]
fn one_that_cannot_be_read_makes_the_whole_list_unknown() {
    for name in ["id", "type", "creator_id", "nonce", "creation_time"] {
        let mut without = entry();
        without.as_object_mut().unwrap().remove(name);
        let text = unknown_text(read_json(&listed(&[entry(), without])));
        assert!(text.starts_with(&format!("SHAPE_DRIFT: $.conf[].{name} is missing")), "{text}");
        for bad in [Value::Null, json!(true), json!(["secret"]), json!("")] {
            let text = unknown_text(read_json(&listed(&[entry(), changed(name, bad)])));
            assert!(text.starts_with(&format!("SHAPE_DRIFT: $.conf[].{name} ")) && !text.contains("secret"), "{text}");
        }
    }
}

#[test]
fn an_empty_list_is_one_and_a_missing_list_is_not() {
    assert_eq!(read_json(&listed(&[])), Ok(Vec::new()));
    for whole in [json!({ "success": true }), json!({ "success": true, "conf": null })] {
        assert_eq!(unknown_text(read_json(&whole)), "SHAPE_DRIFT: $.conf is missing or cannot be read");
    }
    for whole in [json!({}), json!({ "response": {} })] {
        assert_eq!(unknown_text(read_json(&whole)), "SHAPE_DRIFT: $.success is missing");
    }
}

#[test]
fn a_refusal_is_a_lost_session_if_it_says_so_and_proves_nothing_otherwise() {
    for whole in [json!({ "success": false, "needauth": true }), json!({ "success": 0, "needauth": "1" })] {
        assert_eq!(read_json(&whole), Err(signed_out()), "{whole}");
    }
    for whole in [
        json!({ "success": false }),
        json!({ "success": false, "needauth": false }),
        json!({ "success": false, "message": "secret", "detail": "secret" }),
        json!({ "success": false, "conf": [entry()] }),
    ] {
        let text = unknown_text(read_json(&whole));
        assert_eq!(text, "it lists no confirmations: it is unwell, or the identity secret is wrong", "{whole}");
    }
}

#[test]
fn an_answer_that_leads_to_the_sign_in_is_a_lost_session_and_any_other_page_proves_nothing() {
    let moved = |address: &str| {
        let headers = vec![("location", address.to_owned())];
        read(&ServiceAnswer { status: 302, headers, date: None, body: Vec::new() })
    };
    assert_eq!(moved("https://community.example.com/login/"), Err(signed_out()));
    assert_eq!(unknown_text(moved("https://community.example.com/maintenance")), "it answered 302");
    assert_eq!(read(&ServiceAnswer { status: 401, ..answer_of(None, "<html>") }), Err(signed_out()));
    for status in [403, 500, 502] {
        let answer = ServiceAnswer { status, ..answer_of(None, &listed(&[entry()]).to_string()) };
        assert_eq!(unknown_text(read(&answer)), format!("it answered {status}"));
    }
    assert_eq!(unknown_text(read(&answer_of(None, "<html>secret"))), "its answer is not JSON at byte 1");
}
