//! What a variant is worth: what counts, what is left out and why, and how far the value is trusted.

use proptest::prelude::*;

use tradepost_domain::contracts::contract::{BasisPoints, PriceReference, PriceStatistic};
use tradepost_domain::markets::pricing::{Price, PriceOverride, Quote, Quotes, Sales, Unpriced};
use tradepost_domain::money::Cents;

use crate::given::{at, cents, text};

const NOW: i64 = 1_000_000;
/// The age in seconds up to which a price counts.
const MAX_AGE: u32 = 900;

fn reference(statistic: PriceStatistic) -> PriceReference {
    PriceReference { statistic, max_age_seconds: MAX_AGE, ..PriceReference::default() }
}

/// What a source asked, so many seconds ago.
fn ask(source: &str, price: i64, age: i64) -> Quote {
    Quote {
        source: text(source),
        lowest_ask: Some(cents(price)),
        highest_bid: None,
        sales: None,
        observed_at: at(NOW - age),
    }
}

/// Sources that ask these prices now.
fn asks(prices: &[i64]) -> Quotes {
    prices.iter().enumerate().map(|(number, price)| ask(&format!("source-{number}"), *price, 0)).collect()
}

fn value(quotes: &Quotes, statistic: PriceStatistic) -> Result<i64, Unpriced> {
    Price::of(quotes, None, &reference(statistic), at(NOW)).fair_value.map(|fair| fair.value.get())
}

fn median(quotes: &Quotes) -> Result<i64, Unpriced> {
    value(quotes, PriceStatistic::Median)
}

/// What is counted when buying, and when selling.
fn both_sides(quotes: &Quotes, statistic: PriceStatistic) -> (i64, i64) {
    let fair = Price::of(quotes, None, &reference(statistic), at(NOW)).fair_value.unwrap();
    (fair.value.get(), fair.selling_value.get())
}

/// A source that says one price in every way.
fn says(source: &str, price: i64, sold: u32) -> Quote {
    let sales = Some(Sales { average: cents(price), count: sold });
    Quote { highest_bid: Some(cents(price)), sales, ..ask(source, price, 0) }
}

fn confidence(quotes: &Quotes) -> u16 {
    let price = Price::of(quotes, None, &reference(PriceStatistic::Median), at(NOW));
    price.fair_value.map(|fair| fair.confidence.get()).unwrap()
}

prop_compose! {
    fn any_quotes()(said in prop::collection::vec(
        (prop::option::of(0..=2_000_i64), prop::option::of(0..=2_000_i64), prop::option::of((0..=2_000_i64, 0..=9_u32)), -1_200..1_200_i64),
        0..8,
    )) -> Vec<Quote> {
        said.into_iter().enumerate().map(|(number, (ask, bid, sales, age))| Quote {
            source: text(&format!("source-{number}")),
            lowest_ask: ask.map(cents),
            highest_bid: bid.map(cents),
            sales: sales.map(|(average, count)| Sales { average: cents(average), count }),
            observed_at: at(NOW - age),
        }).collect()
    }
}

fn any_statistic() -> impl Strategy<Value = PriceStatistic> {
    prop::sample::select(PriceStatistic::ALL)
}

proptest! {
    #[test]
    fn a_value_lies_between_two_sources_that_count(quotes in any_quotes(), statistic in any_statistic()) {
        let quotes: Quotes = quotes.into_iter().collect();
        let price = Price::of(&quotes, None, &reference(statistic), at(NOW));
        let counting: Vec<Cents> =
            price.sources.iter().filter(|source| source.counts()).filter_map(|source| source.price).collect();
        match price.fair_value {
            Ok(fair) => {
                prop_assert!(counting.len() >= 2);
                for value in [fair.value, fair.selling_value] {
                    prop_assert!(counting.iter().any(|price| *price <= value));
                    prop_assert!(counting.iter().any(|price| *price >= value));
                }
                prop_assert!(fair.value <= fair.selling_value);
            }
            Err(_) => prop_assert!(counting.len() < 2),
        }
    }

    #[test]
    fn with_at_most_half_of_the_sources_hostile_we_value_no_higher_and_ask_no_lower_than_honest_ones_do(
        honest in prop::collection::vec((1..=100_000_i64, 1..=500_u32), 1..6),
        hostile in prop::collection::vec((1..=100_000_i64, 1..=100_000_u32), 0..6),
        statistic in any_statistic(),
    ) {
        let hostile = &hostile[..hostile.len().min(honest.len())];
        let said = honest.iter().chain(hostile).enumerate();
        let quotes: Quotes = said.map(|(number, (price, sold))| says(&format!("source-{number}"), *price, *sold)).collect();
        prop_assume!(quotes.len() >= 2);
        let (buying, selling) = both_sides(&quotes, statistic);
        prop_assert!(honest.iter().any(|(price, _)| buying <= *price), "{} is more than any honest source says", buying);
        prop_assert!(honest.iter().any(|(price, _)| selling >= *price), "{} is less than any honest source says", selling);
    }

    #[test]
    fn what_is_stale_changes_neither_value_nor_confidence(quotes in any_quotes(), statistic in any_statistic(), price in 1..2_000_i64) {
        let fresh: Quotes = quotes.into_iter().collect();
        let mut with_stale = fresh.clone();
        with_stale.note(ask("stale", price, i64::from(MAX_AGE) + 1));
        let of = |quotes: &Quotes| Price::of(quotes, None, &reference(statistic), at(NOW)).fair_value.ok();
        prop_assert_eq!(of(&with_stale), of(&fresh));
    }

    #[test]
    fn the_order_in_which_quotes_come_is_no_matter(quotes in any_quotes().prop_shuffle(), statistic in any_statistic()) {
        let one: Quotes = quotes.iter().cloned().collect();
        let other: Quotes = quotes.into_iter().rev().collect();
        prop_assert_eq!(value(&one, statistic), value(&other, statistic));
    }

    #[test]
    fn confidence_falls_as_prices_grow_old_and_as_they_part(older in 0..=900_i64, apart in 0..=400_i64) {
        let both = |apart, age| [ask("a", 1_000 - apart, age), ask("b", 1_000 + apart, age)].into_iter().collect();
        prop_assert!(confidence(&both(apart, older)) <= confidence(&both(apart, 0)));
        prop_assert!(confidence(&both(apart, older)) <= confidence(&both(0, older)));
    }
}

