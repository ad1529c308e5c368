//! What the tests start from.

use tradepost_domain::asset::{AppId, AssetId, ContextId};
use tradepost_domain::contracts::chain::AssetIdLink;
use tradepost_domain::contracts::contract::{ApprovalMode, BuyingTerms, ContractDraft, SellingTerms, Terms};
use tradepost_domain::contracts::inventory_item::{InventoryItem, Receipt, SalePlace, Traits};
use tradepost_domain::contracts::purchase::{Order, Purchase, PurchaseEvent, PurchaseTerms};
use tradepost_domain::id::Id;
use tradepost_domain::money::Cents;
use tradepost_domain::text::Text;
use tradepost_domain::time::Timestamp;

pub(crate) const TARGET: u32 = 3;
pub(crate) const BUDGET: i64 = 3_000;

pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(seconds * 1_000_000).unwrap()
}

pub(crate) fn cents(amount: i64) -> Cents {
    Cents::new(amount).unwrap()
}

pub(crate) fn text<const MOST: usize>(text: &str) -> Text<MOST> {
    Text::new(text).unwrap()
}

pub(crate) fn asset(number: u64) -> AssetId {
    AssetId::new(&number.to_string()).unwrap()
}

pub(crate) fn id<K>(number: u8) -> Id<K> {
    Id::from_bytes([number; 16])
}

/// On sale for no contract.
pub(crate) fn sale_place() -> SalePlace {
    SalePlace { marketplace: text("sim"), contract_id: None }
}

pub(crate) fn buying() -> BuyingTerms {
    BuyingTerms {
        target_quantity: TARGET,
        max_buy_price: cents(1_200),
        budget: cents(BUDGET),
        daily_budget: None,
        max_daily_loss: None,
        min_discount: None,
        min_expected_margin: None,
        max_per_item_name: None,
        max_open_purchases: None,
        cooldown_seconds: None,
        max_trade_lock_days: None,
        min_liquidity_score: None,
        min_seller_success: None,
    }
}

pub(crate) fn selling() -> SellingTerms {
    SellingTerms {
        floor_price: cents(900),
        min_margin: None,
        undercut: None,
        ceiling_price: None,
        reprice_interval_seconds: None,
        max_listings: None,
        max_below_value: None,
        max_above_value: None,
    }
}

pub(crate) fn draft(terms: Terms) -> ContractDraft {
    ContractDraft {
        id: id(2),
        workspace_id: id(1),
        name: text("Redlines"),
        terms,
        filter_set_id: None,
        pool_id: None,
        approval_mode: ApprovalMode::Automatic,
        marketplaces: vec![text("sim")],
        price_reference: None,
        starts_at: None,
        ends_at: Some(at(10_000)),
    }
}

/// A listing of 1 000 cents and 50 cents of fee, for which 1 200 may be paid.
pub(crate) fn purchase_terms(number: u8) -> PurchaseTerms {
    PurchaseTerms {
        id: id(number),
        workspace_id: id(1),
        contract_id: Some(id(2)),
        intent_id: None,
        app_id: AppId::CS2,
        market_hash_name: text("AK-47 | Redline (Field-Tested)"),
        traits: Box::default(),
        listing_price: cents(1_000),
        max_buy_price: cents(1_200),
        platform_fee: cents(50),
        listing_id: text("listing-1"),
        listing_asset_id: asset(100),
        marketplace: text("sim"),
        account_name: text("trader-1"),
        exchange_rate: None,
    }
}

pub(crate) fn order() -> Order {
    Order { id: text("order-1"), executed_price: cents(990), fee: cents(50) }
}

/// A purchase whose trade is complete and protected until second 1 000.
pub(crate) fn traded_purchase() -> Purchase {
    let steps = [
        PurchaseEvent::Submitted { listing_price: cents(1_000) },
        PurchaseEvent::Accepted(order()),
        PurchaseEvent::ItemReceived { trade_id: text("trade-1"), protected_until: at(1_000) },
    ];
    let pending = Purchase::record(purchase_terms(3), at(0)).unwrap();
    steps.into_iter().fold(pending, |purchase, event| purchase.apply(event, at(1)).unwrap())
}

pub(crate) fn receipt(asset_id: AssetId) -> Receipt {
    Receipt {
        item_id: id(4),
        link_ids: [id(5), id(6)],
        asset_id,
        app_id: AppId::CS2,
        context_id: ContextId::PROTECTED,
        traits: Traits::default(),
    }
}

/// The item of [`traded_purchase`], received at second 10 as asset 101.
pub(crate) fn item() -> (InventoryItem, [AssetIdLink; 2]) {
    InventoryItem::receive(&traded_purchase(), receipt(asset(101)), at(10)).unwrap()
}
