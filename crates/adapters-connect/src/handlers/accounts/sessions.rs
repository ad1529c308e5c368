//! Signing up and in, sessions, forgotten passwords, and workspaces of one's own.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use http::header::USER_AGENT;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_operations::Operations;
use tradepost_operations::accounts::{self as operation, SignInAnswer};

use crate::convert::accounts as record;
use crate::convert::enums::{WireEnum, optional_enum, required_enum};
use crate::convert::{id, invalid, secret, text_id, wire_time};
use crate::error::to_wire;
use crate::handlers::request::{caller, page_of, session_answer, set_cookie};
use tradepost_proto::accounts::v1 as wire;

pub(super) async fn sign_up(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::SignUpRequest>,
) -> ServiceResult<wire::SignUpResponse> {
    let caller = caller(context)?;
    let command = operation::SignUp {
        email: request.email.to_owned(),
        password: secret(request.password),
        display_name: request.display_name.to_owned(),
        bot_check_token: secret(request.bot_check_token),
    };
    operations.sign_up(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::SignUpResponse::default())
}

pub(super) async fn resend_email_verification(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ResendEmailVerificationRequest>,
) -> ServiceResult<wire::ResendEmailVerificationResponse> {
    let caller = caller(context)?;
    let command = operation::ResendEmailVerification {
        email: request.email.to_owned(),
        bot_check_token: secret(request.bot_check_token),
    };
    operations.resend_email_verification(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ResendEmailVerificationResponse::default())
}

pub(super) async fn sign_in(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::SignInRequest>,
) -> ServiceResult<wire::SignInResponse> {
    let caller = caller(context)?;
    let command = operation::SignIn {
        email: request.email.to_owned(),
        password: secret(request.password),
        bot_check_token: given(request.bot_check_token),
        device_token: given(request.device_token),
        user_agent: user_agent(context),
    };
    let signed_in = operations.sign_in(caller, command).await.map_err(to_wire)?;
    let expires_at = signed_in.expires_at();
    let answer = match signed_in {
        SignInAnswer::Open(signed_in) => wire::SignInResponse {
            session_token: Some(signed_in.session_token.expose_secret().to_owned()),
            expires_at: wire_time(signed_in.expires_at).into(),
            user: record::user(&signed_in.user).into(),
            device_token: Some(shown(signed_in.device_token.as_ref())),
            challenge_id: Some(String::new()),
            passkey_options: Some(String::new()),
            ..Default::default()
        },
        SignInAnswer::Asked { challenge_id, allowed_methods, passkey_options } => wire::SignInResponse {
            session_token: Some(String::new()),
            device_token: Some(String::new()),
            challenge_id: Some(challenge_id.to_string()),
            allowed_methods: allowed_methods.into_iter().map(WireEnum::to_wire).collect(),
            passkey_options: Some(passkey_options.unwrap_or_default()),
            ..Default::default()
        },
    };
    session_answer(operations, context, expires_at, answer)
}

pub(super) async fn complete_sign_in(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CompleteSignInRequest>,
) -> ServiceResult<wire::CompleteSignInResponse> {
    let caller = caller(context)?;
    let command = operation::CompleteSignIn {
        challenge_id: text_id("challengeId", request.challenge_id)?,
        method: required_enum("method", request.method)?,
        code: secret(request.code),
        credential: request.credential.to_owned(),
        user_agent: user_agent(context),
    };
    let signed_in = operations.complete_sign_in(caller, command).await.map_err(to_wire)?;
    let answer = wire::CompleteSignInResponse {
        session_token: Some(signed_in.session_token.expose_secret().to_owned()),
        expires_at: wire_time(signed_in.expires_at).into(),
        user: record::user(&signed_in.user).into(),
        device_token: Some(shown(signed_in.device_token.as_ref())),
    };
    session_answer(operations, context, Some(signed_in.expires_at), answer)
}

