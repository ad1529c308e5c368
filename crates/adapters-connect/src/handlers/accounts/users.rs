//! `accounts.v1.Accounts`: users, their profile and their credentials.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_operations::Operations;
use tradepost_operations::accounts as operation;

use crate::convert::accounts as record;
use crate::convert::{id, ids, wire_ids, wire_time};
use crate::error::to_wire;
use crate::handlers::request::caller;
use tradepost_proto::accounts::v1 as wire;

pub(super) async fn get_current_user(
    operations: &Operations,
    context: &RequestContext,
    _: ServiceRequest<'_, wire::GetCurrentUserRequest>,
) -> ServiceResult<wire::GetCurrentUserResponse> {
    let caller = caller(context)?;
    let current = operations.get_current_user(caller).await.map_err(to_wire)?;
    Response::ok(wire::GetCurrentUserResponse {
        has_password: Some(current.user.value.password.is_some()),
        totp_enabled: Some(current.factors.totp),
        has_passkey: Some(current.factors.passkey),
        user: record::user(&current.user.value).into(),
        version: Some(current.user.version),
    })
}

pub(super) async fn update_user(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::UpdateUserRequest>,
) -> ServiceResult<wire::UpdateUserResponse> {
    let caller = caller(context)?;
    let command = operation::UpdateUser {
        display_name: request.display_name.map(str::to_owned),
        locale: request.locale.map(str::to_owned),
        timezone: request.timezone.map(str::to_owned),
        expected_version: request.expected_version,
    };
    let user = operations.update_user(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::UpdateUserResponse { user: record::user(&user.value).into(), version: Some(user.version) })
}

pub(super) async fn get_user(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetUserRequest>,
) -> ServiceResult<wire::GetUserResponse> {
    let caller = caller(context)?;
    let command = operation::GetUser { user_id: id("userId", request.user_id)? };
    let user = operations.get_user(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetUserResponse { user: record::fellow(&user).into() })
}

pub(super) async fn get_users(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetUsersRequest>,
) -> ServiceResult<wire::GetUsersResponse> {
    let caller = caller(context)?;
    let command = operation::GetUsers { user_ids: ids("userIds", &request.user_ids)? };
    let batch = operations.get_users(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetUsersResponse {
        users: batch.found.iter().map(|found| record::fellow(&found.value)).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn list_credentials(
    operations: &Operations,
    context: &RequestContext,
    _: ServiceRequest<'_, wire::ListCredentialsRequest>,
) -> ServiceResult<wire::ListCredentialsResponse> {
    let caller = caller(context)?;
    let credentials = operations.list_credentials(caller).await.map_err(to_wire)?;
    let user = &credentials.user;
    let shown = |email: Option<&str>| Some(email.unwrap_or_default().to_owned());
    Response::ok(wire::ListCredentialsResponse {
        email: shown(user.email.as_ref().map(EmailAddress::as_str)),
        email_verified: Some(user.email.is_some()),
        pending_email: shown(credentials.pending_email.as_ref().map(EmailAddress::as_str)),
        has_password: Some(user.password.is_some()),
        password_changed_at: user.password.as_ref().map(|password| wire_time(password.changed_at)).into(),
        passkey_count: Some(i32::try_from(credentials.passkeys).unwrap_or(i32::MAX)),
        totp_enabled: Some(credentials.has_totp),
        linked: credentials.linked.iter().map(record::linked_identity).collect(),
    })
}

pub(super) async fn delete_user(
    operations: &Operations,
    context: &RequestContext,
    _: ServiceRequest<'_, wire::DeleteUserRequest>,
) -> ServiceResult<wire::DeleteUserResponse> {
    let caller = caller(context)?;
    operations.delete_user(caller).await.map_err(to_wire)?;
    Response::ok(wire::DeleteUserResponse::default())
}
