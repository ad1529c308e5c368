//! Records of `contracts.v1` on the wire, and the terms of a contract from it.

pub(crate) mod assignments;
mod contract_versions;
mod contracts;
pub(crate) mod equity;
pub(crate) mod evaluations;
pub(crate) mod filter_sets;
pub(crate) mod intents;
mod items;
pub(crate) mod pools;
pub(crate) mod profit_and_loss;
mod purchases;
pub(crate) mod remediations;
pub(crate) mod transitions;

pub(crate) use contract_versions::contract_version;
pub(crate) use contracts::{contract, draft, price_reference, price_source, terms};
pub(crate) use items::{asset_id_link, chain_problem, inventory_item};
pub(crate) use purchases::purchase;

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tradepost_domain::asset::Wear;
    use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus, Traits};
    use tradepost_domain::contracts::purchase::{Progress, Purchase, PurchaseEvent, PurchaseStatus};
    use tradepost_domain::markets::listing::{Rarity, Sticker};
    use tradepost_operations::Versioned;
    use tradepost_testkit::samples::{Samples, minute, text};

    use super::{inventory_item, purchase};
    use crate::convert::wire_time;

    /// The fields that a message has beyond those that it always has.
    fn known(mut shown: Value, always: &[&str]) -> Value {
        let fields = shown.as_object_mut().unwrap();
        for field in always {
            assert!(fields.remove(*field).is_some(), "{field} is always there");
        }
        shown
    }

    fn of_purchase(value: Purchase) -> Value {
        const ALWAYS: [&str; 15] = [
            "id",
            "workspaceId",
            "contractId",
            "marketHashName",
            "status",
            "version",
            "listingPriceCents",
            "maxBuyPriceCents",
            "platformFeeCents",
            "listingId",
            "listingAssetId",
            "marketplace",
            "accountName",
            "createdAt",
            "updatedAt",
        ];
        known(json!(purchase(&Versioned { value, version: 1 })), &ALWAYS)
    }

    fn of_item(value: InventoryItem) -> Value {
        const ALWAYS: [&str; 16] = [
            "id",
            "workspaceId",
            "purchaseId",
            "contractId",
            "marketHashName",
            "status",
            "version",
            "currentAssetId",
            "buyPriceCents",
            "createdAt",
            "updatedAt",
            "saleMarketplace",
            "sellingContractId",
            "accountName",
            "appId",
            "contextId",
        ];
        known(json!(inventory_item(&Versioned { value, version: 1 })), &ALWAYS)
    }

    /// The rate of the samples.
    fn rate() -> Value {
        json!({ "currency": "EUR", "rateMicros": "1083500", "asOf": "2026-01-01T00:00:00Z" })
    }

    #[test]
    fn a_purchase_shows_what_is_known_of_it_and_nothing_else() {
        let samples = Samples::seeded(1);
        let of = |status| samples.purchase(samples.id(), samples.id(), status);
        assert_eq!(
            of_purchase(of(PurchaseStatus::Pending)),
            json!({ "exchangeRate": rate(), "expectedFeeCents": "30" })
        );
        let mut terms = samples.purchase_terms(samples.id(), samples.id());
        (terms.intent_id, terms.exchange_rate) = (Some(samples.id()), None);
        let intent_id = terms.intent_id.unwrap().to_string();
        let recorded = json!({ "intentId": intent_id, "expectedFeeCents": "30" });
        assert_eq!(of_purchase(Purchase::record(terms, minute(0)).unwrap()), recorded);

        let held = of(PurchaseStatus::TradeHeld);
        let Progress { order, trade_offer_id, trade_id, .. } = held.progress.clone();
        let (order_id, trade_id) = (order.unwrap().id.to_string(), trade_id.unwrap());
        let in_hold = json!({
            "providerOrderId": order_id, "executedPriceCents": "1190", "tradeOfferId": trade_offer_id.unwrap().to_string(),
            "tradeId": trade_id.to_string(), "heldUntil": "2026-01-16T00:00:00Z", "exchangeRate": rate(),
            "expectedFeeCents": "30",
        });
        assert_eq!(of_purchase(held.clone()), in_hold);
        let received = PurchaseEvent::ItemReceived { trade_id, protected_until: minute(10) };
        let received = of_purchase(held.apply(received, minute(1)).unwrap());
        assert_eq!(received["protectedUntil"], "2026-01-01T00:10:00Z");

        let refunded = of_purchase(of(PurchaseStatus::Refunded));
        assert_eq!(refunded["failureCode"], "PURCHASE_FAILURE_CODE_SELLER_LATE");
        assert_eq!((&refunded["refundedCents"], refunded.get("tradeId")), (&json!("1220"), None));
    }

    #[test]
    fn an_item_shows_what_is_known_of_it_and_nothing_else() {
        let samples = Samples::seeded(1);
        let traded = samples.purchase(samples.id(), samples.id(), PurchaseStatus::Traded);
        let plain = samples.item_in(&traded, ItemStatus::InInventory).0;
        let mut parts = plain.into_parts();
        (parts.lock, parts.traits) = (None, Traits::default());
        assert_eq!(of_item(InventoryItem::restore(parts).unwrap()), json!({}));

        let mut sold = samples.item_in(&traded, ItemStatus::Settled).0.into_parts();
        sold.traits = Traits {
            wear: Some(Wear::new("0.25").unwrap()),
            paint_seed: Some(7),
            phase: Some(text("Ruby")),
            rarity: Some(Rarity::Covert),
            paint_index: Some(415),
            stickers: Some(vec![Sticker { name: text("Sticker | Crown (Foil)"), wear: Some("0.5".parse().unwrap()) }]),
            charms: Some(vec![text("Charm | Hot Howl")]),
        };
        let (listing_id, sold_at) = (sold.sale_listing_id.clone().unwrap(), sold.sold_at.unwrap());
        let lock = sold.lock.unwrap();
        let shown = json!({
            "lockKind": "INVENTORY_ITEM_LOCK_KIND_TRADE_PROTECTION", "lockedUntil": wire_time(lock.until),
            "floatValue": "0.25", "paintSeed": 7, "phase": "Ruby", "rarity": "RARITY_COVERT", "paintIndex": 415,
            "stickers": [{ "name": "Sticker | Crown (Foil)", "wear": "0.5" }], "charms": ["Charm | Hot Howl"], "saleListingId": listing_id.to_string(),
            "listPriceCents": "1900", "sellPriceCents": "1900", "saleFeeCents": "95", "soldAt": wire_time(sold_at),
            "saleExchangeRate": rate(),
        });
        assert_eq!(of_item(InventoryItem::restore(sold).unwrap()), shown);
    }
}
