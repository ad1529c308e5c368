//! Descriptions as Steam writes them, and what they say of an item.

use serde_json::{Value, json};

use super::*;
use crate::reading::tests::{NOW, at, swapped, unknown_text};

pub(crate) const REDLINE: &str = "AK-47 | Redline (Field-Tested)";

/// The description of the items of a class.
pub(crate) fn description(class: &str, name: &str) -> Value {
    json!({
        "appid": 730, "classid": class, "instanceid": "302028390", "market_hash_name": name, "tradable": 1, "marketable": 1,
        "commodity": 0, "tags": [{ "category": "Rarity", "internal_name": "Rarity_Common" }],
        "descriptions": [{ "type": "html", "name": "exterior_wear", "value": "Exterior: Field-Tested" }],
        "sealed": 0,
    })
}

/// An item of a class, in the ordinary context.
pub(crate) fn item(class: &str, asset: &str) -> Value {
    json!({
        "appid": 730, "contextid": "2", "assetid": asset, "classid": class, "instanceid": "302028390", "amount": "1",
    })
}

fn held(value: &str) -> Value {
    json!([{ "type": "html", "value": " " }, { "type": "html", "value": value }])
}

/// The item of a description, with other fields.
fn shown(changed: &[(&str, Value)], context: &str) -> Option<Asset> {
    let (mut description, mut item) = (description("7", REDLINE), item("7", "46153215277"));
    item["contextid"] = json!(context);
    for (name, value) in changed {
        description[*name] = value.clone();
    }
    let response = json!({ "descriptions": [description] });
    let descriptions = Descriptions::of(&Entry::of(&response)).unwrap();
    let asset = descriptions.asset(&Entry::of(&item), Traits::default()).unwrap();
    let (response, item) = (swapped(&response), swapped(&item));
    let same = Descriptions::of(&Entry::of(&response)).unwrap().asset(&Entry::of(&item), Traits::default());
    assert_eq!(same, Ok(asset.clone()), "the same in other types");
    asset
}

fn locked_until(changed: &[(&str, Value)], context: &str) -> Option<Timestamp> {
    shown(changed, context).unwrap().locked_until
}

#[test]
fn an_item_has_the_name_of_its_description() {
    let asset = shown(&[], "2").unwrap();
    assert_eq!((asset.market_hash_name.as_str(), asset.asset_id.as_str()), (REDLINE, "46153215277"));
    assert_eq!((asset.app_id.get(), asset.locked_until), (730, None));
}

#[test]
fn a_held_item_is_locked_until_the_latest_date_that_its_owner_sees() {
    let until = at(1_786_384_800);
    let one = held("This item is trade-protected and cannot be transferred until [date]1786384800[/date]");
    assert_eq!(locked_until(&[("owner_descriptions", one.clone()), ("tradable", json!(0))], "16"), Some(until));
    assert_eq!(locked_until(&[("owner_descriptions", one)], "2"), Some(until));
    let two = held("until [date]1786384800[/date], and not before [date] 1700000000 [/date]");
    assert_eq!(locked_until(&[("owner_descriptions", two)], "2"), Some(until));
}

#[test]
fn an_item_that_cannot_be_traded_and_shows_no_date_is_locked_without_an_end() {
    let unreadable = held("until 17 Jul @ 2:00pm, [date]soon[/date], [date]1786384800");
    for (changed, context) in [
        (vec![("tradable", json!(0))], "2"),
        (vec![("tradable", json!(false))], "2"),
        (vec![("tradable", json!(null))], "2"),
        (vec![("tradable", json!(0)), ("owner_descriptions", unreadable)], "2"),
        (vec![("tradable", json!(0)), ("owner_descriptions", json!(""))], "2"),
        (vec![], "16"),
    ] {
        assert_eq!(locked_until(&changed, context), Some(Timestamp::MAX), "{changed:?}");
    }
    assert_eq!(locked_until(&[("tradable", json!(true))], "2"), None);
}

#[test]
fn a_description_of_another_kind_or_without_a_name_describes_nothing() {
    for (name, value) in [
        ("appid", json!(440)),
        ("classid", json!("8")),
        ("instanceid", json!("0")),
        ("market_hash_name", json!("")),
        ("market_hash_name", json!(null)),
    ] {
        assert_eq!(shown(&[(name, value.clone())], "2"), None, "{name} {value}");
    }
}

#[test]
fn an_item_that_cannot_be_read_is_an_error_and_not_a_missing_one() {
    let response = json!({ "descriptions": [description("7", REDLINE)] });
    let descriptions = Descriptions::of(&Entry::of(&response)).unwrap();
    for name in ["assetid", "contextid", "classid", "appid"] {
        let mut item = item("7", &NOW.to_string());
        item[name] = json!("secret");
        let error = unknown_text(descriptions.asset(&Entry::of(&item), Traits::default()));
        assert_eq!(error, format!("SHAPE_DRIFT: $.{name} is missing or cannot be read"));
    }
}
