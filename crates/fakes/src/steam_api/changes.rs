//! What faults make of an answer: fields that no one has seen before, numbers as texts, and another type.
//!
//! Content in JSON is below `response` or `players`; every other object is a message of protocol buffers.

use serde_json::{Value, json};

use crate::world_prices::each;

/// Texts that are numbers, and that some answers could have as numbers. The token of a trade URL is a text, even if it has digits alone.
const TEXTS: [&str; 20] = [
    "SteamId",
    "amount",
    "assetid",
    "classid",
    "contextid",
    "instanceid",
    "int_value",
    "last_assetid",
    "new_assetid",
    "new_contextid",
    "rollback_new_assetid",
    "rollback_new_contextid",
    "rollback_trade",
    "server_time",
    "skew_tolerance_seconds",
    "steamid_other",
    "time_escrow_end",
    "tradeid",
    "tradeofferid",
    "ulfriendid",
];
/// Numbers that some answers could have as texts.
const NUMBERS: [&str; 16] = [
    "accountid_other",
    "appid",
    "efriendrelationship",
    "escrow_end_date",
    "escrow_end_duration_seconds",
    "expiration_time",
    "next_cursor",
    "propertyid",
    "status",
    "time_created",
    "time_init",
    "time_settlement",
    "time_updated",
    "total_inventory_count",
    "total_trades",
    "trade_offer_state",
];
/// Fields without which an answer says nothing.
const REQUIRED: [&str; 8] = [
    "EconomyBan",
    "efriendrelationship",
    "escrow_end_duration_seconds",
    "server_time",
    "status",
    "total_inventory_count",
    "trade_offer_access_token",
    "trade_offer_state",
];
/// Lists whose entries have further fields one day.
const LISTS: [&str; 5] = ["assets", "descriptions", "trade_offers_sent", "trade_offers_received", "trades"];
/// Lists of messages whose entries say nothing without their fields.
const LISTS_OF_MESSAGES: [&str; 2] = ["messages", "sessions"];

fn is_json(body: &Value) -> bool {
    body.get("response").is_some() || body.get("players").is_some()
}

/// Adds fields and numbers that no one has seen before.
pub(super) fn odd(body: &mut Value) {
    if let Some(players) = body.get_mut("players") {
        return each(players, |player| player["Probation"] = json!({ "until": 97 }));
    }
    if let Some(response) = body.get_mut("response") {
        response["server_region"] = json!({ "id": 97 });
        for list in LISTS {
            if let Some(entries) = response.get_mut(list) {
                each(entries, |entry| entry["delivery_method"] = json!(97));
            }
        }
        if let Some(friends) = response.pointer_mut("/friendslist/friends") {
            each(friends, |friend| friend["nickname_kind"] = json!(97));
        }
        return;
    }
    if body.is_object() {
        body["97"] = json!(7);
        body["98"] = json!("a text that no one has seen before");
        if let Some(confirmations) = body.get_mut("allowed_confirmations").and_then(Value::as_array_mut) {
            confirmations.push(json!({ "confirmation_type": 97 }));
        }
    }
}

/// Writes ids and amounts as numbers, and times and states as texts. Messages have their types in their tables.
pub(super) fn swapped(body: &mut Value) {
    if is_json(body) {
        walk(body, &|name, field| {
            let number = field.as_str().and_then(|text| text.parse::<u64>().ok());
            if let Some(number) = number.filter(|_| TEXTS.contains(&name)) {
                *field = json!(number);
            } else if NUMBERS.contains(&name) && field.is_number() {
                *field = json!(field.to_string());
            }
        });
    }
}

/// Gives required fields another type, and takes all of them from a message.
pub(super) fn drifted(body: &mut Value) {
    if !is_json(body) {
        let list = LISTS_OF_MESSAGES.into_iter().find(|list| body.get(list).is_some());
        *body = list.map_or_else(|| json!({}), |list| json!({ list: [{}] }));
        return;
    }
    let before = body.clone();
    walk(body, &|name, field| {
        if REQUIRED.contains(&name) {
            *field = json!(true);
        }
    });
    // Where there is nothing, the answer itself is another one.
    if *body == before {
        *body = json!({ "response": true });
    }
}

/// Changes every field of an answer, the outer ones first.
fn walk(value: &mut Value, change: &impl Fn(&str, &mut Value)) {
    if let Some(fields) = value.as_object_mut() {
        for (name, field) in fields {
            change(name, field);
            walk(field, change);
        }
    } else if let Some(elements) = value.as_array_mut() {
        for element in elements.iter_mut() {
            walk(element, change);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offers() -> Value {
        json!({ "response": { "trade_offers_sent": [{ "tradeofferid": "7", "trade_offer_state": 2, "message": "8" }] } })
    }

    type Change = fn(&mut Value);

    #[test]
    fn numbers_and_texts_are_swapped_by_their_names_alone() {
        let mut body = offers();
        swapped(&mut body);
        let sent = json!([{ "tradeofferid": 7, "trade_offer_state": "2", "message": "8" }]);
        assert_eq!(body["response"]["trade_offers_sent"], sent);
        let mut token = json!({ "response": { "trade_offer_access_token": "123" } });
        swapped(&mut token);
        assert_eq!(token["response"]["trade_offer_access_token"], "123");
    }

    #[test]
    fn a_drifted_answer_has_another_type_where_one_is_required() {
        let mut body = offers();
        drifted(&mut body);
        assert_eq!(body["response"]["trade_offers_sent"][0]["trade_offer_state"], true);
        let mut nothing = json!({ "response": {} });
        drifted(&mut nothing);
        assert_eq!(nothing, json!({ "response": true }));
        let mut message = json!({ "access_token": "a.b.c" });
        drifted(&mut message);
        assert_eq!(message, json!({}));
        let mut messages = json!({ "messages": [{ "accountid": 1 }], "more_available": false });
        drifted(&mut messages);
        assert_eq!(messages, json!({ "messages": [{}] }));
    }

    #[test]
    fn a_friend_is_changed_as_offers_are() {
        let friends = |friend: Value| json!({ "response": { "friendslist": { "friends": [friend] } } });
        let usual = friends(json!({ "ulfriendid": "7", "efriendrelationship": 3 }));
        let changes: [(Change, Value); 3] = [
            (odd, json!({ "ulfriendid": "7", "efriendrelationship": 3, "nickname_kind": 97 })),
            (swapped, json!({ "ulfriendid": 7, "efriendrelationship": "3" })),
            (drifted, json!({ "ulfriendid": "7", "efriendrelationship": true })),
        ];
        for (change, friend) in changes {
            let mut body = usual.clone();
            change(&mut body);
            assert_eq!(body["response"]["friendslist"], friends(friend)["response"]["friendslist"]);
        }
    }

    #[test]
    fn an_odd_answer_has_more_fields_and_keeps_those_that_it_had() {
        let mut body = offers();
        odd(&mut body);
        assert_eq!(body["response"]["trade_offers_sent"][0]["delivery_method"], 97);
        assert_eq!(body["response"]["trade_offers_sent"][0]["tradeofferid"], "7");
        let mut message = json!({ "allowed_confirmations": [{ "confirmation_type": 3 }] });
        odd(&mut message);
        assert_eq!(message["allowed_confirmations"].as_array().map(Vec::len), Some(2));
        let mut refusal = Value::Null;
        odd(&mut refusal);
        assert_eq!(refusal, Value::Null);
    }
}
