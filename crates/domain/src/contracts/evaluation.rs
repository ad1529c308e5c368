//! Whether a contract would act, and why: every rule is reported with its finding and its limit, whether it is met or not.
//!
//! An evaluation changes nothing and reserves nothing. What it decided is checked once more by the machines that act on it.

mod basis;
mod buying;
mod reason;
mod record;
mod rule;
mod selling;
mod subject;
mod sums;

use crate::contracts::contract::BasisPoints;
use crate::contracts::filter_set::FilterSetVersion;
use crate::markets::fees::Charges;
use crate::markets::pricing::{PriceOverride, Quotes};
use crate::money::Cents;
use crate::names::names;
use crate::text::Marketplace;
use crate::time::Timestamp;

pub use crate::contracts::contract::{Activity, Proposed};
pub use buying::evaluate_listing;
pub use reason::{Figure, Reason};
pub use record::{Evaluated, EvaluationFigures, EvaluationRecord, RuleResult, SKIPS_PER_SAMPLE};
pub use rule::Rule;
pub use selling::evaluate_item;
pub use subject::{Holding, ListingContext};
pub use sums::{HAIRCUT_PER_DAY, margin_of_sale};

/// What a contract would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decision {
    /// Buy what is on offer.
    Buy = 1,
    /// Skip it.
    Skip = 2,
    /// Put the item on sale.
    Sell = 3,
    /// Keep it.
    Hold = 4,
}

names! { Decision, "decision":
    Buy => "BUY",
    Skip => "SKIP",
    Sell => "SELL",
    Hold => "HOLD",
}

/// A decision with its reasons. Amounts that cannot be found are `None`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// The decision.
    pub decision: Decision,
    /// Every rule of buying, or of selling, always in the same order.
    pub reasons: Vec<Reason>,
    /// What an item of the variant is worth: to a contract that buys the lower side of the value, to one that sells the higher.
    pub fair_value: Option<Cents>,
    /// How far that is to be trusted.
    pub confidence: Option<BasisPoints>,
    /// The price to ask for an item; `None` for a listing.
    pub asking_price: Option<Cents>,
    /// What the item is expected to bring after fees. Of a listing, what selling it on would bring, after a haircut for the
    /// time in which it cannot be sold.
    pub expected_net: Option<Cents>,
    /// What is earned by it, in basis points of what it costs; rounded down, negative for a loss.
    pub expected_margin: Option<i64>,
    /// What buying it costs or has cost, with the fee.
    pub all_in_cost: Option<Cents>,
}

impl Evaluation {
    /// The rules that are not met.
    pub fn failed(&self) -> impl Iterator<Item = Rule> {
        self.reasons.iter().filter(|reason| !reason.passed).map(|reason| reason.rule)
    }
}

/// Where a contract is to act, and what is known there.
#[derive(Debug, Clone, Copy)]
pub struct Circumstances<'a> {
    /// The marketplace.
    pub marketplace: &'a Marketplace,
    /// What it takes of this side of the deal; `None` where that is not known, and then nothing is bought or sold there.
    pub fees: Option<&'a Charges>,
    /// The version of the contract's filter set that is to be used.
    pub filter: Option<&'a FilterSetVersion>,
    /// What the sources say of the item's variant.
    pub quotes: &'a Quotes,
    /// The value that a person gave to it.
    pub price_override: Option<&'a PriceOverride>,
    /// Now.
    pub at: Timestamp,
}
