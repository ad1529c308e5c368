//! What is read of a holding or of its sale, and the records that it concerns.

use std::collections::BTreeMap;

use crate::id::{InventoryItemId, PurchaseId};
use crate::names::names;
use crate::text::Description;

/// A field of an imported holding, or of an imported sale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HoldingField {
    /// The name of the trading account that holds it.
    Account = 1,
    /// The platform's number of that account.
    PlatformUserId = 2,
    /// The asset id.
    AssetId = 3,
    /// The game.
    AppId = 4,
    /// The inventory context.
    ContextId = 5,
    /// The item variant.
    MarketHashName = 6,
    /// The wear.
    Wear = 7,
    /// The number that places the pattern.
    PaintSeed = 8,
    /// The phase of a pattern sold under one market name.
    Phase = 9,
    /// The price paid, as a decimal amount.
    Price = 10,
    /// The price paid, in cents.
    PriceCents = 11,
    /// The fee paid on top of it, as a decimal amount.
    Fee = 12,
    /// The fee paid on top of it, in cents.
    FeeCents = 13,
    /// The currency of the amounts.
    Currency = 14,
    /// Where it was bought.
    Marketplace = 15,
    /// The marketplace's id of the order.
    OrderId = 16,
    /// When it was bought.
    BoughtAt = 17,
    /// Until when the trade that brought it can be reversed.
    ProtectedUntil = 18,
    /// When it was sold; of a sale alone.
    SoldAt = 19,
}

names! { HoldingField, "field of an imported holding":
    Account => "account",
    PlatformUserId => "platform_user_id",
    AssetId => "asset_id",
    AppId => "app_id",
    ContextId => "context_id",
    MarketHashName => "market_hash_name",
    Wear => "wear",
    PaintSeed => "paint_seed",
    Phase => "phase",
    Price => "price",
    PriceCents => "price_cents",
    Fee => "fee",
    FeeCents => "fee_cents",
    Currency => "currency",
    Marketplace => "marketplace",
    OrderId => "order_id",
    BoughtAt => "bought_at",
    ProtectedUntil => "protected_until",
    SoldAt => "sold_at",
}

/// The fields of a holding as they are written.
pub type HoldingFields = BTreeMap<HoldingField, Description>;

/// A holding of an import, or the sale of an item.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HoldingRow {
    /// Its fields, from which it is understood when it is checked and when it is applied.
    pub fields: HoldingFields,
    /// The inventory item.
    pub item_id: Option<InventoryItemId>,
    /// The purchase of that item.
    pub purchase_id: Option<PurchaseId>,
}

impl HoldingRow {
    /// Returns a field as it is written.
    pub fn text(&self, field: HoldingField) -> Option<&str> {
        self.fields.get(&field).map(Description::as_str)
    }
}
