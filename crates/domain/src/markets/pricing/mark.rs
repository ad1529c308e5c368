//! What an item that is ours is valued at: the last value that is known, however few sources know it and however old it is.
//!
//! Nothing is traded by it. A mark says how old it is; [`Price`](super::Price) says what a contract may rely on.

use super::{PriceOverride, Quote, Quotes};
use crate::contracts::contract::{PriceReference, PriceStatistic};
use crate::money::Cents;
use crate::time::Timestamp;

/// The last known value of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// The value.
    pub value: Cents,
    /// When it was so.
    pub as_of: Timestamp,
    /// Whether it is within the maximum age of prices.
    pub is_fresh: bool,
}

impl Mark {
    /// Returns the value of a variant by its sources: by the fresh ones, else by the last one that reported a price. One source is enough;
    /// of an even number the lower one in the middle counts.
    pub fn of(
        quotes: &Quotes,
        given: Option<&PriceOverride>,
        reference: &PriceReference,
        at: Timestamp,
    ) -> Option<Self> {
        if let Some(given) = given.filter(|given| at < given.expires_at) {
            return Some(Self { value: given.price, as_of: at, is_fresh: true });
        }
        let prices_of = |statistic: PriceStatistic| {
            let looked_at = quotes.iter().filter(|quote| reference.looks_at(&quote.source));
            looked_at.filter_map(move |quote| Some((quote, quote.price(statistic)?))).collect::<Vec<_>>()
        };
        let mut prices = [reference.statistic, PriceStatistic::LowestAsk]
            .map(prices_of)
            .into_iter()
            .find(|prices| !prices.is_empty())?;
        let latest = prices.iter().map(|(quote, _)| quote.observed_at).max()?;
        let is_recent = |quote: &Quote| is_fresh(quote.age_micros(at), reference);
        let any_recent = prices.iter().any(|(quote, _)| is_recent(quote));
        prices.retain(|(quote, _)| if any_recent { is_recent(quote) } else { quote.observed_at == latest });
        let as_of = prices.iter().map(|(quote, _)| quote.observed_at).max()?.min(at);
        let mut prices: Vec<Cents> = prices.into_iter().map(|(_, price)| price).collect();
        prices.sort_unstable();
        let value = *prices.get(prices.len().checked_sub(1)? / 2)?;
        Some(Self::seen(value, as_of, reference, at))
    }

    /// A price that was seen at a moment.
    pub fn seen(value: Cents, as_of: Timestamp, reference: &PriceReference, at: Timestamp) -> Self {
        let age = at.as_micros().saturating_sub(as_of.as_micros());
        Self { value, as_of, is_fresh: is_fresh(age, reference) }
    }
}

fn is_fresh(age_micros: i64, reference: &PriceReference) -> bool {
    age_micros <= i64::from(reference.max_age_seconds).saturating_mul(1_000_000)
}
