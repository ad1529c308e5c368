//! What items are worth, on the wire.

use tradepost_domain::markets::price_override::VariantOverride;
use tradepost_domain::markets::pricing::SourcePrice;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::Cents;
use tradepost_operations::Versioned;
use tradepost_operations::markets::{PriceOf, RulesInForce};

use crate::convert::contracts::price_reference;
use crate::convert::markets::recorder;
use crate::convert::{wire_id, wire_number, wire_time};
use tradepost_proto::markets::v1 as wire;

fn variant(variant: &Variant) -> wire::Variant {
    wire::Variant {
        app_id: Some(wire_number(variant.app_id.get())),
        market_hash_name: Some(variant.market_hash_name.to_string()),
        phase: Some(variant.phase.as_ref().map(ToString::to_string).unwrap_or_default()),
    }
}

pub(crate) fn price(found: &PriceOf) -> wire::Price {
    let price = found.price();
    let value = price.fair_value.as_ref().ok();
    wire::Price {
        variant: variant(&found.variant).into(),
        fair_value_cents: value.map(|fair| fair.value.get()),
        best_ask_cents: price.best_ask.map(Cents::get),
        best_bid_cents: price.best_bid.map(Cents::get),
        confidence_bps: value.map(|fair| fair.confidence.get().into()),
        liquidity_score: price.liquidity.map(Into::into),
        sources: price.sources.iter().map(source).collect(),
        computed_at: wire_time(found.computed_at).into(),
        unpriced: Some(price.fair_value.err().map(|why| why.to_string()).unwrap_or_default()),
        overridden: Some(found.is_overridden()),
        selling_value_cents: value.map(|fair| fair.selling_value.get()),
    }
}

fn source(source: &SourcePrice<'_>) -> wire::SourcePrice {
    wire::SourcePrice {
        name: Some(source.quote.source.to_string()),
        price_cents: source.price.map(Cents::get),
        observed_at: wire_time(source.quote.observed_at).into(),
        stale: Some(source.is_stale),
        outlier: Some(source.is_outlier),
    }
}

pub(crate) fn price_override(given: &Versioned<VariantOverride>) -> wire::PriceOverride {
    let value = &given.value;
    wire::PriceOverride {
        id: Some(wire_id(value.id)),
        workspace_id: Some(wire_id(value.workspace_id)),
        variant: variant(&value.variant).into(),
        price_cents: Some(value.given.price.get()),
        expires_at: wire_time(value.given.expires_at).into(),
        reason: Some(value.reason.to_string()),
        given_by: recorder(value.given_by).into(),
        created_at: wire_time(value.created_at).into(),
        updated_at: wire_time(value.updated_at).into(),
        version: Some(given.version),
    }
}

pub(crate) fn rules(rules: &RulesInForce) -> wire::PricingRules {
    wire::PricingRules {
        price_reference: price_reference(&rules.reference).into(),
        version: Some(rules.version),
        updated_at: rules.updated_at.map(wire_time).into(),
    }
}
