//! The fees of the Steam Community Market, which are put on top of what the seller gets.

use super::{Rounding, lowest};
use crate::contracts::contract::BasisPoints;
use crate::money::{Cents, MoneyError};

/// Two shares of what the seller gets, each rounded down but at least one cent; the buyer pays both.
///
/// The rule is that of the price fields on Steam's sell page (`CalculateFeeAmount` in `economy_common.js`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CommunityMarketFees {
    /// The platform's share.
    pub platform: BasisPoints,
    /// The share of the game's publisher.
    pub publisher: BasisPoints,
}

impl CommunityMarketFees {
    /// What a buyer pays for the seller to get `net`.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] above 10^13 cents.
    pub fn price(self, net: Cents) -> Result<Cents, MoneyError> {
        let cent = Cents::new(1)?;
        let fee = |share| Rounding::Floor.share(net, share).max(cent);
        net.plus(fee(self.platform))?.plus(fee(self.publisher))
    }

    /// The most that a seller gets when the buyer pays `price`; nothing when it does not even cover the fees.
    ///
    /// ```
    /// use tradepost_domain::contracts::contract::BasisPoints;
    /// use tradepost_domain::markets::fees::CommunityMarketFees;
    /// use tradepost_domain::money::Cents;
    ///
    /// let fees = CommunityMarketFees { platform: BasisPoints::new(500)?, publisher: BasisPoints::new(1_000)? };
    /// assert_eq!(fees.net(Cents::new(115)?), Cents::new(100)?);
    /// assert_eq!(fees.net(Cents::new(3)?), Cents::new(1)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn net(self, price: Cents) -> Cents {
        let too_much = |net: i64| Cents::new(net).and_then(|net| self.price(net)).map_or(true, |asked| asked > price);
        // A net of the whole price always asks for more than the price, so one of them is the first that is too much.
        let first = lowest(0, price.get(), too_much).unwrap_or(0);
        Cents::new(first.saturating_sub(1).max(0)).unwrap_or(Cents::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fees() -> CommunityMarketFees {
        CommunityMarketFees { platform: BasisPoints::new(500).unwrap(), publisher: BasisPoints::new(1_000).unwrap() }
    }

    proptest! {
        #[test]
        fn what_is_left_of_the_price_for_a_net_is_the_net(cents in 1..=1_000_000_000_000_i64) {
            let net = Cents::new(cents)?;
            prop_assert_eq!(fees().net(fees().price(net)?), net);
        }

        #[test]
        fn a_cent_more_than_what_is_left_would_ask_for_more_than_was_paid(cents in 3..=1_000_000_000_000_i64) {
            let paid = Cents::new(cents)?;
            let net = fees().net(paid);
            prop_assert!(fees().price(net)? <= paid);
            prop_assert!(fees().price(net.plus(Cents::new(1)?)?)? > paid);
        }
    }

    #[test]
    fn each_fee_is_at_least_a_cent() {
        assert_eq!(fees().price(Cents::new(1).unwrap()), Cents::new(3));
        assert_eq!(fees().net(Cents::new(2).unwrap()), Cents::ZERO);
    }
}
