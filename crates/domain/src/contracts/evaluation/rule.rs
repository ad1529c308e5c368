//! The rules of an evaluation by their codes.

use crate::names::names;

/// A rule that a purchase or a sale must meet. `docs/reference/rules.md` lists the finding and the limit of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The contract is active.
    ContractActive = 1,
    /// It is the time in which the contract works.
    ContractPeriod = 2,
    /// It has room for another item.
    Quantity = 3,
    /// Not too many of its purchases are open.
    OpenPurchases = 4,
    /// It has not bought enough of this market name.
    ItemNameQuantity = 5,
    /// Its last purchase is long enough ago.
    Cooldown = 6,
    /// Its filter set chooses the listing.
    Filter = 7,
    /// It works on this marketplace.
    Marketplace = 8,
    /// The seller completes deliveries.
    SellerSuccess = 9,
    /// The item is not locked for too long.
    TradeLock = 10,
    /// With its fee, the item costs what it may.
    BuyPrice = 11,
    /// The budget covers it.
    Budget = 12,
    /// The day's budget covers it.
    DailyBudget = 13,
    /// The value is known, where the contract needs one.
    FairValue = 14,
    /// The value is to be trusted.
    Confidence = 15,
    /// The variant sells well.
    Liquidity = 16,
    /// It costs less than it is worth.
    Discount = 17,
    /// Selling it earns something.
    ExpectedMargin = 18,
    /// Not too many items are on sale.
    Listings = 19,
    /// The item is in the inventory and in no open step.
    ItemFree = 20,
    /// The price that would be asked is not too low.
    FloorPrice = 21,
    /// What can be spent at the marketplace covers it.
    Balance = 22,
    /// The contract's pool gives the money.
    Pool = 23,
    /// A trading account can buy it.
    Account = 24,
    /// The price that would be asked is not too far below the value.
    PriceBand = 25,
}

impl Rule {
    /// Whether it is judged by who buys, of what all rules of the contract let be bought: as far as it is not met.
    pub const fn is_of_means(self) -> bool {
        matches!(self, Self::Balance | Self::Pool | Self::Account)
    }
}

names! { Rule, "evaluation rule":
    ContractActive => "CONTRACT_ACTIVE",
    ContractPeriod => "CONTRACT_PERIOD",
    Quantity => "QUANTITY",
    OpenPurchases => "OPEN_PURCHASES",
    ItemNameQuantity => "ITEM_NAME_QUANTITY",
    Cooldown => "COOLDOWN",
    Filter => "FILTER",
    Marketplace => "MARKETPLACE",
    SellerSuccess => "SELLER_SUCCESS",
    TradeLock => "TRADE_LOCK",
    BuyPrice => "BUY_PRICE",
    Budget => "BUDGET",
    DailyBudget => "DAILY_BUDGET",
    FairValue => "FAIR_VALUE",
    Confidence => "CONFIDENCE",
    Liquidity => "LIQUIDITY",
    Discount => "DISCOUNT",
    ExpectedMargin => "EXPECTED_MARGIN",
    Listings => "LISTINGS",
    ItemFree => "ITEM_FREE",
    FloorPrice => "FLOOR_PRICE",
    Balance => "BALANCE",
    Pool => "POOL",
    Account => "ACCOUNT",
    PriceBand => "PRICE_BAND",
}
