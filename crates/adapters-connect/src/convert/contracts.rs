//! Records of `contracts.v1` on the wire, and the terms of a contract from it.

use connectrpc::ConnectError;
use tradepost_domain::contracts::chain::{AssetIdLink, ChainProblem};
use tradepost_domain::contracts::contract::{self, Contract, Counters, PriceReference, Terms, Undercut};
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::purchase::{Progress, Purchase};
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::markets::listing::Sticker;
use tradepost_domain::money::Cents;
use tradepost_operations::Versioned;
use tradepost_operations::contracts::{
    BuyingLimits, ContractTerms, CreateContract, PriceSource, SellingLimits, UndercutBy,
};

use super::enums::{WireEnum, required_enum};
use super::{invalid, optional_id, texts, timestamp, wire_id, wire_number, wire_time};
use tradepost_proto::contracts::v1 as wire;
use tradepost_proto::contracts::v1::__buffa::view;

pub(crate) fn purchase(Versioned { value, version }: &Versioned<Purchase>) -> wire::Purchase {
    let terms = &value.terms;
    let Progress { order, trade_offer_id, trade_id, held_until, protected_until, failure_code, refunded } =
        &value.progress;
    wire::Purchase {
        id: Some(wire_id(terms.id)),
        workspace_id: Some(wire_id(terms.workspace_id)),
        contract_id: Some(wire_id(terms.contract_id)),
        market_hash_name: Some(terms.market_hash_name.to_string()),
        status: Some(value.status.to_wire()),
        version: Some(*version),
        listing_price_cents: Some(terms.listing_price.get()),
        max_buy_price_cents: Some(terms.max_buy_price.get()),
        platform_fee_cents: Some(value.platform_fee().get()),
        listing_id: Some(terms.listing_id.to_string()),
        listing_asset_id: Some(terms.listing_asset_id.to_string()),
        marketplace: Some(terms.marketplace.to_string()),
        account_name: Some(terms.account_name.to_string()),
        created_at: wire_time(value.created_at).into(),
        updated_at: wire_time(value.updated_at).into(),
        intent_id: terms.intent_id.map(wire_id),
        provider_order_id: order.as_ref().map(|order| order.id.to_string()),
        executed_price_cents: order.as_ref().map(|order| order.executed_price.get()),
        trade_offer_id: trade_offer_id.as_ref().map(ToString::to_string),
        trade_id: trade_id.as_ref().map(ToString::to_string),
        held_until: held_until.map(wire_time).into(),
        protected_until: protected_until.map(wire_time).into(),
        failure_code: failure_code.map(WireEnum::to_wire),
        refunded_cents: (*refunded > Cents::ZERO).then(|| refunded.get()),
        exchange_rate: terms.exchange_rate.map(exchange_rate).into(),
        expected_fee_cents: Some(terms.platform_fee.get()),
        ..wire::Purchase::default()
    }
}

fn exchange_rate(rate: ExchangeRate) -> wire::ExchangeRate {
    wire::ExchangeRate {
        currency: Some(rate.from().to_string()),
        rate_micros: Some(rate.micros()),
        as_of: wire_time(rate.as_of()).into(),
        ..wire::ExchangeRate::default()
    }
}

/// The contract that is to be drafted.
pub(crate) fn draft(
    workspace_id: WorkspaceId,
    given: &view::CreateContractRequestView<'_>,
) -> Result<CreateContract, ConnectError> {
    // What is there and malformed is named before what is missing.
    let filter_set_id = optional_id("filterSetId", given.filter_set_id)?;
    let pool_id = optional_id("poolId", given.pool_id)?;
    let price_reference = given.price_reference.as_option().map(price_source).transpose()?;
    let (starts_at, ends_at) = (timestamp("startsAt", &given.starts_at)?, timestamp("endsAt", &given.ends_at)?);
    let terms = terms(given.buying.as_option(), given.selling.as_option())?;
    let approval_mode = required_enum("approvalMode", given.approval_mode)?;
    Ok(CreateContract {
        workspace_id,
        name: given.name.to_owned(),
        terms: terms.ok_or_else(|| invalid("buying", "or selling is required"))?,
        filter_set_id,
        pool_id,
        approval_mode,
        marketplaces: texts(&given.marketplaces),
        price_reference,
        starts_at,
        ends_at,
    })
}