#[test]
fn each_statistic_takes_its_own_price() {
    let quote = |source, ask, bid, average, count| Quote {
        source: text(source),
        lowest_ask: Some(cents(ask)),
        highest_bid: Some(cents(bid)),
        sales: Some(Sales { average: cents(average), count }),
        observed_at: at(NOW),
    };
    let quotes: Quotes = [quote("a", 1_000, 900, 950, 30), quote("b", 1_101, 920, 1_000, 10)].into_iter().collect();
    assert_eq!(both_sides(&quotes, PriceStatistic::Median), (1_000, 1_101));
    assert_eq!(both_sides(&quotes, PriceStatistic::LowestAsk), (1_000, 1_101));
    assert_eq!(both_sides(&quotes, PriceStatistic::HighestBid), (900, 920));
    assert_eq!(both_sides(&quotes, PriceStatistic::Sales7d), (950, 1_000));
    let third: Quotes = quotes.iter().cloned().chain([quote("c", 1_010, 910, 980, 60)]).collect();
    assert_eq!(both_sides(&third, PriceStatistic::Median), (1_010, 1_010));
    assert_eq!(both_sides(&third, PriceStatistic::LowestAsk), (1_000, 1_010), "a seller asks the middle one at least");
    assert_eq!(both_sides(&third, PriceStatistic::HighestBid), (910, 920), "a buyer counts the middle one at most");
    assert_eq!(both_sides(&third, PriceStatistic::Sales7d), (973, 980), "each sale counts once, not each source");
}

#[test]
fn of_an_even_number_of_sources_the_lower_in_the_middle_is_bought_by_and_the_higher_sold_by() {
    for (prices, expected) in [
        (vec![1_000, 2_000], (1_000, 2_000)),
        (vec![450, 1_000], (450, 1_000)),
        (vec![1_000, 4_900], (1_000, 4_900)),
        (vec![900, 1_000, 2_000], (1_000, 1_000)),
        (vec![1_000, 1_010, 5_000, 5_000], (1_010, 5_000)),
        (vec![900, 1_000, 1_100, 5_000, 5_000], (1_100, 1_100)),
    ] {
        assert_eq!(both_sides(&asks(&prices), PriceStatistic::Median), expected, "{prices:?}");
    }
}

#[test]
fn washed_sales_at_one_source_do_not_set_the_average() {
    let quotes: Quotes = [says("honest", 1_000, 10), says("washed", 3_000, 90_000)].into_iter().collect();
    assert_eq!(both_sides(&quotes, PriceStatistic::Sales7d), (1_000, 3_000));
    let quotes: Quotes = quotes.iter().cloned().chain([says("other", 1_040, 10)]).collect();
    assert_eq!(both_sides(&quotes, PriceStatistic::Sales7d), (1_020, 1_040), "the washed one is an outlier");
}

#[test]
fn one_source_gives_no_value() {
    assert_eq!(median(&Quotes::default()), Err(Unpriced::NoQuote));
    assert_eq!(median(&asks(&[0, 0])), Err(Unpriced::NoQuote), "nothing is sold for nothing");
    assert_eq!(median(&asks(&[1_000])), Err(Unpriced::OneSource));
    let same_source_twice: Quotes = [ask("a", 1_000, 10), ask("a", 1_010, 5)].into_iter().collect();
    assert_eq!(median(&same_source_twice), Err(Unpriced::OneSource));
    assert_eq!(same_source_twice[0].lowest_ask, Some(cents(1_010)), "the later one stays");
}

