//! Listings and buy orders of an account as the service writes them.

use serde_json::json;

use super::*;

const NAME: &str = "MP9 | Hypnotic (Minimal Wear)";

#[test]
fn a_listing_has_the_id_of_its_item_and_asks_no_more_than_it_brings() {
    let entry = |id: Value, price: i64| json!({ "item_id": id, "price": price, "name": NAME, "position": 1 });
    for id in [json!("16037911576"), json!(16_037_911_576_u64)] {
        let read = listing(&entry(id, 2_367_949)).unwrap();
        assert_eq!((read.id.as_str(), read.price.get()), ("16037911576", 236_794));
    }
    let cheap = listing(&entry(json!("1"), 9)).unwrap();
    assert_eq!(cheap.price.get(), 0, "a price of less than a cent keeps nothing from the others");
}

#[test]
fn an_order_buys_what_is_not_filled_yet_and_pays_no_less_than_it_costs() {
    let entry = |amount: i64, filled: Value| json!({ "id": 7, "name": NAME, "price": 1_001, "amount": amount, "filled": filled });
    let read = order(&entry(5, json!(2))).unwrap();
    assert_eq!((read.id.as_str(), read.price.get(), read.quantity), ("7", 101, 3));
    assert_eq!(order(&entry(5, json!("5"))).map(|order| order.quantity), Some(0));
    let mut whole = entry(5, json!(0));
    whole.as_object_mut().unwrap().remove("filled");
    assert_eq!(order(&whole).map(|order| order.quantity), Some(5));
    whole["price"] = json!("much");
    assert_eq!(order(&whole), None);
}
