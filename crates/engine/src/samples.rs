//! Records, orders, offers and trades for the tests of decisions.

use tradepost_domain::asset::{AppId, AssetId, ContextId};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus, Traits};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::money::{Cents, VenueCents, WorkspaceCurrency};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{OfferStatus, PlatformUserId, TradeAddress, TradeStatus};
use tradepost_operations::Versioned;
use tradepost_ports::game_platform::{Asset, MovedAsset, Offer, Trade};
use tradepost_ports::marketplace::{ListingStatus, MarketListing, MarketOrder, OrderStatus, Sale};
use tradepost_testkit::samples::{Samples, minute, start, text, variant};

use crate::desk::currency::{OurOrder, OurSale};

/// The other side of every sample.
pub(crate) fn partner() -> PlatformUserId {
    PlatformUserId::new(std::num::NonZeroU64::MIN)
}

pub(crate) fn cents(amount: i64) -> Cents {
    Cents::new(amount).unwrap()
}

pub(crate) fn asset_id(id: &str) -> AssetId {
    AssetId::new(id).unwrap()
}

/// A purchase of the asset 7 that last changed at minute 100.
pub(crate) fn purchase(status: PurchaseStatus) -> Purchase {
    let samples = Samples::seeded(8);
    let mut parts = samples.purchase(samples.id(), samples.id(), status).into_parts();
    (parts.terms.listing_asset_id, parts.updated_at) = (asset_id("7"), minute(100));
    Purchase::restore(parts).unwrap()
}

/// Its order, without a deadline, an offer or a refund.
pub(crate) fn order(status: OrderStatus) -> OurOrder {
    MarketOrder::<WorkspaceCurrency> {
        id: text("order-1"),
        key: None,
        listing_id: text("listing-1"),
        asset_id: None,
        seller: Some(partner()),
        price: cents(1_190),
        fee: cents(30),
        status,
        trade_offer_id: None,
        deliver_by: None,
        refunded: Cents::ZERO,
    }
}

pub(crate) fn asset(id: &str) -> Asset {
    Asset {
        asset_id: asset_id(id),
        app_id: AppId::CS2,
        market_hash_name: text("AK-47 | Redline (Field-Tested)"),
        traits: Traits::default(),
        locked_until: None,
    }
}

/// An offer of the other side that gives the asset 7.
pub(crate) fn offer(status: OfferStatus) -> Offer {
    Offer {
        id: text("offer-1"),
        partner: partner(),
        is_ours: false,
        status,
        give: Vec::new(),
        receive: vec![asset("7")],
        trade_id: None,
        created_at: start(),
        updated_at: start(),
        expires_at: minute(1_000),
    }
}

/// The asset 7, which has the id 8 with its new owner.
pub(crate) fn moved() -> MovedAsset {
    MovedAsset {
        app_id: AppId::CS2,
        market_hash_name: text("AK-47 | Redline (Field-Tested)"),
        asset_id: asset_id("7"),
        moved_to: Some((ContextId::PROTECTED, asset_id("8"))),
        returned_as: None,
    }
}

/// A trade without items.
pub(crate) fn trade(status: TradeStatus) -> Trade {
    Trade {
        id: text("trade-1"),
        partner: partner(),
        status,
        given: Vec::new(),
        received: Vec::new(),
        started_at: minute(50),
        held_until: None,
        protected_until: None,
        rollback_of: None,
    }
}

/// A trade that brings the asset 7.
pub(crate) fn trade_in(status: TradeStatus) -> Trade {
    Trade { received: vec![moved()], ..trade(status) }
}

/// When an item last changed.
pub(crate) fn changed(minutes_later: i64) -> Timestamp {
    minute(8 * 24 * 60 + minutes_later)
}

/// An item, known as the asset 7 until it is given.
pub(crate) fn item(status: ItemStatus) -> Versioned<InventoryItem> {
    let samples = Samples::seeded(9);
    let bought = samples.purchase(samples.id(), samples.id(), PurchaseStatus::Traded);
    let mut parts = samples.item_in(&bought, status).0.into_parts();
    parts.updated_at = changed(0);
    if !matches!(status, ItemStatus::Sold | ItemStatus::Settled) {
        parts.head.asset_id = asset_id("7");
    }
    Versioned { value: InventoryItem::restore(parts).unwrap(), version: 1 }
}

/// A sale of the asset 7.
pub(crate) fn sale(status: OrderStatus) -> OurSale {
    Sale::<WorkspaceCurrency> {
        id: text("sale-1"),
        listing_id: text("listing-1"),
        asset_id: asset_id("7"),
        deliver_to: Some(TradeAddress { user: partner(), token: text("token") }),
        price: cents(1_900),
        fee: cents(95),
        status,
        deliver_by: minute(1_000),
        updated_at: start(),
    }
}

/// A listing of the asset 7 of ours.
pub(crate) fn listing(status: ListingStatus, price: i64) -> MarketListing {
    let offered = Samples::default().on_offer(variant("AK-47 | Redline (Field-Tested)"), 1, start()).listing;
    let offered = offered.priced(VenueCents::new(price).unwrap());
    MarketListing { id: text("listing-1"), asset_id: asset_id("7"), offered, status }
}
