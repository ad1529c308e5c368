//! Balances, offers and targets as the service writes them.

use serde_json::json;

use super::*;

#[test]
fn a_balance_in_cents_is_read_in_both_forms_and_one_that_may_be_in_dollars_is_not() {
    let read = |usd: Value| balance(&json!({ "usd": usd })).map(VenueCents::get);
    assert_eq!((read(json!("1234")), read(json!("0"))), (Some(1_234), Some(0)));
    assert_eq!(read(json!({ "amount": "1234", "currency": "USD" })), Some(1_234));
    for other in [json!(12.34), json!(12), json!("12.34"), json!("-5"), json!({ "currency": "USD" })] {
        assert_eq!(read(other.clone()), None, "{other}");
    }
}

#[test]
fn a_target_that_does_not_buy_is_left_out_and_an_offer_has_its_title_and_price() {
    let target = json!({
        "targetId": "t-1", "title": "Dr. Romanov", "amount": "3", "priceCents": "90", "status": ACTIVE,
    });
    let read = order(&target).unwrap();
    assert_eq!((read.id.as_str(), read.price.get(), read.quantity, is_active(&target)), ("t-1", 90, 3, true));
    assert!(!is_active(&json!({ "status": "TARGET_STATUS_INACTIVE" })));
    let offer = listing(&json!({ "offerId": "o-1", "priceCents": "1599", "attributes": { "title": "Dr. Romanov" } }));
    assert_eq!(offer.map(|offer| offer.price.get()), Some(1_599));
    assert_eq!(listing(&json!({ "offerId": "o-1", "attributes": { "title": "Dr. Romanov" } })), None);
}