pub(crate) fn inventory_item(Versioned { value, version }: &Versioned<InventoryItem>) -> wire::InventoryItem {
    let (place, lock, traits, proceeds) =
        (value.sale_place.as_ref(), value.lock.as_ref(), &value.traits, value.proceeds);
    wire::InventoryItem {
        id: Some(wire_id(value.id)),
        workspace_id: Some(wire_id(value.workspace_id)),
        purchase_id: Some(wire_id(value.purchase_id)),
        contract_id: Some(wire_id(value.contract_id)),
        market_hash_name: Some(value.market_hash_name.to_string()),
        status: Some(value.status.to_wire()),
        version: Some(*version),
        current_asset_id: Some(value.head.asset_id.to_string()),
        buy_price_cents: Some(value.buy_price.get()),
        created_at: wire_time(value.created_at).into(),
        updated_at: wire_time(value.updated_at).into(),
        sale_marketplace: Some(place.map(|place| place.marketplace.to_string()).unwrap_or_default()),
        selling_contract_id: Some(place.and_then(|place| place.contract_id).map(wire_id).unwrap_or_default()),
        account_name: Some(value.account_name.to_string()),
        app_id: Some(wire_number(value.app_id.get())),
        // A context is at most the largest number that fits.
        context_id: i64::try_from(value.context_id.get()).ok(),
        lock_kind: lock.map(|lock| lock.kind.to_wire()),
        locked_until: lock.map(|lock| wire_time(lock.until)).into(),
        float_value: traits.wear.as_ref().map(ToString::to_string),
        paint_seed: traits.paint_seed.map(wire_number),
        phase: traits.phase.as_ref().map(ToString::to_string),
        rarity: traits.rarity.map(WireEnum::to_wire),
        paint_index: traits.paint_index.map(wire_number),
        stickers: traits.stickers.iter().flatten().map(item_sticker).collect(),
        charms: traits.charms.iter().flatten().map(ToString::to_string).collect(),
        sale_listing_id: value.sale_listing_id.as_ref().map(ToString::to_string),
        list_price_cents: value.list_price.map(Cents::get),
        sell_price_cents: proceeds.map(|proceeds| proceeds.sell_price().get()),
        sale_fee_cents: proceeds.map(|proceeds| proceeds.sale_fee().get()),
        sold_at: value.sold_at.map(wire_time).into(),
        sale_exchange_rate: value.sale_rate.map(exchange_rate).into(),
        ..wire::InventoryItem::default()
    }
}

pub(crate) fn asset_id_link(link: &AssetIdLink) -> wire::AssetIDLink {
    wire::AssetIDLink {
        id: Some(wire_id(link.id)),
        inventory_item_id: Some(wire_id(link.inventory_item_id)),
        purchase_id: Some(wire_id(link.purchase_id)),
        workspace_id: Some(wire_id(link.workspace_id)),
        step: Some(wire_number(link.step)),
        asset_id: Some(link.asset_id.to_string()),
        previous_asset_id: Some(link.previous.as_ref().map(ToString::to_string).unwrap_or_default()),
        source: Some(link.source.to_string()),
        source_id: Some(link.source_id.to_string()),
        created_at: wire_time(link.created_at).into(),
        ..wire::AssetIDLink::default()
    }
}

pub(crate) fn chain_problem(problem: &ChainProblem) -> wire::AssetIDChainProblem {
    wire::AssetIDChainProblem {
        step: Some(wire_number(problem.step)),
        description: Some(problem.law.to_string()),
        ..wire::AssetIDChainProblem::default()
    }
}

