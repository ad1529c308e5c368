//! Second factors, and showing one before a sensitive action.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use secrecy::ExposeSecret as _;
use tradepost_operations::Operations;
use tradepost_operations::accounts as operation;

use crate::convert::enums::{WireEnum, required_enum};
use crate::convert::{id, secret, text_id, wire_id, wire_size, wire_time};
use crate::error::to_wire;
use crate::handlers::request::{caller, secret_answer, session_answer};
use tradepost_proto::accounts::v1 as wire;

pub(super) async fn begin_step_up(
    operations: &Operations,
    context: &RequestContext,
    _: ServiceRequest<'_, wire::BeginStepUpRequest>,
) -> ServiceResult<wire::BeginStepUpResponse> {
    let caller = caller(context)?;
    let asked = operations.begin_step_up(caller).await.map_err(to_wire)?;
    Response::ok(wire::BeginStepUpResponse {
        challenge_id: Some(asked.challenge_id.to_string()),
        allowed_methods: asked.allowed_methods.into_iter().map(WireEnum::to_wire).collect(),
    })
}

pub(super) async fn resend_step_up_code(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ResendStepUpCodeRequest>,
) -> ServiceResult<wire::ResendStepUpCodeResponse> {
    let command = operation::ResendStepUpCode { challenge_id: text_id("challengeId", request.challenge_id)? };
    operations.resend_step_up_code(caller(context)?, command).await.map_err(to_wire)?;
    Response::ok(wire::ResendStepUpCodeResponse::default())
}

pub(super) async fn begin_step_up_passkey(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::BeginStepUpPasskeyRequest>,
) -> ServiceResult<wire::BeginStepUpPasskeyResponse> {
    let caller = caller(context)?;
    let command = operation::BeginStepUpPasskey { challenge_id: text_id("challengeId", request.challenge_id)? };
    let options = operations.begin_step_up_passkey(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::BeginStepUpPasskeyResponse { options: Some(options) })
}

pub(super) async fn complete_step_up(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CompleteStepUpRequest>,
) -> ServiceResult<wire::CompleteStepUpResponse> {
    let caller = caller(context)?;
    let command = operation::CompleteStepUp {
        challenge_id: text_id("challengeId", request.challenge_id)?,
        method: required_enum("method", request.method)?,
        code: secret(request.code),
        credential: request.credential.to_owned(),
    };
    let done = operations.complete_step_up(caller, command).await.map_err(to_wire)?;
    let answer = wire::CompleteStepUpResponse {
        verified_until: wire_time(done.verified_until).into(),
        session_token: Some(done.session_token.map(|token| token.expose_secret().to_owned()).unwrap_or_default()),
    };
    session_answer(operations, context, done.session_expires_at, answer)
}

pub(super) async fn begin_totp_enrollment(
    operations: &Operations,
    context: &RequestContext,
    _: ServiceRequest<'_, wire::BeginTOTPEnrollmentRequest>,
) -> ServiceResult<wire::BeginTOTPEnrollmentResponse> {
    let caller = caller(context)?;
    let offered = operations.begin_totp_enrollment(caller).await.map_err(to_wire)?;
    Ok(secret_answer(wire::BeginTOTPEnrollmentResponse {
        enrollment_id: Some(wire_id(offered.enrollment_id)),
        secret: Some(offered.secret.expose_secret().to_owned()),
        otpauth_url: Some(offered.otpauth_url.expose_secret().to_owned()),
    }))
}

pub(super) async fn confirm_totp_enrollment(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ConfirmTOTPEnrollmentRequest>,
) -> ServiceResult<wire::ConfirmTOTPEnrollmentResponse> {
    let caller = caller(context)?;
    let command = operation::ConfirmTotpEnrollment {
        enrollment_id: id("enrollmentId", request.enrollment_id)?,
        code: secret(request.code),
    };
    let codes = operations.confirm_totp_enrollment(caller, command).await.map_err(to_wire)?;
    Ok(secret_answer(wire::ConfirmTOTPEnrollmentResponse {
        recovery_codes: codes.iter().map(|code| code.expose_secret().to_owned()).collect(),
    }))
}

pub(super) async fn get_two_factor_status(
    operations: &Operations,
    context: &RequestContext,
    _: ServiceRequest<'_, wire::GetTwoFactorStatusRequest>,
) -> ServiceResult<wire::GetTwoFactorStatusResponse> {
    let status = operations.get_two_factor_status(caller(context)?).await.map_err(to_wire)?;
    Response::ok(wire::GetTwoFactorStatusResponse {
        totp_enabled: Some(status.totp_enabled_at.is_some()),
        totp_enabled_at: status.totp_enabled_at.map(wire_time).into(),
        passkey_count: Some(wire_size(status.passkeys)),
        recovery_codes_left: Some(wire_size(status.recovery_codes_left)),
        step_up_methods: status.methods.into_iter().map(WireEnum::to_wire).collect(),
    })
}

pub(super) async fn get_step_up_status(
    operations: &Operations,
    context: &RequestContext,
    _: ServiceRequest<'_, wire::GetStepUpStatusRequest>,
) -> ServiceResult<wire::GetStepUpStatusResponse> {
    let verified_until = operations.get_step_up_status(caller(context)?).await.map_err(to_wire)?;
    Response::ok(wire::GetStepUpStatusResponse { verified_until: verified_until.map(wire_time).into() })
}

pub(super) async fn disable_totp(
    operations: &Operations,
    context: &RequestContext,
    _: ServiceRequest<'_, wire::DisableTOTPRequest>,
) -> ServiceResult<wire::DisableTOTPResponse> {
    operations.disable_totp(caller(context)?).await.map_err(to_wire)?;
    Response::ok(wire::DisableTOTPResponse::default())
}

pub(super) async fn regenerate_recovery_codes(
    operations: &Operations,
    context: &RequestContext,
    _: ServiceRequest<'_, wire::RegenerateRecoveryCodesRequest>,
) -> ServiceResult<wire::RegenerateRecoveryCodesResponse> {
    let codes = operations.regenerate_recovery_codes(caller(context)?).await.map_err(to_wire)?;
    Ok(secret_answer(wire::RegenerateRecoveryCodesResponse {
        recovery_codes: codes.iter().map(|code| code.expose_secret().to_owned()).collect(),
    }))
}
