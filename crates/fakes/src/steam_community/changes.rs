//! What faults make of an answer. A page has no types; the list of confirmations and answers to forms are JSON.

use serde_json::{Value, json};

use crate::world_prices::each;

/// Texts that are numbers, and that some answers could have as numbers; and numbers that some could have as texts.
const TEXTS: [&str; 3] = ["creator_id", "id", "nonce"];
const NUMBERS: [&str; 2] = ["creation_time", "type"];
/// The same of answers to forms.
const OF_FORMS: [&str; 2] = ["tradeid", "tradeofferid"];
/// A page of an account that says nothing of its key.
const OTHER_PAGE: &str = "<!DOCTYPE html><html><body><script>g_steamID = \"76561197960265729\";</script>\
    <h2>Something else</h2></body></html>";

/// Adds fields that no one has seen before.
pub(super) fn odd(body: &mut Value) {
    if let Some(page) = body.as_str() {
        *body = json!(page.replace("</body>", "<div id=\"notice_97\">New</div></body>"));
    } else if body.is_object() {
        body["notice"] = json!({ "id": 97 });
        if let Some(confirmations) = body.get_mut("conf") {
            each(confirmations, |confirmation| confirmation["badge"] = json!(97));
        }
    }
}

/// Writes ids as numbers, and times and types as texts.
pub(super) fn swapped(body: &mut Value) {
    for name in OF_FORMS {
        let number = body.get(name).and_then(Value::as_str).and_then(|text| text.parse::<u64>().ok());
        if let Some(number) = number {
            body[name] = json!(number);
        }
    }
    if body.get("success").is_some_and(Value::is_number) {
        body["success"] = json!(body["success"].to_string());
    }
    let Some(confirmations) = body.get_mut("conf") else { return };
    each(confirmations, |confirmation| {
        for name in TEXTS {
            let text = confirmation[name].as_str();
            if let Some(number) = text.and_then(|text| text.parse::<u64>().ok()) {
                confirmation[name] = json!(number);
            }
        }
        for name in NUMBERS {
            confirmation[name] = json!(confirmation[name].to_string());
        }
    });
}

/// Gives every confirmation a type of another type; where there is none, the list itself is another one.
pub(super) fn drifted(body: &mut Value) {
    let is_list = body.is_object();
    if let Some(confirmations) = body.get_mut("conf") {
        if confirmations.as_array().is_none_or(Vec::is_empty) {
            *confirmations = json!(true);
        } else {
            each(confirmations, |confirmation| confirmation["type"] = json!(true));
        }
    } else {
        *body = if is_list { json!({ "success": "no" }) } else { json!(OTHER_PAGE) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Change = fn(&mut Value);

    #[test]
    fn a_confirmation_is_changed_by_each_fault_and_a_page_by_two() {
        let list = |confirmation: Value| json!({ "success": true, "conf": [confirmation] });
        let usual = list(json!({ "id": "7", "type": 2, "creation_time": 9, "creator_id": "8", "nonce": "1" }));
        let changes: [(Change, &str, Value); 5] = [
            (odd, "/conf/0/badge", json!(97)),
            (odd, "/conf/0/id", json!("7")),
            (swapped, "/conf/0/id", json!(7)),
            (swapped, "/conf/0/type", json!("2")),
            (drifted, "/conf/0/type", json!(true)),
        ];
        for (change, path, value) in changes {
            let mut body = usual.clone();
            change(&mut body);
            assert_eq!(body.pointer(path), Some(&value), "{body}");
        }
        let mut page = json!("<body></body>");
        swapped(&mut page);
        assert_eq!(page, "<body></body>");
        odd(&mut page);
        assert!(page.as_str().unwrap().contains("notice_97"));
        drifted(&mut page);
        assert!(!page.as_str().unwrap().contains("notice_97"));
    }

    #[test]
    fn the_number_of_an_offer_is_written_as_a_number_too() {
        let mut body = json!({ "tradeofferid": "7", "needs_mobile_confirmation": true });
        swapped(&mut body);
        assert_eq!(body, json!({ "tradeofferid": 7, "needs_mobile_confirmation": true }));
    }

    #[test]
    fn a_success_that_is_a_number_is_written_as_a_text_and_an_answer_that_is_one_word_drifts() {
        for (before, after) in [(json!({ "success": 1 }), json!({ "success": "1" })), (json!(true), json!(true))] {
            let mut body = before;
            swapped(&mut body);
            assert_eq!(body, after);
        }
        let mut done = json!(true);
        odd(&mut done);
        assert_eq!(done, json!(true));
        drifted(&mut done);
        assert!(done.is_string());
    }

    #[test]
    fn an_answer_without_confirmations_drifts_as_a_whole() {
        for (before, after) in [
            (json!({ "success": true, "conf": [] }), json!({ "success": true, "conf": true })),
            (json!({ "success": false, "needauth": true }), json!({ "success": "no" })),
        ] {
            let mut body = before;
            drifted(&mut body);
            assert_eq!(body, after);
        }
    }
}