pub(crate) fn contract(Versioned { value, version }: &Versioned<Contract>) -> wire::Contract {
    let (buying, selling) = match &value.terms {
        Terms::Buying(terms) => (Some(buying_terms(terms)), None),
        Terms::Selling(terms) => (None, Some(selling_terms(terms))),
    };
    wire::Contract {
        id: Some(wire_id(value.id)),
        workspace_id: Some(wire_id(value.workspace_id)),
        name: Some(value.name.to_string()),
        r#type: Some(value.contract_type().to_wire()),
        status: Some(value.status.to_wire()),
        status_reason: Some(status_reason(value)),
        version: Some(*version),
        filter_set_id: Some(value.filter_set_id.map(wire_id).unwrap_or_default()),
        pool_id: Some(value.pool_id.map(wire_id).unwrap_or_default()),
        approval_mode: Some(value.approval_mode.to_wire()),
        marketplaces: value.marketplaces.iter().map(ToString::to_string).collect(),
        price_reference: value.price_reference.as_ref().map(price_reference).into(),
        starts_at: value.starts_at.map(wire_time).into(),
        ends_at: value.ends_at.map(wire_time).into(),
        buying: buying.into(),
        selling: selling.into(),
        progress: progress(value.counters).into(),
        created_at: wire_time(value.created_at).into(),
        updated_at: wire_time(value.updated_at).into(),
        ..wire::Contract::default()
    }
}

/// Why it stopped, or else why it closed.
fn status_reason(contract: &Contract) -> String {
    let stopped = contract.status_reason.as_ref().map(ToString::to_string);
    stopped.or_else(|| contract.closing_reason.map(|reason| reason.to_string())).unwrap_or_default()
}

fn progress(counters: Counters) -> wire::ContractProgress {
    wire::ContractProgress {
        filled_quantity: Some(wire_number(counters.filled_quantity)),
        open_quantity: Some(wire_number(counters.open_quantity)),
        spent_cents: Some(counters.spent.get()),
        reserved_cents: Some(counters.reserved.get()),
        ..wire::ContractProgress::default()
    }
}

pub(crate) fn price_reference(reference: &PriceReference) -> wire::PriceReference {
    wire::PriceReference {
        sources: reference.sources.iter().map(ToString::to_string).collect(),
        statistic: Some(reference.statistic.to_wire()),
        max_age_seconds: Some(wire_number(reference.max_age_seconds)),
        min_confidence_bps: Some(reference.min_confidence.get().into()),
        ..wire::PriceReference::default()
    }
}

fn buying_terms(terms: &contract::BuyingTerms) -> wire::BuyingTerms {
    wire::BuyingTerms {
        target_quantity: Some(wire_number(terms.target_quantity)),
        max_buy_price_cents: Some(terms.max_buy_price.get()),
        budget_cents: Some(terms.budget.get()),
        daily_budget_cents: terms.daily_budget.map(Cents::get),
        max_daily_loss_cents: terms.max_daily_loss.map(Cents::get),
        min_discount_bps: terms.min_discount.map(|share| share.get().into()),
        min_expected_margin_bps: terms.min_expected_margin.map(|share| share.get().into()),
        max_per_item_name: terms.max_per_item_name.map(wire_number),
        max_open_purchases: terms.max_open_purchases.map(wire_number),
        cooldown_seconds: terms.cooldown_seconds.map(wire_number),
        max_trade_lock_days: terms.max_trade_lock_days.map(wire_number),
        min_liquidity_score: terms.min_liquidity_score.map(Into::into),
        min_seller_success_bps: terms.min_seller_success.map(|share| share.get().into()),
        ..wire::BuyingTerms::default()
    }
}

fn item_sticker(sticker: &Sticker) -> wire::InventoryItemSticker {
    wire::InventoryItemSticker {
        name: Some(sticker.name.to_string()),
        wear: sticker.wear.as_ref().map(ToString::to_string),
        ..wire::InventoryItemSticker::default()
    }
}

