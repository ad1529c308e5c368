//! The terms of a contract: the limits of buying and of selling.

use std::fmt;

use crate::money::Cents;
use crate::names::names;
use crate::text::Marketplace;

/// A share in hundredths of a percent, 0 to 10 000.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct BasisPoints(u16);

/// The share is more than the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a share lies between 0 and 10000 basis points")]
pub struct InvalidBasisPoints;

impl BasisPoints {
    /// The whole.
    pub const MAX: Self = Self(10_000);

    /// The share of `points` basis points.
    ///
    /// # Errors
    /// [`InvalidBasisPoints`] above 10 000.
    pub const fn new(points: u16) -> Result<Self, InvalidBasisPoints> {
        if points > Self::MAX.0 { Err(InvalidBasisPoints) } else { Ok(Self(points)) }
    }

    /// The number of basis points.
    pub const fn get(self) -> u16 {
        self.0
    }
}

impl From<BasisPoints> for i64 {
    fn from(share: BasisPoints) -> Self {
        share.0.into()
    }
}

impl fmt::Display for BasisPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for BasisPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bps", self.0)
    }
}

/// Whether a contract buys or sells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContractType {
    /// It buys.
    Buying = 1,
    /// It sells.
    Selling = 2,
}

names! { ContractType, "contract type":
    Buying => "BUYING",
    Selling => "SELLING",
}

/// The decision that a proposal of a contract needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ApprovalMode {
    /// None: a proposal that passes every check is executed.
    Automatic = 1,
    /// A person approves each proposal.
    Manual = 2,
    /// Proposals are recorded, none is carried out.
    DryRun = 3,
}

names! { ApprovalMode, "approval mode":
    Automatic => "AUTOMATIC",
    Manual => "MANUAL",
    DryRun => "DRY_RUN",
}

/// The price that is used as an item's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PriceStatistic {
    /// The median over the sources.
    Median = 1,
    /// The lowest price asked.
    LowestAsk = 2,
    /// The highest price bid.
    HighestBid = 3,
    /// The average of the sales of seven days.
    Sales7d = 4,
}

names! { PriceStatistic, "price statistic":
    Median => "MEDIAN",
    LowestAsk => "LOWEST_ASK",
    HighestBid => "HIGHEST_BID",
    Sales7d => "SALES_7D",
}

/// Where a contract takes an item's value from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceReference {
    /// The price sources; empty means all of them.
    pub sources: Vec<Marketplace>,
    /// The price that is used as the value.
    pub statistic: PriceStatistic,
    /// The oldest price that still counts, in seconds.
    pub max_age_seconds: u32,
    /// The least confidence in the price.
    pub min_confidence: BasisPoints,
}

impl PriceReference {
    /// Whether it looks at this source.
    pub fn looks_at(&self, source: &Marketplace) -> bool {
        self.sources.is_empty() || self.sources.contains(source)
    }
}

/// What holds for a contract that needs a value and does not say where from: the median of all sources, none of them older
/// than a quarter of an hour, with a confidence of a half.
impl Default for PriceReference {
    fn default() -> Self {
        Self {
            sources: Vec::new(),
            statistic: PriceStatistic::Median,
            max_age_seconds: 15 * 60,
            min_confidence: BasisPoints(5_000),
        }
    }
}

/// The limits of a contract; its type follows from them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Terms {
    /// It buys.
    Buying(BuyingTerms),
    /// It sells.
    Selling(SellingTerms),
}

