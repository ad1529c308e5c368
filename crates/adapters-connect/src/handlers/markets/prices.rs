//! What items are worth.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::markets as operation;

use crate::convert::contracts::price_source;
use crate::convert::markets::prices as record;
use crate::convert::markets::variant_name;
use crate::convert::{id, invalid, timestamp};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::markets::v1 as wire;

pub(super) async fn get_price(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetPriceRequest>,
) -> ServiceResult<wire::GetPriceResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let variant = variant_name(request.app_id, request.market_hash_name, request.phase);
    let price = operations.get_price(caller, operation::GetPrice { workspace_id, variant }).await.map_err(to_wire)?;
    Response::ok(wire::GetPriceResponse { price: record::price(&price).into() })
}

pub(super) async fn get_prices(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetPricesRequest>,
) -> ServiceResult<wire::GetPricesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let variants = request.variants.iter().map(|given| {
        variant_name(
            given.app_id.unwrap_or_default(),
            given.market_hash_name.unwrap_or_default(),
            given.phase.unwrap_or_default(),
        )
    });
    let command = operation::GetPrices { workspace_id, variants: variants.collect() };
    let prices = operations.get_prices(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetPricesResponse { prices: prices.iter().map(record::price).collect() })
}

pub(super) async fn set_price_override(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::SetPriceOverrideRequest>,
) -> ServiceResult<wire::SetPriceOverrideResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::SetPriceOverride {
        workspace_id,
        variant: variant_name(request.app_id, request.market_hash_name, request.phase),
        price_cents: request.price_cents,
        expires_at: timestamp("expiresAt", &request.expires_at)?,
        reason: request.reason.to_owned(),
        expected_version: request.expected_version,
    };
    let given = operations.set_price_override(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::SetPriceOverrideResponse { price_override: record::price_override(&given).into() })
}

pub(super) async fn list_price_overrides(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListPriceOverridesRequest>,
) -> ServiceResult<wire::ListPriceOverridesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command =
        operation::ListPriceOverrides { workspace_id, limit: request.limit, cursor: request.cursor.to_owned() };
    let page = operations.list_price_overrides(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListPriceOverridesResponse {
        price_overrides: page.entries.iter().map(record::price_override).collect(),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn delete_price_override(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::DeletePriceOverrideRequest>,
) -> ServiceResult<wire::DeletePriceOverrideResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::DeletePriceOverride {
        workspace_id,
        price_override_id: id("priceOverrideId", request.price_override_id)?,
        expected_version: request.expected_version,
    };
    operations.delete_price_override(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::DeletePriceOverrideResponse::default())
}

pub(super) async fn get_pricing_rules(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetPricingRulesRequest>,
) -> ServiceResult<wire::GetPricingRulesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetPricingRules { workspace_id };
    let rules = operations.get_pricing_rules(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetPricingRulesResponse { rules: record::rules(&rules).into() })
}

pub(super) async fn update_pricing_rules(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::UpdatePricingRulesRequest>,
) -> ServiceResult<wire::UpdatePricingRulesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let reference = request.price_reference.as_option().ok_or_else(|| invalid("priceReference", "is required"))?;
    let command = operation::UpdatePricingRules {
        workspace_id,
        reference: price_source(reference)?,
        expected_version: request.expected_version,
    };
    let rules = operations.update_pricing_rules(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::UpdatePricingRulesResponse { rules: record::rules(&rules).into() })
}

pub(super) async fn list_variants(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListVariantsRequest>,
) -> ServiceResult<wire::ListVariantsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListVariants { workspace_id, prefix: request.prefix.to_owned(), limit: request.limit };
    let found = operations.list_variants(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListVariantsResponse {
        market_hash_names: found.names.iter().map(ToString::to_string).collect(),
        truncated: Some(found.truncated),
    })
}
