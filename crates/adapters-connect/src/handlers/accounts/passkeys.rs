//! Passkeys.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use secrecy::ExposeSecret as _;
use tradepost_operations::Operations;
use tradepost_operations::accounts as operation;

use super::sessions::{shown, user_agent};
use crate::convert::accounts as record;
use crate::convert::{id, text_id, wire_time};
use crate::error::to_wire;
use crate::handlers::request::{caller, session_answer};
use tradepost_proto::accounts::v1 as wire;

pub(super) async fn begin_passkey_registration(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::BeginPasskeyRegistrationRequest>,
) -> ServiceResult<wire::BeginPasskeyRegistrationResponse> {
    let caller = caller(context)?;
    let command = operation::BeginPasskeyRegistration { name: request.name.to_owned() };
    let options = operations.begin_passkey_registration(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::BeginPasskeyRegistrationResponse { options: Some(options) })
}

pub(super) async fn finish_passkey_registration(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::FinishPasskeyRegistrationRequest>,
) -> ServiceResult<wire::FinishPasskeyRegistrationResponse> {
    let caller = caller(context)?;
    let command = operation::FinishPasskeyRegistration { credential: request.credential.to_owned() };
    let passkey = operations.finish_passkey_registration(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::FinishPasskeyRegistrationResponse { passkey: record::passkey(&passkey).into() })
}

pub(super) async fn list_passkeys(
    operations: &Operations,
    context: &RequestContext,
    _: ServiceRequest<'_, wire::ListPasskeysRequest>,
) -> ServiceResult<wire::ListPasskeysResponse> {
    let passkeys = operations.list_passkeys(caller(context)?).await.map_err(to_wire)?;
    Response::ok(wire::ListPasskeysResponse { passkeys: passkeys.iter().map(record::passkey).collect() })
}

pub(super) async fn update_passkey(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::UpdatePasskeyRequest>,
) -> ServiceResult<wire::UpdatePasskeyResponse> {
    let caller = caller(context)?;
    let command = operation::UpdatePasskey {
        passkey_id: id("passkeyId", request.passkey_id)?,
        name: request.name.to_owned(),
        expected_version: request.expected_version,
    };
    let passkey = operations.update_passkey(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::UpdatePasskeyResponse { passkey: record::passkey(&passkey).into() })
}

pub(super) async fn delete_passkey(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::DeletePasskeyRequest>,
) -> ServiceResult<wire::DeletePasskeyResponse> {
    let caller = caller(context)?;
    let command = operation::DeletePasskey { passkey_id: id("passkeyId", request.passkey_id)? };
    operations.delete_passkey(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::DeletePasskeyResponse::default())
}

pub(super) async fn begin_passkey_sign_in(
    operations: &Operations,
    context: &RequestContext,
    _: ServiceRequest<'_, wire::BeginPasskeySignInRequest>,
) -> ServiceResult<wire::BeginPasskeySignInResponse> {
    let asked = operations.begin_passkey_sign_in(caller(context)?).await.map_err(to_wire)?;
    Response::ok(wire::BeginPasskeySignInResponse {
        challenge_id: Some(asked.challenge_id.to_string()),
        options: Some(asked.options),
    })
}

pub(super) async fn finish_passkey_sign_in(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::FinishPasskeySignInRequest>,
) -> ServiceResult<wire::FinishPasskeySignInResponse> {
    let caller = caller(context)?;
    let command = operation::FinishPasskeySignIn {
        challenge_id: text_id("challengeId", request.challenge_id)?,
        credential: request.credential.to_owned(),
        user_agent: user_agent(context),
    };
    let signed_in = operations.finish_passkey_sign_in(caller, command).await.map_err(to_wire)?;
    let answer = wire::FinishPasskeySignInResponse {
        session_token: Some(signed_in.session_token.expose_secret().to_owned()),
        expires_at: wire_time(signed_in.expires_at).into(),
        user: record::user(&signed_in.user).into(),
        device_token: Some(shown(signed_in.device_token.as_ref())),
    };
    session_answer(operations, context, Some(signed_in.expires_at), answer)
}
