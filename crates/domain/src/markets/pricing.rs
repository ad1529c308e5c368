//! What an item variant is worth, found from what several sources say of it.
//!
//! A value is given only where at least two sources are fresh, together with the sources left out and the reasons. It has two
//! sides, so that a minority of false sources neither raises what we pay nor lowers what we ask. How sources are read, and what is
//! bought or sold by a value, is not known here.

mod confidence;
mod mark;
mod quote;

use crate::contracts::contract::{BasisPoints, PriceReference, PriceStatistic};
use crate::money::Cents;
use crate::names::names;
use crate::time::Timestamp;

pub use mark::Mark;
pub use quote::{Quote, Quotes, Sales};

/// The fewest sources that a value is found from.
pub const LEAST_SOURCES: usize = 2;

/// How many times the median absolute deviation of the fresh sources a price may be away from their median.
pub const OUTLIER_DEVIATIONS: u64 = 3;

/// How far away from the median no price is an outlier, in basis points of the median.
pub const AGREEING_WITHIN: u64 = 500;

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
    /// The value, or the reason why there is none.
    pub fair_value: Result<FairValue, Unpriced>,
    /// The lowest price asked, by sources that count.
    pub best_ask: Option<Cents>,
    /// The highest price bid, by sources that count.
    pub best_bid: Option<Cents>,
    /// How well it sells, from 0 to 100: ten for each doubling of the sales of seven days. None if no counted source
    /// reports sales.
    pub liquidity: Option<u8>,
    /// What each source says.
    pub sources: Vec<SourcePrice<'a>>,
}

/// A value, and how far it is to be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FairValue {
    /// The value to buy by: at most the lower price in the middle of the sources.
    pub value: Cents,
    /// The value to sell by: at least the higher price in the middle.
    pub selling_value: Cents,
    /// The confidence; whole for what a person gave.
    pub confidence: BasisPoints,
}

/// What a source says, and whether it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourcePrice<'a> {
    /// What it says.
    pub quote: &'a Quote,
    /// The price that was asked for; none if the source does not report it.
    pub price: Option<Cents>,
    /// Whether it is too old to count, or from a time that has not come.
    pub is_stale: bool,
    /// Whether the price is too far from what the others say to count.
    pub is_outlier: bool,
}

/// Why there is no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unpriced {
    /// No source reports a price.
    NoQuote = 1,
    /// Only one source reports a price.
    OneSource = 2,
    /// Fewer than two of the prices are fresh.
    Stale = 3,
}

names! { Unpriced, "reason for having no value":
    NoQuote => "NO_QUOTE",
    OneSource => "ONE_SOURCE",
    Stale => "STALE",
}

