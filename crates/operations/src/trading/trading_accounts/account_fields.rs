//! Fields of trading accounts that are checked when one is made and when it is changed.

use std::num::NonZeroU64;

use tradepost_domain::trading::giving::GivingLimits;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_domain::trading::trading_account::AccountLimits;

use crate::{OpError, OpResult, fields};

/// The limits of an account. A limit that is `None` does not apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LimitsOfAccount {
    /// The maximum of items in its inventory; default 1,000.
    pub max_inventory: Option<i64>,
    /// The maximum of concurrently open purchases.
    pub max_open_purchases: Option<i64>,
    /// The balance below which it buys nothing, in cents.
    pub min_balance_cents: Option<i64>,
}

impl LimitsOfAccount {
    pub(crate) fn check(&self) -> OpResult<AccountLimits> {
        let inventory = fields::optional(self.max_inventory, fields::whole, "limits.maxInventory")?;
        Ok(AccountLimits {
            max_inventory: inventory.unwrap_or(AccountLimits::INVENTORY),
            max_open_purchases: fields::optional(self.max_open_purchases, fields::whole, "limits.maxOpenPurchases")?,
            min_balance: fields::optional(self.min_balance_cents, fields::cents, "limits.minBalanceCents")?,
        })
    }
}

/// The most that an account gives, by the value of the items. A limit that is `None` does not apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LimitsOfGiving {
    /// Within an hour, in cents.
    pub max_give_cents_per_hour: Option<i64>,
    /// Within 24 h, in cents.
    pub max_give_cents_per_day: Option<i64>,
}

impl LimitsOfGiving {
    pub(crate) fn check(&self) -> OpResult<GivingLimits> {
        let (hour, day) = (self.max_give_cents_per_hour, self.max_give_cents_per_day);
        Ok(GivingLimits {
            per_hour: fields::optional(hour, fields::cents, "givingLimits.maxGiveCentsPerHour")?,
            per_day: fields::optional(day, fields::cents, "givingLimits.maxGiveCentsPerDay")?,
        })
    }
}

/// Returns the platform's number of an account.
pub(crate) fn platform_user_id(given: &str) -> OpResult<PlatformUserId> {
    platform_user_number("platformUserId", given)
}

/// Does the same for a field of another name.
pub(crate) fn platform_user_number(field: &str, given: &str) -> OpResult<PlatformUserId> {
    let number = given.parse::<NonZeroU64>().ok().filter(|number| number.to_string() == given);
    let rule = "must be a decimal number from 1 to 18446744073709551615";
    number.map(PlatformUserId::new).ok_or_else(|| OpError::invalid_field(field, rule))
}
