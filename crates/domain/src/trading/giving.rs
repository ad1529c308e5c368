//! What trading accounts give, by its value: how much within an hour and within a day, and whether an offer is within the limits.
//!
//! An item counts with the price at which it is sold or with its last known value, whichever is higher; where no value is known, its cost is in its place.
//! An account gives it once the confirmation of its offer is allowed: from then on the partner can have it. This module does not know who sets
//! the limits.

use std::fmt;

use ::time::Duration;

use crate::money::{Cents, Decimal};
use crate::time::Timestamp;

/// A time up to now within which a limit applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GivingWindow {
    /// An hour.
    Hour,
    /// A day of 24 h.
    Day,
}

impl GivingWindow {
    /// The time after which something counts that was given.
    pub fn since(self, now: Timestamp) -> Timestamp {
        let span = match self {
            Self::Hour => Duration::HOUR,
            Self::Day => Duration::DAY,
        };
        now.plus(-span)
    }

    /// How long it is.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hour => "1 h",
            Self::Day => "24 h",
        }
    }
}

impl fmt::Display for GivingWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The most that an account gives, by the value of the items. A limit that is `None` does not apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GivingLimits {
    /// Within an hour.
    pub per_hour: Option<Cents>,
    /// Within 24 h.
    pub per_day: Option<Cents>,
}

impl GivingLimits {
    /// Whether one of them applies.
    pub const fn apply(&self) -> bool {
        self.per_hour.is_some() || self.per_day.is_some()
    }

    /// The lower one of those that apply: an offer of a higher value exceeds a limit by itself.
    pub fn least(&self) -> Option<Cents> {
        [self.per_hour, self.per_day].into_iter().flatten().min()
    }
}

/// What an offer gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Given {
    /// The value of its items; `None` where that of one is not known.
    pub value: Option<Cents>,
    /// When it was last decided: that the offer is made, and then that its confirmation is allowed.
    pub at: Timestamp,
    /// Whether its confirmation is allowed, or needed no longer.
    pub is_allowed: bool,
}

/// Values that were added up, in cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GivenSums {
    /// Within the last hour.
    pub hour: i64,
    /// Within the last 24 h.
    pub day: i64,
}

impl GivenSums {
    const fn plus(self, other: Self) -> Self {
        Self { hour: self.hour.saturating_add(other.hour), day: self.day.saturating_add(other.day) }
    }
}

/// What an account gave lately, and what its offers are about to give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GivenLately {
    /// By offers whose confirmation was allowed.
    pub allowed: GivenSums,
    /// By offers that are made and not confirmed.
    pub waiting: GivenSums,
}

impl GivenLately {
    /// What was given.
    pub const fn given(self) -> GivenSums {
        self.allowed
    }

    /// What was given, and what is about to be.
    pub const fn total(self) -> GivenSums {
        self.allowed.plus(self.waiting)
    }

    /// The same with what one more offer gives.
    #[must_use]
    pub fn with(self, given: &Given, now: Timestamp) -> Self {
        let value = |window: GivingWindow| {
            let is_within = given.at > window.since(now);
            if is_within { given.value.map_or(0, Cents::get) } else { 0 }
        };
        let sums = GivenSums { hour: value(GivingWindow::Hour), day: value(GivingWindow::Day) };
        if given.is_allowed {
            Self { allowed: self.allowed.plus(sums), ..self }
        } else {
            Self { waiting: self.waiting.plus(sums), ..self }
        }
    }
}

/// Why an account does not give something now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GivingRefusal {
    /// Nothing says what an item is worth, so that it cannot be compared with the limit.
    #[error("the value of an item is not known, and the account has a limit of what it gives")]
    UnknownValue,
    /// It would be more than the limit.
    #[error(
        "the items are worth {}; the limit within {window} is {}, of which {} are used",
        .value.decimal(), .limit.decimal(), Decimal::of(*given)
    )]
    OverLimit {
        /// Within this time.
        window: GivingWindow,
        /// The limit.
        limit: Cents,
        /// How much of it is used, in cents.
        given: i64,
        /// The value of the items.
        value: Cents,
    },
}

