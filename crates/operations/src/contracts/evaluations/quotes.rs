//! The market data of an evaluation: quotes, fees, and the assumptions of a request.
//!
//! A request with prices evaluates an assumed market; otherwise the recorded prices count. So do
//! the fees that marketplaces have reported, except those that the request names.

use std::collections::BTreeMap;

use tradepost_domain::asset::AppId;
use tradepost_domain::contracts::contract::BasisPoints;
use tradepost_domain::markets::fees::{Charges, FeeRate, FeeSchedule, Rounding};
use tradepost_domain::markets::pricing::{Quote, Sales};
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::{Cents, VenueCents};
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;

use crate::markets::PriceBasis;
use crate::{OpError, OpResult, fields};

/// The most quotes of a request.
const MOST_QUOTES: usize = 1_000;

/// The market as a request describes it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MarketView {
    /// Quotes of variants by source, at most 1,000.
    pub quotes: Vec<GivenQuote>,
    /// The buyer's fee of the marketplace in basis points of the price; its last reported fee if absent.
    pub buy_fee_bps: Option<i64>,
    /// The seller's fee, likewise.
    pub sell_fee_bps: Option<i64>,
    /// The lowest price that another seller asks for an item like ours, in cents.
    pub competing_price_cents: Option<i64>,
}

/// One quote of a variant by a source.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GivenQuote {
    /// The source, 1 to 64 characters.
    pub source: String,
    /// The market name, 1 to 256 characters.
    pub market_hash_name: String,
    /// The phase, 1 to 64 characters; none if absent.
    pub phase: Option<String>,
    /// The lowest price asked there, in cents.
    pub lowest_ask_cents: Option<i64>,
    /// The highest price bid there, in cents.
    pub highest_bid_cents: Option<i64>,
    /// The number of sales there in seven days.
    pub sales_count: Option<i64>,
    /// The average of their prices, in cents; needed where sales are given.
    pub sales_average_cents: Option<i64>,
    /// The time of the quote; now if absent.
    pub observed_at: Option<Timestamp>,
}

/// The fees of a marketplace.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FeeInput {
    /// The marketplace, 1 to 64 characters.
    pub marketplace: String,
    /// The buyer's fee in basis points of the price; its last reported fee if absent.
    pub buy_fee_bps: Option<i64>,
    /// The seller's fee, likewise.
    pub sell_fee_bps: Option<i64>,
}

/// The market as a request describes it.
pub(crate) struct Market {
    quotes: Vec<(Variant, Quote)>,
    pub(crate) fees: RequestFees,
    pub(crate) competing_price: Option<Cents>,
}

impl Market {
    /// Returns the price basis of a variant, where the request names one; no other source is used then.
    pub(crate) fn basis_of(&self, variant: &Variant) -> Option<PriceBasis> {
        let said = self.quotes.iter().filter(|(of, _)| of == variant).map(|(_, quote)| quote.clone());
        (!self.quotes.is_empty()).then(|| PriceBasis { quotes: said.collect(), given: None })
    }
}

impl MarketView {
    pub(crate) fn check(&self, at: Timestamp) -> OpResult<Market> {
        if self.quotes.len() > MOST_QUOTES {
            return Err(OpError::invalid_field(
                "market.quotes",
                format_args!("must have at most {MOST_QUOTES} values"),
            ));
        }
        let quotes =
            self.quotes.iter().enumerate().map(|(index, quote)| quote.check(&format!("market.quotes[{index}]"), at));
        Ok(Market {
            quotes: quotes.collect::<OpResult<_>>()?,
            fees: RequestFees::of("market", self.buy_fee_bps, self.sell_fee_bps)?,
            competing_price: fields::optional(self.competing_price_cents, fields::cents, "market.competingPriceCents")?,
        })
    }
}

impl FeeInput {
    pub(crate) fn check(&self, place: &str) -> OpResult<(Marketplace, RequestFees)> {
        let marketplace = fields::text(&format!("{place}.marketplace"), &self.marketplace)?;
        Ok((marketplace, RequestFees::of(place, self.buy_fee_bps, self.sell_fee_bps)?))
    }
}

/// The fees of a marketplace as a request names them.
#[derive(Clone, Copy)]
pub(crate) struct RequestFees {
    buying: Option<FeeRate>,
    selling: Option<FeeRate>,
}

