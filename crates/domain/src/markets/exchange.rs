//! Exchange rates: what an amount abroad comes to in the currency of a workspace.
//!
//! Costs are rounded up and proceeds down, each amount once, so that what was reserved is enough and what is promised comes in. A
//! deal keeps the rate that it was made by: what it has cost is never revalued.

use ::time::Duration;

use crate::money::{Amount, Cents, Currency, MoneyError, VenueCents};
use crate::time::Timestamp;

/// By a rate that is older nothing new is bought or put on sale.
pub const RATE_LIFETIME: Duration = Duration::hours(1);

/// The parts of a unit in which rates are given.
const WHOLE: i128 = 1_000_000;

/// What one unit of another currency was worth at a time, in millionths of a unit of the workspace's.
///
/// ```
/// use tradepost_domain::markets::exchange::ExchangeRate;
/// use tradepost_domain::money::{Currency, VenueCents};
/// use tradepost_domain::time::Timestamp;
///
/// let rate = ExchangeRate::new(Currency::new("EUR")?, 1_083_500, Timestamp::from_micros(0)?)?;
/// let price = VenueCents::new(1_001)?;
/// assert_eq!((rate.cost(price)?.get(), rate.proceeds(price)?.get()), (1_085, 1_084));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ExchangeRate {
    from: Currency,
    micros: i64,
    as_of: Timestamp,
}

/// The number is not a valid rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a rate is from 1 to {} millionths", ExchangeRate::MOST_MICROS)]
pub struct InvalidRate;

/// What was paid for a deal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paid {
    /// At the venue.
    pub there: VenueCents,
    /// Converted.
    pub cost: Cents,
}

impl ExchangeRate {
    /// The highest rate: a unit of the other currency is worth a billion of ours.
    pub const MOST_MICROS: i64 = 1_000_000_000_000_000;

    /// The rate that one unit of `from` was worth `micros` millionths of a unit.
    ///
    /// # Errors
    /// [`InvalidRate`] outside 1 to [`ExchangeRate::MOST_MICROS`].
    pub fn new(from: Currency, micros: i64, as_of: Timestamp) -> Result<Self, InvalidRate> {
        if (1..=Self::MOST_MICROS).contains(&micros) { Ok(Self { from, micros, as_of }) } else { Err(InvalidRate) }
    }

    /// The other currency.
    pub const fn from(self) -> Currency {
        self.from
    }

    /// The millionths of a unit of ours that one of its units was worth.
    pub const fn micros(self) -> i64 {
        self.micros
    }

    /// When it was worth that.
    pub const fn as_of(self) -> Timestamp {
        self.as_of
    }

    /// Whether it may be traded by.
    pub fn is_fresh(self, at: Timestamp) -> bool {
        at.since(self.as_of) < RATE_LIFETIME
    }

    /// What a cost abroad comes to, rounded up.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] above what an amount can be.
    pub fn cost(self, abroad: VenueCents) -> Result<Cents, MoneyError> {
        amount(up(i128::from(abroad.get()) * i128::from(self.micros), WHOLE))
    }

    /// What proceeds abroad come to, rounded down.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] above what an amount can be.
    pub fn proceeds(self, abroad: VenueCents) -> Result<Cents, MoneyError> {
        amount(down(i128::from(abroad.get()) * i128::from(self.micros), WHOLE))
    }

    /// The most that may be spent abroad so that it costs `ours` at most.
    pub fn most_for(self, ours: Cents) -> VenueCents {
        amount(down(i128::from(ours.get()) * WHOLE, self.micros.into())).unwrap_or(VenueCents::MAX)
    }

    /// The least to ask abroad so that it brings `ours` at least.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] when no amount is high enough.
    pub fn asking_for(self, ours: Cents) -> Result<VenueCents, MoneyError> {
        amount(up(i128::from(ours.get()) * WHOLE, self.micros.into()))
    }

