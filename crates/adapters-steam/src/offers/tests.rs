//! Trade offers as Steam writes them, and those of which it shows a part.

use serde_json::{Value, json};

use super::*;
use crate::described::tests::{REDLINE, description, item};
use crate::reading::tests::{answer, answer_of, at, swapped, unknown_text};

const ID: &str = "4990667216";
const UPDATED: u64 = 1_641_951_438;
const ACTIVE: u32 = 2;
const DECLINED: u32 = 7;

/// An offer of a partner who gives one item.
fn entry(id: &str, status: u32) -> Value {
    json!({
        "tradeofferid": id, "accountid_other": 119_913_840, "message": "", "expiration_time": 1_643_161_029,
        "trade_offer_state": status, "items_to_receive": [item("7", "11145843479")], "is_our_offer": false,
        "time_created": 1_641_951_429, "time_updated": UPDATED, "from_real_time_trade": false, "escrow_end_date": 0,
        "confirmation_method": 0,
    })
}

/// The same with other fields.
fn changed(status: u32, fields: &[(&str, Value)]) -> Value {
    let mut entry = entry(ID, status);
    for (name, value) in fields {
        entry[*name] = value.clone();
    }
    entry
}

fn received(entries: &[Value]) -> Value {
    json!({ "trade_offers_received": entries, "descriptions": [description("7", REDLINE)], "next_cursor": 0 })
}

fn read(content: &Value) -> PlatformResult<Vec<Offer>> {
    page(&answer(content)).map(|page| page.items)
}

/// The only offer of a page.
fn one(entry: Value) -> PlatformResult<Offer> {
    read(&received(&[entry])).map(|mut offers| offers.remove(0))
}

#[test]
fn an_offer_is_read_with_its_items_and_its_times() {
    let fields = [("tradeid", json!("798942565122442387")), ("items_to_give", json!([item("7", "22")]))];
    let offer = one(changed(ACTIVE, &fields)).unwrap();
    assert_eq!((offer.id.as_str(), offer.partner.number().get()), (ID, 76_561_198_080_179_568));
    assert_eq!((offer.is_ours, offer.status), (false, OfferStatus::Active));
    let ids = |assets: &[Asset]| assets.iter().map(|asset| asset.asset_id.to_string()).collect::<Vec<_>>();
    assert_eq!((ids(&offer.give), ids(&offer.receive)), (vec!["22".to_owned()], vec!["11145843479".to_owned()]));
    assert_eq!(offer.receive[0].market_hash_name.as_str(), REDLINE);
    assert_eq!(offer.trade_id.as_ref().map(ExternalId::as_str), Some("798942565122442387"));
    let times = [offer.created_at, offer.updated_at, offer.expires_at];
    assert_eq!(times, [1_641_951_429, UPDATED, 1_643_161_029].map(at));
    assert_eq!(read(&swapped(&received(&[changed(ACTIVE, &fields)]))), Ok(vec![offer]));
}

#[test]
fn offers_of_both_sides_are_on_one_page_that_names_the_next() {
    let content = json!({
        "trade_offers_sent": [changed(ACTIVE, &[("is_our_offer", json!(true))])],
        "trade_offers_received": [entry("5", DECLINED)], "descriptions": [description("7", REDLINE)], "next_cursor": 40,
    });
    let page = page(&answer(&content)).unwrap();
    let shown: Vec<_> = page.items.iter().map(|offer| (offer.id.as_str(), offer.is_ours)).collect();
    assert_eq!(shown, [(ID, true), ("5", false)]);
    assert_eq!(page.next.as_ref().map(ExternalId::as_str), Some("40"));
}

#[test]
fn an_answer_without_offers_is_a_last_page_only_if_steam_says_so() {
    for answer in [answer(&json!({})), answer(&json!({ "next_cursor": 0 }))] {
        assert_eq!(page(&answer), Ok(Page { items: Vec::new(), next: None }));
    }
    unknown_text(page(&answer_of(Some("2"), r#"{"response":{}}"#)));
}

#[test]
fn offers_are_those_that_changed_since_in_the_order_of_their_changes() {
    let updated = |id: &str, at: u64| {
        let mut entry = entry(id, ACTIVE);
        entry["time_updated"] = json!(at);
        entry
    };
    let offers = read(&received(&[updated("1", 30), updated("2", 10), updated("3", 20)])).unwrap();
    let ids = |since| {
        let kept = oldest_change_first(offers.clone(), since);
        kept.into_iter().map(|offer| offer.id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(
        (ids(Timestamp::MIN), ids(at(20))),
        (vec!["2".to_owned(), "3".to_owned(), "1".to_owned()], vec!["3".to_owned(), "1".to_owned()])
    );
    assert!(ids(Timestamp::from_micros(30_000_001).unwrap()).is_empty());
}

#[test]
fn a_live_offer_of_which_a_part_is_missing_makes_the_whole_unknown() {
    let whole = entry("5", ACTIVE);
    let unavailable = "its data are unavailable for now";
    for status in [ACTIVE, 9] {
        for fields in [
            [("items_to_receive", json!(null))],
            [("items_to_receive", json!([]))],
            [("items_to_give", json!([item("8", "22")]))],
            [("accountid_other", json!(null))],
            [("accountid_other", json!(0))],
        ] {
            let glitched = received(&[whole.clone(), changed(status, &fields)]);
            let error = unknown_text(read(&glitched));
            assert!(error.starts_with(unavailable), "{fields:?}: {error}");
        }
    }
    let without_partner = changed(DECLINED, &[("accountid_other", json!(null))]);
    assert!(unknown_text(one(without_partner)).starts_with(unavailable));
}

#[test]
fn an_offer_that_has_ended_is_shown_without_items_that_are_not_described() {
    for (status, items, count) in [
        (DECLINED, json!([item("7", "1"), item("8", "2")]), 0),
        (DECLINED, json!(null), 0),
        (DECLINED, json!([item("7", "1")]), 1),
        (99, json!([item("8", "2")]), 0),
    ] {
        let offer = one(changed(status, &[("items_to_receive", items)])).unwrap();
        assert_eq!((offer.status.number(), offer.give.len(), offer.receive.len()), (status, 0, count));
    }
}

#[test]
fn an_offer_without_a_value_that_is_needed_names_its_path() {
    for name in ["tradeofferid", "trade_offer_state", "is_our_offer", "time_created", "time_updated", "expiration_time"]
    {
        let error = unknown_text(one(changed(ACTIVE, &[(name, json!("secret"))])));
        let expected = format!("SHAPE_DRIFT: $.response.trade_offers_received[].{name} is missing or cannot be read");
        assert_eq!(error, expected);
    }
    let item = json!([{ "appid": 730, "contextid": "2", "classid": "7", "instanceid": "302028390" }]);
    let error = unknown_text(one(changed(ACTIVE, &[("items_to_receive", item)])));
    assert_eq!(error, "SHAPE_DRIFT: $.response.trade_offers_received[].items_to_receive[].assetid is missing");
}

#[test]
fn a_single_offer_is_the_same_offer() {
    let content = json!({ "offer": entry(ID, ACTIVE), "descriptions": [description("7", REDLINE)] });
    assert_eq!(single(&answer(&content)), one(entry(ID, ACTIVE)));
    let nothing = Err(ExternalError::Rejected(PlatformRefusal::NotFound));
    assert_eq!(single(&answer(&json!({}))), nothing);
    unknown_text(single(&answer_of(None, r#"{"response":{}}"#)));
    let error = unknown_text(single(&answer(&json!({ "descriptions": [] }))));
    assert_eq!(error, "SHAPE_DRIFT: $.response.offer is missing");
}
