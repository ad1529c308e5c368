//! Amounts of marketplaces that count in thousandths, and their conversion to cents and back.

use tradepost_domain::money::{MoneyError, VenueCents};

const MILLS_PER_CENT: i64 = 10;

/// An amount in thousandths of a currency, between 0 and 10^14.
///
/// An adapter converts at its edge, always to our disadvantage. We never believe that less was charged or that more was paid than was the
/// case: costs are rounded up, proceeds and balances down.
///
/// ```
/// use tradepost_domain::money::VenueCents;
/// use tradepost_ports::marketplace::Mills;
///
/// let charge = Mills::new(6_195)?;
/// assert_eq!((charge.as_cost(), charge.as_proceeds()), (VenueCents::new(620)?, VenueCents::new(619)?));
/// assert_eq!(Mills::new(6_200)?.as_whole_cents(), Some(VenueCents::new(620)?));
/// assert_eq!(charge.as_whole_cents(), None);
/// # Ok::<(), tradepost_domain::money::MoneyError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mills(i64);

impl Mills {
    /// Returns the amount of this number of thousandths.
    ///
    /// # Errors
    /// [`MoneyError`] outside 0 to 10^14.
    pub const fn new(mills: i64) -> Result<Self, MoneyError> {
        if mills < 0 {
            Err(MoneyError::Negative)
        } else if mills > VenueCents::MAX.get() * MILLS_PER_CENT {
            Err(MoneyError::TooLarge)
        } else {
            Ok(Self(mills))
        }
    }

    /// Returns the number of thousandths.
    pub const fn get(self) -> i64 {
        self.0
    }

    /// Returns the amount as a charge: every part of a cent counts as a whole one.
    pub fn as_cost(self) -> VenueCents {
        cents((self.0 + MILLS_PER_CENT - 1) / MILLS_PER_CENT)
    }

    /// Returns the amount as proceeds or a balance: the part of a cent is dropped.
    pub fn as_proceeds(self) -> VenueCents {
        cents(self.0 / MILLS_PER_CENT)
    }

    /// Returns the amount, if it is at least one cent and has no part of a cent. A listing with another price is not shown, because its
    /// cost could not be booked exactly.
    pub fn as_whole_cents(self) -> Option<VenueCents> {
        let is_whole = self.0 >= MILLS_PER_CENT && self.0 % MILLS_PER_CENT == 0;
        is_whole.then(|| self.as_proceeds())
    }
}

impl From<VenueCents> for Mills {
    fn from(cents: VenueCents) -> Self {
        Self(cents.get() * MILLS_PER_CENT)
    }
}

fn cents(amount: i64) -> VenueCents {
    // Never more than 10^13 cents, since the maximum is 10^14 thousandths.
    VenueCents::new(amount).unwrap_or(VenueCents::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_charge_is_never_believed_less_and_a_payment_never_more_than_it_was() {
        let amounts = [1, 4, 5, 9, 10, 14, 999, 1 << 31].map(|mills| Mills::new(mills).unwrap());
        let costs = amounts.map(|amount| amount.as_cost().get());
        assert_eq!(costs, [1, 1, 1, 1, 1, 2, 100, 214_748_365]);
        let proceeds = amounts.map(|amount| amount.as_proceeds().get());
        assert_eq!(proceeds, [0, 0, 0, 0, 1, 1, 99, 214_748_364]);
        let whole = amounts.map(|amount| amount.as_whole_cents().map(VenueCents::get));
        assert_eq!(whole, [None, None, None, None, Some(1), None, None, None]);
    }

    #[test]
    fn cents_come_back_as_they_went() {
        for amount in [0, 1, 620, VenueCents::MAX.get()].map(cents) {
            assert_eq!((Mills::from(amount).as_cost(), Mills::from(amount).as_proceeds()), (amount, amount));
        }
        assert_eq!(Mills::new(-1), Err(MoneyError::Negative));
        assert_eq!(Mills::new(Mills::from(VenueCents::MAX).get() + 1), Err(MoneyError::TooLarge));
    }
}
