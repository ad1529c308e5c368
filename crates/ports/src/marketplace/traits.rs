//! How marketplaces differ from each other. An adapter answers with what its marketplace is, and the contract suite tests that shape.

/// How a marketplace works.
///
/// The default is a marketplace that keeps the customer's keys, hands every deal straight from seller to buyer, counts in cents and
/// needs nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct MarketTraits {
    /// By what an order is found whose answer was lost.
    pub orders: OrderIdentity,
    /// Whether a purchase stays with the marketplace until the buyer withdraws it. Such an order is
    /// [`InCustody`](super::OrderStatus::InCustody) after it is paid, and the adapter implements [`withdraw`](super::Marketplace::withdraw).
    pub custody: bool,
    /// Whether a seller has to accept a sale before the marketplace names its buyer. Such a sale is
    /// [`AwaitingCommit`](super::OrderStatus::AwaitingCommit) first, and the adapter implements
    /// [`commit_sale`](super::Marketplace::commit_sale).
    pub commits_sales: bool,
    /// Whether and when the marketplace wants to be told of the trade offer that delivers a sale.
    pub announcement: Announcement,
    /// In what the marketplace counts money.
    pub unit: MoneyUnit,
}

impl MarketTraits {
    /// The traits of a marketplace that keeps keys and nothing else, and counts in cents.
    pub const KEYED: Self = Self {
        orders: OrderIdentity::Keyed,
        custody: false,
        commits_sales: false,
        announcement: Announcement::Never,
        unit: MoneyUnit::Cents,
    };
}

/// By what a marketplace identifies an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OrderIdentity {
    /// It keeps the key of [`BuyRequest`](super::BuyRequest), and sells once for a key.
    #[default]
    Keyed,
    /// It keeps no key. A listing is sold once, and the order is found by the listing among the customer's orders.
    ByListing,
}

/// When a marketplace wants to be told of the trade offer that delivers a sale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Announcement {
    /// Never: it finds the offer itself.
    #[default]
    Never,
    /// After the offer is sent and before it is confirmed. An offer that it refuses must not be confirmed.
    BeforeConfirming,
    /// Once the offer is confirmed. Until it is told, the buyer does not learn of the offer.
    AfterConfirming,
}

/// The unit in which a marketplace counts money. The port is in cents whatever it is: [`Mills`](super::Mills) converts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MoneyUnit {
    /// Hundredths of the currency.
    #[default]
    Cents,
    /// Thousandths of the currency. The adapter implements [`exact_balance`](super::Marketplace::exact_balance).
    Mills,
}
