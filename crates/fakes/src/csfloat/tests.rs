//! The facade against its cards and its limits.

use axum::http::{HeaderMap, HeaderValue, header};

use super::*;
use crate::facade::tests::hold_to_cards;
use crate::own_account;

const KEY: &str = "a-key";

fn asked(route: &'static str, limit: Option<&str>) -> Asked {
    let limit = limit.map(|limit| ("limit".to_owned(), limit.to_owned()));
    let order = ("sort_by".to_owned(), "most_recent".to_owned());
    let query = limit.into_iter().chain((route == LISTINGS).then_some(order)).collect();
    let headers = HeaderMap::from_iter([(header::AUTHORIZATION, HeaderValue::from_static(KEY))]);
    Asked { route, query, headers, ..Asked::default() }
}

fn of_id(id: &str) -> Asked {
    Asked { segment: id.to_owned(), ..asked(SINGLE, None) }
}

fn of_account(route: &'static str, cursor: Option<&str>) -> Asked {
    let query = cursor.map(|cursor| ("cursor".to_owned(), cursor.to_owned())).into_iter().collect();
    Asked { segment: "76561197960265729".to_owned(), query, ..asked(route, None) }
}

fn of_name(name: &str) -> Asked {
    let body = json!({ "market_hash_name": name }).to_string();
    Asked { body: body.into(), ..asked(ORDERS_OF_NAME, Some("10")) }
}

fn left(reply: &Reply) -> &str {
    reply.headers.iter().find(|(name, _)| name.ends_with("remaining")).map(|(_, left)| left.as_str()).unwrap()
}

/// The entries of a list in either form.
fn entries(reply: &Reply) -> Vec<Value> {
    reply.body.as_array().or_else(|| reply.body["data"].as_array()).cloned().unwrap()
}

fn id(entry: &Value) -> u64 {
    entry["id"].as_str().and_then(|id| id.parse().ok()).unwrap()
}

/// The price list in both forms, with an error, until its limit.
fn price_lists() -> (Fakes, Vec<Reply>) {
    let fakes = Fakes::of_seed(1).unwrap();
    let mut replies = vec![answer(&fakes, &asked(PRICE_LIST, None))];
    fakes.advance(Duration::hours(1));
    replies.push(answer(&fakes, &asked(PRICE_LIST, None)));
    replies.push(answer(&fakes, &asked(PRICE_LIST, Some("51"))));
    replies.extend((0..9).map(|_| answer(&fakes, &asked(PRICE_LIST, None))));
    (fakes, replies)
}

#[test]
fn every_answer_has_the_shape_of_a_card_and_headers_show_what_is_left() {
    let (fakes, mut replies) = price_lists();
    let shown: Vec<&str> = replies.iter().map(left).collect();
    assert_eq!(shown, ["9", "9", "8", "7", "6", "5", "4", "3", "2", "1", "0", "0"]);
    assert_eq!(replies.last().map(|reply| reply.status), Some(429));
    let listings = answer(&fakes, &asked(LISTINGS, Some("50")));
    let first = entries(&listings).first().map(|entry| id(entry).to_string()).unwrap();
    replies.extend([listings, answer(&fakes, &of_id(&first)), answer(&fakes, &of_id("7"))]);
    replies.push(answer(&fakes, &Asked { headers: HeaderMap::new(), ..of_id(&first) }));
    replies.push(answer(&fakes, &asked(LISTINGS, Some("51"))));
    fakes.advance(Duration::hours(1));
    replies.push(answer(&fakes, &asked(LISTINGS, None)));
    let statuses: Vec<u16> = replies.iter().skip(12).map(|reply| reply.status).collect();
    assert_eq!(statuses, [200, 200, 500, 403, 400, 200]);
    replies.extend([ME, STALL, ORDERS].map(|route| answer(&fakes, &of_account(route, None))));
    replies.extend(["AK-47 | Redline (Field-Tested)", "Sticker | Sold Out"].map(|name| answer(&fakes, &of_name(name))));
    hold_to_cards(&FACADE, &fakes, replies);
}

#[test]
fn listings_are_counted_separately_from_price_lists_and_have_fewer_calls() {
    let fakes = Fakes::of_seed(1).unwrap();
    let statuses: Vec<u16> = (0..9).map(|_| answer(&fakes, &asked(LISTINGS, None)).status).collect();
    assert_eq!(statuses, [200, 200, 200, 200, 200, 200, 200, 200, 429]);
    assert_eq!(answer(&fakes, &of_id("7")).status, 429);
    assert_eq!(answer(&fakes, &asked(PRICE_LIST, None)).status, 200);
}

#[test]
fn the_newest_listing_is_the_first_and_one_that_is_sold_can_still_be_read() {
    let fakes = Fakes::of_seed(1).unwrap();
    let ids: Vec<u64> = entries(&answer(&fakes, &asked(LISTINGS, Some("5")))).iter().map(id).collect();
    assert_eq!(ids.len(), 5);
    assert!(ids.is_sorted_by(|one, next| one > next), "{ids:?}");
    fakes.advance(Duration::hours(14));
    let after: Vec<u64> = entries(&answer(&fakes, &asked(LISTINGS, None))).iter().map(id).collect();
    assert!(after.iter().all(|after| ids.iter().all(|before| after > before)), "all of the first are sold by now");
    let sold = answer(&fakes, &of_id(&ids[0].to_string()));
    assert_eq!((sold.status, sold.body["state"].as_str()), (200, Some("sold")));
}

#[test]
fn keys_are_counted_and_none_of_them_is_kept() {
    let fakes = Fakes::of_seed(1).unwrap();
    answer(&fakes, &asked(LISTINGS, None));
    answer(&fakes, &of_id("7"));
    answer(&fakes, &Asked { headers: HeaderMap::new(), ..asked(LISTINGS, None) });
    assert_eq!(fakes.shown_keys(), 1);
    assert!(!format!("{fakes:?}").contains(KEY));
}

#[test]
fn the_pages_of_a_stall_have_every_listing_of_the_account_once_and_no_other() {
    let fakes = Fakes::of_seed(1).unwrap();
    let (mut ids, mut cursor): (Vec<u64>, Option<String>) = (Vec::new(), None);
    loop {
        let page = answer(&fakes, &of_account(STALL, cursor.as_deref()));
        ids.extend(entries(&page).iter().map(id));
        cursor = page.body["cursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            break;
        }
    }
    let own: Vec<u64> =
        own_account::listings(&fakes).iter().filter_map(|listing| listing.id.as_str().parse().ok()).collect();
    assert_eq!(ids, own);
    assert!(own.len() > 5, "it has more than a page");
    let of_another = Asked { segment: "7".to_owned(), ..of_account(STALL, None) };
    assert_eq!(entries(&answer(&fakes, &of_another)), Vec::<Value>::new());
}