impl RequestFees {
    fn of(place: &str, buying: Option<i64>, selling: Option<i64>) -> OpResult<Self> {
        let rate = |field: &str, given: Option<i64>| -> OpResult<Option<FeeRate>> {
            let Some(given) = given else { return Ok(None) };
            let share = u16::try_from(given).ok().and_then(|points| BasisPoints::new(points).ok());
            let field = format!("{place}.{field}");
            let share = share.ok_or_else(|| OpError::invalid_field(&field, "must be from 0 to 10000"))?;
            Ok(Some(FeeRate { share, minimum: VenueCents::ZERO, rounding: Rounding::Ceil }))
        };
        Ok(Self { buying: rate("buyFeeBps", buying)?, selling: rate("sellFeeBps", selling)? })
    }

    /// Returns the fees that a marketplace has reported, if any, as far as the request does not say otherwise.
    fn over(self, reported: Option<FeeSchedule>) -> Taken {
        let is_reported = reported.is_some();
        let mut fees = reported.unwrap_or_else(nothing);
        if let Some(buying) = self.buying {
            fees.buying = buying;
            fees.overrides.iter_mut().for_each(|special| special.buying = buying);
        }
        if let Some(selling) = self.selling {
            fees.selling = selling;
            fees.overrides.iter_mut().for_each(|special| special.selling = selling);
        }
        Taken {
            fees: fees.into(),
            of_buyers: is_reported || self.buying.is_some(),
            of_sellers: is_reported || self.selling.is_some(),
        }
    }
}

fn nothing() -> FeeSchedule {
    let free = FeeRate { share: BasisPoints::default(), minimum: VenueCents::ZERO, rounding: Rounding::Ceil };
    FeeSchedule { buying: free, selling: free, overrides: Vec::new() }
}

/// The known fees of a marketplace.
struct Taken {
    fees: Charges,
    of_buyers: bool,
    of_sellers: bool,
}

/// The fees of marketplaces: the last reported ones, and those of a request. An unknown fee is not zero.
pub(crate) struct Fees {
    by_marketplace: BTreeMap<Marketplace, Taken>,
    /// The fees of marketplaces where an item could be sold.
    pub(crate) exits: Vec<Charges>,
}

impl Fees {
    /// Returns the fees that each marketplace has reported, replaced by those that a request says.
    pub(crate) fn of(
        reported: BTreeMap<Marketplace, FeeSchedule>,
        said: impl IntoIterator<Item = (Marketplace, RequestFees)>,
    ) -> Self {
        let whole = |fees: FeeSchedule| Taken { fees: fees.into(), of_buyers: true, of_sellers: true };
        let mut reported = reported;
        let mut by_marketplace = BTreeMap::new();
        for (marketplace, said) in said {
            let taken = said.over(reported.remove(&marketplace));
            by_marketplace.insert(marketplace, taken);
        }
        by_marketplace.extend(reported.into_iter().map(|(name, fees)| (name, whole(fees))));
        let exits = by_marketplace.values().filter(|taken| taken.of_sellers).map(|taken| taken.fees.clone()).collect();
        Self { by_marketplace, exits }
    }

    /// Returns the buyer's fees of a marketplace, where they are known.
    pub(crate) fn of_buyers(&self, marketplace: &Marketplace) -> Option<&Charges> {
        self.by_marketplace.get(marketplace).filter(|taken| taken.of_buyers).map(|taken| &taken.fees)
    }

    /// Returns its seller's fees, where they are known.
    pub(crate) fn of_sellers(&self, marketplace: &Marketplace) -> Option<&Charges> {
        self.by_marketplace.get(marketplace).filter(|taken| taken.of_sellers).map(|taken| &taken.fees)
    }
}

impl GivenQuote {
    fn check(&self, place: &str, at: Timestamp) -> OpResult<(Variant, Quote)> {
        let field = |name: &str| format!("{place}.{name}");
        let cents = |name: &str, given| fields::optional(given, fields::cents, &field(name));
        let count = fields::optional(self.sales_count, fields::whole, &field("salesCount"))?;
        let sales = match (count, cents("salesAverageCents", self.sales_average_cents)?) {
            (Some(count), Some(average)) => Some(Sales { average, count }),
            (None, None) => None,
            (Some(_), None) | (None, Some(_)) => {
                return Err(OpError::invalid_field(&field("salesCount"), "and salesAverageCents go together"));
            }
        };
        let variant = Variant {
            app_id: AppId::default(),
            market_hash_name: fields::text(&field("marketHashName"), &self.market_hash_name)?,
            phase: fields::optional(self.phase.as_deref(), fields::text, &field("phase"))?,
        };
        let quote = Quote {
            source: fields::text(&field("source"), &self.source)?,
            lowest_ask: cents("lowestAskCents", self.lowest_ask_cents)?,
            highest_bid: cents("highestBidCents", self.highest_bid_cents)?,
            sales,
            observed_at: self.observed_at.unwrap_or(at),
        };
        Ok((variant, quote))
    }
}
