//! `accounts.v1.Accounts`: API keys.

use connectrpc::{ConnectError, RequestContext, Response, ServiceRequest, ServiceResult};
use secrecy::ExposeSecret as _;
use tradepost_domain::accounts::api_key::Expiry;
use tradepost_operations::Operations;
use tradepost_operations::accounts::{self as operation, KeyWithUse};

use crate::convert::accounts as record;
use crate::convert::{id, invalid, replaced, secret, texts, timestamp, wire_count};
use crate::error::to_wire;
use crate::handlers::request::{caller, enter_own, secret_answer};
use tradepost_proto::accounts::v1 as wire;

pub(super) async fn create_api_key(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CreateAPIKeyRequest>,
) -> ServiceResult<wire::CreateAPIKeyResponse> {
    let caller = caller(context)?;
    let command = operation::CreateApiKey {
        name: request.name.to_owned(),
        expires_at: timestamp("expiresAt", &request.expires_at)?,
        policies: texts(&request.policies),
        allowed_cidrs: texts(&request.allowed_cidrs),
    };
    let created = operations.create_api_key(caller, command).await.map_err(to_wire)?;
    Ok(secret_answer(wire::CreateAPIKeyResponse {
        api_key: record::api_key(&KeyWithUse { key: created.key, last_used_at: None }).into(),
        raw_key: Some(created.raw_key.expose_secret().to_owned()),
    }))
}

pub(super) async fn get_api_key(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetAPIKeyRequest>,
) -> ServiceResult<wire::GetAPIKeyResponse> {
    let caller = caller(context)?;
    let command = operation::GetApiKey { api_key_id: id("apiKeyId", request.api_key_id)? };
    let key = operations.get_api_key(caller, command).await.map_err(to_wire)?;
    let api_key = record::owned_api_key(&key.value).into();
    Response::ok(wire::GetAPIKeyResponse { api_key, version: Some(key.version) })
}

pub(super) async fn list_api_keys(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListAPIKeysRequest>,
) -> ServiceResult<wire::ListAPIKeysResponse> {
    let caller = caller(context)?;
    let keys = operations.list_api_keys(caller).await.map_err(to_wire)?;
    let shown = if request.with_owners { record::owned_api_key } else { record::api_key };
    Response::ok(wire::ListAPIKeysResponse { api_keys: keys.iter().map(shown).collect() })
}

pub(super) async fn count_api_keys(
    operations: &Operations,
    context: &RequestContext,
    _: ServiceRequest<'_, wire::CountAPIKeysRequest>,
) -> ServiceResult<wire::CountAPIKeysResponse> {
    let caller = caller(context)?;
    let count = operations.count_api_keys(caller).await.map_err(to_wire)?;
    Response::ok(wire::CountAPIKeysResponse { count: Some(wire_count(count)) })
}

pub(super) async fn revoke_api_key(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::RevokeAPIKeyRequest>,
) -> ServiceResult<wire::RevokeAPIKeyResponse> {
    let caller = caller(context)?;
    let command = operation::RevokeApiKey {
        api_key_id: id("apiKeyId", request.api_key_id)?,
        workspace_id: None,
        reason: request.reason.map(str::to_owned),
    };
    operations.revoke_api_key(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::RevokeAPIKeyResponse::default())
}

pub(super) async fn update_api_key(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::UpdateAPIKeyRequest>,
) -> ServiceResult<wire::UpdateAPIKeyResponse> {
    let (caller, workspace_id) = enter_own(context)?;
    let command = operation::UpdateApiKey {
        workspace_id,
        api_key_id: id("apiKeyId", request.api_key_id)?,
        name: request.name.map(str::to_owned),
        policies: replaced("policies", texts(&request.policies), "noPolicies", request.no_policies)?,
        expiry: expiry(&request)?,
        allowed_cidrs: replaced("allowedCidrs", texts(&request.allowed_cidrs), "anyNetwork", request.any_network)?,
        expected_version: request.expected_version,
    };
    let key = operations.update_api_key(caller, command).await.map_err(to_wire)?;
    let api_key = record::owned_api_key(&key.value).into();
    Response::ok(wire::UpdateAPIKeyResponse { api_key, version: Some(key.version) })
}

fn expiry(request: &ServiceRequest<'_, wire::UpdateAPIKeyRequest>) -> Result<Option<Expiry>, ConnectError> {
    match (timestamp("expiresAt", &request.expires_at)?, request.never_expires) {
        (Some(_), true) => Err(invalid("neverExpires", "and expiresAt exclude each other")),
        (Some(end), false) => Ok(Some(Expiry::At(end))),
        (None, true) => Ok(Some(Expiry::Never)),
        (None, false) => Ok(None),
    }
}

pub(super) async fn rotate_api_key(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::RotateAPIKeyRequest>,
) -> ServiceResult<wire::RotateAPIKeyResponse> {
    let (caller, workspace_id) = enter_own(context)?;
    let command = operation::RotateApiKey {
        workspace_id,
        api_key_id: id("apiKeyId", request.api_key_id)?,
        overlap_seconds: request.overlap_seconds,
    };
    let created = operations.rotate_api_key(caller, command).await.map_err(to_wire)?;
    Ok(secret_answer(wire::RotateAPIKeyResponse {
        api_key: record::api_key(&KeyWithUse { key: created.key, last_used_at: None }).into(),
        raw_key: Some(created.raw_key.expose_secret().to_owned()),
    }))
}

pub(super) async fn report_leaked_api_key(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ReportLeakedAPIKeyRequest>,
) -> ServiceResult<wire::ReportLeakedAPIKeyResponse> {
    let caller = caller(context)?;
    let command = operation::ReportLeakedApiKey { tokens: request.tokens.iter().map(|token| secret(token)).collect() };
    operations.report_leaked_api_key(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ReportLeakedAPIKeyResponse::default())
}
