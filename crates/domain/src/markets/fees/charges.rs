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
    /// Whether they are charged in another currency by a rate that is not known.
    lacks_rate: bool,
}

impl From<FeeSchedule> for Charges {
    fn from(schedule: FeeSchedule) -> Self {
        Self::at(schedule, None)
    }
}

impl Charges {
    /// What is charged by this schedule in the currency of the rate; in that of the workspace without one.
    pub const fn at(schedule: FeeSchedule, rate: Option<ExchangeRate>) -> Self {
        Self { schedule, rate, lacks_rate: false }
    }

    /// What is charged by this schedule in another currency whose rate is not known. Of its fees only the shares count: a minimum is an
    /// amount of that currency.
    pub fn without_rate(schedule: FeeSchedule) -> Self {
        Self { schedule: schedule.shares_alone(), rate: None, lacks_rate: true }
    }

    /// Returns the schedule, in the currency of the marketplace. Without a rate it has no minimum.
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

    /// Returns the most that a price of this variant and its fee come to. Without a rate that is 2 cents more than their sum: the price
    /// and the fee there, and then the fee here, are each rounded up to a whole cent. It is enough where the share is at most 5 %, and a
    /// unit of the other currency is worth at most 1.9 of ours.
    ///
    /// # Errors
    /// As [`Charges::on_buying`].
    pub fn cost_of_buying(&self, variant: &MarketHashName, at: Timestamp, price: Cents) -> Result<Cents, MoneyError> {
        let fee = self.on_buying(variant, at, price)?;
        let cost = price.plus(fee)?;
        if self.lacks_rate && fee > Cents::ZERO { cost.plus(Cents::ONE)?.plus(Cents::ONE) } else { Ok(cost) }
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

    fn rate_of(share: u16, minimum: i64) -> FeeRate {
        let share = crate::contracts::contract::BasisPoints::new(share).unwrap();
        FeeRate { share, minimum: abroad(minimum), rounding: super::super::Rounding::HalfUp }
    }

    fn name() -> MarketHashName {
        MarketHashName::new("AK-47 | Redline (Field-Tested)").unwrap()
    }

    proptest! {
        #[test]
        fn what_is_charged_abroad_is_never_more_than_was_reckoned_with(
            fee in any_fee(),
            micros in prop_oneof![1..=5_000_000_i64, 1..=1_000_000_000_i64],
            price in 1..=10_000_000_i64,
        ) {
            let (charges, rate) = charges(fee, micros);
            let name = name();
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
            let name = name();
            let wanted = cents(price).minus(charges.on_selling(&name, Timestamp::MIN, cents(price))?);
            let asked = rate.asking_for(cents(price))?;
            let brought = rate.proceeds(asked)?.minus(rate.cost(fee.of(asked))?);
            if let Ok(wanted) = wanted {
                prop_assert!(brought.is_ok_and(|brought| brought >= wanted));
            }
        }

        #[test]
        fn without_a_rate_a_purchase_abroad_costs_no_more_than_was_reckoned_with(
            share in 0..=500_u16,
            micros in 1..=1_900_000_i64,
            price in 1..=10_000_000_i64,
        ) {
            let (with_rate, rate) = charges(rate_of(share, 0), micros);
            let without = Charges::without_rate(with_rate.schedule().clone());
            let (name, seen) = (name(), rate.cost(abroad(price))?);
            let cost = seen.plus(with_rate.on_buying(&name, Timestamp::MIN, seen)?)?;
            prop_assert!(cost <= without.cost_of_buying(&name, Timestamp::MIN, seen)?);
        }
    }

    #[test]
    fn the_cost_of_buying_has_room_for_what_a_share_of_a_converted_price_leaves_out() {
        let (with_rate, _) = charges(rate_of(250, 0), 1_080_000);
        let without = Charges::without_rate(with_rate.schedule().clone());
        let (name, price) = (name(), cents(520));
        let fee = |charges: &Charges| charges.on_buying(&name, Timestamp::MIN, price);
        let cost = |charges: &Charges| charges.cost_of_buying(&name, Timestamp::MIN, price);
        // 4.82 there, of which 0.1205 are charged as 0.13.
        assert_eq!((fee(&with_rate), cost(&with_rate)), (Ok(cents(15)), Ok(cents(535))));
        assert_eq!((fee(&without), cost(&without)), (Ok(cents(13)), Ok(cents(535))));
    }

    #[test]
    fn without_a_rate_a_minimum_does_not_count_and_what_charges_nothing_leaves_no_room() {
        let (with_rate, _) = charges(rate_of(0, 500), 1_080_000);
        let without = Charges::without_rate(with_rate.schedule().clone());
        assert_eq!(without.cost_of_buying(&name(), Timestamp::MIN, cents(520)), Ok(cents(520)));
    }

    #[test]
    fn at_home_a_fee_is_what_the_schedule_says() {
        let rate = rate_of(50, 1);
        let charges = Charges::from(FeeSchedule { buying: rate, selling: rate, overrides: Vec::new() });
        assert_eq!(charges.on_buying(&name(), Timestamp::MIN, cents(1_001)), Ok(cents(6)));
        assert_eq!(charges.cost_of_buying(&name(), Timestamp::MIN, cents(1_001)), Ok(cents(1_007)));
    }
}
