//! What one source says of a variant, and the latest of each source.

use std::ops::Deref;

use time::Duration;

use crate::contracts::contract::PriceStatistic;
use crate::markets::exchange::Conversion;
use crate::markets::observation::ON_SALE_FOR;
use crate::money::{Amount, Cents, VenueCents, VenueCurrency, WorkspaceCurrency};
use crate::text::Marketplace;
use crate::time::Timestamp;

/// What a source says of a variant, in the currency of the workspace or, at the port of a price source, of that source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote<Of = WorkspaceCurrency> {
    /// The source.
    pub source: Marketplace,
    /// The lowest price asked there.
    pub lowest_ask: Option<Amount<Of>>,
    /// The highest price bid there.
    pub highest_bid: Option<Amount<Of>>,
    /// What was sold there in seven days.
    pub sales: Option<Sales<Of>>,
    /// When this was so.
    pub observed_at: Timestamp,
}

/// Sales of seven days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sales<Of = WorkspaceCurrency> {
    /// The average of their prices.
    pub average: Amount<Of>,
    /// How many they were.
    pub count: u32,
}

impl Quote {
    /// What is known of a source by the cheapest of its listings alone.
    pub const fn of_ask(source: Marketplace, ask: Cents, seen_at: Timestamp) -> Self {
        Self { source, lowest_ask: Some(ask), highest_bid: None, sales: None, observed_at: seen_at }
    }

    /// What a source says together with the cheapest of its listings as it was seen there. A bid that is older than listings
    /// count is left out: the whole gets the time of the later one.
    #[must_use]
    pub fn with_ask(self, ask: Self) -> Self {
        if ask.observed_at < self.observed_at && self.lowest_ask.is_some() {
            return self;
        }
        let is_recent = ask.observed_at.since(self.observed_at) <= ON_SALE_FOR;
        Self { highest_bid: self.highest_bid.filter(|_| is_recent), sales: self.sales, ..ask }
    }

    /// Returns the price of a statistic. Zero is not a price.
    pub(super) fn price(&self, statistic: PriceStatistic) -> Option<Cents> {
        let price = match statistic {
            PriceStatistic::Median | PriceStatistic::LowestAsk => self.lowest_ask,
            PriceStatistic::HighestBid => self.highest_bid,
            PriceStatistic::Sales7d => self.sales.filter(|sales| sales.count > 0).map(|sales| sales.average),
        };
        price.filter(|price| *price > Cents::ZERO)
    }

    /// Returns the age in microseconds. A source whose clock is fast reports old prices one day too, so time in the future
    /// counts as past time.
    pub(super) const fn age_micros(&self, at: Timestamp) -> i64 {
        at.as_micros().saturating_sub(self.observed_at.as_micros()).saturating_abs()
    }
}

impl Quote<VenueCurrency> {
    /// The same in the currency of the workspace: what is asked is a cost, what is bid or paid are proceeds. What is too much for an
    /// amount is left out.
    #[must_use]
    pub fn converted(self, by: Conversion) -> Quote {
        let cost = |theirs: VenueCents| by.cost(theirs).ok();
        let proceeds = |theirs: VenueCents| by.proceeds(theirs).ok();
        let sold = |sales: Sales<VenueCurrency>| Some(Sales { average: proceeds(sales.average)?, count: sales.count });
        Quote {
            source: self.source,
            lowest_ask: self.lowest_ask.and_then(cost),
            highest_bid: self.highest_bid.and_then(proceeds),
            sales: self.sales.and_then(sold),
            observed_at: self.observed_at,
        }
    }
}

impl Sales {
    /// The average over all the sales, rounded down; none if nothing was sold.
    pub(super) fn average_of(sales: impl Iterator<Item = Self>) -> Option<Cents> {
        let (paid, count) = sales.fold((0_i128, 0_i128), |(paid, count), sales| {
            let more = i128::from(sales.count);
            (paid + more * i128::from(sales.average.get()), count + more)
        });
        let average = i64::try_from(paid.checked_div(count)?).ok()?;
        Cents::new(average).ok()
    }
}

/// What the sources say of one variant: the latest of each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Quotes(Vec<Quote>);

impl Quotes {
    /// Takes what a source says, unless something later of the same source is there.
    pub fn note(&mut self, quote: Quote) {
        match self.0.binary_search_by(|own| own.source.cmp(&quote.source)) {
            Ok(at) => {
                if let Some(own) = self.0.get_mut(at).filter(|own| own.observed_at <= quote.observed_at) {
                    *own = quote;
                }
            }
            Err(at) => self.0.insert(at, quote),
        }
    }

    /// Returns the same after the clock that now shows `at` was set by this duration: times of the clock before the change are converted
    /// to the clock of now.
    #[must_use]
    pub fn in_time_of(self, at: Timestamp, set_by: Duration) -> Self {
        let present = |quote: Quote| {
            let moved = Quote { observed_at: quote.observed_at.plus(set_by), ..quote.clone() };
            if moved.age_micros(at) < quote.age_micros(at) { moved } else { quote }
        };
        self.0.into_iter().map(present).collect()
    }

    /// Takes the price of the cheapest listing that was just seen at a source, in addition to the source's other figures.
    pub fn note_ask(&mut self, ask: Quote) {
        let known = self.0.iter().find(|own| own.source == ask.source).cloned();
        self.note(match known {
            Some(known) => known.with_ask(ask),
            None => ask,
        });
    }
}

impl FromIterator<Quote> for Quotes {
    fn from_iter<I: IntoIterator<Item = Quote>>(quotes: I) -> Self {
        quotes.into_iter().fold(Self::default(), |mut all, quote| {
            all.note(quote);
            all
        })
    }
}

impl Deref for Quotes {
    type Target = [Quote];

    fn deref(&self) -> &[Quote] {
        &self.0
    }
}
