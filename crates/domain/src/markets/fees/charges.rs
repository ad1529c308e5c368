//! What a marketplace takes of a price in the currency of a workspace, also where it charges in another one.

use super::{FeeRate, FeeSchedule};
use crate::markets::exchange::{Conversion, ExchangeRate};
use crate::money::{Cents, MoneyError};
use crate::text::MarketHashName;
use crate::time::Timestamp;

/// The fees of a marketplace, as the workspace expects them.
///
/// A fee abroad is calculated in the foreign currency, on the highest price that ours can be there, and its amount is converted. A
/// share of a converted price would be less than what is charged, since a marketplace charges whole cents of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Charges {
    schedule: FeeSchedule,
    rate: Option<ExchangeRate>,
}

impl From<FeeSchedule> for Charges {
    fn from(schedule: FeeSchedule) -> Self {
        Self { schedule, rate: None }
    }
}

impl Charges {
    /// What is charged by this schedule in the currency of the rate; in that of the workspace without one.
    pub const fn at(schedule: FeeSchedule, rate: Option<ExchangeRate>) -> Self {
        Self { schedule, rate }
    }

    /// Returns the schedule, in the currency of the marketplace.
    pub const fn schedule(&self) -> &FeeSchedule {
        &self.schedule
    }

    /// Returns the rate of their conversion, where they are charged in another currency.
    pub const fn rate(&self) -> Option<ExchangeRate> {
        self.rate
    }

    /// Returns the fee that a buyer of this variant pays in addition to a price.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] when price or fee are too much for an amount of the other currency.
    pub fn on_buying(&self, variant: &MarketHashName, at: Timestamp, price: Cents) -> Result<Cents, MoneyError> {
        self.of(self.schedule.buying(variant, at), price)
    }

    /// Returns the fee that is deducted from a seller's price of this variant.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] when price or fee are too much for an amount of the other currency.
    pub fn on_selling(&self, variant: &MarketHashName, at: Timestamp, price: Cents) -> Result<Cents, MoneyError> {
        self.of(self.schedule.selling(variant, at), price)
    }

    fn of(&self, fee: FeeRate, price: Cents) -> Result<Cents, MoneyError> {
        let conversion = Conversion::from(self.rate);
        conversion.cost(fee.estimate(conversion.asking_for(price)?))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::any_rate as any_fee;
    use super::*;
    use crate::money::{Currency, VenueCents};
    use proptest::prelude::*;

    fn charges(fee: FeeRate, micros: i64) -> (Charges, ExchangeRate) {
        let rate = ExchangeRate::new(Currency::new("EUR").unwrap(), micros, Timestamp::MIN).unwrap();
        let schedule = FeeSchedule { buying: fee, selling: fee, overrides: Vec::new() };
        (Charges::at(schedule, Some(rate)), rate)
    }

    fn cents(amount: i64) -> Cents {
        Cents::new(amount).unwrap()
    }

    fn abroad(amount: i64) -> VenueCents {
        VenueCents::new(amount).unwrap()
    }

    proptest! {
        #[test]
        fn what_is_charged_abroad_is_never_more_than_was_reckoned_with(
            fee in any_fee(),
            micros in prop_oneof![1..=5_000_000_i64, 1..=1_000_000_000_i64],
            price in 1..=10_000_000_i64,
        ) {
            let (charges, rate) = charges(fee, micros);
            let name = MarketHashName::new("AK-47 | Redline (Field-Tested)").unwrap();
            let seen = rate.cost(abroad(price))?;
            let estimated = charges.on_buying(&name, Timestamp::MIN, seen)?;
            // At whatever price the marketplace sells for what ours costs at most.
            for executed in [abroad(price), rate.most_for(seen)] {
                prop_assert!(rate.cost(fee.of(executed))? <= estimated);
            }
        }

        #[test]
        fn what_a_sale_abroad_brings_is_never_less_than_was_reckoned_with(
            fee in any_fee(),
            micros in prop_oneof![1..=5_000_000_i64, 1..=1_000_000_000_i64],
            price in 1..=10_000_000_i64,
        ) {
            let (charges, rate) = charges(fee, micros);
            let name = MarketHashName::new("AK-47 | Redline (Field-Tested)").unwrap();
            let wanted = cents(price).minus(charges.on_selling(&name, Timestamp::MIN, cents(price))?);
            let asked = rate.asking_for(cents(price))?;
            let brought = rate.proceeds(asked)?.minus(rate.cost(fee.of(asked))?);
            if let Ok(wanted) = wanted {
                prop_assert!(brought.is_ok_and(|brought| brought >= wanted));
            }
        }
    }

    #[test]
    fn at_home_a_fee_is_what_the_schedule_says() {
        let rate = FeeRate {
            share: crate::contracts::contract::BasisPoints::new(50).unwrap(),
            minimum: VenueCents::ONE,
            rounding: super::super::Rounding::HalfUp,
        };
        let charges = Charges::from(FeeSchedule { buying: rate, selling: rate, overrides: Vec::new() });
        let name = MarketHashName::new("AK-47 | Redline (Field-Tested)").unwrap();
        assert_eq!(charges.on_buying(&name, Timestamp::MIN, cents(1_001)), Ok(cents(6)));
    }
}
