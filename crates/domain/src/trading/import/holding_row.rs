//! What is read of a holding, of its sale or of a purchase, and the records that it concerns.

use std::collections::BTreeMap;

use crate::id::{InventoryItemId, PurchaseId};
use crate::names::names;
use crate::text::Description;

/// A field of an imported holding, sale or purchase.
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
    /// When it was sold; not of a holding.
    SoldAt = 19,
    /// Whether the account still holds the item; of a purchase alone.
    Held = 20,
    /// The marketplace's id of the listing that was bought; of a purchase alone.
    ListingId = 21,
    /// What the buyer of a purchased item paid, as a decimal amount.
    SalePrice = 22,
    /// What the buyer of a purchased item paid, in cents.
    SalePriceCents = 23,
    /// What the marketplace kept of it, as a decimal amount.
    SaleFee = 24,
    /// What the marketplace kept of it, in cents.
    SaleFeeCents = 25,
    /// Where a purchased item was sold.
    SaleMarketplace = 26,
    /// The marketplace's id of that sale.
    SaleOrderId = 27,
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
    Held => "held",
    ListingId => "listing_id",
    SalePrice => "sale_price",
    SalePriceCents => "sale_price_cents",
    SaleFee => "sale_fee",
    SaleFeeCents => "sale_fee_cents",
    SaleMarketplace => "sale_marketplace",
    SaleOrderId => "sale_order_id",
}

/// The fields of a holding, a sale or a purchase as they are written.
pub type HoldingFields = BTreeMap<HoldingField, Description>;

/// A holding of an import, the sale of an item, or a purchase.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HoldingRow {
    /// Its fields, from which it is understood when it is checked and when it is applied.
    pub fields: HoldingFields,
    /// The inventory item.
    pub item_id: Option<InventoryItemId>,
    /// The purchase of that item.
    pub purchase_id: Option<PurchaseId>,
    /// Whether it is a purchase, which its marketplace and its order identify, and not its asset id.
    pub is_purchase: bool,
}

impl HoldingRow {
    /// Returns a field as it is written.
    pub fn text(&self, field: HoldingField) -> Option<&str> {
        self.fields.get(&field).map(Description::as_str)
    }

    /// Returns what identifies the record: the asset id; of a purchase its marketplace and its order, or the listing that was bought.
    /// `None` where it is missing.
    pub fn key(&self) -> Option<String> {
        if !self.is_purchase {
            return self.text(HoldingField::AssetId).map(ToOwned::to_owned);
        }
        let order = self.text(HoldingField::OrderId).or_else(|| self.text(HoldingField::ListingId))?;
        Some(format!("{}:{order}", self.text(HoldingField::Marketplace)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(is_purchase: bool, given: &[(HoldingField, &str)]) -> Option<String> {
        let fields = given.iter().filter_map(|(field, text)| Some((*field, Description::new(text).ok()?)));
        HoldingRow { fields: fields.collect(), is_purchase, ..HoldingRow::default() }.key()
    }

    #[test]
    fn a_purchase_is_known_by_its_order_and_everything_else_by_its_asset_id() {
        use HoldingField as Of;
        let given = [(Of::AssetId, "27348562871"), (Of::Marketplace, "csfloat"), (Of::ListingId, "L-1")];
        assert_eq!(key(false, &given).as_deref(), Some("27348562871"));
        assert_eq!(key(true, &given).as_deref(), Some("csfloat:L-1"));
        let ordered = [(Of::Marketplace, "csfloat"), (Of::ListingId, "L-1"), (Of::OrderId, "A-1")];
        assert_eq!(key(true, &ordered).as_deref(), Some("csfloat:A-1"));
        assert_eq!((key(true, &given[..2]), key(true, &ordered[1..]), key(false, &ordered)), (None, None, None));
    }
}
