//! What an item that is ours is valued at.

use proptest::prelude::*;

use tradepost_domain::contracts::contract::{PriceReference, PriceStatistic};
use tradepost_domain::markets::pricing::{Mark, PriceOverride, Quote, Quotes};

use crate::given::{at, cents, text};

/// When the mark is asked for.
const NOW: i64 = 100_000;

fn reference() -> PriceReference {
    PriceReference { statistic: PriceStatistic::LowestAsk, max_age_seconds: 900, ..PriceReference::default() }
}

/// What a source asked so many seconds ago.
fn ask(source: &str, price: i64, age: i64) -> Quote {
    Quote::of_ask(text(source), cents(price), at(NOW - age))
}

fn mark(quotes: impl IntoIterator<Item = Quote>) -> Option<Mark> {
    Mark::of(&quotes.into_iter().collect::<Quotes>(), None, &reference(), at(NOW))
}

fn valued(price: i64, age: i64, is_fresh: bool) -> Mark {
    Mark { value: cents(price), as_of: at(NOW - age), is_fresh }
}

#[test]
fn one_source_is_enough_and_none_is_no_value() {
    assert_eq!(mark([]), None);
    assert_eq!(mark([ask("a", 700, 900)]), Some(valued(700, 900, true)));
    assert_eq!(mark([ask("a", 700, 901)]), Some(valued(700, 901, false)));
}

#[test]
fn fresh_sources_count_by_the_lower_one_in_the_middle_and_else_the_latest() {
    assert_eq!(mark([ask("a", 900, 10), ask("b", 700, 20)]), Some(valued(700, 10, true)));
    assert_eq!(mark([ask("a", 900, 10), ask("b", 700, 20), ask("c", 9_000, 30)]), Some(valued(900, 10, true)));
    assert_eq!(
        mark([ask("a", 900, 10), ask("b", 100, 5_000)]),
        Some(valued(900, 10, true)),
        "what is old does not count"
    );
    assert_eq!(mark([ask("a", 900, 6_000), ask("b", 100, 5_000)]), Some(valued(100, 5_000, false)));
}

#[test]
fn what_a_person_gave_counts_until_it_expires_and_a_statistic_that_nobody_tells_is_made_up_by_asks() {
    let given = PriceOverride { price: cents(50), expires_at: at(NOW + 1) };
    let quotes: Quotes = [ask("a", 700, 10)].into_iter().collect();
    let by = |statistic, now| {
        let reference = PriceReference { statistic, ..reference() };
        Mark::of(&quotes, Some(&given), &reference, at(now)).unwrap().value
    };
    assert_eq!(by(PriceStatistic::Median, NOW), cents(50));
    assert_eq!(by(PriceStatistic::Sales7d, NOW + 1), cents(700));
}

proptest! {
    #[test]
    fn a_mark_is_what_some_source_said_and_never_flips_to_nothing(
        said in prop::collection::vec((1..2_000_i64, 0..200_000_i64), 1..6),
    ) {
        let quotes: Vec<Quote> =
            said.iter().enumerate().map(|(place, (price, age))| ask(&format!("s{place}"), *price, *age)).collect();
        let found = mark(quotes).unwrap();
        prop_assert!(said.iter().any(|(price, _)| cents(*price) == found.value));
        prop_assert!(said.iter().any(|(_, age)| at(NOW - age) == found.as_of));
        prop_assert_eq!(found.is_fresh, said.iter().any(|(_, age)| *age <= 900));
    }
}
