//! The facade against its cards and its limits.

use axum::http::HeaderValue;

use super::*;

fn asked(currency: &str) -> Asked {
    Asked { app_id: Some("730".to_owned()), currency: Some(currency.to_owned()) }
}

fn accepting(encodings: &'static str) -> HeaderMap {
    HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(encodings))])
}

#[test]
fn every_answer_of_the_facade_has_the_shape_of_a_card() {
    let fakes = Fakes::of_seed(1).unwrap();
    let mut answers = vec![
        answer(&fakes, &asked("USD"), &accepting("gzip, br"), None),
        answer(&fakes, &asked("USD"), &accepting("gzip"), None),
        answer(&fakes, &asked("XXX"), &accepting("br"), None),
        answer(&fakes, &Asked { app_id: Some("440".to_owned()), currency: None }, &accepting("br"), None),
    ];
    answers.extend((0..5).map(|_| answer(&fakes, &asked("EUR"), &accepting("br"), None)));
    let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [200, 406, 400, 200, 200, 200, 200, 200, 429]);
    let mut used = std::collections::BTreeSet::new();
    for answer in answers {
        let card = fakes.facts().card(answer.card.unwrap()).unwrap();
        assert_eq!(card.check(answer.body()), Ok(()), "{}", card.id);
        assert_eq!(card.route, ITEMS);
        used.insert(card.id.clone());
    }
    let all: std::collections::BTreeSet<String> = fakes.facts().cards().map(|card| card.id.clone()).collect();
    assert_eq!(used, all, "a card that no route uses");
}

#[test]
fn a_list_is_the_same_for_five_minutes_and_eight_calls_are_answered_in_them() {
    let fakes = Fakes::of_seed(1).unwrap();
    let ask = || answer(&fakes, &asked("USD"), &accepting("br"), None);
    let first = ask();
    fakes.advance(Duration::minutes(4));
    assert_eq!(ask().body(), first.body());
    fakes.advance(Duration::minutes(1));
    assert_ne!(ask().body(), first.body());
    let statuses: Vec<u16> = (0..8).map(|_| ask().status).collect();
    assert_eq!(statuses, [200, 200, 200, 200, 200, 200, 429, 429]);
}
