//! Providers.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::markets as operation;

use crate::convert::enums::{optional_enum, required_enum};
use crate::convert::markets::providers as record;
use crate::convert::markets::variant_name;
use crate::convert::{id, ids, invalid, optional_id, replaced, wire_ids};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::markets::v1 as wire;

pub(super) async fn list_providers(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListProvidersRequest>,
) -> ServiceResult<wire::ListProvidersResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListProviders {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        kind: optional_enum("kind", request.kind)?,
    };
    let page = operations.list_providers(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListProvidersResponse {
        provider_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_provider(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetProviderRequest>,
) -> ServiceResult<wire::GetProviderResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetProvider { workspace_id, provider_id: id("providerId", request.provider_id)? };
    let shown = operations.get_provider(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetProviderResponse { provider: record::provider(&shown).into() })
}

pub(super) async fn get_providers(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetProvidersRequest>,
) -> ServiceResult<wire::GetProvidersResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetProviders { workspace_id, provider_ids: ids("providerIds", &request.provider_ids)? };
    let batch = operations.get_providers(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetProvidersResponse {
        providers: batch.found.iter().map(record::provider).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn list_provider_drivers(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListProviderDriversRequest>,
) -> ServiceResult<wire::ListProviderDriversResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let drivers =
        operations.list_provider_drivers(caller, operation::ListProviderDrivers { workspace_id }).map_err(to_wire)?;
    Response::ok(wire::ListProviderDriversResponse { drivers: drivers.iter().map(record::driver).collect() })
}

pub(super) async fn create_provider(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CreateProviderRequest>,
) -> ServiceResult<wire::CreateProviderResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CreateProvider {
        workspace_id,
        kind: required_enum("kind", request.kind)?,
        driver: request.driver.to_owned(),
        name: request.name.to_owned(),
        currency: request.currency.to_owned(),
        settings: record::settings(&request.settings),
        credentials: record::credentials(&request.credentials),
    };
    let shown = operations.create_provider(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::CreateProviderResponse { provider: record::provider(&shown).into() })
}

pub(super) async fn update_provider(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::UpdateProviderRequest>,
) -> ServiceResult<wire::UpdateProviderResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::UpdateProvider {
        workspace_id,
        provider_id: id("providerId", request.provider_id)?,
        settings: replaced("settings", record::settings(&request.settings), "noSettings", request.no_settings)?,
        credentials: record::credentials(&request.credentials),
        expected_version: request.expected_version,
    };
    let shown = operations.update_provider(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::UpdateProviderResponse { provider: record::provider(&shown).into() })
}

pub(super) async fn enable_provider(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::EnableProviderRequest>,
) -> ServiceResult<wire::EnableProviderResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (provider_id, expected_version) = (id("providerId", request.provider_id)?, request.expected_version);
    let command = operation::EnableProvider { workspace_id, provider_id, expected_version };
    let shown = operations.enable_provider(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::EnableProviderResponse { provider: record::provider(&shown).into() })
}

pub(super) async fn disable_provider(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::DisableProviderRequest>,
) -> ServiceResult<wire::DisableProviderResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::DisableProvider {
        workspace_id,
        provider_id: id("providerId", request.provider_id)?,
        reason: request.reason.map(str::to_owned),
        expected_version: request.expected_version,
    };
    let shown = operations.disable_provider(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::DisableProviderResponse { provider: record::provider(&shown).into() })
}

pub(super) async fn delete_provider(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::DeleteProviderRequest>,
) -> ServiceResult<wire::DeleteProviderResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (provider_id, expected_version) = (id("providerId", request.provider_id)?, request.expected_version);
    let command = operation::DeleteProvider { workspace_id, provider_id, expected_version };
    operations.delete_provider(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::DeleteProviderResponse::default())
}

pub(super) async fn test_provider(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::TestProviderRequest>,
) -> ServiceResult<wire::TestProviderResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::TestProvider { workspace_id, provider_id: id("providerId", request.provider_id)? };
    let checks = operations.test_provider(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::TestProviderResponse {
        ok: Some(checks.iter().all(|check| check.ok)),
        checks: checks.iter().map(record::check).collect(),
    })
}

pub(super) async fn get_provider_health(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetProviderHealthRequest>,
) -> ServiceResult<wire::GetProviderHealthResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetProviderHealth { workspace_id, provider_id: id("providerId", request.provider_id)? };
    let report = operations.get_provider_health(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetProviderHealthResponse { health: report.as_ref().map(record::health).into() })
}

pub(super) async fn estimate_sale(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::EstimateSaleRequest>,
) -> ServiceResult<wire::EstimateSaleResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let what = match (request.variant.as_option(), optional_id("inventoryItemId", request.inventory_item_id)?) {
        (Some(given), None) => operation::ForSale::Variant(variant_name(
            given.app_id.unwrap_or_default(),
            given.market_hash_name.unwrap_or_default(),
            given.phase.unwrap_or_default(),
        )),
        (None, Some(item)) => operation::ForSale::Item(item),
        (None, None) => return Err(invalid("variant", "or inventoryItemId is required")),
        (Some(_), Some(_)) => return Err(invalid("variant", "and inventoryItemId exclude each other")),
    };
    let command = operation::EstimateSale {
        workspace_id,
        what,
        marketplace: request.marketplace.to_owned(),
        price_cents: request.price_cents,
    };
    let estimate = operations.estimate_sale(caller, command).await.map_err(to_wire)?;
    Response::ok(record::estimate(&estimate))
}
