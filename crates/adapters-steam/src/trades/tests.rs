//! Trades as Steam writes them: their items, and where a page leads.

use serde_json::{Value, json};

use super::*;
use crate::described::tests::{REDLINE, description};
use crate::reading::tests::{answer, answer_of, at, swapped, unknown_text};

const ID: &str = "798942565122442387";
const BEGUN: u64 = 1_752_644_003;
const COMPLETE: u32 = 3;
const ROLLED_BACK: u32 = 12;

fn moved() -> Value {
    json!({
        "appid": 730, "contextid": "2", "assetid": "45177073411", "amount": "1", "classid": "7", "instanceid": "302028390",
        "new_assetid": "45177506171", "new_contextid": "16",
    })
}

/// The item with another value in a field.
fn moved_with(name: &str, value: &Value) -> Value {
    let mut item = moved();
    item[name] = value.clone();
    item
}

/// A trade that received an item. Its escrow, which it did not have, is a text as Steam writes it.
fn entry(id: &str, begun: u64) -> Value {
    json!({
        "tradeid": id, "steamid_other": "76561198046968201", "time_init": begun, "status": COMPLETE,
        "time_settlement": 1_753_254_000, "time_escrow_end": "0", "assets_received": [moved()],
    })
}

/// The trade with another value in a field.
fn with(name: &str, value: &Value) -> Value {
    let mut entry = entry(ID, BEGUN);
    entry[name] = value.clone();
    entry
}

fn content(entries: &[Value]) -> Value {
    json!({ "trades": entries, "descriptions": [description("7", REDLINE)] })
}

/// The only trade of an answer.
fn one(entry: Value) -> PlatformResult<Trade> {
    single(&answer(&content(&[entry])))
}

/// The ids of a page, and the trade after which the next one begins.
fn read(content: &Value, since: u64) -> (Vec<String>, Option<After>) {
    let (trades, next) = page(&answer(content), at(since)).unwrap();
    (trades.into_iter().map(|trade| trade.id.to_string()).collect(), next)
}

#[test]
fn a_trade_maps_the_ids_of_its_items() {
    let trade = one(entry(ID, BEGUN)).unwrap();
    assert_eq!((trade.id.as_str(), trade.partner.number().get()), (ID, 76_561_198_046_968_201));
    assert_eq!((trade.status, trade.started_at), (TradeStatus::Complete, at(BEGUN)));
    assert_eq!((trade.held_until, trade.protected_until), (None, Some(at(1_753_254_000))));
    let [item] = trade.received.as_slice() else { panic!("{trade:?}") };
    assert_eq!((item.market_hash_name.as_str(), item.asset_id.as_str()), (REDLINE, "45177073411"));
    let moved_to = item.moved_to.as_ref().map(|(context, asset)| (context.get(), asset.as_str()));
    assert_eq!((moved_to, &item.returned_as, trade.given.len()), (Some((16, "45177506171")), &None, 0));
    assert_eq!(trade.rollback_of, None);
    assert_eq!(single(&answer(&swapped(&content(&[entry(ID, BEGUN)])))), Ok(trade));
}

#[test]
fn an_item_that_has_not_moved_has_no_new_id() {
    for (name, value) in [
        ("new_assetid", json!(null)),
        ("new_assetid", json!("0")),
        ("new_contextid", json!(null)),
        ("new_contextid", json!(0)),
    ] {
        let trade = one(with("assets_received", &json!([moved_with(name, &value)]))).unwrap();
        assert_eq!(trade.received[0].moved_to, None, "{name} {value}");
    }
    let returned = one(with("assets_given", &json!([moved_with("rollback_new_assetid", &json!("9"))]))).unwrap();
    assert_eq!(returned.given[0].returned_as.as_ref().map(AssetId::as_str), Some("9"));
}

#[test]
fn a_trade_is_held_until_the_end_of_its_escrow() {
    let held = one(with("time_escrow_end", &json!("1753254000"))).unwrap();
    assert_eq!(held.held_until, Some(at(1_753_254_000)));
    assert_eq!(one(with("time_settlement", &json!(0))).map(|trade| trade.protected_until), Ok(None));
}

