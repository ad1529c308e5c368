//! Listings as the service writes them, and what of them is left out.

use serde_json::json;

use super::*;

const DOPPLER: &str = "★ Karambit | Doppler (Factory New)";

fn entry(id: &str, mills: i64) -> Value {
    json!({
        "item_id": id, "price": mills, "name": DOPPLER, "phase": "Phase 3", "paint_index": 420,
        "float": 0.014_528_501_033_782_96, "steam_price": 1_453_040, "by": "a-seller", "classid": "3669724953",
        "image": "https://images.example.com/i/1", "type": "Karambit",
    })
}

fn names(listings: &Value) -> Found {
    let of_name = json!({ "listings": listings, "orders": [{}], "history": [{}], "info": {} });
    let answer = json!({ "success": true, "data": { DOPPLER: of_name, "Nova | Ranger": { "listings": [] } } });
    of_names(answer.to_string().as_bytes()).unwrap()
}

fn ids(found: &Found) -> Vec<&str> {
    found.listings.iter().map(|listing| listing.id.as_str()).collect()
}

#[test]
fn a_listing_has_what_contracts_select_items_by_and_its_price_is_never_understated() {
    let found = names(&json!([entry("27402864642", 1_592)]));
    let [MarketListing { id, asset_id, offered, status }] = found.listings.as_slice() else { panic!("{found:?}") };
    assert_eq!((id.as_str(), asset_id.as_str(), *status), ("27402864642", "27402864642", ListingStatus::OnSale));
    assert_eq!(offered.variant.to_string(), format!("730/{DOPPLER}/Phase 3"));
    assert_eq!((offered.price.get(), offered.paint_index, offered.trade_lock_days), (160, Some(420), 0));
    assert_eq!(offered.float_value, Some("0.01452850103378296".parse().unwrap()));
    assert_eq!((offered.rarity, offered.paint_seed, offered.stickers.len()), (None, None, 0));
    assert_eq!((found.left_out, found.new_shapes), (0, BTreeSet::new()));
}

#[test]
fn a_list_within_the_list_is_the_same_and_the_cheapest_of_a_name_come_first() {
    let flat = names(&json!([entry("1", 3_000), entry("2", 1_000), entry("3", 2_000)]));
    let within = names(&json!([[entry("1", 3_000), entry("2", 1_000)], [entry("3", 2_000)]]));
    assert_eq!((ids(&flat), &flat.listings), (vec!["2", "3", "1"], &within.listings));
    assert_eq!((flat.new_shapes, within.new_shapes), (BTreeSet::new(), BTreeSet::new()));
    let many: Vec<Value> = (1..=40).map(|number| entry(&number.to_string(), 5_000 - number)).collect();
    let found = names(&json!(many));
    assert_eq!((found.listings.len(), ids(&found).first(), found.left_out), (MOST_OF_A_NAME, Some(&"40"), 0));
}

#[test]
fn a_name_has_no_phase_in_it_and_listings_of_another_name_are_left_out() {
    let mut written = entry("1", 1_000);
    written["name"] = json!("★ Karambit | Doppler Phase 3 (Factory New)");
    let mut other = entry("2", 1_000);
    other["name"] = json!("★ Karambit | Doppler (Minimal Wear)");
    let found = names(&json!([written, other]));
    assert_eq!((ids(&found), found.left_out), (vec!["1"], 1));
    assert_eq!(found.listings[0].offered.variant.market_hash_name.as_str(), DOPPLER);
}

#[test]
fn what_has_no_price_id_or_name_is_left_out_and_counted_and_a_trait_that_is_not_understood_is_not_said() {
    for (field, value) in [
        ("price", json!(null)),
        ("price", json!(0)),
        ("price", json!(4.5)),
        ("item_id", json!("")),
        ("item_id", json!("a1")),
        ("name", json!(" ")),
    ] {
        let mut other = entry("1", 1_000);
        other[field] = value;
        let answer = json!({ "success": true, "items": [other, entry("2", 1_000)], "count": 2 });
        let found = discounted(answer.to_string().as_bytes()).unwrap();
        assert_eq!((ids(&found), found.left_out), (vec!["2"], 1), "{field}");
    }
    for (field, value) in [("float", json!(1.5)), ("phase", json!("")), ("paint_index", json!(-1))] {
        let (mut less, whole) = (entry("1", 1_000), listing(&entry("1", 1_000), None).unwrap());
        less[field] = value;
        let less = listing(&less, None).unwrap();
        assert_ne!(less, whole, "{field}");
        assert_eq!((less.id, less.offered.price), (whole.id, whole.offered.price), "{field}");
    }
}

#[test]
fn what_is_not_on_sale_is_none_whether_it_is_shown_or_not() {
    let read = |items: Value| {
        let answer = json!({ "success": true, "items": items });
        available(answer.to_string().as_bytes(), &ExternalId::new("27165625733").unwrap()).unwrap()
    };
    let item = |selling: bool| {
        json!({
            "item_id": "27165625733", "selling": selling, "price": 1_687_470, "name": "★ Karambit | Fade (Factory New)",
            "image": "https://images.example.com/i/1",
        })
    };
    let found = read(json!([item(true)])).unwrap();
    assert_eq!((found.listings[0].offered.price.get(), found.new_shapes), (168_747, BTreeSet::new()));
    assert!(read(json!([item(false)])).is_none() && read(json!([])).is_none());
    let mut other = item(true);
    other["item_id"] = json!("27165625734");
    assert!(read(json!([other])).is_none());
}

#[test]
fn a_refusal_and_another_form_are_errors_that_name_the_path_and_no_value() {
    let failed = |answer: &Value| of_names(answer.to_string().as_bytes()).unwrap_err().to_string();
    let refusal = json!({ "success": false, "msg": "secret" });
    assert_eq!(failed(&refusal), "refused: it answered an error in place of its list");
    let mut other = entry("1", 1_000);
    other["price"] = json!(["secret"]);
    let answer = json!({ "success": true, "data": { DOPPLER: { "listings": [other] } } });
    let text = "the outcome is unknown: SHAPE_DRIFT: $.data[].listings[].price is an array, and must be a number or a string or null";
    assert_eq!(failed(&answer), text);
    assert_eq!(failed(&json!({ "success": true })), "the outcome is unknown: SHAPE_DRIFT: $.data is missing");
}