    /// What comes back of a deal when `back` comes back abroad. All of it is all that it has cost; a part is rounded down.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] above what an amount can be.
    pub fn refund(self, back: VenueCents, deal: Paid) -> Result<Cents, MoneyError> {
        match back.minus(deal.there) {
            Ok(beyond) => deal.cost.plus(self.proceeds(beyond)?),
            Err(_) => self.proceeds(back).map(|part| part.min(deal.cost)),
        }
    }
}

/// How the amounts of a venue become those of a workspace, and back: as they are where both have one currency, else by a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conversion {
    /// Both have the same currency.
    SameCurrency,
    /// The venue has another one.
    By(ExchangeRate),
}

impl From<Option<ExchangeRate>> for Conversion {
    /// A venue in the currency of the workspace has records without a rate.
    fn from(rate: Option<ExchangeRate>) -> Self {
        rate.map_or(Self::SameCurrency, Self::By)
    }
}

impl Conversion {
    /// As [`ExchangeRate::cost`].
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] above what an amount can be.
    pub fn cost(self, theirs: VenueCents) -> Result<Cents, MoneyError> {
        match self {
            Self::SameCurrency => Ok(theirs.of_same_worth()),
            Self::By(rate) => rate.cost(theirs),
        }
    }

    /// As [`ExchangeRate::proceeds`].
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] above what an amount can be.
    pub fn proceeds(self, theirs: VenueCents) -> Result<Cents, MoneyError> {
        match self {
            Self::SameCurrency => Ok(theirs.of_same_worth()),
            Self::By(rate) => rate.proceeds(theirs),
        }
    }

    /// As [`ExchangeRate::most_for`].
    pub fn most_for(self, ours: Cents) -> VenueCents {
        match self {
            Self::SameCurrency => ours.of_same_worth(),
            Self::By(rate) => rate.most_for(ours),
        }
    }

    /// As [`ExchangeRate::asking_for`].
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] when no amount is high enough.
    pub fn asking_for(self, ours: Cents) -> Result<VenueCents, MoneyError> {
        match self {
            Self::SameCurrency => Ok(ours.of_same_worth()),
            Self::By(rate) => rate.asking_for(ours),
        }
    }

    /// As [`ExchangeRate::refund`].
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] above what an amount can be.
    pub fn refund(self, back: VenueCents, deal: Paid) -> Result<Cents, MoneyError> {
        match self {
            Self::SameCurrency => Ok(back.of_same_worth()),
            Self::By(rate) => rate.refund(back, deal),
        }
    }
}

fn down(amount: i128, over: i128) -> i128 {
    amount.div_euclid(over)
}

fn up(amount: i128, over: i128) -> i128 {
    down(amount + over - 1, over)
}

