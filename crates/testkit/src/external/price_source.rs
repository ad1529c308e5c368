//! Promises of a source of prices.

use std::collections::BTreeMap;

use async_trait::async_trait;
use tradepost_domain::markets::pricing::Quote;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::{VenueCents, VenueCurrency};
use tradepost_domain::time::Timestamp;

use tradepost_ports::price_source::PriceSource;

/// A source that knows at least three variants.
#[async_trait]
pub trait PriceSourceFixture: Send + Sync {
    /// Returns the source.
    fn source(&self) -> &dyn PriceSource;
    /// Returns the time of the source.
    async fn now(&self) -> Timestamp;
    /// Lets an hour pass.
    async fn pass_an_hour(&self);
}

/// Returns its quotes by variant; a variant that it quotes twice is here once.
async fn quotes_by_variant(fixture: &dyn PriceSourceFixture) -> BTreeMap<Variant, Quote<VenueCurrency>> {
    let quotes = fixture.source().quotes().await.unwrap();
    let quotes: BTreeMap<Variant, Quote<VenueCurrency>> =
        quotes.into_iter().map(|quote| (quote.variant, quote.quote)).collect();
    assert!(quotes.len() >= 3, "a fixture knows three variants at least");
    quotes
}

pub async fn a_source_quotes_a_variant_once(fixture: &dyn PriceSourceFixture) {
    let quotes = fixture.source().quotes().await.unwrap();
    assert_eq!(quotes.len(), quotes_by_variant(fixture).await.len());
}

pub async fn a_quote_names_the_source_that_was_asked(fixture: &dyn PriceSourceFixture) {
    let name = fixture.source().name();
    assert!(quotes_by_variant(fixture).await.values().all(|quote| quote.source == *name));
}

pub async fn a_quote_has_a_price_above_zero(fixture: &dyn PriceSourceFixture) {
    for (variant, quote) in quotes_by_variant(fixture).await {
        let sold_for = quote.sales.filter(|sales| sales.count > 0).map(|sales| sales.average);
        let prices: Vec<VenueCents> = [quote.lowest_ask, quote.highest_bid, sold_for].into_iter().flatten().collect();
        assert!(!prices.is_empty(), "{variant:?} has no price");
        assert!(prices.iter().all(|price| *price > VenueCents::ZERO), "{variant:?} has a price of nothing: {quote:?}");
        let bid_and_ask = quote.highest_bid.zip(quote.lowest_ask);
        assert!(bid_and_ask.is_none_or(|(bid, ask)| bid <= ask), "{variant:?} is bid for more than it is asked");
    }
}

pub async fn no_quote_is_of_a_time_to_come(fixture: &dyn PriceSourceFixture) {
    let quotes = quotes_by_variant(fixture).await;
    let now = fixture.now().await;
    assert!(quotes.values().all(|quote| quote.observed_at <= now));
}

pub async fn asking_changes_nothing(fixture: &dyn PriceSourceFixture) {
    let first = quotes_by_variant(fixture).await;
    assert_eq!(quotes_by_variant(fixture).await, first);
}

pub async fn a_later_quote_is_no_older_and_no_variant_is_missing(fixture: &dyn PriceSourceFixture) {
    let before = quotes_by_variant(fixture).await;
    fixture.pass_an_hour().await;
    let after = quotes_by_variant(fixture).await;
    for (variant, earlier) in &before {
        let later = after.get(variant).unwrap_or_else(|| panic!("{variant:?} is no longer known"));
        assert!(later.observed_at >= earlier.observed_at, "{variant:?} is quoted at an earlier time");
    }
    assert!(after.values().any(|quote| before.values().all(|earlier| quote.observed_at > earlier.observed_at)));
}
