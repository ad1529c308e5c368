//! Evaluations on the wire, and what they are to be made of from it.

use connectrpc::ConnectError;
use tradepost_domain::contracts::contract::BasisPoints;
use tradepost_domain::contracts::evaluation::{Evaluated, EvaluationRecord, Rule, RuleResult};
use tradepost_domain::money::Cents;
use tradepost_operations::contracts::{FeeInput, GivenQuote, MarketView, WouldHaveBought};

use crate::convert::enums::WireEnum as _;
use crate::convert::{timestamp, wire_id, wire_number, wire_time};
use tradepost_proto::contracts::v1 as wire;
use tradepost_proto::contracts::v1::__buffa::view;

pub(crate) fn evaluation(value: &EvaluationRecord) -> wire::Evaluation {
    let sums = &value.sums;
    let (listing, item) = match &value.about {
        Evaluated::Listing { listing_id, variant, price } => (Some((listing_id, variant, price)), None),
        Evaluated::Item(item) => (None, Some(wire_id(*item))),
    };
    let listing_id = listing.and_then(|(id, _, _)| id.as_ref()).map(ToString::to_string);
    let phase = listing.and_then(|(_, variant, _)| variant.phase.as_ref()).map(ToString::to_string);
    wire::Evaluation {
        id: Some(wire_id(value.id)),
        workspace_id: Some(wire_id(value.workspace_id)),
        contract_id: Some(wire_id(value.contract_id)),
        marketplace: Some(value.marketplace.to_string()),
        listing_id: Some(listing_id.unwrap_or_default()),
        market_hash_name: Some(listing.map(|(_, variant, _)| variant.market_hash_name.to_string()).unwrap_or_default()),
        phase: Some(phase.unwrap_or_default()),
        price_cents: listing.map(|(_, _, price)| price.get()),
        inventory_item_id: Some(item.unwrap_or_default()),
        filter_set_version: Some(value.filter_set_version.map_or(0, i64::from)),
        decision: Some(value.decision.to_wire()),
        reasons: value.reasons.iter().map(reason).collect(),
        fair_value_cents: sums.fair_value.map(Cents::get),
        confidence_bps: sums.confidence.map(BasisPoints::get).map(Into::into),
        asking_price_cents: sums.asking_price.map(Cents::get),
        all_in_cost_cents: sums.all_in_cost.map(Cents::get),
        expected_net_cents: sums.expected_net.map(Cents::get),
        expected_margin_bps: sums.expected_margin,
        created_at: wire_time(value.at).into(),
    }
}

/// One that was made for the answer alone.
pub(crate) fn unkept(value: &EvaluationRecord) -> wire::Evaluation {
    wire::Evaluation { id: Some(Vec::new()), ..evaluation(value) }
}

fn reason(reason: &RuleResult) -> wire::EvaluationReason {
    wire::EvaluationReason {
        code: Some(reason.rule.to_string()),
        passed: Some(reason.passed),
        actual: Some(reason.actual.clone().unwrap_or_default()),
        limit: Some(reason.limit.clone().unwrap_or_default()),
    }
}

pub(crate) fn rule_count(rule: Rule, count: u32) -> wire::RuleCount {
    wire::RuleCount { code: Some(rule.to_string()), count: Some(wire_number(count)) }
}

/// A listing that a simulated contract would have bought.
pub(crate) fn would_have_bought(bought: &WouldHaveBought) -> wire::WouldHaveBought {
    let snapshot = &bought.observation.snapshot;
    let listing = &snapshot.listing;
    wire::WouldHaveBought {
        observation_id: Some(wire_id(bought.observation.id)),
        marketplace: Some(snapshot.marketplace.to_string()),
        listing_id: Some(snapshot.listing_id.to_string()),
        market_hash_name: Some(listing.variant.market_hash_name.to_string()),
        phase: Some(listing.variant.phase.as_ref().map(ToString::to_string).unwrap_or_default()),
        float_value: listing.float_value.as_ref().map(ToString::to_string),
        price_cents: Some(listing.price.get()),
        platform_fee_cents: Some(bought.fee.get()),
        all_in_cost_cents: Some(bought.all_in_cost.get()),
        fair_value_cents: bought.fair_value.map(Cents::get),
        observed_at: wire_time(snapshot.observed_at).into(),
        created_at: wire_time(bought.observation.recorded_at).into(),
    }
}

/// What a request says of the market.
pub(crate) fn market(given: Option<&view::MarketViewView<'_>>) -> Result<MarketView, ConnectError> {
    let Some(given) = given else { return Ok(MarketView::default()) };
    Ok(MarketView {
        quotes: given.quotes.iter().enumerate().map(|(index, given)| quote(index, given)).collect::<Result<_, _>>()?,
        buy_fee_bps: given.buy_fee_bps.map(Into::into),
        sell_fee_bps: given.sell_fee_bps.map(Into::into),
        competing_price_cents: given.competing_price_cents,
    })
}

/// What a request says that a marketplace takes.
pub(crate) fn fees(given: &view::MarketplaceFeesView<'_>) -> FeeInput {
    FeeInput {
        marketplace: given.marketplace.to_owned(),
        buy_fee_bps: given.buy_fee_bps.map(Into::into),
        sell_fee_bps: given.sell_fee_bps.map(Into::into),
    }
}

fn quote(index: usize, given: &view::PriceQuoteView<'_>) -> Result<GivenQuote, ConnectError> {
    Ok(GivenQuote {
        source: given.source.to_owned(),
        market_hash_name: given.market_hash_name.to_owned(),
        phase: given.phase.map(str::to_owned),
        lowest_ask_cents: given.lowest_ask_cents,
        highest_bid_cents: given.highest_bid_cents,
        sales_count: given.sales_count.map(Into::into),
        sales_average_cents: given.sales_average_cents,
        observed_at: timestamp(&format!("market.quotes[{index}].observedAt"), &given.observed_at)?,
    })
}
