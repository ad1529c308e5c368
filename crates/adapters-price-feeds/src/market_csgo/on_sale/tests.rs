//! Listings as the service writes them, and what of them is left out.

use super::*;

const DOPPLER: &str = "★ Karambit | Doppler (Factory New)";

fn entry(id: u64, mills: i64) -> Value {
    json!({
        "id": id, "price": mills, "class": 5_075_999_874_u64, "instance": 188_530_139, "market_hash_name": DOPPLER, "count": 1,
        "extra": {
            "asset": 38_691_476_335_u64, "float": "0.014528501033782", "phase": "phase3", "paintseed": "391",
            "paintindex": "420", "stickers": "11289205989|11289205989",
        },
    })
}

fn answer(data: &Value) -> Vec<u8> {
    json!({ "success": true, "currency": "USD", "data": data }).to_string().into_bytes()
}

fn names(listings: &Value) -> Found {
    of_names(&answer(&json!({ DOPPLER: listings, "Nova | Ranger": [] }))).unwrap()
}

fn ids(found: &Found) -> Vec<&str> {
    found.listings.iter().map(|listing| listing.id.as_str()).collect()
}

fn sought(id: &str) -> SoughtListing {
    let market_hash_name = MarketHashName::new(DOPPLER).unwrap();
    SoughtListing { id: ExternalId::new(id).unwrap(), market_hash_name }
}

#[test]
fn a_listing_has_what_contracts_select_items_by_and_its_price_is_never_understated() {
    let found = names(&json!([entry(5_649_300_794, 1_591)]));
    let [MarketListing { id, asset_id, offered, status }] = found.listings.as_slice() else { panic!("{found:?}") };
    assert_eq!((id.as_str(), asset_id.as_str(), *status), ("5649300794", "38691476335", ListingStatus::OnSale));
    assert_eq!(offered.variant.to_string(), format!("730/{DOPPLER}/Phase 3"));
    assert_eq!((offered.price.get(), offered.paint_seed, offered.paint_index), (160, Some(391), Some(420)));
    assert_eq!(offered.float_value, Some("0.014528501033782".parse().unwrap()));
    assert_eq!((offered.rarity, offered.trade_lock_days, offered.stickers.len()), (None, 0, 0));
    assert_eq!((found.left_out, found.new_shapes), (0, BTreeSet::new()));
}

#[test]
fn the_cheapest_of_a_name_come_first_and_what_was_sold_is_not_among_them() {
    let mut sold = entry(3, 1);
    sold["count"] = json!(0);
    let found = names(&json!([entry(1, 3_000), entry(2, 1_000), sold]));
    assert_eq!((ids(&found), found.left_out), (vec!["2", "1"], 0));
    let many: Vec<Value> = (1..=40).map(|number| entry(number, 5_000 - i64::try_from(number).unwrap())).collect();
    let found = names(&json!(many));
    assert_eq!((found.listings.len(), ids(&found).first(), found.left_out), (MOST_OF_A_NAME, Some(&"40"), 0));
}

#[test]
fn what_has_no_price_id_or_item_is_left_out_and_counted_and_a_trait_that_is_not_understood_is_not_said() {
    for (field, value) in [
        ("price", json!(null)),
        ("price", json!(0)),
        ("id", json!("")),
        ("market_hash_name", json!("★ Karambit | Doppler (Minimal Wear)")),
        ("extra", json!([])),
        ("extra", json!({ "asset": "a1" })),
    ] {
        let mut other = entry(1, 1_000);
        other[field] = value;
        let found = names(&json!([other, entry(2, 1_000)]));
        assert_eq!((ids(&found), found.left_out), (vec!["2"], 1), "{field}");
    }
    for (field, value) in
        [("float", json!("")), ("phase", json!("phase9")), ("paintseed", json!("")), ("paintindex", json!(null))]
    {
        let (mut less, whole) = (entry(1, 1_000), listing(&entry(1, 1_000), DOPPLER).unwrap());
        less["extra"][field] = value;
        let less = listing(&less, DOPPLER).unwrap();
        assert_ne!(less, whole, "{field}");
        assert_eq!((less.id, less.offered.price), (whole.id, whole.offered.price), "{field}");
    }
}

#[test]
fn one_listing_is_found_by_its_id_among_those_of_its_name() {
    let read = |data: Value, id: &str| one(&answer(&data), &sought(id)).unwrap();
    let mut by_text = entry(1, 1_000);
    by_text["id"] = json!("5649300795");
    let both = json!([entry(5_649_300_794, 2_000), by_text]);
    assert_eq!(read(both.clone(), "5649300795").unwrap().listings[0].offered.price.get(), 100);
    assert_eq!(read(both.clone(), "5649300794").unwrap().listings[0].offered.price.get(), 200);
    assert!(read(both, "7").is_none() && read(json!([]), "7").is_none());
    let mut sold = entry(7, 1_000);
    sold["count"] = json!(0);
    assert!(read(json!([sold]), "7").is_none());
}

#[test]
fn prices_in_another_currency_are_not_used_and_a_rejected_key_is_a_lost_session() {
    let roubles = json!({ "success": true, "currency": "RUB", "data": { DOPPLER: [entry(1, 1_000)] } });
    let failed = of_names(roubles.to_string().as_bytes()).unwrap_err().to_string();
    assert_eq!(failed, "refused: the account of the key has its prices in another currency than USD");
    for text in ["bad_key", "Bad KEY"] {
        let refusal = json!({ "success": false, "error": text }).to_string();
        assert_eq!(of_names(refusal.as_bytes()).unwrap_err(), ExternalError::AuthLost { effect: Effect::Nothing });
    }
    let other = json!({ "success": false, "error": "secret" }).to_string();
    let text = "refused: it answered an error in place of its list";
    assert_eq!(one(other.as_bytes(), &sought("7")).unwrap_err().to_string(), text);
}

#[test]
fn another_form_is_an_error_that_names_the_path_and_no_value() {
    let mut other = entry(1, 1_000);
    other["price"] = json!(["secret"]);
    let failed = of_names(&answer(&json!({ DOPPLER: [other] }))).unwrap_err().to_string();
    let text = "the outcome is unknown: SHAPE_DRIFT: $.data[].listings[].price is an array, and must be a number or a string or null";
    assert_eq!(failed, text);
    let without = json!({ "success": true, "data": [] }).to_string();
    let failed = of_names(without.as_bytes()).unwrap_err().to_string();
    assert_eq!(failed, "the outcome is unknown: SHAPE_DRIFT: $.currency is missing");
}