/// What an offer is to give, and what counts against the limits of its account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GivingBudget {
    /// The value of its items; `None` where that of one is not known.
    pub value: Option<Cents>,
    /// The limits of the account.
    pub limits: GivingLimits,
    /// What counts against them, without this offer.
    pub given: GivenSums,
}

impl GivingBudget {
    /// Checks that the offer is within the limits. One whose value is not known is within none.
    ///
    /// # Errors
    /// [`GivingRefusal`].
    pub fn check(&self) -> Result<(), GivingRefusal> {
        let Self { value, limits, given } = *self;
        if !limits.apply() {
            return Ok(());
        }
        let value = value.ok_or(GivingRefusal::UnknownValue)?;
        let windows =
            [(GivingWindow::Hour, limits.per_hour, given.hour), (GivingWindow::Day, limits.per_day, given.day)];
        for (window, limit, given) in windows {
            if let Some(limit) = limit.filter(|limit| given.saturating_add(value.get()) > limit.get()) {
                return Err(GivingRefusal::OverLimit { window, limit, given, value });
            }
        }
        Ok(())
    }

    /// Whether the offer is within no limit even if nothing else is given: only a person can allow it.
    pub fn is_beyond_alone(&self) -> bool {
        Self { given: GivenSums::default(), ..*self }.check().is_err()
    }
}

/// Returns the value of an item that is given: the price at which it is sold or its last known value, whichever is higher. Where no value
/// is known, its cost is in its place; a cost of zero is one that is not known. The price alone would let an item that is sold for a cent
/// pass every limit.
pub fn value_when_given(sold_for: Option<Cents>, last_known: Option<Cents>, cost: Option<Cents>) -> Option<Cents> {
    sold_for.max(last_known.or(cost.filter(|cost| *cost != Cents::ZERO)))
}

