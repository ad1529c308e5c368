//! `market_observations.told`: what was told of the prices of a variant when an observation was recorded.

use serde::{Deserialize, Serialize};
use tradepost_domain::markets::pricing::{PriceOverride, Quote, Sales};
use tradepost_domain::money::Cents;
use tradepost_domain::text::Text;
use tradepost_ports::store::{PriceSnapshot, StoreResult};

use super::Place;

/// What is not there is left out.
#[derive(Serialize, Deserialize, Default, PartialEq)]
#[serde(deny_unknown_fields, default)]
struct Told {
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

/// The column; nothing when nothing was told.
pub(crate) fn to_json(told: &PriceSnapshot) -> Option<String> {
    let told = Told {
        quotes: told.quotes.iter().map(Line::from).collect(),
        asks: told.asks.iter().map(Line::from).collect(),
        given: told.given.as_ref().map(|given| (given.price.get(), given.expires_at.as_micros())),
    };
    // Texts and numbers are always JSON.
    (told != Told::default()).then(|| serde_json::to_string(&told).unwrap_or_default())
}

/// What the column says.
pub(crate) fn from_json(at: Place, json: Option<&str>) -> StoreResult<PriceSnapshot> {
    let told: Told = match json {
        Some(json) => at.read(TOLD, serde_json::from_str(json))?,
        None => Told::default(),
    };
    let given = told.given.map(|(price, expires_at)| {
        Ok(PriceOverride { price: at.cents(TOLD, price)?, expires_at: at.time(TOLD, expires_at)? })
    });
    Ok(PriceSnapshot {
        quotes: told.quotes.into_iter().map(|line| quote(at, line)).collect::<StoreResult<_>>()?,
        asks: told.asks.into_iter().map(|line| quote(at, line)).collect::<StoreResult<_>>()?,
        given: given.transpose()?,
    })
}

fn quote(at: Place, Line(source, lowest_ask, highest_bid, sales, observed_at): Line) -> StoreResult<Quote> {
    let sales = sales.map(|(average, count)| Ok(Sales { average: at.cents(TOLD, average)?, count })).transpose()?;
    Ok(Quote {
        source: at.read(TOLD, Text::new(&source))?,
        lowest_ask: at.read_some(TOLD, lowest_ask, Cents::new)?,
        highest_bid: at.read_some(TOLD, highest_bid, Cents::new)?,
        sales,
        observed_at: at.time(TOLD, observed_at)?,
    })
}

const TOLD: &str = "told";
