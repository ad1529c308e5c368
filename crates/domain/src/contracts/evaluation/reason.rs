//! The result of one rule: what was found, the limit, and whether the rule is met.

use std::fmt;

use crate::contracts::contract::{BasisPoints, ContractStatus};
use crate::contracts::filter_set::FailedRule;
use crate::contracts::inventory_item::ItemStatus;
use crate::markets::pricing::Unpriced;
use crate::money::Cents;
use crate::text::Marketplace;
use crate::time::Timestamp;

use super::rule::Rule;

/// A rule as it was judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The rule.
    pub rule: Rule,
    /// Whether it is met.
    pub passed: bool,
    /// What was found; `None` when it is not known, or there is nothing to find.
    pub actual: Option<Figure>,
    /// The limit; `None` when the contract sets none.
    pub limit: Option<Figure>,
}

/// What a rule finds or asks for. Written without its unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Figure {
    /// An amount, in cents.
    Money(Cents),
    /// A share, in basis points; more than the whole, or negative, where it compares.
    BasisPoints(i64),
    /// A number of items or purchases.
    Count(u32),
    /// Days.
    Days(u32),
    /// Seconds.
    Seconds(i64),
    /// A score from 0 to 100.
    Score(u8),
    /// A point in time.
    Time(Timestamp),
    /// The status of a contract.
    Status(ContractStatus),
    /// The status of an item.
    ItemStatus(ItemStatus),
    /// Why there is no value.
    Unpriced(Unpriced),
    /// The first rule of a filter set that a listing does not meet.
    FilterRule(FailedRule),
    /// A version of a filter set.
    FilterVersion(u32),
    /// Marketplaces.
    Marketplaces(Vec<Marketplace>),
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Money(cents) => fmt::Display::fmt(cents, f),
            Self::BasisPoints(number) | Self::Seconds(number) => fmt::Display::fmt(number, f),
            Self::Count(number) | Self::Days(number) | Self::FilterVersion(number) => fmt::Display::fmt(number, f),
            Self::Score(score) => fmt::Display::fmt(score, f),
            Self::Time(at) => fmt::Display::fmt(at, f),
            Self::Status(status) => fmt::Display::fmt(status, f),
            Self::ItemStatus(status) => fmt::Display::fmt(status, f),
            Self::Unpriced(why) => fmt::Display::fmt(why, f),
            Self::FilterRule(rule) => fmt::Display::fmt(rule, f),
            Self::Marketplaces(names) => {
                for (place, name) in names.iter().enumerate() {
                    f.write_str(if place == 0 { "" } else { ", " })?;
                    fmt::Display::fmt(name, f)?;
                }
                Ok(())
            }
        }
    }
}

impl Reason {
    /// Checks that the finding is at most the limit. An unknown finding exceeds every limit.
    pub(super) fn at_most<T: Ord>(rule: Rule, actual: Option<T>, limit: Option<T>, figure: fn(T) -> Figure) -> Self {
        let passed = limit.as_ref().is_none_or(|limit| actual.as_ref().is_some_and(|actual| actual <= limit));
        Self { rule, passed, actual: actual.map(figure), limit: limit.map(figure) }
    }

    /// Checks that the finding is at least the limit. An unknown finding is below every limit.
    pub(super) fn at_least<T: Ord>(rule: Rule, actual: Option<T>, limit: Option<T>, figure: fn(T) -> Figure) -> Self {
        let passed = limit.as_ref().is_none_or(|limit| actual.as_ref().is_some_and(|actual| actual >= limit));
        Self { rule, passed, actual: actual.map(figure), limit: limit.map(figure) }
    }

    /// A share, or a gain in basis points, must not be less than the limit.
    pub(super) fn share_at_least(rule: Rule, actual: Option<i64>, limit: Option<BasisPoints>) -> Self {
        Self::at_least(rule, actual, limit.map(i64::from), Figure::BasisPoints)
    }

    /// With one more, there must not be more than the limit.
    pub(super) fn one_more_at_most(rule: Rule, taken: u32, limit: Option<u32>) -> Self {
        Self::at_most(rule, taken.checked_add(1), limit, Figure::Count)
    }
}