#[test]
fn a_price_counts_up_to_its_age_and_not_from_the_future() {
    let with = |age| [ask("a", 1_000, 0), ask("b", 1_200, age)].into_iter().collect();
    assert_eq!(median(&with(900)), Ok(1_000));
    assert_eq!(median(&with(901)), Err(Unpriced::Stale));
    assert_eq!(median(&with(-900)), Ok(1_000));
    assert_eq!(median(&with(-901)), Err(Unpriced::Stale));
}

#[test]
fn a_price_beyond_three_median_deviations_and_a_twentieth_of_the_median_is_an_outlier() {
    let outliers = |prices: &[i64]| -> Vec<bool> {
        let quotes = asks(prices);
        let price = Price::of(&quotes, None, &reference(PriceStatistic::Median), at(NOW));
        price.sources.iter().map(|source| source.is_outlier).collect()
    };
    assert_eq!(outliers(&[1_000, 1_000, 1_050]), [false, false, false], "sources that agree closely differ a little");
    assert_eq!(outliers(&[1_000, 1_000, 1_051]), [false, false, true]);
    assert_eq!(outliers(&[900, 1_000, 1_300]), [false, false, false]);
    assert_eq!(outliers(&[900, 1_000, 1_301]), [false, false, true]);
    assert_eq!(outliers(&[699, 1_000, 1_100]), [true, false, false]);
    assert_eq!(outliers(&[100, 1_000]), [false, false], "of two neither shows that the other is false");
    assert_eq!(median(&asks(&[1_000, 1_000, 3_000])), Ok(1_000));
}

#[test]
fn an_outlier_is_no_best_price() {
    let quotes = asks(&[10, 1_000, 1_100]);
    let price = Price::of(&quotes, None, &reference(PriceStatistic::Median), at(NOW));
    assert_eq!((price.best_ask, price.best_bid), (Some(cents(1_000)), None));
}

#[test]
fn sources_that_a_contract_does_not_name_are_not_looked_at() {
    let quotes = asks(&[1_000, 1_100, 2_000]);
    let sources = vec![text("source-0"), text("source-1")];
    let named = PriceReference { sources, ..reference(PriceStatistic::Median) };
    let price = Price::of(&quotes, None, &named, at(NOW));
    assert_eq!((price.fair_value.map(|fair| fair.value), price.sources.len()), (Ok(cents(1_000)), 2));
}

#[test]
fn what_a_person_gave_wins_until_it_expires() {
    let given = PriceOverride { price: cents(5_000), expires_at: at(NOW) };
    let fair_value = |at| Price::of(&asks(&[1_000]), Some(&given), &reference(PriceStatistic::Median), at).fair_value;
    let while_it_holds = fair_value(at(NOW - 1)).map(|fair| (fair.value, fair.selling_value, fair.confidence));
    assert_eq!(while_it_holds, Ok((cents(5_000), cents(5_000), BasisPoints::MAX)));
    assert_eq!(fair_value(at(NOW)), Err(Unpriced::OneSource));
}

#[test]
fn each_further_source_halves_the_doubt() {
    let agreeing = |sources| confidence(&asks(&vec![1_000; sources]));
    assert_eq!([2, 3, 4, 16].map(agreeing), [7_500, 8_750, 9_375, 10_000]);
}

#[test]
fn what_disagrees_and_what_is_old_is_trusted_less() {
    assert_eq!(confidence(&asks(&[900, 1_100])), 6_750, "a tenth away on average");
    assert_eq!(confidence(&asks(&[1_000, 1_000, 9_000])), 5_000, "an outlier disagrees wholly");
    let old: Quotes = [ask("a", 1_000, 900), ask("b", 1_000, 900)].into_iter().collect();
    assert_eq!(confidence(&old), 3_750, "as old as may be");
}

#[test]
fn liquidity_grows_by_ten_with_each_doubling_of_sales() {
    let score = |counts: [u32; 2]| {
        let sold = counts.map(|count| Some(Sales { average: cents(1_000), count }));
        let quotes = ["a", "b"].into_iter().zip(sold).map(|(source, sales)| Quote { sales, ..ask(source, 1_000, 0) });
        let quotes: Quotes = quotes.collect();
        Price::of(&quotes, None, &reference(PriceStatistic::Median), at(NOW)).liquidity
    };
    assert_eq!([[0, 0], [1, 0], [3, 4], [1_000, 23], [u32::MAX, u32::MAX]].map(score), [0, 10, 30, 100, 100].map(Some));
    let unreported = asks(&[1_000, 1_000]);
    assert_eq!(Price::of(&unreported, None, &reference(PriceStatistic::Median), at(NOW)).liquidity, None);
}

#[test]
fn the_highest_amounts_have_a_value_too() {
    let most = Quote {
        sales: Some(Sales { average: Cents::MAX, count: u32::MAX }),
        highest_bid: Some(Cents::MAX),
        ..ask("a", Cents::MAX.get(), 0)
    };
    let quotes: Quotes = ["a", "b"].map(|source| Quote { source: text(source), ..most.clone() }).into_iter().collect();
    for statistic in PriceStatistic::ALL {
        assert_eq!(value(&quotes, *statistic), Ok(Cents::MAX.get()), "{statistic}");
    }
}
