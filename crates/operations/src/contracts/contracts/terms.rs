//! The limits of a contract as given: plain numbers, checked field by field into the domain's terms.

use tradepost_domain::contracts::contract::{
    BuyingTerms, PriceReference, PriceStatistic, SellingTerms, Terms, Undercut,
};

use crate::fields::{basis_points, cents, optional, required, texts, whole};
use crate::{OpError, OpResult};

/// The limits of a contract; they say whether it buys or sells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContractTerms {
    /// It buys.
    Buying(BuyingLimits),
    /// It sells.
    Selling(SellingLimits),
}

/// The limits of a contract that buys. A limit that is `None` does not apply.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BuyingLimits {
    /// The number of items to buy. Required.
    pub target_quantity: Option<i64>,
    /// The most that one item may cost with its fee, in cents. Required.
    pub max_buy_price_cents: Option<i64>,
    /// The most to spend in all, in cents. Required.
    pub budget_cents: Option<i64>,
    /// The most to spend within a day, in cents.
    pub daily_budget_cents: Option<i64>,
    /// The loss on a day of UTC that stops the contract, in cents.
    pub max_daily_loss_cents: Option<i64>,
    /// The minimum discount of the ask on the item's value, 0 to 10,000 basis points.
    pub min_discount_bps: Option<i64>,
    /// The least margin expected after fees, 0 to 10,000 basis points.
    pub min_expected_margin_bps: Option<i64>,
    /// Most items of one market name.
    pub max_per_item_name: Option<i64>,
    /// Most purchases open at a time.
    pub max_open_purchases: Option<i64>,
    /// Least time between two purchases, in seconds.
    pub cooldown_seconds: Option<i64>,
    /// The longest trade lock of an item, in days.
    pub max_trade_lock_days: Option<i64>,
    /// The least liquidity score of an item, 0 to 100.
    pub min_liquidity_score: Option<i64>,
    /// The least share of trades that the seller completed, 0 to 10,000 basis points.
    pub min_seller_success_bps: Option<i64>,
}

/// The limits of a contract that sells. A limit that is `None` does not apply.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SellingLimits {
    /// The least price, in cents. Required.
    pub floor_price_cents: Option<i64>,
    /// The least margin over cost after fees, 0 to 10,000 basis points.
    pub min_margin_bps: Option<i64>,
    /// The amount by which to undercut the best ask of others; `None` to match it.
    pub undercut: Option<UndercutBy>,
    /// The highest price, in cents.
    pub ceiling_price_cents: Option<i64>,
    /// Least time between two changes of a price, in seconds.
    pub reprice_interval_seconds: Option<i64>,
    /// Most items on sale at a time.
    pub max_listings: Option<i64>,
    /// The maximum distance of the ask below the value, 0 to 10,000 basis points; default 5,000.
    pub max_below_value_bps: Option<i64>,
    /// The maximum distance of the ask above the value, likewise.
    pub max_above_value_bps: Option<i64>,
}

/// The amount by which to undercut the best ask of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UndercutBy {
    /// By an amount in cents.
    Cents(i64),
    /// By a share of that ask, 0 to 10,000 basis points.
    Bps(i64),
}

/// The source from which a contract takes an item's fair value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceSource {
    /// Names of the price sources, each once, at most 16; empty for all of them.
    pub sources: Vec<String>,
    /// The number taken from them.
    pub statistic: PriceStatistic,
    /// The oldest price that counts, in seconds. Required.
    pub max_age_seconds: Option<i64>,
    /// The least confidence that counts, 0 to 10,000 basis points; `None` for any.
    pub min_confidence_bps: Option<i64>,
}

impl ContractTerms {
    pub(crate) fn check(&self) -> OpResult<Terms> {
        match self {
            Self::Buying(limits) => limits.check().map(Terms::Buying),
            Self::Selling(limits) => limits.check().map(Terms::Selling),
        }
    }
}

impl BuyingLimits {
    fn check(&self) -> OpResult<BuyingTerms> {
        Ok(BuyingTerms {
            target_quantity: required(self.target_quantity, whole, "buying.targetQuantity")?,
            max_buy_price: required(self.max_buy_price_cents, cents, "buying.maxBuyPriceCents")?,
            budget: required(self.budget_cents, cents, "buying.budgetCents")?,
            daily_budget: optional(self.daily_budget_cents, cents, "buying.dailyBudgetCents")?,
            max_daily_loss: optional(self.max_daily_loss_cents, cents, "buying.maxDailyLossCents")?,
            min_discount: optional(self.min_discount_bps, basis_points, "buying.minDiscountBps")?,
            min_expected_margin: optional(self.min_expected_margin_bps, basis_points, "buying.minExpectedMarginBps")?,
            max_per_item_name: optional(self.max_per_item_name, whole, "buying.maxPerItemName")?,
            max_open_purchases: optional(self.max_open_purchases, whole, "buying.maxOpenPurchases")?,
            cooldown_seconds: optional(self.cooldown_seconds, whole, "buying.cooldownSeconds")?,
            max_trade_lock_days: optional(self.max_trade_lock_days, whole, "buying.maxTradeLockDays")?,
            min_liquidity_score: optional(self.min_liquidity_score, score, "buying.minLiquidityScore")?,
            min_seller_success: optional(self.min_seller_success_bps, basis_points, "buying.minSellerSuccessBps")?,
        })
    }
}

impl SellingLimits {
    fn check(&self) -> OpResult<SellingTerms> {
        Ok(SellingTerms {
            floor_price: required(self.floor_price_cents, cents, "selling.floorPriceCents")?,
            min_margin: optional(self.min_margin_bps, basis_points, "selling.minMarginBps")?,
            undercut: self.undercut.map(UndercutBy::check).transpose()?,
            ceiling_price: optional(self.ceiling_price_cents, cents, "selling.ceilingPriceCents")?,
            reprice_interval_seconds: optional(self.reprice_interval_seconds, whole, "selling.repriceIntervalSeconds")?,
            max_listings: optional(self.max_listings, whole, "selling.maxListings")?,
            max_below_value: optional(self.max_below_value_bps, basis_points, "selling.maxBelowValueBps")?,
            max_above_value: optional(self.max_above_value_bps, basis_points, "selling.maxAboveValueBps")?,
        })
    }
}

impl UndercutBy {
    fn check(self) -> OpResult<Undercut> {
        match self {
            Self::Cents(amount) => cents("selling.undercutCents", amount).map(Undercut::Amount),
            Self::Bps(share) => basis_points("selling.undercutBps", share).map(Undercut::Share),
        }
    }
}

impl PriceSource {
    pub(crate) fn check(&self) -> OpResult<PriceReference> {
        let confidence = self.min_confidence_bps.unwrap_or(0);
        Ok(PriceReference {
            sources: texts("priceReference.sources", &self.sources)?,
            statistic: self.statistic,
            max_age_seconds: required(self.max_age_seconds, whole, "priceReference.maxAgeSeconds")?,
            min_confidence: basis_points("priceReference.minConfidenceBps", confidence)?,
        })
    }
}

fn score(field: &str, value: i64) -> OpResult<u8> {
    let score = u8::try_from(value).ok().filter(|score| *score <= 100);
    score.ok_or_else(|| OpError::invalid_field(field, "must be from 0 to 100"))
}
