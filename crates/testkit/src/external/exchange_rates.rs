//! Promises of a source of exchange rates.

use async_trait::async_trait;
use tradepost_domain::money::Currency;
use tradepost_domain::time::Timestamp;

use super::{FaultInjection, retry_after};
use tradepost_ports::exchange_rates::{ExchangeRates, RateRefusal};
use tradepost_ports::external::ExternalError;

/// A source that knows at least two currencies.
#[async_trait]
pub trait RatesFixture: FaultInjection {
    /// Returns the source.
    fn rates(&self) -> &dyn ExchangeRates;
    /// Returns a pair that it knows: the rate is the value of one unit of the first in the second.
    fn pair(&self) -> (Currency, Currency);
    /// Returns a currency that it does not know.
    fn unknown(&self) -> Currency;
    /// Returns the time of the source.
    fn now(&self) -> Timestamp;
}

pub async fn a_rate_is_that_of_the_currency_that_was_asked_for(fixture: &dyn RatesFixture) {
    let (from, to) = fixture.pair();
    assert_eq!(fixture.rates().rate(from, to).await.unwrap().from(), from);
    assert_eq!(fixture.rates().rate(to, from).await.unwrap().from(), to);
}

pub async fn a_rate_is_fresh_and_not_of_a_time_to_come(fixture: &dyn RatesFixture) {
    let (from, to) = fixture.pair();
    let rate = fixture.rates().rate(from, to).await.unwrap();
    assert!(rate.is_fresh(fixture.now()) && rate.as_of() <= fixture.now(), "{rate:?}");
}

pub async fn there_and_back_is_about_the_same(fixture: &dyn RatesFixture) {
    let (from, to) = fixture.pair();
    let there = fixture.rates().rate(from, to).await.unwrap().micros();
    let back = fixture.rates().rate(to, from).await.unwrap().micros();
    let product = i128::from(there) * i128::from(back);
    assert!((900_000_000_000..1_100_000_000_000).contains(&product), "{there} there, {back} back");
}

pub async fn a_currency_that_is_not_known_has_no_rate(fixture: &dyn RatesFixture) {
    let ((from, to), unknown) = (fixture.pair(), fixture.unknown());
    for (from, to) in [(from, unknown), (unknown, to)] {
        let refused = ExternalError::Rejected(RateRefusal::UnknownCurrency(unknown));
        assert_eq!(fixture.rates().rate(from, to).await, Err(refused));
    }
}

pub async fn a_call_too_many_says_when_to_come_back(fixture: &dyn RatesFixture) {
    let (from, to) = fixture.pair();
    fixture.limit_rate().await;
    assert!(!retry_after(fixture.rates().rate(from, to).await).is_zero());
}