impl<'a> Price<'a> {
    /// The price of the variant that the quotes are of, as a contract refers to it.
    pub fn of(quotes: &'a Quotes, given: Option<&PriceOverride>, reference: &PriceReference, at: Timestamp) -> Self {
        let mut sources = Vec::with_capacity(quotes.len());
        let looked_at = quotes.iter().filter(|quote| reference.looks_at(&quote.source));
        sources.extend(looked_at.map(|quote| SourcePrice::of(quote, reference, at)));
        let middle = Middle::of(&sources);
        mark_outliers(&mut sources, middle);
        let given = given.filter(|given| at < given.expires_at);
        let fair_value = given.map_or_else(
            || found(&sources, middle, reference, at),
            |given| {
                let price = given.price;
                Ok(FairValue { value: price, selling_value: price, confidence: BasisPoints::MAX })
            },
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

/// The middle of the prices of the fresh sources: one price of an odd number, two of an even one.
///
/// If at most half of the sources lie, the lower price is at most the highest honest one, and the higher is at least the lowest
/// honest one. Outliers are not removed first: an outlier is defined by all prices, and a minority that agrees closely could have
/// honest ones removed.
#[derive(Debug, Clone, Copy)]
struct Middle {
    lower: Cents,
    upper: Cents,
}

impl Middle {
    fn of(sources: &[SourcePrice<'_>]) -> Option<Self> {
        let fresh = sources.iter().filter(|source| !source.is_stale);
        let (lower, upper) = in_the_middle(fresh.filter_map(|source| source.price).collect())?;
        Some(Self { lower, upper })
    }

    /// The mean of the two, rounded down.
    fn median(self) -> Cents {
        // What lies between two amounts is an amount.
        Cents::new(self.lower.get().midpoint(self.upper.get())).unwrap_or(self.lower)
    }
}

/// The one value in the middle, twice, or the two.
fn in_the_middle<T: Ord + Copy>(mut values: Vec<T>) -> Option<(T, T)> {
    values.sort_unstable();
    let upper = *values.get(values.len() / 2)?;
    let lower = *values.get(values.len().checked_sub(1)? / 2)?;
    Some((lower, upper))
}

/// Of two prices neither shows that the other is false. Those in the middle are never outliers.
fn mark_outliers(sources: &mut [SourcePrice<'_>], middle: Option<Middle>) {
    let Some(median) = middle.map(Middle::median) else { return };
    let away = |price: Cents| price.get().abs_diff(median.get());
    let fresh = sources.iter().filter(|source| !source.is_stale);
    let distances: Vec<u64> = fresh.filter_map(|source| source.price).map(away).collect();
    if distances.len() <= LEAST_SOURCES {
        return;
    }
    let Some((lower, upper)) = in_the_middle(distances) else { return };
    // 10^13 cents times 500 is far below what 64 bits hold.
    let close = (median.get().unsigned_abs() * AGREEING_WITHIN).div_ceil(u64::from(BasisPoints::MAX.get()));
    let most = close.max(OUTLIER_DEVIATIONS * lower.midpoint(upper));
    for source in sources.iter_mut().filter(|source| !source.is_stale) {
        source.is_outlier = source.price.is_some_and(|price| away(price) > most);
    }
}

fn found(
    sources: &[SourcePrice<'_>],
    middle: Option<Middle>,
    reference: &PriceReference,
    at: Timestamp,
) -> Result<FairValue, Unpriced> {
    let with_price = sources.iter().filter(|source| source.price.is_some());
    let fresh = with_price.clone().filter(|source| !source.is_stale);
    match (with_price.count(), fresh.count()) {
        (0, _) => return Err(Unpriced::NoQuote),
        (..LEAST_SOURCES, _) => return Err(Unpriced::OneSource),
        (_, ..LEAST_SOURCES) => return Err(Unpriced::Stale),
        _ => {}
    }
    let middle = middle.ok_or(Unpriced::NoQuote)?;
    let counting = sources.iter().filter(|source| source.counts());
    let prices = counting.clone().filter_map(|source| source.price);
    let (least, most) = match reference.statistic {
        PriceStatistic::Median => (Some(middle.lower), Some(middle.upper)),
        PriceStatistic::LowestAsk => both(prices.min()),
        PriceStatistic::HighestBid => both(prices.max()),
        PriceStatistic::Sales7d => both(Sales::average_of(counting.filter_map(|source| source.quote.sales))),
    };
    let (least, most) = least.zip(most).ok_or(Unpriced::NoQuote)?;
    let confidence = confidence::of(sources, middle.median(), reference, at);
    Ok(FairValue { value: least.min(middle.lower), selling_value: most.max(middle.upper), confidence })
}

fn both<T: Copy>(one: T) -> (T, T) {
    (one, one)
}

fn liquidity<'a>(quotes: impl Iterator<Item = &'a Quote>) -> Option<u8> {
    let sold =
        quotes.filter_map(|quote| quote.sales).map(|sales| u64::from(sales.count)).reduce(u64::saturating_add)?;
    let doublings = sold.saturating_add(1).ilog2();
    Some(u8::try_from(10 * doublings).map_or(100, |score| score.min(100)))
}
