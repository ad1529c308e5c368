//! The differences between marketplaces. An adapter returns the traits of its marketplace, and the contract suite tests them.

/// How a marketplace works.
///
/// The default is a marketplace that keeps the customer's keys, passes every deal directly from seller to buyer, counts in cents and needs
/// nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct MarketTraits {
    /// The identity by which an order is found whose answer was lost.
    pub orders: OrderIdentity,
    /// Whether a purchase stays with the marketplace until the buyer withdraws it. Such an order is
    /// [`InCustody`](super::OrderStatus::InCustody) after it is paid, and the adapter implements
    /// [`withdraw`](super::Marketplace::withdraw).
    pub custody: bool,
    /// Whether a seller has to accept a sale before the marketplace names its buyer. Such a sale is
    /// [`AwaitingCommit`](super::OrderStatus::AwaitingCommit) first, and the adapter implements
    /// [`commit_sale`](super::Marketplace::commit_sale).
    pub commits_sales: bool,
    /// Whether and when we have to announce to the marketplace the trade offer that delivers a sale.
    pub announcement: Announcement,
    /// The unit in which the marketplace counts money.
    pub unit: MoneyUnit,
}

impl MarketTraits {
    /// Returns the traits of a marketplace that keeps keys and nothing else, and counts in cents.
    pub const KEYED: Self = Self {
        orders: OrderIdentity::Keyed,
        custody: false,
        commits_sales: false,
        announcement: Announcement::Never,
        unit: MoneyUnit::Cents,
    };
}

/// The identity of an order at a marketplace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OrderIdentity {
    /// It keeps the key of [`BuyRequest`](super::BuyRequest), and sells once for a key.
    #[default]
    Keyed,
    /// It keeps no key. A listing is sold once, and the order is found by the listing among the customer's orders.
    ByListing,
}

/// The time at which we have to announce to a marketplace the trade offer that delivers a sale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Announcement {
    /// Never: it finds the offer itself.
    #[default]
    Never,
    /// After the offer is sent and before it is confirmed. If the marketplace rejects the offer, we must not confirm it.
    BeforeConfirming,
    /// Once the offer is confirmed. The marketplace shows the offer to the buyer only after the announcement.
    AfterConfirming,
}

/// The unit in which a marketplace counts money. The port always uses cents: [`Mills`](super::Mills) converts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MoneyUnit {
    /// Hundredths of the currency.
    #[default]
    Cents,
    /// Thousandths of the currency. The adapter implements [`exact_balance`](super::Marketplace::exact_balance).
    Mills,
}
