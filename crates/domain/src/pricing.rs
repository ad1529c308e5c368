//! What an item variant is worth, found from what several sources say of it.
//!
//! A value is told only where at least two sources agree that are fresh; what was left out, and why, is told with it. Who
//! asks the sources, and what is bought or sold by a value, is not known here.

mod confidence;
mod quote;

use crate::contract::{BasisPoints, PriceReference, PriceStatistic};
use crate::money::Cents;
use crate::names::names;
use crate::time::Timestamp;

pub use quote::{Quote, Quotes, Sales};

/// The fewest sources that a value is found from.
pub const LEAST_SOURCES: usize = 2;

/// How many times the median of the fresh sources, or which part of it, a price may be.
pub const OUTLIER_FACTOR: u8 = 3;

/// A value that a person gave to a variant for a while; it wins over every source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceOverride {
    /// The value.
    pub price: Cents,
    /// From when on the sources count again.
    pub expires_at: Timestamp,
}

/// What a variant is worth, and what that was found from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Price<'a> {
    /// The value, or why none is told.
    pub fair_value: Result<FairValue, Unpriced>,
    /// The lowest price asked, by sources that count.
    pub best_ask: Option<Cents>,
    /// The highest price bid, by sources that count.
    pub best_bid: Option<Cents>,
    /// How well it sells, from 0 to 100: ten for each doubling of the sales of seven days. None if no source that counts
    /// tells sales.
    pub liquidity: Option<u8>,
    /// What each source says.
    pub sources: Vec<SourcePrice<'a>>,
}

/// A value, and how far it is to be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FairValue {
    /// The value.
    pub value: Cents,
    /// The confidence; whole for what a person gave.
    pub confidence: BasisPoints,
}

/// What a source says, and whether it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourcePrice<'a> {
    /// What it says.
    pub quote: &'a Quote,
    /// The price that was asked for; none if it does not tell one.
    pub price: Option<Cents>,
    /// Whether it is too old to count, or from a time that has not come.
    pub is_stale: bool,
    /// Whether the price is too far from what the others say to count.
    pub is_outlier: bool,
}

/// Why there is no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unpriced {
    /// No source tells a price.
    NoQuote = 1,
    /// Only one source tells a price.
    OneSource = 2,
    /// Fewer than two of the prices are fresh.
    Stale = 3,
    /// Fewer than two of the fresh prices agree.
    Outliers = 4,
}

names! { Unpriced, "reason for having no value":
    NoQuote => "NO_QUOTE",
    OneSource => "ONE_SOURCE",
    Stale => "STALE",
    Outliers => "OUTLIERS",
}

impl<'a> Price<'a> {
    /// The price of the variant that the quotes are of, as a contract refers to it.
    pub fn of(quotes: &'a Quotes, given: Option<&PriceOverride>, reference: &PriceReference, at: Timestamp) -> Self {
        let mut sources = Vec::with_capacity(quotes.len());
        let looked_at = quotes.iter().filter(|quote| reference.looks_at(&quote.source));
        sources.extend(looked_at.map(|quote| SourcePrice::of(quote, reference, at)));
        let median = mark_outliers(&mut sources);
        let given = given.filter(|given| at < given.expires_at);
        let fair_value = given.map_or_else(
            || found(&sources, median, reference, at),
            |given| Ok(FairValue { value: given.price, confidence: BasisPoints::MAX }),
        );
        let counting = || sources.iter().filter(|source| source.counts()).map(|source| source.quote);
        Self {
            fair_value,
            best_ask: counting().filter_map(|quote| quote.lowest_ask).min(),
            best_bid: counting().filter_map(|quote| quote.highest_bid).max(),
            liquidity: liquidity(counting()),
            sources,
        }
    }
}

impl<'a> SourcePrice<'a> {
    fn of(quote: &'a Quote, reference: &PriceReference, at: Timestamp) -> Self {
        let is_stale = quote.age_micros(at) > i64::from(reference.max_age_seconds) * 1_000_000;
        Self { quote, price: quote.price(reference.statistic), is_stale, is_outlier: false }
    }

    /// Whether the price goes into the value.
    pub const fn counts(&self) -> bool {
        self.price.is_some() && !self.is_stale && !self.is_outlier
    }
}

/// Gives the median of what counts then.
fn mark_outliers(sources: &mut [SourcePrice<'_>]) -> Option<Cents> {
    let middle = median(sources)?;
    let times = |price: Cents| i64::from(OUTLIER_FACTOR) * price.get();
    let mut any = false;
    for source in sources.iter_mut().filter(|source| !source.is_stale) {
        source.is_outlier =
            source.price.is_some_and(|price| price.get() > times(middle) || times(price) < middle.get());
        any |= source.is_outlier;
    }
    if any { median(sources) } else { Some(middle) }
}

/// The middle of the prices that count; of two in the middle their mean, rounded down.
fn median(sources: &[SourcePrice<'_>]) -> Option<Cents> {
    let mut prices: Vec<Cents> = Vec::with_capacity(sources.len());
    prices.extend(sources.iter().filter(|source| source.counts()).filter_map(|source| source.price));
    prices.sort_unstable();
    let upper = *prices.get(prices.len() / 2)?;
    let lower = *prices.get(prices.len().checked_sub(1)? / 2)?;
    // What lies between two amounts is an amount.
    Some(Cents::new(lower.get().midpoint(upper.get())).unwrap_or(lower))
}

fn found(
    sources: &[SourcePrice<'_>],
    median: Option<Cents>,
    reference: &PriceReference,
    at: Timestamp,
) -> Result<FairValue, Unpriced> {
    let told = sources.iter().filter(|source| source.price.is_some());
    let fresh = told.clone().filter(|source| !source.is_stale);
    let counting = fresh.clone().filter(|source| !source.is_outlier);
    match (told.count(), fresh.count(), counting.clone().count()) {
        (0, ..) => return Err(Unpriced::NoQuote),
        (..LEAST_SOURCES, ..) => return Err(Unpriced::OneSource),
        (_, ..LEAST_SOURCES, _) => return Err(Unpriced::Stale),
        (.., ..LEAST_SOURCES) => return Err(Unpriced::Outliers),
        _ => {}
    }
    let median = median.ok_or(Unpriced::NoQuote)?;
    let prices = counting.clone().filter_map(|source| source.price);
    let value = match reference.statistic {
        PriceStatistic::Median => Some(median),
        PriceStatistic::LowestAsk => prices.min(),
        PriceStatistic::HighestBid => prices.max(),
        PriceStatistic::Sales7d => Sales::average_of(counting.filter_map(|source| source.quote.sales)),
    };
    let confidence = confidence::of(sources, median, reference, at);
    value.map(|value| FairValue { value, confidence }).ok_or(Unpriced::NoQuote)
}

fn liquidity<'a>(quotes: impl Iterator<Item = &'a Quote>) -> Option<u8> {
    let sold =
        quotes.filter_map(|quote| quote.sales).map(|sales| u64::from(sales.count)).reduce(u64::saturating_add)?;
    let doublings = sold.saturating_add(1).ilog2();
    Some(u8::try_from(10 * doublings).map_or(100, |score| score.min(100)))
}
