//! Inventories as Steam writes them, whole and in parts.

use serde_json::json;

use super::*;
use crate::described::tests::{REDLINE, description, item};
use crate::reading::tests::{NOW, answer, answer_of, at, swapped, unknown_text};

const ONE: &str = "46153215277";
const TWO: &str = "46153215276";

/// A page with both items.
fn page() -> Value {
    json!({
        "assets": [item("7", ONE), item("7", TWO)], "descriptions": [description("7", REDLINE)],
        "asset_properties": [{
            "appid": 730, "contextid": "2", "assetid": ONE, "asset_properties": [
                { "propertyid": 2, "float_value": "0.111641205847263336", "name": "Wear Rating" },
                { "propertyid": 1, "int_value": "116", "name": "Pattern Template" },
                { "propertyid": 6, "string_value": "00183C", "name": "Item Certificate" },
            ],
        }],
        "total_inventory_count": 2,
    })
}

/// The page with another value in a field; without the field for `null`.
fn with(name: &str, value: &Value) -> Value {
    let mut page = page();
    page[name] = value.clone();
    if let (true, Some(fields)) = (value.is_null(), page.as_object_mut()) {
        fields.remove(name);
    }
    page
}

fn taken(pages: &[Value]) -> PlatformResult<InventoryPages> {
    let mut read = InventoryPages::default();
    for page in pages {
        read.take(&answer(page))?;
    }
    Ok(read)
}

fn read(pages: &[Value]) -> PlatformResult<Inventory> {
    taken(pages)?.inventory()
}

/// How many items were shown, and whether these are all.
fn extent(pages: &[Value]) -> (usize, bool) {
    let Inventory { assets, is_complete, .. } = read(pages).unwrap();
    (assets.len(), is_complete)
}

#[test]
fn an_inventory_has_its_items_with_wear_and_pattern_to_the_last_digit() {
    let inventory = read(&[page()]).unwrap();
    assert_eq!((inventory.is_complete, inventory.seen_at), (true, at(NOW)));
    let [one, two] = inventory.assets.as_slice() else { panic!("{inventory:?}") };
    assert_eq!((one.asset_id.as_str(), one.market_hash_name.as_str(), one.locked_until), (ONE, REDLINE, None));
    assert_eq!(one.traits.wear.as_ref().map(Wear::as_str), Some("0.111641205847263336"));
    let seed_alone = Traits { wear: one.traits.wear.clone(), paint_seed: Some(116), ..Traits::default() };
    assert_eq!((&one.traits, &two.traits), (&seed_alone, &Traits::default()));
    assert_eq!(read(&[swapped(&page())]), Ok(inventory));
}

#[test]
fn a_trait_that_is_not_understood_is_one_that_is_not_shown() {
    for (name, value, is_shown) in [
        ("float_value", json!(0.25), true),
        ("float_value", json!(1.25e-6), true),
        ("float_value", json!("1.25e-6"), false),
        ("float_value", json!("1.5"), false),
        ("int_value", json!(-1), false),
        ("int_value", json!("4294967296"), false),
    ] {
        let mut page = page();
        let property = usize::from(name == "int_value");
        page["asset_properties"][0]["asset_properties"][property][name] = value.clone();
        let inventory = read(&[page]).unwrap();
        let Traits { wear, paint_seed, .. } = &inventory.assets[0].traits;
        let shown = if property == 0 { wear.is_some() } else { paint_seed.is_some() };
        assert_eq!((shown, inventory.is_complete), (is_shown, true), "{value}");
    }
    assert_eq!(wear(&json!(1.25e-6)), Some(Wear::new("0.00000125").unwrap()));
}

#[test]
fn pages_are_read_until_none_follows() {
    let mut first = with("assets", &json!([item("7", ONE)]));
    first["more_items"] = json!(1);
    first["last_assetid"] = json!(ONE);
    let second = with("assets", &json!([item("7", TWO)]));
    let begun = taken(std::slice::from_ref(&first)).unwrap();
    assert_eq!(begun.next_page().and_then(Begin::after).as_deref(), Some(ONE));
    assert_eq!(begun.inventory().map(|inventory| inventory.is_complete), Ok(false));
    let both = taken(&[first.clone(), second.clone()]).unwrap();
    assert_eq!((both.next_page(), InventoryPages::default().next_page()), (None, Some(Begin::First)));
    assert_eq!(extent(&[first.clone(), second]), (2, true));
    // A page that leads to itself ends the reading, but not the inventory.
    let circle = taken(&[first.clone(), first.clone()]).unwrap();
    assert_eq!(circle.next_page(), None);
    assert_eq!(extent(&[first.clone(), first]), (1, false));
}

#[test]
fn pages_without_end_are_read_in_part() {
    let mut pages = InventoryPages::default();
    for number in 1..=MOST_PAGES {
        assert!(pages.next_page().is_some());
        let mut page = with("more_items", &json!(true));
        page["last_assetid"] = json!(number);
        pages.take(&answer(&page)).unwrap();
    }
    assert_eq!(pages.next_page(), None);
    assert_eq!(pages.inventory().map(|inventory| inventory.is_complete), Ok(false));
}

#[test]
fn an_inventory_is_complete_only_if_each_page_names_the_number_of_items_shown() {
    let empty = json!({ "total_inventory_count": 0 });
    assert_eq!(extent(std::slice::from_ref(&empty)), (0, true));
    for (name, value, expected) in [
        ("total_inventory_count", json!(3), (2, false)),
        ("total_inventory_count", json!(1), (2, false)),
        ("assets", json!(null), (0, false)),
        ("assets", json!([item("7", ONE)]), (1, false)),
        ("assets", json!([item("7", ONE), item("7", ONE)]), (1, false)),
        ("assets", json!([item("7", ONE), item("8", TWO)]), (1, false)),
        ("descriptions", json!(null), (0, false)),
        ("more_items", json!(1), (2, false)),
    ] {
        assert_eq!(extent(&[with(name, &value)]), expected, "{name} {value}");
    }
    let other_total = with("total_inventory_count", &json!(3));
    assert_eq!(extent(&[with("more_items", &json!(1)), other_total]), (2, false));
}

#[test]
fn an_answer_without_the_number_of_items_or_without_a_time_proves_nothing() {
    let missing = unknown_text(read(&[with("total_inventory_count", &json!(null))]));
    assert_eq!(missing, "SHAPE_DRIFT: $.response.total_inventory_count is missing");
    let empty = unknown_text(read(&[json!({})]));
    assert_eq!(empty, "its answer has no number of items, and proves nothing");
    let timeless = ServiceAnswer { date: None, ..answer(&page()) };
    assert_eq!(unknown_text(InventoryPages::default().take(&timeless)), "its answer names no time");
    assert_eq!(
        unknown_text(InventoryPages::default().take(&answer_of(None, "null"))),
        "SHAPE_DRIFT: $ is null, and must be an object"
    );
}

#[test]
fn an_item_without_a_readable_id_makes_the_whole_unknown() {
    let error = unknown_text(read(&[with("assets", &json!([item("7", ONE), item("7", "secret")]))]));
    assert_eq!(error, "SHAPE_DRIFT: $.response.assets[].assetid is missing or cannot be read");
}
