//! `market_observations.told`: the prices of a variant when an observation was recorded.

use serde::{Deserialize, Serialize};
use tradepost_domain::markets::pricing::{PriceOverride, Quote, Sales};
use tradepost_domain::money::Cents;
use tradepost_domain::text::Text;
use tradepost_ports::store::{PriceSnapshot, StoreResult};

use crate::rows::RowLocation;

/// Empty parts are omitted.
#[derive(Serialize, Deserialize, Default, PartialEq)]
#[serde(deny_unknown_fields, default)]
struct StoredPrices {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    quotes: Vec<Line>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    asks: Vec<Line>,
    /// The value that a person gave, and when it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    given: Option<(i64, i64)>,
}

/// Source, lowest ask, highest bid, average and number of sales, and when that was.
#[derive(Serialize, Deserialize, PartialEq)]
struct Line(String, Option<i64>, Option<i64>, Option<(i64, u32)>, i64);

impl From<&Quote> for Line {
    fn from(quote: &Quote) -> Self {
        Self(
            quote.source.to_string(),
            quote.lowest_ask.map(Cents::get),
            quote.highest_bid.map(Cents::get),
            quote.sales.map(|sales| (sales.average.get(), sales.count)),
            quote.observed_at.as_micros(),
        )
    }
}

/// Returns the value of the column; `None` without prices.
pub(crate) fn to_json(prices: &PriceSnapshot) -> Option<String> {
    let stored = StoredPrices {
        quotes: prices.quotes.iter().map(Line::from).collect(),
        asks: prices.asks.iter().map(Line::from).collect(),
        given: prices.given.as_ref().map(|given| (given.price.get(), given.expires_at.as_micros())),
    };
    // Texts and numbers are always JSON.
    (stored != StoredPrices::default()).then(|| serde_json::to_string(&stored).unwrap_or_default())
}

/// Returns the prices in the column.
pub(crate) fn from_json(at: RowLocation, json: Option<&str>) -> StoreResult<PriceSnapshot> {
    let stored: StoredPrices = match json {
        Some(json) => at.read(COLUMN, serde_json::from_str(json))?,
        None => StoredPrices::default(),
    };
    let given = stored.given.map(|(price, expires_at)| {
        Ok(PriceOverride { price: at.cents(COLUMN, price)?, expires_at: at.time(COLUMN, expires_at)? })
    });
    Ok(PriceSnapshot {
        quotes: stored.quotes.into_iter().map(|line| quote(at, line)).collect::<StoreResult<_>>()?,
        asks: stored.asks.into_iter().map(|line| quote(at, line)).collect::<StoreResult<_>>()?,
        given: given.transpose()?,
    })
}

fn quote(at: RowLocation, Line(source, lowest_ask, highest_bid, sales, observed_at): Line) -> StoreResult<Quote> {
    let sales = sales.map(|(average, count)| Ok(Sales { average: at.cents(COLUMN, average)?, count })).transpose()?;
    Ok(Quote {
        source: at.read(COLUMN, Text::new(&source))?,
        lowest_ask: at.read_some(COLUMN, lowest_ask, Cents::new)?,
        highest_bid: at.read_some(COLUMN, highest_bid, Cents::new)?,
        sales,
        observed_at: at.time(COLUMN, observed_at)?,
    })
}

const COLUMN: &str = "told";
