//! Whether a contract would act, and why: every rule is told with what was found and what it asks for, those that are met too.
//!
//! An evaluation changes nothing and reserves nothing. What it decided is checked once more by the machines that act on it.

mod buying;
mod reason;
mod rule;
mod sums;

use crate::contract::BasisPoints;
use crate::fees::FeeSchedule;
use crate::filter_set::FilterSetVersion;
use crate::money::Cents;
use crate::names::names;
use crate::pricing::{PriceOverride, Quotes};
use crate::text::Marketplace;
use crate::time::Timestamp;

pub use buying::evaluate_listing;
pub use reason::{Figure, Reason};
pub use rule::Rule;
pub use sums::{HAIRCUT_PER_DAY, PROTECTION_DAYS};

/// What a contract would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decision {
    /// Buy what is on offer.
    Buy = 1,
    /// Let it go.
    Skip = 2,
}

names! { Decision, "decision":
    Buy => "BUY",
    Skip => "SKIP",
}

/// A decision with its reasons. Amounts that cannot be found are `None`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// The decision.
    pub decision: Decision,
    /// Every rule, in the order of [`Rule::ALL`].
    pub reasons: Vec<Reason>,
    /// What an item of the variant is worth.
    pub fair_value: Option<Cents>,
    /// How far that is to be trusted.
    pub confidence: Option<BasisPoints>,
    /// What selling it on is expected to bring, after fees and the haircut for the time in which it cannot be sold.
    pub expected_net: Option<Cents>,
    /// What is earned by it, in basis points of what it costs; rounded down, negative for a loss.
    pub expected_margin: Option<i64>,
    /// What buying it costs, with the fee.
    pub all_in_cost: Option<Cents>,
}

impl Evaluation {
    /// The rules that are not met.
    pub fn failed(&self) -> impl Iterator<Item = Rule> {
        self.reasons.iter().filter(|reason| !reason.passed).map(|reason| reason.rule)
    }
}

/// Where a listing is on offer, and what is known of the market and of the contract's own doing.
#[derive(Debug, Clone, Copy)]
pub struct Circumstances<'a> {
    /// The marketplace.
    pub marketplace: &'a Marketplace,
    /// Its fees.
    pub fees: &'a FeeSchedule,
    /// The fees of those where the item can be sold on; the best of them counts.
    pub exits: &'a [FeeSchedule],
    /// The version of the contract's filter set that is to be used.
    pub filter: Option<&'a FilterSetVersion>,
    /// What the sources say of the listing's variant.
    pub quotes: &'a Quotes,
    /// The value that a person gave to it.
    pub price_override: Option<&'a PriceOverride>,
    /// What the contract did lately.
    pub activity: Activity,
    /// Now.
    pub at: Timestamp,
}

/// What a contract did lately, as far as its limits ask for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Activity {
    /// Money spent and reserved on the day, in the workspace's time zone.
    pub spent_today: Cents,
    /// Items of the listing's market name that are bought or on their way.
    pub of_item_name: u32,
    /// When it last bought something.
    pub last_purchase_at: Option<Timestamp>,
}
