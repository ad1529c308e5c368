//! How far a value is to be trusted: by how many sources, how far they agree, and how old they are.

use crate::contracts::contract::{BasisPoints, PriceReference};
use crate::money::Cents;
use crate::time::Timestamp;

use super::SourcePrice;

const WHOLE: i64 = 10_000;

/// The product of three shares, each rounded down:
/// - *breadth*: each source that counts halves the doubt, so that two give three quarters;
/// - *agreement*: what the fresh sources are away from the median on average, taken from the whole; an outlier is away by
///   the whole;
/// - *freshness*: half of it is lost when the sources are as old on average as they may be.
pub(super) fn of(sources: &[SourcePrice<'_>], median: Cents, reference: &PriceReference, at: Timestamp) -> BasisPoints {
    let fresh = || sources.iter().filter(|source| !source.is_stale && source.price.is_some());
    let counting = fresh().filter(|source| source.counts()).count();
    let breadth = WHOLE - (WHOLE >> counting.min(127));
    let agreement = WHOLE - average(fresh().map(|source| distance(source, median)));
    // Microseconds of a ten-thousandth of the time.
    let step = i64::from(reference.max_age_seconds).max(1) * 1_000_000 / WHOLE;
    let age = |source: &SourcePrice<'_>| source.quote.age_micros(at) / step;
    let freshness = WHOLE - average(fresh().map(age)) / 2;
    let points = breadth * agreement * freshness / (WHOLE * WHOLE);
    u16::try_from(points).ok().and_then(|points| BasisPoints::new(points).ok()).unwrap_or_default()
}

/// How far a price is away from the median, in ten-thousandths of it; the whole at most, and for an outlier.
fn distance(source: &SourcePrice<'_>, median: Cents) -> i64 {
    let (Some(price), false) = (source.price, source.is_outlier) else { return WHOLE };
    // 10^13 cents times 10^4 is far below what 64 bits hold.
    let away = (price.get() - median.get()).abs() * WHOLE;
    away.checked_div(median.get()).unwrap_or(WHOLE).min(WHOLE)
}

fn average(values: impl Iterator<Item = i64>) -> i64 {
    let (sum, count) = values.fold((0, 0), |(sum, count), value| (sum + value, count + 1));
    sum.checked_div(count).unwrap_or(WHOLE)
}