#[test]
fn only_the_trade_that_brings_items_back_is_a_rollback() {
    let mut back = with("rollback_trade", &json!("815831063713552678"));
    let id = one(back.clone()).unwrap().rollback_of;
    assert_eq!(id.as_ref().map(ExternalId::as_str), Some("815831063713552678"));
    back["status"] = json!(ROLLED_BACK);
    let original = one(back).unwrap();
    assert_eq!((original.status, original.rollback_of), (TradeStatus::ProtectionRollback, None));
    assert_eq!(one(with("status", &json!(99))).map(|trade| trade.status), Ok(TradeStatus::Unknown(99)));
}

#[test]
fn a_page_leads_on_until_the_time_that_was_asked_for() {
    let mut newest_first = content(&[entry("3", 30), entry("2", 20), entry("1", 10)]);
    newest_first["more"] = json!(true);
    let next = After { time_init: 10, trade: 1 };
    assert_eq!(read(&newest_first, 10), (["3", "2", "1"].map(str::to_owned).to_vec(), Some(next)));
    assert_eq!(read(&newest_first, 15), (["3", "2"].map(str::to_owned).to_vec(), None));
    newest_first["more"] = json!(false);
    assert_eq!(read(&newest_first, 10).1, None);
}

#[test]
fn a_page_that_does_not_say_whether_more_follow_is_the_last_unless_it_is_full() {
    let entries = |count: usize| (1..=count).map(|id| entry(&id.to_string(), BEGUN)).collect::<Vec<_>>();
    assert_eq!(read(&content(&entries(ON_A_PAGE - 1)), 0).1, None);
    let full = content(&entries(ON_A_PAGE));
    assert_eq!(read(&full, 0).1, Some(After { time_init: BEGUN, trade: 100 }));
    // Some answers have it outside of the content.
    let outside = json!({ "response": full, "more": false }).to_string();
    assert_eq!(page(&answer_of(Some("1"), &outside), at(0)).map(|(_, next)| next), Ok(None));
}

#[test]
fn trades_that_are_no_longer_asked_for_need_no_description() {
    let old = with("assets_received", &json!([moved_with("classid", &json!("8"))]));
    let page = content(&[entry("9", BEGUN + 1), old.clone()]);
    assert_eq!(read(&page, BEGUN + 1).0, ["9"]);
    let expected = "its data are unavailable for now: it showed a trade without the descriptions of its items";
    assert_eq!(unknown_text(one(old)), expected);
}

#[test]
fn an_answer_without_trades_is_a_last_page_only_if_steam_says_so() {
    assert_eq!(read(&json!({}), 0), (Vec::new(), None));
    assert_eq!(read(&json!({ "more": false }), 0), (Vec::new(), None));
    unknown_text(page(&answer(&json!({ "more": true })), at(0)));
    unknown_text(page(&answer_of(None, r#"{"response":{}}"#), at(0)));
}

#[test]
fn trades_of_all_pages_are_in_the_order_of_their_beginnings() {
    let newest_first = content(&[entry("4", 30), entry("3", 20), entry("2", 20), entry("1", 10)]);
    let (trades, _) = page(&answer(&newest_first), at(1)).unwrap();
    let ids: Vec<_> = oldest_first(trades).into_iter().map(|trade| trade.id.to_string()).collect();
    assert_eq!(ids, ["1", "2", "3", "4"]);
}

#[test]
fn a_trade_that_is_unknown_is_not_found_and_one_that_is_not_shown_proves_nothing() {
    assert_eq!(single(&answer(&json!({}))), Err(ExternalError::Rejected(PlatformRefusal::NotFound)));
    unknown_text(single(&answer_of(Some("2"), r#"{"response":{}}"#)));
    unknown_text(single(&answer(&content(&[]))));
    for name in ["tradeid", "steamid_other", "time_init", "status"] {
        let error = unknown_text(one(with(name, &json!("secret"))));
        assert_eq!(error, format!("SHAPE_DRIFT: $.response.trades[].{name} is missing or cannot be read"));
    }
}
