//! What a marketplace takes of a sale, and which price leaves a wanted amount. Whole cents, nothing is ever rounded twice.

mod charges;
mod community_market;

use crate::contracts::contract::BasisPoints;
use crate::money::{Amount, MoneyError, VenueCents};
use crate::names::names;
use crate::text::MarketHashName;
use crate::time::Timestamp;

pub use charges::Charges;
pub use community_market::CommunityMarketFees;

/// What happens to the part of a cent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// It is dropped.
    Floor = 1,
    /// It counts as a whole cent.
    Ceil = 2,
    /// Half a cent and more counts as a whole one.
    HalfUp = 3,
}

names! { Rounding, "way of rounding":
    Floor => "FLOOR",
    Ceil => "CEIL",
    HalfUp => "HALF_UP",
}

impl Rounding {
    /// The share of an amount, which never is more than the amount.
    ///
    /// ```
    /// use tradepost_domain::contracts::contract::BasisPoints;
    /// use tradepost_domain::markets::fees::Rounding;
    /// use tradepost_domain::money::Cents;
    ///
    /// let (amount, share) = (Cents::new(150)?, BasisPoints::new(500)?);
    /// assert_eq!(Rounding::Floor.share(amount, share), Cents::new(7)?);
    /// assert_eq!(Rounding::HalfUp.share(amount, share), Cents::new(8)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn share<Of>(self, of: Amount<Of>, share: BasisPoints) -> Amount<Of> {
        let whole = i64::from(BasisPoints::MAX.get());
        let lift = match self {
            Self::Floor => 0,
            Self::Ceil => whole - 1,
            Self::HalfUp => whole / 2,
        };
        // 10^13 cents times 10^4 is far below what 64 bits hold, and a share of an amount is an amount.
        let cents = (of.get() * i64::from(share.get()) + lift) / whole;
        Amount::new(cents).unwrap_or(of)
    }
}

/// One fee: a share of the price, but no less than a minimum, in the currency of the marketplace that takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FeeRate {
    /// The share of the price.
    pub share: BasisPoints,
    /// The least that is taken.
    pub minimum: VenueCents,
    /// How the marketplace rounds the share.
    pub rounding: Rounding,
}

impl FeeRate {
    /// What the marketplace takes of a price: `max(minimum, share of the price, rounded)`.
    pub fn of(self, price: VenueCents) -> VenueCents {
        self.rounding.share(price, self.share).max(self.minimum)
    }

    /// Returns the expected fee before the marketplace has charged it: as [`FeeRate::of`], with every part of a cent rounded up.
    pub fn estimate(self, price: VenueCents) -> VenueCents {
        Self { rounding: Rounding::Ceil, ..self }.of(price)
    }

    /// What is left of a price.
    ///
    /// # Errors
    /// [`MoneyError::Negative`] when the minimum is more than the price.
    pub fn net(self, price: VenueCents) -> Result<VenueCents, MoneyError> {
        price.minus(self.of(price))
    }

    /// The lowest price that leaves at least `net`.
    ///
    /// Rounding makes the fee a staircase, so it is searched for and not divided out.
    ///
    /// ```
    /// use tradepost_domain::contracts::contract::BasisPoints;
    /// use tradepost_domain::markets::fees::{FeeRate, Rounding};
    /// use tradepost_domain::money::VenueCents;
    ///
    /// let rate = FeeRate { share: BasisPoints::new(200)?, minimum: VenueCents::new(1)?, rounding: Rounding::Ceil };
    /// let price = rate.price_for(VenueCents::new(1_000)?)?;
    /// assert_eq!((price.get(), rate.net(price)?.get()), (1_021, 1_000));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] when no amount is high enough, as with a share of everything.
    pub fn price_for(self, net: VenueCents) -> Result<VenueCents, MoneyError> {
        let enough = |price| self.net(price).is_ok_and(|left| left >= net);
        if !enough(VenueCents::MAX) {
            return Err(MoneyError::TooLarge);
        }
        // What is left never falls as the price rises by a cent, since the fee rises by a cent at most.
        lowest(net.get(), VenueCents::MAX.get(), |cents| VenueCents::new(cents).is_ok_and(enough))
            .map_or(Ok(VenueCents::MAX), VenueCents::new)
    }
}

/// The fees of a marketplace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeeSchedule {
    /// What a buyer pays on top of the price.
    pub buying: FeeRate,
    /// What a seller is paid less than the price.
    pub selling: FeeRate,
    /// Fees that hold for an item for a while.
    pub overrides: Vec<FeeOverride>,
}

/// Other fees for one item variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeeOverride {
    /// The variant.
    pub market_hash_name: MarketHashName,
    /// What a buyer pays on top of the price.
    pub buying: FeeRate,
    /// What a seller is paid less than the price.
    pub selling: FeeRate,
    /// When the ordinary fees hold again.
    pub until: Timestamp,
}

