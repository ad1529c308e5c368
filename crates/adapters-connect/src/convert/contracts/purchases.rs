//! Purchases on the wire.

use tradepost_domain::contracts::purchase::{Progress, Purchase};
use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::money::Cents;
use tradepost_operations::Versioned;

use crate::convert::enums::WireEnum;
use crate::convert::{wire_id, wire_time};
use tradepost_proto::contracts::v1 as wire;

pub(crate) fn purchase(Versioned { value, version }: &Versioned<Purchase>) -> wire::Purchase {
    let terms = &value.terms;
    let Progress { order, trade_offer_id, trade_id, held_until, protected_until, failure_code, refunded } =
        &value.progress;
    wire::Purchase {
        id: Some(wire_id(terms.id)),
        workspace_id: Some(wire_id(terms.workspace_id)),
        contract_id: Some(terms.contract_id.map(wire_id).unwrap_or_default()),
        market_hash_name: Some(terms.market_hash_name.to_string()),
        status: Some(value.status.to_wire()),
        version: Some(*version),
        listing_price_cents: Some(listing_price(value).get()),
        max_buy_price_cents: Some(terms.max_buy_price.get()),
        platform_fee_cents: Some(value.platform_fee().get()),
        listing_id: Some(terms.listing_id.to_string()),
        listing_asset_id: Some(terms.listing_asset_id.to_string()),
        marketplace: Some(terms.marketplace.to_string()),
        account_name: Some(terms.account_name.to_string()),
        created_at: wire_time(value.created_at).into(),
        updated_at: wire_time(value.updated_at).into(),
        intent_id: terms.intent_id.map(wire_id),
        provider_order_id: value.order_id().map(ToString::to_string),
        executed_price_cents: order.as_ref().map(|order| order.executed_price.get()),
        trade_offer_id: trade_offer_id.as_ref().map(ToString::to_string),
        trade_id: trade_id.as_ref().map(ToString::to_string),
        held_until: held_until.map(wire_time).into(),
        protected_until: protected_until.map(wire_time).into(),
        failure_code: failure_code.map(WireEnum::to_wire),
        refunded_cents: (*refunded > Cents::ZERO).then(|| refunded.get()),
        exchange_rate: terms.exchange_rate.map(exchange_rate).into(),
        expected_fee_cents: Some(terms.platform_fee.get()),
    }
}

/// The listing's price; of an imported purchase what was paid, as far as that is known.
fn listing_price(purchase: &Purchase) -> Cents {
    if purchase.is_imported() {
        return purchase.progress.order.as_ref().map_or(Cents::ZERO, |order| order.executed_price);
    }
    purchase.terms.listing_price
}

pub(super) fn exchange_rate(rate: ExchangeRate) -> wire::ExchangeRate {
    wire::ExchangeRate {
        currency: Some(rate.from().to_string()),
        rate_micros: Some(rate.micros()),
        as_of: wire_time(rate.as_of()).into(),
    }
}
