//! Offers as the service writes them, and what of them is left out.

use serde_json::json;

use super::*;

/// 2026-01-01T00:00:00Z.
const NOW: i64 = 1_767_225_600_000_000;

fn entry() -> Value {
    json!({
        "offerId": "7c5f0b1e-2f0b-4d0e-9a0a-3f1f0d6b7a10", "priceCents": "1599", "locked": false,
        "createdAt": "2025-12-31T23:59:30Z", "offerType": "dmarket", "discountPercent": 12.5,
        "attributes": {
            "id": "0f3c", "steamAssetId": "22547095285", "title": "★ Karambit | Doppler (Factory New)", "botId": "76561197960265729",
            "tradable": true, "unlockDate": null, "withdrawable": true,
            "cs2": {
                "float": "0.02796577662229538", "paintSeed": 700, "paintIndex": 449, "phase": "phase-2",
                "phaseTitle": "PHASE_TITLE_PHASE_2", "quality": "QUALITY_COVERT",
                "stickers": [{ "name": "Crown (Foil)", "slot": 3, "wear": "0.09" }, { "name": "Patch | Crown", "wear": "" }],
                "charms": [{ "name": "Charm | Lil' Zen", "pattern": 7 }],
            },
        },
    })
}

fn read(items: &Value) -> OfferPage {
    OfferPage::read(json!({ "items": items, "total": "1", "cursor": "" }).to_string().as_bytes()).unwrap()
}

fn at_the_time(entry: &Value) -> Option<MarketListing> {
    offer(entry, Timestamp::from_micros(NOW).unwrap())
}

/// The offer with another value at a path such as `/attributes/title`.
fn changed(path: &str, value: Value) -> Option<MarketListing> {
    let mut entry = entry();
    *entry.pointer_mut(path).unwrap() = value;
    at_the_time(&entry)
}

#[test]
fn an_offer_has_what_contracts_select_items_by() {
    let page = read(&json!([entry()]));
    let MarketListing { id, asset_id, offered, status } = at_the_time(&page.items[0]).unwrap();
    assert_eq!((id.as_str(), asset_id.as_str()), ("7c5f0b1e-2f0b-4d0e-9a0a-3f1f0d6b7a10", "22547095285"));
    assert_eq!((status, page.next, page.new_shapes), (ListingStatus::OnSale, None, BTreeSet::new()));
    assert_eq!(offered.variant.to_string(), "730/★ Karambit | Doppler (Factory New)/Phase 2");
    assert_eq!((offered.rarity, offered.price.get()), (Some(Rarity::Covert), 1_599));
    assert_eq!(offered.float_value, Some("0.02796577662229538".parse().unwrap()));
    assert_eq!((offered.paint_seed, offered.paint_index, offered.trade_lock_days), (Some(700), Some(449), 0));
    let stuck: Vec<_> = offered.stickers.iter().map(|sticker| (sticker.name.as_str(), sticker.wear)).collect();
    let scraped = "0.09".parse().unwrap();
    let expected = [("Sticker | Crown (Foil)", Some(scraped)), ("Patch | Crown", Some(FloatValue::MIN))];
    assert_eq!(stuck, expected, "an empty wear is that of a sticker that was never scraped");
    assert_eq!(offered.charms.iter().map(MarketHashName::as_str).collect::<Vec<_>>(), ["Charm | Lil' Zen"]);
    assert_eq!(offered.seller_success, None);
}

#[test]
fn what_is_bought_elsewhere_or_has_no_price_id_name_or_known_lock_is_left_out() {
    for (path, value) in [
        ("/offerType", json!("p2p")),
        ("/priceCents", json!("0")),
        ("/priceCents", json!("15.99")),
        ("/offerId", json!("")),
        ("/attributes/steamAssetId", json!("")),
        ("/attributes/title", json!(" ")),
        ("/attributes/tradable", json!(false)),
        ("/attributes/cs2/stickers/0/name", json!("")),
    ] {
        assert_eq!(changed(path, value.clone()), None, "{path} {value}");
    }
}

#[test]
fn a_lock_is_counted_in_begun_days_until_its_end() {
    for (unlocks, days) in [
        ("2026-01-01T00:00:01Z", 1),
        ("2026-01-02T00:00:00Z", 1),
        ("2026-01-07T18:30:00.25Z", 7),
        ("2025-12-31T00:00:00Z", 0),
    ] {
        let mut locked = entry();
        locked["attributes"]["tradable"] = json!(false);
        locked["attributes"]["unlockDate"] = json!(unlocks);
        assert_eq!(at_the_time(&locked).map(|offer| offer.offered.trade_lock_days), Some(days), "{unlocks}");
    }
}

#[test]
fn an_offer_that_is_reserved_proves_nothing() {
    assert_eq!(changed("/locked", json!(true)).map(|offer| offer.status), Some(ListingStatus::Other(0)));
}

#[test]
fn a_trait_that_is_not_understood_is_one_that_is_not_said() {
    for (path, value) in [
        ("/attributes/cs2/quality", json!("QUALITY_STOCK")),
        ("/attributes/cs2/phase", json!("")),
        ("/attributes/cs2/paintSeed", json!(-1)),
        ("/attributes/cs2/charms", json!(null)),
        ("/attributes/cs2/charms/0/name", json!("")),
    ] {
        let (whole, less) = (at_the_time(&entry()).unwrap(), changed(path, value).unwrap());
        assert_ne!(less, whole, "{path}");
        assert_eq!((less.id, less.offered.price), (whole.id, whole.offered.price), "{path}");
    }
    let plain = changed("/attributes/cs2/float", json!("")).unwrap().offered;
    assert_eq!((plain.float_value, plain.paint_seed, plain.paint_index), (None, None, None));
    assert!(changed("/attributes/cs2", json!(null)).unwrap().offered.stickers.is_empty());
}

#[test]
fn a_page_names_the_next_and_another_form_is_an_error_without_a_value() {
    let page = |answer: &Value| OfferPage::read(answer.to_string().as_bytes());
    assert_eq!(page(&json!({ "items": [], "cursor": "after-100" })).unwrap().next.as_deref(), Some("after-100"));
    for last in [json!({ "items": [] }), json!({ "items": [], "cursor": null })] {
        assert_eq!(page(&last).unwrap().next, None);
    }
    let mut other = entry();
    other["priceCents"] = json!(["secret"]);
    let text =
        "the outcome is unknown: SHAPE_DRIFT: $.items[].priceCents is an array, and must be a number or a string";
    assert_eq!(page(&json!({ "items": [other] })).unwrap_err().to_string(), text);
    let error = json!({ "code": "BadRequest", "message": "secret" });
    assert_eq!(page(&error).unwrap_err().to_string(), "the outcome is unknown: SHAPE_DRIFT: $.items is missing");
}
