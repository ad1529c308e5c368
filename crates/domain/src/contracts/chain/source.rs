//! Where an asset id comes from, and which source may follow which. The rules are also given as data, so that a store can
//! check them in the statement that appends.

use crate::names::names;

/// The fact that gave an item the asset id of a link.
///
/// ```
/// use tradepost_domain::contracts::chain::Source;
///
/// assert!(Source::SaleReturn.may_follow(Source::SaleTrade));
/// assert!(!Source::SaleTrade.may_follow(Source::SaleTrade));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The listing that was bought: the id the item had with its seller. Starts a chain.
    Listing = 1,
    /// The trade that brought the item to us.
    PurchaseTrade = 2,
    /// The platform shows another id without a trade of ours.
    Inventory = 3,
    /// A trade between two of our accounts.
    Transfer = 4,
    /// Our listing for sale; some marketplaces take the item into custody under another id.
    SaleListing = 5,
    /// The trade that gave the item to its buyer.
    SaleTrade = 6,
    /// A sale was reversed and the item came back.
    SaleReturn = 7,
    /// The purchase was reversed and the item went back to its seller.
    PurchaseReversal = 8,
    /// The item was ours before it was recorded here. Starts a chain.
    Import = 9,
    /// The item was sold elsewhere, as an import says. The asset id that its buyer has is not known. Ends a chain.
    SaleElsewhere = 10,
}

names! { Source, "source of an asset id":
    Listing => "listing",
    PurchaseTrade => "purchase_trade",
    Inventory => "inventory",
    Transfer => "transfer",
    SaleListing => "sale_listing",
    SaleTrade => "sale_trade",
    SaleReturn => "sale_return",
    PurchaseReversal => "purchase_reversal",
    Import => "import",
    SaleElsewhere => "sale_elsewhere",
}

/// The sources after which an item is ours and not on sale.
const OURS: [Source; 5] =
    [Source::PurchaseTrade, Source::Inventory, Source::Transfer, Source::Import, Source::SaleReturn];

/// The sources after which an item is ours, on sale or not.
const OURS_OR_LISTED: [Source; 6] = [
    Source::PurchaseTrade,
    Source::Inventory,
    Source::Transfer,
    Source::Import,
    Source::SaleReturn,
    Source::SaleListing,
];

impl Source {
    /// The sources that this one may directly follow; empty for the two that start a chain.
    pub const fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Listing | Self::Import => &[],
            Self::PurchaseTrade => &[Self::Listing],
            // A listed item has to leave the listing first: an inventory link between the two says that it did.
            Self::Transfer | Self::SaleElsewhere => &OURS,
            // A sale needs no listing: items are also traded away directly. A reversed purchase must not have been resold:
            // a sale trade is not among its predecessors.
            Self::Inventory | Self::SaleListing | Self::SaleTrade | Self::PurchaseReversal => &OURS_OR_LISTED,
            Self::SaleReturn => &[Self::SaleTrade],
        }
    }

    /// Whether this source may directly follow `head`.
    pub fn may_follow(self, head: Self) -> bool {
        self.predecessors().contains(&head)
    }

    /// Whether this source starts a chain, at step 0.
    pub const fn starts_chain(self) -> bool {
        matches!(self, Self::Listing | Self::Import)
    }

    /// Whether the asset id must differ from the one before: a completed trade always gives a new id.
    ///
    /// The others may keep it; a returned item may even come back under an earlier id of its chain.
    pub const fn must_change_id(self) -> bool {
        matches!(self, Self::PurchaseTrade | Self::Transfer | Self::SaleTrade)
    }

    /// Whether the chain must have started with [`Source::Listing`]: only what was bought can go back to a seller.
    pub const fn needs_bought_origin(self) -> bool {
        matches!(self, Self::PurchaseReversal)
    }
}
