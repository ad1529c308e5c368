//! Buy orders of a name as the service writes them.

use super::*;

const REDLINE: &str = "AK-47 | Redline (Field-Tested)";

fn read(orders: &Value) -> (Option<i64>, BTreeSet<String>) {
    let answer = json!({ "data": orders });
    let (bid, new_shapes) = highest(answer.to_string().as_bytes(), REDLINE).unwrap();
    (bid.map(VenueCents::get), new_shapes)
}

#[test]
fn the_highest_bid_for_any_item_of_the_name_counts_whatever_the_order() {
    let orders = json!([
        { "market_hash_name": REDLINE, "qty": 2, "price": 1_240 },
        { "market_hash_name": REDLINE, "qty": 1, "price": "1250" },
        { "market_hash_name": "AK-47 | Redline (Minimal Wear)", "qty": 1, "price": 9_000 },
    ]);
    assert_eq!(read(&orders), (Some(1_250), BTreeSet::new()));
}

#[test]
fn an_order_with_conditions_is_no_bid_for_any_item() {
    let orders = json!([
        { "market_hash_name": REDLINE, "qty": 1, "price": 3_000, "hybrid_properties": { "max_float": 0.16 } },
        { "expression": "FloatValue < 0.16", "qty": 1, "price": 2_000 },
        { "market_hash_name": REDLINE, "qty": 1, "price": 1_000, "hybrid_properties": null, "expression": "" },
        { "market_hash_name": REDLINE, "qty": 1, "price": 900, "hybrid_properties": {} },
    ]);
    assert_eq!(read(&orders), (Some(1_000), BTreeSet::new()));
}

#[test]
fn a_name_without_orders_has_no_bid() {
    for orders in [json!([]), json!(null)] {
        assert_eq!(read(&orders), (None, BTreeSet::new()));
    }
}

#[test]
fn another_form_is_an_error_that_names_the_path_and_no_value() {
    let failed = |answer: &Value| highest(answer.to_string().as_bytes(), REDLINE).unwrap_err().to_string();
    let text = "the outcome is unknown: SHAPE_DRIFT: $.data[].price is an array, and must be a number or a string";
    assert_eq!(failed(&json!({ "data": [{ "price": ["secret"] }] })), text);
    assert_eq!(failed(&json!({})), "the outcome is unknown: SHAPE_DRIFT: $.data is missing");
}