fn selling_terms(terms: &contract::SellingTerms) -> wire::SellingTerms {
    let (undercut_cents, undercut_bps) = match terms.undercut {
        Some(Undercut::Amount(amount)) => (Some(amount.get()), None),
        Some(Undercut::Share(share)) => (None, Some(share.get().into())),
        None => (None, None),
    };
    wire::SellingTerms {
        floor_price_cents: Some(terms.floor_price.get()),
        min_margin_bps: terms.min_margin.map(|share| share.get().into()),
        undercut_cents,
        undercut_bps,
        ceiling_price_cents: terms.ceiling_price.map(Cents::get),
        reprice_interval_seconds: terms.reprice_interval_seconds.map(wire_number),
        max_listings: terms.max_listings.map(wire_number),
        max_below_value_bps: terms.max_below_value.map(|share| share.get().into()),
        max_above_value_bps: terms.max_above_value.map(|share| share.get().into()),
        ..wire::SellingTerms::default()
    }
}

/// The terms of a contract, where some are given.
pub(crate) fn terms(
    buying: Option<&view::BuyingTermsView<'_>>,
    selling: Option<&view::SellingTermsView<'_>>,
) -> Result<Option<ContractTerms>, ConnectError> {
    match (buying, selling) {
        (Some(terms), None) => Ok(Some(ContractTerms::Buying(buying_limits(terms)))),
        (None, Some(terms)) => selling_limits(terms).map(ContractTerms::Selling).map(Some),
        (None, None) => Ok(None),
        (Some(_), Some(_)) => Err(invalid("buying", "and selling exclude each other")),
    }
}

fn buying_limits(given: &view::BuyingTermsView<'_>) -> BuyingLimits {
    BuyingLimits {
        target_quantity: given.target_quantity.map(Into::into),
        max_buy_price_cents: given.max_buy_price_cents,
        budget_cents: given.budget_cents,
        daily_budget_cents: given.daily_budget_cents,
        max_daily_loss_cents: given.max_daily_loss_cents,
        min_discount_bps: given.min_discount_bps.map(Into::into),
        min_expected_margin_bps: given.min_expected_margin_bps.map(Into::into),
        max_per_item_name: given.max_per_item_name.map(Into::into),
        max_open_purchases: given.max_open_purchases.map(Into::into),
        cooldown_seconds: given.cooldown_seconds.map(Into::into),
        max_trade_lock_days: given.max_trade_lock_days.map(Into::into),
        min_liquidity_score: given.min_liquidity_score.map(Into::into),
        min_seller_success_bps: given.min_seller_success_bps.map(Into::into),
    }
}

fn selling_limits(given: &view::SellingTermsView<'_>) -> Result<SellingLimits, ConnectError> {
    let undercut = match (given.undercut_cents, given.undercut_bps) {
        (Some(cents), None) => Some(UndercutBy::Cents(cents)),
        (None, Some(share)) => Some(UndercutBy::Bps(share.into())),
        (None, None) => None,
        (Some(_), Some(_)) => {
            return Err(invalid("selling.undercutCents", "and selling.undercutBps exclude each other"));
        }
    };
    Ok(SellingLimits {
        floor_price_cents: given.floor_price_cents,
        min_margin_bps: given.min_margin_bps.map(Into::into),
        undercut,
        ceiling_price_cents: given.ceiling_price_cents,
        reprice_interval_seconds: given.reprice_interval_seconds.map(Into::into),
        max_listings: given.max_listings.map(Into::into),
        max_below_value_bps: given.max_below_value_bps.map(Into::into),
        max_above_value_bps: given.max_above_value_bps.map(Into::into),
    })
}

/// Where a contract takes an item's value from.
pub(crate) fn price_source(given: &view::PriceReferenceView<'_>) -> Result<PriceSource, ConnectError> {
    let statistic = given.statistic.unwrap_or_default();
    Ok(PriceSource {
        sources: texts(&given.sources),
        statistic: required_enum("priceReference.statistic", statistic)?,
        max_age_seconds: given.max_age_seconds.map(Into::into),
        min_confidence_bps: given.min_confidence_bps.map(Into::into),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tradepost_domain::asset::Wear;
    use tradepost_domain::contracts::inventory_item::{ItemStatus, Traits};
    use tradepost_domain::contracts::purchase::{PurchaseEvent, PurchaseStatus};
    use tradepost_domain::markets::listing::Rarity;
    use tradepost_testkit::samples::{Samples, minute, text};

    use super::*;

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