/// The limits of a buying contract. A limit that is `None` does not apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuyingTerms {
    /// How many items to buy.
    pub target_quantity: u32,
    /// The most that one item may cost with its fee.
    pub max_buy_price: Cents,
    /// The most to spend in all.
    pub budget: Cents,
    /// The most to spend on a day of UTC.
    pub daily_budget: Option<Cents>,
    /// The loss on a day of UTC that stops it.
    pub max_daily_loss: Option<Cents>,
    /// How far below its value an item must be.
    pub min_discount: Option<BasisPoints>,
    /// The least margin expected from selling it on.
    pub min_expected_margin: Option<BasisPoints>,
    /// The most items of one market name.
    pub max_per_item_name: Option<u32>,
    /// The most purchases open at a time.
    pub max_open_purchases: Option<u32>,
    /// The least time between two purchases, in seconds.
    pub cooldown_seconds: Option<u32>,
    /// The longest trade lock that an item may still have, in days.
    pub max_trade_lock_days: Option<u32>,
    /// The least liquidity, on the scale of 0 to 100.
    pub min_liquidity_score: Option<u8>,
    /// The least share of deliveries that the seller completed.
    pub min_seller_success: Option<BasisPoints>,
}

/// The limits of a selling contract. A limit that is `None` does not apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SellingTerms {
    /// The least that an item is sold for.
    pub floor_price: Cents,
    /// The least margin over cost.
    pub min_margin: Option<BasisPoints>,
    /// How far below the cheapest competing listing to ask.
    pub undercut: Option<Undercut>,
    /// The most that is asked.
    pub ceiling_price: Option<Cents>,
    /// The least time between two changes of a price, in seconds.
    pub reprice_interval_seconds: Option<u32>,
    /// The most items listed at a time.
    pub max_listings: Option<u32>,
    /// How far below the value is asked at most; [`SellingTerms::BAND`] without it.
    pub max_below_value: Option<BasisPoints>,
    /// How far above the value is asked at most; the same without it.
    pub max_above_value: Option<BasisPoints>,
}

/// How far below a competing listing to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undercut {
    /// By an amount.
    Amount(Cents),
    /// By a share of the competing price.
    Share(BasisPoints),
}

/// A limit that makes no sense, by the name of its field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// It must be more than zero.
    #[error("{0} must be more than zero")]
    Zero(
        /// The limit.
        &'static str,
    ),
    /// It must not be more than another limit.
    #[error("{smaller} must not be more than {larger}")]
    Above {
        /// The limit that is too large.
        smaller: &'static str,
        /// The limit that it exceeds.
        larger: &'static str,
    },
    /// A score above 100.
    #[error("{0} lies between 0 and 100")]
    NotAScore(
        /// The limit.
        &'static str,
    ),
}

impl Terms {
    /// Whether they buy or sell.
    pub const fn contract_type(&self) -> ContractType {
        match self {
            Self::Buying(_) => ContractType::Buying,
            Self::Selling(_) => ContractType::Selling,
        }
    }

    /// Checks that the limits make sense together, as a contract needs before it acts.
    ///
    /// # Errors
    /// The first [`LimitError`] found.
    pub fn check(&self) -> Result<(), LimitError> {
        match self {
            Self::Buying(terms) => terms.check(),
            Self::Selling(terms) => terms.check(),
        }
    }
}

impl BuyingTerms {
    fn check(&self) -> Result<(), LimitError> {
        positive("target quantity", self.target_quantity > 0)?;
        positive("maximum buy price", self.max_buy_price > Cents::ZERO)?;
        positive("budget", self.budget > Cents::ZERO)?;
        at_most("maximum buy price", self.max_buy_price, "budget", self.budget)?;
        if let Some(daily_budget) = self.daily_budget {
            at_most("maximum buy price", self.max_buy_price, "daily budget", daily_budget)?;
            at_most("daily budget", daily_budget, "budget", self.budget)?;
        }
        positive("maximum daily loss", self.max_daily_loss != Some(Cents::ZERO))?;
        positive("maximum per item name", self.max_per_item_name != Some(0))?;
        positive("maximum of open purchases", self.max_open_purchases != Some(0))?;
        if self.min_liquidity_score.is_some_and(|score| score > 100) {
            return Err(LimitError::NotAScore("minimum liquidity score"));
        }
        Ok(())
    }
}

