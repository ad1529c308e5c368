//! Trading accounts.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use secrecy::ExposeSecret as _;
use tradepost_operations::Operations;
use tradepost_operations::trading as operation;

use crate::convert::enums::{WireEnum as _, enums, optional_enum, required_enum};
use crate::convert::trading as record;
use crate::convert::{id, ids, optional_id, wire_count, wire_ids, wire_time};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::trading::v1 as wire;

pub(super) async fn list_accounts(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListAccountsRequest>,
) -> ServiceResult<wire::ListAccountsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListAccounts {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        status: optional_enum("status", request.status)?,
        account_group_id: optional_id("accountGroupId", request.account_group_id)?,
    };
    let page = operations.list_accounts(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListAccountsResponse {
        account_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_account(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetAccountRequest>,
) -> ServiceResult<wire::GetAccountResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetAccount { workspace_id, account_id: id("accountId", request.account_id)? };
    let account = operations.get_account(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetAccountResponse { account: record::account(&account).into() })
}

pub(super) async fn get_accounts(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetAccountsRequest>,
) -> ServiceResult<wire::GetAccountsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetAccounts { workspace_id, account_ids: ids("accountIds", &request.account_ids)? };
    let batch = operations.get_accounts(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetAccountsResponse {
        accounts: batch.found.iter().map(record::account).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn count_accounts(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CountAccountsRequest>,
) -> ServiceResult<wire::CountAccountsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let counted =
        operations.count_accounts(caller, operation::CountAccounts { workspace_id }).await.map_err(to_wire)?;
    let counts = counted.into_iter().map(|counted| wire::AccountCount {
        status: Some(counted.status.to_wire()),
        count: Some(wire_count(counted.count)),
    });
    Response::ok(wire::CountAccountsResponse { counts: counts.collect() })
}

pub(super) async fn create_account(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CreateAccountRequest>,
) -> ServiceResult<wire::CreateAccountResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CreateAccount {
        workspace_id,
        name: request.name.to_owned(),
        platform: request.platform.to_owned(),
        platform_user_id: request.platform_user_id.to_owned(),
        trade_token: request.trade_token.map(str::to_owned),
        capabilities: enums("capabilities", &request.capabilities)?,
        limits: request.limits.as_option().map(record::limits).unwrap_or_default(),
        giving_limits: request.giving_limits.as_option().map(record::giving_limits),
        secrets: request.secrets.as_option().map(record::secrets).unwrap_or_default(),
    };
    let account = operations.create_account(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::CreateAccountResponse { account: record::account(&account).into() })
}

pub(super) async fn update_account(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::UpdateAccountRequest>,
) -> ServiceResult<wire::UpdateAccountResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::UpdateAccount {
        workspace_id,
        account_id: id("accountId", request.account_id)?,
        trade_token: request.trade_token.map(str::to_owned),
        capabilities: enums("capabilities", &request.capabilities)?,
        limits: request.limits.as_option().map(record::limits),
        chat_enabled: request.chat_enabled,
        secrets: request.secrets.as_option().map(record::secrets).unwrap_or_default(),
        cancel_strange_offers: request.cancel_strange_offers,
        giving_limits: request.giving_limits.as_option().map(record::giving_limits),
        expected_version: request.expected_version,
    };
    let account = operations.update_account(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::UpdateAccountResponse { account: record::account(&account).into() })
}

pub(super) async fn disable_account(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::DisableAccountRequest>,
) -> ServiceResult<wire::DisableAccountResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::DisableAccount {
        workspace_id,
        account_id: id("accountId", request.account_id)?,
        reason: request.reason.map(str::to_owned),
        expected_version: request.expected_version,
    };
    let account = operations.disable_account(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::DisableAccountResponse { account: record::account(&account).into() })
}

pub(super) async fn enable_account(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::EnableAccountRequest>,
) -> ServiceResult<wire::EnableAccountResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (account_id, expected_version) = (id("accountId", request.account_id)?, request.expected_version);
    let command = operation::EnableAccount { workspace_id, account_id, expected_version };
    let account = operations.enable_account(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::EnableAccountResponse { account: record::account(&account).into() })
}

