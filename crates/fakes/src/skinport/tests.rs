//! The facade against its cards and its limits.

use axum::http::{HeaderMap, HeaderValue, header};

use super::*;
use crate::facade::tests::hold_to_cards;

fn asked(game: &str, currency: &str, encodings: &'static str) -> Asked {
    let query = [("app_id", game), ("currency", currency)].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(encodings))]);
    Asked { route: ITEMS, query: query.into(), headers, ..Asked::default() }
}

#[test]
fn every_answer_of_the_facade_has_the_shape_of_a_card() {
    let fakes = Fakes::of_seed(1).unwrap();
    let mut replies = vec![
        answer(&fakes, &asked("730", "USD", "gzip, br")),
        // A card of errors is of one status.
        answer(&fakes, &asked("730", "XXX", "br")),
        answer(&fakes, &asked("440", "EUR", "br")),
    ];
    assert_eq!(answer(&fakes, &asked("730", "USD", "gzip")).status, 406);
    replies.extend((0..5).map(|_| answer(&fakes, &asked("730", "EUR", "br"))));
    let statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
    assert_eq!(statuses, [200, 400, 200, 200, 200, 200, 200, 429]);
    hold_to_cards(&FACADE, &fakes, replies);
}

#[test]
fn a_list_is_the_same_for_five_minutes_and_eight_calls_are_answered_in_them() {
    let fakes = Fakes::of_seed(1).unwrap();
    let ask = || answer(&fakes, &asked("730", "USD", "br"));
    let first = ask();
    fakes.advance(Duration::minutes(4));
    assert_eq!(ask().body, first.body);
    fakes.advance(Duration::minutes(1));
    assert_ne!(ask().body, first.body);
    let statuses: Vec<u16> = (0..8).map(|_| ask().status).collect();
    assert_eq!(statuses, [200, 200, 200, 200, 200, 200, 429, 429]);
}