fn amount<Of>(cents: i128) -> Result<Amount<Of>, MoneyError> {
    i64::try_from(cents).map_err(|_| MoneyError::TooLarge).and_then(Amount::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).unwrap()
    }

    fn rate(micros: i64) -> ExchangeRate {
        ExchangeRate::new(Currency::new("EUR").unwrap(), micros, at(0)).unwrap()
    }

    fn cents(amount: i64) -> Cents {
        Cents::new(amount).unwrap()
    }

    fn any_rate() -> impl Strategy<Value = ExchangeRate> {
        prop_oneof![1..=10_000_000_i64, 1..=ExchangeRate::MOST_MICROS].prop_map(rate)
    }

    fn abroad(amount: i64) -> VenueCents {
        VenueCents::new(amount).unwrap()
    }

    fn any_cents() -> impl Strategy<Value = i64> {
        prop_oneof![0..=100_000_i64, 0..=Cents::MAX.get()]
    }

    fn any_amount() -> impl Strategy<Value = Cents> {
        any_cents().prop_map(cents)
    }

    fn any_price() -> impl Strategy<Value = VenueCents> {
        any_cents().prop_map(abroad)
    }

    proptest! {
        #[test]
        fn what_may_be_spent_abroad_costs_no_more_and_a_cent_above_does(rate in any_rate(), ours in any_amount()) {
            let most = rate.most_for(ours);
            prop_assert!(rate.cost(most).is_ok_and(|cost| cost <= ours));
            if let Ok(above) = most.plus(VenueCents::ONE) {
                prop_assert!(rate.cost(above).map_or(true, |cost| cost > ours));
            }
        }

        #[test]
        fn what_is_asked_abroad_brings_enough_and_a_cent_less_does_not(rate in any_rate(), ours in any_amount()) {
            let Ok(asked) = rate.asking_for(ours) else { return Ok(()) };
            prop_assert!(rate.proceeds(asked).map_or(true, |brought| brought >= ours));
            if let Ok(below) = asked.minus(VenueCents::ONE) {
                prop_assert!(rate.proceeds(below).is_ok_and(|brought| brought < ours));
            }
        }

        #[test]
        fn a_purchase_at_the_price_that_was_seen_costs_what_was_reserved(rate in any_rate(), price in any_price()) {
            let Ok(reserved) = rate.cost(price) else { return Ok(()) };
            let most = rate.most_for(reserved);
            prop_assert!(most >= price);
            prop_assert_eq!(rate.cost(most), Ok(reserved));
        }

        #[test]
        fn costs_are_a_cent_above_proceeds_at_most_and_neither_falls(rate in any_rate(), price in any_price()) {
            let Ok(cost) = rate.cost(price) else { return Ok(()) };
            let brought = rate.proceeds(price)?;
            prop_assert!(cost.minus(brought).is_ok_and(|between| between <= cents(1)));
            if let Ok(higher) = price.plus(VenueCents::ONE) {
                prop_assert!(rate.cost(higher).map_or(true, |higher| higher >= cost));
                prop_assert!(rate.proceeds(higher).map_or(true, |higher| higher >= brought));
            }
        }

        #[test]
        fn all_that_comes_back_is_all_that_it_cost_and_a_part_is_no_more(
            rate in any_rate(),
            price in any_price(),
            fee in 0..=100_000_i64,
            part in any_price(),
        ) {
            let converted = rate.cost(price).and_then(|price| price.plus(rate.cost(abroad(fee))?));
            let (Ok(there), Ok(cost)) = (price.plus(abroad(fee)), converted) else { return Ok(()) };
            let deal = Paid { there, cost };
            prop_assert_eq!(rate.refund(there, deal), Ok(cost));
            prop_assert!(rate.refund(part.min(there), deal).is_ok_and(|back| back <= cost));
        }
    }

    #[test]
    fn a_rate_lies_between_a_millionth_and_a_billion() {
        let new = |micros| ExchangeRate::new(Currency::USD, micros, at(0));
        for micros in [i64::MIN, -1, 0, ExchangeRate::MOST_MICROS + 1, i64::MAX] {
            assert_eq!(new(micros), Err(InvalidRate), "{micros}");
        }
        assert!(new(1).is_ok() && new(ExchangeRate::MOST_MICROS).is_ok());
    }

    #[test]
    fn what_is_too_much_is_refused_and_not_cut_off() {
        let dear = rate(ExchangeRate::MOST_MICROS);
        assert_eq!(dear.cost(VenueCents::MAX), Err(MoneyError::TooLarge));
        assert_eq!(dear.proceeds(abroad(10_001)), Err(MoneyError::TooLarge));
        assert_eq!(rate(1).asking_for(Cents::MAX), Err(MoneyError::TooLarge));
        assert_eq!(rate(1).most_for(Cents::MAX), VenueCents::MAX);
    }

    #[test]
    fn without_a_rate_an_amount_stays_what_it_is() {
        let same = Conversion::from(None);
        let deal = Paid { there: abroad(500), cost: cents(500) };
        assert_eq!(
            (same.cost(abroad(7)), same.proceeds(abroad(7)), same.refund(abroad(7), deal)),
            (Ok(cents(7)), Ok(cents(7)), Ok(cents(7)))
        );
        assert_eq!((same.most_for(cents(7)), same.asking_for(cents(7))), (abroad(7), Ok(abroad(7))));
    }

    #[test]
    fn a_rate_is_traded_by_for_an_hour() {
        assert!(rate(1).is_fresh(at(3_599)));
        assert!(!rate(1).is_fresh(at(3_600)));
    }
}