/// Returns the value of several items; `None` where that of one is not known.
pub fn total_value(values: impl IntoIterator<Item = Option<Cents>>) -> Option<Cents> {
    values.into_iter().try_fold(Cents::ZERO, |sum, value| Some(sum.plus(value?).unwrap_or(Cents::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::minutes(minutes))
    }

    fn cents(amount: i64) -> Cents {
        Cents::new(amount).unwrap()
    }

    fn given(value: i64, minutes: i64) -> Given {
        Given { value: Some(cents(value)), at: at(minutes), is_allowed: true }
    }

    fn budget(value: i64, hour: i64, day: i64) -> GivingBudget {
        let limits = GivingLimits { per_hour: Some(cents(100)), per_day: Some(cents(250)) };
        GivingBudget { value: Some(cents(value)), limits, given: GivenSums { hour, day } }
    }

    #[test]
    fn what_was_given_an_hour_and_a_day_ago_counts_no_longer() {
        let now = at(24 * 60);
        let sums = |minutes| GivenLately::default().with(&given(7, minutes), now).given();
        assert_eq!(sums(24 * 60), GivenSums { hour: 7, day: 7 });
        assert_eq!(sums(23 * 60 + 1), GivenSums { hour: 7, day: 7 });
        assert_eq!(sums(23 * 60), GivenSums { hour: 0, day: 7 });
        assert_eq!(sums(1), GivenSums { hour: 0, day: 7 });
        assert_eq!(sums(0), GivenSums::default());
        assert_eq!(sums(24 * 60 + 5), GivenSums { hour: 7, day: 7 }, "the clock was set back");
    }

    #[test]
    fn what_waits_for_its_confirmation_counts_apart_and_an_unknown_value_counts_nothing() {
        let waiting = Given { is_allowed: false, ..given(3, 0) };
        let unknown = Given { value: None, ..given(0, 0) };
        let lately = [given(5, 0), waiting, unknown].iter().fold(GivenLately::default(), |sum, it| sum.with(it, at(1)));
        assert_eq!(lately.given(), GivenSums { hour: 5, day: 5 });
        assert_eq!(lately.total(), GivenSums { hour: 8, day: 8 });
    }

    #[test]
    fn an_offer_is_within_the_limits_up_to_their_last_cent() {
        assert_eq!(budget(10, 90, 240).check(), Ok(()));
        let over = |budget: GivingBudget| match budget.check() {
            Err(GivingRefusal::OverLimit { window, limit, given, .. }) => Some((window, limit.get(), given)),
            Err(GivingRefusal::UnknownValue) | Ok(()) => None,
        };
        assert_eq!(over(budget(10, 91, 91)), Some((GivingWindow::Hour, 100, 91)));
        assert_eq!(over(budget(10, 0, 241)), Some((GivingWindow::Day, 250, 241)));
        assert_eq!(over(budget(1, i64::MAX, i64::MAX)), Some((GivingWindow::Hour, 100, i64::MAX)));
    }

    #[test]
    fn without_a_limit_everything_may_be_given_and_with_one_nothing_of_unknown_value() {
        let unlimited = GivingBudget { limits: GivingLimits::default(), ..budget(10_000, 10_000, 10_000) };
        assert_eq!(unlimited.check(), Ok(()));
        assert_eq!(GivingBudget { value: None, ..unlimited }.check(), Ok(()));
        let limits = GivingLimits { per_hour: None, per_day: Some(cents(1)) };
        let unknown = GivingBudget { value: None, limits, given: GivenSums::default() };
        assert_eq!(unknown.check(), Err(GivingRefusal::UnknownValue));
    }

    #[test]
    fn an_offer_is_beyond_a_limit_alone_by_its_own_value() {
        assert!(!budget(100, 100, 250).is_beyond_alone());
        assert!(budget(101, 0, 0).is_beyond_alone());
        assert!(GivingBudget { value: None, ..budget(0, 0, 0) }.is_beyond_alone());
        assert!(!GivingBudget { limits: GivingLimits::default(), ..budget(101, 0, 0) }.is_beyond_alone());
    }

    #[test]
    fn the_least_limit_is_the_lower_one_of_those_that_apply() {
        let limits =
            |hour: Option<i64>, day: Option<i64>| GivingLimits { per_hour: hour.map(cents), per_day: day.map(cents) };
        assert_eq!(limits(Some(7), Some(5)).least(), Some(cents(5)));
        assert_eq!(limits(None, Some(9)).least(), Some(cents(9)));
        assert_eq!(limits(None, None).least(), None);
    }

    #[test]
    fn a_refusal_has_its_amounts_with_two_decimals() {
        let refusal = budget(1_250, 5, 5).check().unwrap_err().to_string();
        assert_eq!(refusal, "the items are worth 12.50; the limit within 1 h is 1.00, of which 0.05 are used");
    }

    #[test]
    fn a_refusal_fits_a_reason() {
        let limits = GivingLimits { per_hour: Some(Cents::MAX), per_day: Some(Cents::MAX) };
        let given = GivenSums { hour: i64::MAX, day: i64::MAX };
        for value in [None, Some(Cents::MAX)] {
            let refusal = GivingBudget { value, limits, given }.check().unwrap_err();
            assert!(crate::text::ReasonText::new(&refusal.to_string()).is_ok(), "{refusal}");
        }
    }

    #[test]
    fn an_item_counts_with_the_higher_of_sale_and_value_or_cost() {
        let [sale, last, cost] = [30, 20, 10].map(|amount| Some(cents(amount)));
        assert_eq!(value_when_given(sale, last, cost), sale);
        assert_eq!(value_when_given(Some(Cents::ONE), last, cost), last, "a sale for a cent");
        assert_eq!(value_when_given(Some(Cents::ONE), None, cost), cost, "a sale for a cent");
        assert_eq!(value_when_given(None, last, cost), last);
        assert_eq!(value_when_given(None, None, cost), cost);
        assert_eq!(value_when_given(None, None, Some(Cents::ZERO)), None);
    }

    #[test]
    fn the_value_of_several_items_is_known_if_that_of_each_is() {
        assert_eq!(total_value([Some(cents(1)), Some(cents(2))]), Some(cents(3)));
        assert_eq!(total_value([Some(cents(1)), None]), None);
        assert_eq!(total_value([]), Some(Cents::ZERO));
        assert_eq!(total_value([Some(Cents::MAX), Some(cents(1))]), Some(Cents::MAX));
    }
}