pub(super) async fn sign_out(
    operations: &Operations,
    context: &RequestContext,
    _: ServiceRequest<'_, wire::SignOutRequest>,
) -> ServiceResult<wire::SignOutResponse> {
    let caller = caller(context)?;
    operations.sign_out(caller).await.map_err(to_wire)?;
    let mut answer = Response::new(wire::SignOutResponse::default());
    if let Some(page) = page_of(context) {
        set_cookie(&mut answer, page.names.clear_session())?;
    }
    Ok(answer)
}

pub(super) async fn list_sessions(
    operations: &Operations,
    context: &RequestContext,
    _: ServiceRequest<'_, wire::ListSessionsRequest>,
) -> ServiceResult<wire::ListSessionsResponse> {
    let caller = caller(context)?;
    let sessions = operations.list_sessions(caller).await.map_err(to_wire)?;
    Response::ok(wire::ListSessionsResponse { sessions: sessions.iter().map(record::session).collect() })
}

pub(super) async fn revoke_session(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::RevokeSessionRequest>,
) -> ServiceResult<wire::RevokeSessionResponse> {
    let caller = caller(context)?;
    let command = operation::RevokeSession { session_id: id("sessionId", request.session_id)? };
    operations.revoke_session(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::RevokeSessionResponse::default())
}

pub(super) async fn revoke_other_sessions(
    operations: &Operations,
    context: &RequestContext,
    _: ServiceRequest<'_, wire::RevokeOtherSessionsRequest>,
) -> ServiceResult<wire::RevokeOtherSessionsResponse> {
    let caller = caller(context)?;
    let revoked = operations.revoke_other_sessions(caller).await.map_err(to_wire)?;
    let revoked = i32::try_from(revoked).unwrap_or(i32::MAX);
    Response::ok(wire::RevokeOtherSessionsResponse { revoked: Some(revoked) })
}

pub(super) async fn create_workspace(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CreateWorkspaceRequest>,
) -> ServiceResult<wire::CreateWorkspaceResponse> {
    let caller = caller(context)?;
    let command = operation::CreateWorkspace {
        name: request.name.to_owned(),
        description: request.description.to_owned(),
        base_currency: request.base_currency.to_owned(),
    };
    let workspace = operations.create_workspace(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::CreateWorkspaceResponse { workspace: record::workspace(&workspace).into() })
}

pub(super) async fn list_workspaces(
    operations: &Operations,
    context: &RequestContext,
    _: ServiceRequest<'_, wire::ListWorkspacesRequest>,
) -> ServiceResult<wire::ListWorkspacesResponse> {
    let caller = caller(context)?;
    let workspaces = operations.list_workspaces(caller).await.map_err(to_wire)?;
    Response::ok(wire::ListWorkspacesResponse { workspaces: workspaces.iter().map(record::workspace).collect() })
}

pub(super) async fn request_password_reset(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::RequestPasswordResetRequest>,
) -> ServiceResult<wire::RequestPasswordResetResponse> {
    let caller = caller(context)?;
    let command = operation::RequestPasswordReset {
        email: request.email.to_owned(),
        bot_check_token: secret(request.bot_check_token),
    };
    operations.request_password_reset(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::RequestPasswordResetResponse::default())
}

pub(super) async fn reset_password(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ResetPasswordRequest>,
) -> ServiceResult<wire::ResetPasswordResponse> {
    let caller = caller(context)?;
    let method = optional_enum("method", request.method)?;
    let code = match request.code {
        "" => None,
        code => Some((method.ok_or_else(|| invalid("method", "is required with a code"))?, secret(code))),
    };
    let command =
        operation::ResetPassword { token: secret(request.token), new_password: secret(request.new_password), code };
    operations.reset_password(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ResetPasswordResponse::default())
}

/// A secret that may be left out.
fn given(text: &str) -> Option<SecretString> {
    Some(text).filter(|text| !text.is_empty()).map(secret)
}

/// A secret that there may be none of.
pub(super) fn shown(secret: Option<&SecretString>) -> String {
    secret.map(|secret| secret.expose_secret().to_owned()).unwrap_or_default()
}

/// What the client says of itself.
pub(super) fn user_agent(context: &RequestContext) -> Option<String> {
    context.headers().get(USER_AGENT)?.to_str().ok().map(str::to_owned)
}
