//! Entries of a stall and of buy orders as the service writes them.

use serde_json::json;

use super::*;

#[test]
fn what_is_auctioned_or_was_sold_is_not_on_sale_at_a_price() {
    let entry = |of: &str, state: &str| json!({ "id": "7", "type": of, "price": 1_250, "state": state, "item": { "market_hash_name": "Dr. Romanov" } });
    assert!(is_on_sale(&entry("buy_now", "listed")));
    assert!(!is_on_sale(&entry("auction", "listed")) && !is_on_sale(&entry("buy_now", "sold")));
    let listing = listing(&entry("buy_now", "listed")).unwrap();
    assert_eq!((listing.id.as_str(), listing.price.get()), ("7", 1_250));
}

#[test]
fn an_order_is_read_with_the_fields_of_answers_and_of_requests_and_with_or_without_a_name() {
    let parts = |order: OwnOrder| (order.market_hash_name.is_some(), order.price.get(), order.quantity);
    let read = |entry: Value| order(&entry).map(parts);
    let of_answer = json!({ "id": "7", "market_hash_name": "Dr. Romanov", "qty": 3, "price": 90 });
    assert_eq!(read(of_answer), Some((true, 90, 3)));
    let of_request = json!({ "id": 7, "expression": "FloatValue < 0.1", "quantity": 2, "max_price": 90 });
    assert_eq!(read(of_request), Some((false, 90, 2)));
    assert_eq!(read(json!({ "id": "7", "price": 90 })), Some((false, 90, 1)));
    assert_eq!(read(json!({ "id": "7", "qty": 1 })), None);
}