pub(super) async fn bulk_accounts(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::BulkAccountsRequest>,
) -> ServiceResult<wire::BulkAccountsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::BulkAccounts {
        workspace_id,
        account_ids: ids("accountIds", &request.account_ids)?,
        account_group_id: optional_id("accountGroupId", request.account_group_id)?,
        action: required_enum("action", request.action)?,
        reason: request.reason.map(str::to_owned),
    };
    let results = operations.bulk_accounts(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::BulkAccountsResponse { results: results.iter().map(record::account_result).collect() })
}

pub(super) async fn acknowledge_trade_protection(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::AcknowledgeTradeProtectionRequest>,
) -> ServiceResult<wire::AcknowledgeTradeProtectionResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let account_ids = ids("accountIds", &request.account_ids)?;
    let command = operation::AcknowledgeTradeProtection { workspace_id, account_ids };
    let results = operations.acknowledge_trade_protection(caller, command).await.map_err(to_wire)?;
    let (acknowledged, failed): (Vec<_>, Vec<_>) = results.iter().partition(|result| result.outcome.is_ok());
    let accounts = acknowledged.into_iter().filter_map(|result| result.outcome.as_ref().ok());
    Response::ok(wire::AcknowledgeTradeProtectionResponse {
        acknowledged: accounts.map(record::account).collect(),
        failed: failed.into_iter().map(record::account_result).collect(),
    })
}

pub(super) async fn enable_giving(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::EnableGivingRequest>,
) -> ServiceResult<wire::EnableGivingResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (account_id, expected_version) = (id("accountId", request.account_id)?, request.expected_version);
    let command = operation::EnableGiving { workspace_id, account_id, expected_version };
    let account = operations.enable_giving(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::EnableGivingResponse { account: record::account(&account).into() })
}

pub(super) async fn disable_giving(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::DisableGivingRequest>,
) -> ServiceResult<wire::DisableGivingResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (account_id, expected_version) = (id("accountId", request.account_id)?, request.expected_version);
    let command = operation::DisableGiving { workspace_id, account_id, expected_version };
    let account = operations.disable_giving(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::DisableGivingResponse { account: record::account(&account).into() })
}

pub(super) async fn refresh_account(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::RefreshAccountRequest>,
) -> ServiceResult<wire::RefreshAccountResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::RefreshAccount { workspace_id, account_id: id("accountId", request.account_id)? };
    let account = operations.refresh_account(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::RefreshAccountResponse { account: record::account(&account).into() })
}

pub(super) async fn refresh_trade_token(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::RefreshTradeTokenRequest>,
) -> ServiceResult<wire::RefreshTradeTokenResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let account_id = id("accountId", request.account_id)?;
    let command = operation::RefreshTradeToken { workspace_id, account_id, renew: request.renew };
    let account = operations.refresh_trade_token(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::RefreshTradeTokenResponse { account: record::account(&account).into() })
}

pub(super) async fn remove_account(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::RemoveAccountRequest>,
) -> ServiceResult<wire::RemoveAccountResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (account_id, expected_version) = (id("accountId", request.account_id)?, request.expected_version);
    let command = operation::RemoveAccount { workspace_id, account_id, expected_version };
    operations.remove_account(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::RemoveAccountResponse::default())
}

pub(super) async fn get_account_login_code(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetAccountLoginCodeRequest>,
) -> ServiceResult<wire::GetAccountLoginCodeResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetAccountLoginCode { workspace_id, account_id: id("accountId", request.account_id)? };
    let login = operations.get_account_login_code(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetAccountLoginCodeResponse {
        code: Some(login.code.expose_secret().to_owned()),
        valid_until: wire_time(login.valid_until).into(),
    })
}

pub(super) async fn get_account_readiness(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetAccountReadinessRequest>,
) -> ServiceResult<wire::GetAccountReadinessResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetAccountReadiness { workspace_id, account_id: id("accountId", request.account_id)? };
    let readiness = operations.get_account_readiness(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetAccountReadinessResponse {
        ready: Some(readiness.is_ready()),
        checks: readiness.checks.iter().map(record::check).collect(),
    })
}