impl FeeSchedule {
    /// The rate for a buyer of this variant at this time.
    pub fn buying(&self, variant: &MarketHashName, at: Timestamp) -> FeeRate {
        self.override_of(variant, at).map_or(self.buying, |special| special.buying)
    }

    /// The rate for a seller of this variant at this time.
    pub fn selling(&self, variant: &MarketHashName, at: Timestamp) -> FeeRate {
        self.override_of(variant, at).map_or(self.selling, |special| special.selling)
    }

    /// The same without minimums.
    fn shares_alone(self) -> Self {
        let share = |rate: FeeRate| FeeRate { minimum: VenueCents::ZERO, ..rate };
        let special = |fee: FeeOverride| FeeOverride { buying: share(fee.buying), selling: share(fee.selling), ..fee };
        Self {
            buying: share(self.buying),
            selling: share(self.selling),
            overrides: self.overrides.into_iter().map(special).collect(),
        }
    }

    fn override_of(&self, variant: &MarketHashName, at: Timestamp) -> Option<&FeeOverride> {
        self.overrides.iter().find(|special| special.market_hash_name == *variant && at < special.until)
    }
}

/// The lowest number from `low` to `high` that is good, where everything above a good number is good too.
fn lowest(mut low: i64, mut high: i64, is_good: impl Fn(i64) -> bool) -> Option<i64> {
    if low > high || !is_good(high) {
        return None;
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if is_good(middle) { high = middle } else { low = middle + 1 }
    }
    Some(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    pub(super) fn any_rate() -> impl Strategy<Value = FeeRate> {
        let rounding = prop_oneof![Just(Rounding::Floor), Just(Rounding::Ceil), Just(Rounding::HalfUp)];
        (0..=9_999_u16, 0..=500_i64, rounding).prop_map(|(share, minimum, rounding)| FeeRate {
            share: BasisPoints::new(share).expect("below the whole"),
            minimum: VenueCents::new(minimum).expect("not negative"),
            rounding,
        })
    }

    proptest! {
        #[test]
        fn a_fee_is_the_exact_share_to_less_than_a_cent_or_the_minimum(rate in any_rate(), cents in 0..=VenueCents::MAX.get()) {
            let price = VenueCents::new(cents)?;
            let fee = i128::from(rate.of(price).get());
            let exact = i128::from(cents) * i128::from(rate.share.get());
            let by_share = (fee * 10_000 - exact).abs() < 10_000;
            prop_assert!(by_share || fee == i128::from(rate.minimum.get()));
        }

        #[test]
        fn an_estimate_is_never_below_the_fee_and_at_most_a_cent_above(rate in any_rate(), cents in 0..=VenueCents::MAX.get()) {
            let price = VenueCents::new(cents)?;
            let over = rate.estimate(price).minus(rate.of(price))?;
            prop_assert!(over.get() <= 1);
        }

        #[test]
        fn what_is_left_never_falls_as_the_price_rises(rate in any_rate(), cents in 500..VenueCents::MAX.get()) {
            prop_assert!(rate.net(VenueCents::new(cents)?)? <= rate.net(VenueCents::new(cents + 1)?)?);
        }

        #[test]
        fn the_price_for_a_net_leaves_it_and_a_cent_less_does_not(rate in any_rate(), cents in 0..=1_000_000_000_i64) {
            let net = VenueCents::new(cents)?;
            let price = rate.price_for(net)?;
            prop_assert!(rate.net(price)? >= net);
            if let Ok(lower) = price.minus(VenueCents::new(1)?) {
                prop_assert!(rate.net(lower).map_or(true, |left| left < net));
            }
        }
    }

    #[test]
    fn a_share_of_everything_leaves_no_price() {
        let all = FeeRate { share: BasisPoints::MAX, minimum: VenueCents::ZERO, rounding: Rounding::Floor };
        assert_eq!(all.price_for(VenueCents::new(1).unwrap()), Err(MoneyError::TooLarge));
    }

    #[test]
    fn an_override_holds_for_its_item_until_it_ends() {
        let rate = |share| FeeRate {
            share: BasisPoints::new(share).unwrap(),
            minimum: VenueCents::ZERO,
            rounding: Rounding::Floor,
        };
        let name = |text| MarketHashName::new(text).unwrap();
        let at = |seconds: i64| Timestamp::from_micros(seconds * 1_000_000).unwrap();
        let special = FeeOverride {
            market_hash_name: name("AWP | Asiimov (Field-Tested)"),
            buying: rate(0),
            selling: rate(50),
            until: at(10),
        };
        let schedule = FeeSchedule { buying: rate(100), selling: rate(200), overrides: vec![special] };
        assert_eq!(schedule.selling(&name("AWP | Asiimov (Field-Tested)"), at(9)), rate(50));
        assert_eq!(schedule.buying(&name("AWP | Asiimov (Field-Tested)"), at(9)), rate(0));
        assert_eq!(schedule.selling(&name("AWP | Asiimov (Field-Tested)"), at(10)), rate(200));
        assert_eq!(schedule.selling(&name("AK-47 | Redline (Field-Tested)"), at(9)), rate(200));
    }
}
