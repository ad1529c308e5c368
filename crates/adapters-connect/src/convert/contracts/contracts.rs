//! Contracts on the wire, and their terms from it.

use connectrpc::ConnectError;
use tradepost_domain::contracts::contract::{self, Contract, Counters, PriceReference, Terms, Undercut};
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::money::Cents;
use tradepost_operations::Versioned;
use tradepost_operations::contracts::{
    BuyingLimits, ContractTerms, CreateContract, PriceSource, SellingLimits, UndercutBy,
};

use crate::convert::enums::{WireEnum, required_enum};
use crate::convert::{invalid, optional_id, texts, timestamp, wire_id, wire_number, wire_time};
use tradepost_proto::contracts::v1 as wire;
use tradepost_proto::contracts::v1::__buffa::view;

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

pub(crate) fn contract(Versioned { value, version }: &Versioned<Contract>) -> wire::Contract {
    let (buying, selling) = wire_terms(&value.terms);
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
    }
}

/// The terms of a contract that buys, or of one that sells.
pub(super) fn wire_terms(terms: &Terms) -> (Option<wire::BuyingTerms>, Option<wire::SellingTerms>) {
    match terms {
        Terms::Buying(terms) => (Some(buying_terms(terms)), None),
        Terms::Selling(terms) => (None, Some(selling_terms(terms))),
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
    }
}

pub(crate) fn price_reference(reference: &PriceReference) -> wire::PriceReference {
    wire::PriceReference {
        sources: reference.sources.iter().map(ToString::to_string).collect(),
        statistic: Some(reference.statistic.to_wire()),
        max_age_seconds: Some(wire_number(reference.max_age_seconds)),
        min_confidence_bps: Some(reference.min_confidence.get().into()),
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
