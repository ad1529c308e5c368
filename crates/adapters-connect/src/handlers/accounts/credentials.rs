//! `accounts.v1.Accounts`: e-mail addresses and passwords.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::accounts as operation;

use crate::convert::secret;
use crate::error::to_wire;
use crate::handlers::request::caller;
use tradepost_proto::accounts::v1 as wire;

pub(super) async fn add_email_credential(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::AddEmailCredentialRequest>,
) -> ServiceResult<wire::AddEmailCredentialResponse> {
    let caller = caller(context)?;
    let command = operation::AddEmailCredential {
        email: request.email.to_owned(),
        password: secret(request.password),
        bot_check_token: secret(request.bot_check_token),
    };
    operations.add_email_credential(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::AddEmailCredentialResponse::default())
}

pub(super) async fn verify_email(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::VerifyEmailRequest>,
) -> ServiceResult<wire::VerifyEmailResponse> {
    let caller = caller(context)?;
    let command = operation::ConfirmAddress { token: secret(request.token), password: secret(request.password) };
    operations.verify_email(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::VerifyEmailResponse::default())
}

pub(super) async fn change_email(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ChangeEmailRequest>,
) -> ServiceResult<wire::ChangeEmailResponse> {
    let caller = caller(context)?;
    let command =
        operation::ChangeEmail { new_email: request.new_email.to_owned(), password: secret(request.password) };
    operations.change_email(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ChangeEmailResponse::default())
}

pub(super) async fn cancel_email_change(
    operations: &Operations,
    context: &RequestContext,
    _: ServiceRequest<'_, wire::CancelEmailChangeRequest>,
) -> ServiceResult<wire::CancelEmailChangeResponse> {
    operations.cancel_email_change(caller(context)?).await.map_err(to_wire)?;
    Response::ok(wire::CancelEmailChangeResponse::default())
}

pub(super) async fn confirm_email_change(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ConfirmEmailChangeRequest>,
) -> ServiceResult<wire::ConfirmEmailChangeResponse> {
    let caller = caller(context)?;
    let command = operation::ConfirmAddress { token: secret(request.token), password: secret(request.password) };
    operations.confirm_email_change(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ConfirmEmailChangeResponse::default())
}

pub(super) async fn revert_email_change(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::RevertEmailChangeRequest>,
) -> ServiceResult<wire::RevertEmailChangeResponse> {
    let caller = caller(context)?;
    let command = operation::FollowEmailLink { token: secret(request.token) };
    operations.revert_email_change(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::RevertEmailChangeResponse::default())
}

pub(super) async fn change_password(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ChangePasswordRequest>,
) -> ServiceResult<wire::ChangePasswordResponse> {
    let caller = caller(context)?;
    let command = operation::ChangePassword {
        current_password: secret(request.current_password),
        new_password: secret(request.new_password),
    };
    operations.change_password(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ChangePasswordResponse::default())
}
