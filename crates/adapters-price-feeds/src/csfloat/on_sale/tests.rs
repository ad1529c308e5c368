//! Listings as the service writes them, and what of them is left out.

use std::collections::BTreeSet;

use serde_json::json;
use tradepost_domain::markets::listing::Sticker;

use super::*;

fn entry() -> Value {
    json!({
        "id": "324288155723370196", "created_at": "2021-06-13T20:45:21.311794Z", "type": "buy_now", "price": 260_000,
        "state": "listed",
        "seller": {
            "steam_id": "76561197960265729", "obfuscated_id": "1", "online": true,
            "statistics": {
                "median_trade_time": 236, "total_failed_trades": 1, "total_trades": 24, "total_verified_trades": 23,
            },
        },
        "item": {
            "asset_id": "22547095285", "def_index": 16, "paint_index": 449, "paint_seed": 700,
            "float_value": 0.027_965_776_622_295_38, "market_hash_name": "M4A4 | Poseidon (Factory New)", "rarity": 5,
            "quality": 4, "is_stattrak": false, "tradable": 0, "phase": "Ruby",
            "stickers": [{
                "stickerId": 1060, "slot": 3, "wear": 0.09, "name": "Sticker | Crown (Foil)", "reference": { "price": 736 },
            }],
        },
        "watchers": 0,
    })
}

fn read(answer: &Value) -> Found {
    newest(answer.to_string().as_bytes()).unwrap()
}

/// The listing with another value at a path such as `/item/rarity`.
fn changed(path: &str, value: Value) -> Option<MarketListing> {
    let mut entry = entry();
    *entry.pointer_mut(path).unwrap() = value;
    listing(&entry)
}

#[test]
fn a_listing_has_what_contracts_select_items_by() {
    let found = single(entry().to_string().as_bytes()).unwrap();
    let [MarketListing { id, asset_id, offered, status }] = found.listings.as_slice() else { panic!("{found:?}") };
    assert_eq!((id.as_str(), asset_id.as_str()), ("324288155723370196", "22547095285"));
    assert_eq!((*status, found.left_out), (ListingStatus::OnSale, 0));
    assert_eq!(offered.variant.to_string(), "730/M4A4 | Poseidon (Factory New)/Ruby");
    assert_eq!((offered.rarity, offered.price.get()), (Some(Rarity::Classified), 260_000));
    assert_eq!(offered.float_value, Some("0.02796577662229538".parse().unwrap()));
    assert_eq!((offered.paint_seed, offered.paint_index, offered.trade_lock_days), (Some(700), Some(449), 0));
    let [Sticker { name, wear }] = offered.stickers.as_slice() else { panic!("{offered:?}") };
    assert_eq!((name.as_str(), *wear), ("Sticker | Crown (Foil)", Some("0.09".parse().unwrap())));
    assert_eq!((offered.charms.len(), offered.seller_success.map(BasisPoints::get)), (0, Some(9_583)));
    assert_eq!(found.new_shapes, BTreeSet::new());
}

#[test]
fn bare_listings_and_those_in_an_object_are_the_same() {
    let bare = read(&json!([entry(), entry()]));
    let in_object = read(&json!({ "data": [entry(), entry()], "cursor": "x" }));
    assert_eq!((bare.listings.len(), &bare.listings), (2, &in_object.listings));
    assert_eq!((bare.new_shapes, in_object.new_shapes), (BTreeSet::new(), BTreeSet::new()));
    assert!(read(&json!([])).listings.is_empty());
    assert!(read(&json!({ "data": [] })).listings.is_empty());
}

#[test]
fn auctions_and_what_has_no_price_id_or_name_are_left_out_and_counted() {
    for (path, value) in [
        ("/type", json!("auction")),
        ("/price", json!(null)),
        ("/price", json!(0)),
        ("/price", json!(15.5)),
        ("/id", json!("")),
        ("/item/asset_id", json!("0")),
        ("/item/market_hash_name", json!(" ")),
        ("/item/stickers/0/name", json!("")),
    ] {
        assert_eq!(changed(path, value.clone()), None, "{path} {value}");
        let mut other = entry();
        *other.pointer_mut(path).unwrap() = value;
        let found = read(&json!([other, entry()]));
        assert_eq!((found.listings.len(), found.left_out), (1, 1), "{path}");
    }
}

#[test]
fn a_trait_that_is_not_understood_is_one_that_is_not_said() {
    for (path, value) in [
        ("/item/rarity", json!(0)),
        ("/item/rarity", json!(8)),
        ("/item/float_value", json!(1.5)),
        ("/item/float_value", json!(null)),
        ("/item/paint_seed", json!(-1)),
        ("/item/paint_index", json!(4_294_967_296_i64)),
        ("/item/phase", json!("")),
        ("/seller/statistics/total_trades", json!(0)),
        ("/seller/statistics/total_verified_trades", json!(25)),
        ("/seller", json!(null)),
        ("/item/stickers", json!(null)),
    ] {
        let whole = listing(&entry()).unwrap();
        let less = changed(path, value).unwrap();
        assert_ne!(less, whole, "{path}");
        assert_eq!((less.id, less.offered.price), (whole.id, whole.offered.price), "{path}");
    }
}

#[test]
fn a_state_that_is_not_known_proves_nothing() {
    for (state, expected) in [
        ("listed", ListingStatus::OnSale),
        ("sold", ListingStatus::Sold),
        ("delisted", ListingStatus::Withdrawn),
        ("refunded", ListingStatus::Other(0)),
        ("", ListingStatus::Other(0)),
    ] {
        assert_eq!(changed("/state", json!(state)).map(|listing| listing.status), Some(expected), "{state}");
    }
}

#[test]
fn an_error_and_another_form_name_the_path_and_no_value() {
    let failed = |answer: &Value| newest(answer.to_string().as_bytes()).unwrap_err().to_string();
    let error = json!({ "code": 4, "message": "secret" });
    assert_eq!(failed(&error), "the outcome is unknown: SHAPE_DRIFT: $.data is missing");
    let mut other = entry();
    other["price"] = json!(["secret"]);
    let text = "the outcome is unknown: SHAPE_DRIFT: $[].price is an array, and must be a number or a string or null";
    assert_eq!(failed(&json!([other])), text);
    let mut other = entry();
    other["item"] = json!({ "name": "secret" });
    let alone = single(other.to_string().as_bytes()).unwrap_err().to_string();
    assert_eq!(alone, "the outcome is unknown: SHAPE_DRIFT: $.item.asset_id is missing");
}