impl SellingTerms {
    /// How far from the value is asked where the contract does not say it: what others ask must not set the price alone.
    pub const BAND: BasisPoints = BasisPoints(5_000);

    fn check(&self) -> Result<(), LimitError> {
        positive("floor price", self.floor_price > Cents::ZERO)?;
        if let Some(ceiling_price) = self.ceiling_price {
            at_most("floor price", self.floor_price, "ceiling price", ceiling_price)?;
        }
        positive("reprice interval", self.reprice_interval_seconds != Some(0))?;
        positive("maximum of listings", self.max_listings != Some(0))
    }
}

fn positive(limit: &'static str, holds: bool) -> Result<(), LimitError> {
    if holds { Ok(()) } else { Err(LimitError::Zero(limit)) }
}

fn at_most(smaller: &'static str, value: Cents, larger: &'static str, most: Cents) -> Result<(), LimitError> {
    if value > most { Err(LimitError::Above { smaller, larger }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buying() -> BuyingTerms {
        BuyingTerms {
            target_quantity: 10,
            max_buy_price: Cents::new(1_500).unwrap(),
            budget: Cents::new(15_000).unwrap(),
            daily_budget: None,
            max_daily_loss: None,
            min_discount: None,
            min_expected_margin: None,
            max_per_item_name: None,
            max_open_purchases: None,
            cooldown_seconds: None,
            max_trade_lock_days: None,
            min_liquidity_score: None,
            min_seller_success: None,
        }
    }

    fn selling() -> SellingTerms {
        SellingTerms {
            floor_price: Cents::new(900).unwrap(),
            min_margin: None,
            undercut: Some(Undercut::Share(BasisPoints::default())),
            ceiling_price: None,
            reprice_interval_seconds: None,
            max_listings: None,
            max_below_value: None,
            max_above_value: None,
        }
    }

    #[test]
    fn one_item_must_fit_the_budget_and_the_daily_budget() {
        let above = |larger| Err(LimitError::Above { smaller: "maximum buy price", larger });
        assert_eq!(buying().check(), Ok(()));
        let budget = Cents::new(1_499).unwrap();
        assert_eq!(BuyingTerms { budget, ..buying() }.check(), above("budget"));
        assert_eq!(BuyingTerms { daily_budget: Some(budget), ..buying() }.check(), above("daily budget"));
    }

    #[test]
    fn limits_of_zero_are_refused() {
        assert_eq!(BuyingTerms { target_quantity: 0, ..buying() }.check(), Err(LimitError::Zero("target quantity")));
        assert_eq!(BuyingTerms { budget: Cents::ZERO, ..buying() }.check(), Err(LimitError::Zero("budget")));
        assert_eq!(
            BuyingTerms { max_buy_price: Cents::ZERO, ..buying() }.check(),
            Err(LimitError::Zero("maximum buy price"))
        );
        let of_loss = |most| BuyingTerms { max_daily_loss: Some(most), ..buying() }.check();
        assert_eq!(of_loss(Cents::ZERO), Err(LimitError::Zero("maximum daily loss")));
        assert_eq!(of_loss(Cents::ONE), Ok(()));
        assert_eq!(
            SellingTerms { floor_price: Cents::ZERO, ..selling() }.check(),
            Err(LimitError::Zero("floor price"))
        );
    }

    #[test]
    fn the_floor_price_is_not_above_the_ceiling() {
        let ceiling_price = Some(Cents::new(899).unwrap());
        assert_eq!(selling().check(), Ok(()));
        assert_eq!(
            SellingTerms { ceiling_price, ..selling() }.check(),
            Err(LimitError::Above { smaller: "floor price", larger: "ceiling price" })
        );
    }

    #[test]
    fn a_share_is_at_most_the_whole() {
        assert_eq!(BasisPoints::new(10_000), Ok(BasisPoints::MAX));
        assert_eq!(BasisPoints::new(10_001), Err(InvalidBasisPoints));
    }
}
