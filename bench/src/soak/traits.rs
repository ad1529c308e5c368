//! The shapes of marketplace that a soak can trade at.

use clap::ValueEnum;
use tradepost::ports::marketplace::{Announcement, MarketTraits, OrderIdentity};

/// A trait of the marketplace. Those that are not named are the default ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Trait {
    /// It keeps no keys: an order is found by its listing.
    ByListing,
    /// A purchase stays with the marketplace until it is withdrawn.
    Custody,
    /// A seller has to accept each sale.
    CommitsSales,
    /// Offers are announced before they are confirmed.
    AnnouncedBefore,
    /// Offers are announced once they are confirmed.
    AnnouncedAfter,
}

/// The marketplace that has all of these.
pub(super) fn of(traits: &[Trait]) -> MarketTraits {
    let mut market = MarketTraits::KEYED;
    for one in traits {
        match one {
            Trait::ByListing => market.orders = OrderIdentity::ByListing,
            Trait::Custody => market.custody = true,
            Trait::CommitsSales => market.commits_sales = true,
            Trait::AnnouncedBefore => market.announcement = Announcement::BeforeConfirming,
            Trait::AnnouncedAfter => market.announcement = Announcement::AfterConfirming,
        }
    }
    market
}
