//! `accounts.v1.Accounts`.

use std::sync::Arc;

use buffa::EnumValue;
use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use secrecy::ExposeSecret as _;
use tradepost_operations::Operations;
use tradepost_operations::accounts::{self as operation, KeyWithUse};

use super::{caller, secret_answer};
use crate::convert::accounts as record;
use crate::convert::enums::{WireEnum as _, optional_enum, required_enum};
use crate::convert::{
    id, ids, optional_id, secret, text_id, texts, timestamp, wire_count, wire_id, wire_ids, wire_time,
};
use crate::error::to_wire;
use crate::proto::accounts::v1::*;

/// The service.
pub(crate) struct AccountsHandlers(pub(crate) Arc<Operations>);

impl Accounts for AccountsHandlers {
    async fn get_current_user(
        &self,
        context: RequestContext,
        _: ServiceRequest<'_, GetCurrentUserRequest>,
    ) -> ServiceResult<GetCurrentUserResponse> {
        let current = self.0.get_current_user(caller(&context)?).await.map_err(to_wire)?;
        Response::ok(GetCurrentUserResponse {
            has_password: Some(current.user.password.is_some()),
            totp_enabled: Some(current.factors.totp),
            has_passkey: Some(current.factors.passkey),
            user: record::user(current.user).into(),
            ..Default::default()
        })
    }

    async fn get_workspace(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, GetWorkspaceRequest>,
    ) -> ServiceResult<GetWorkspaceResponse> {
        let command = operation::GetWorkspace { workspace_id: id("workspaceId", request.workspace_id)? };
        let workspace = self.0.get_workspace(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(GetWorkspaceResponse { workspace: record::workspace(workspace).into(), ..Default::default() })
    }

    async fn invite_member(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, InviteMemberRequest>,
    ) -> ServiceResult<InviteMemberResponse> {
        let command = operation::InviteMember {
            workspace_id: id("workspaceId", request.workspace_id)?,
            email: request.email.to_owned(),
            role: required_enum("role", request.role)?,
            policies: texts(&request.policies),
        };
        let membership = self.0.invite_member(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(InviteMemberResponse { membership: record::membership(membership).into(), ..Default::default() })
    }

    async fn accept_membership(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, AcceptMembershipRequest>,
    ) -> ServiceResult<AcceptMembershipResponse> {
        let command = operation::AcceptMembership { membership_id: id("membershipId", request.membership_id)? };
        let membership = self.0.accept_membership(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(AcceptMembershipResponse {
            membership: record::membership(membership).into(),
            ..Default::default()
        })
    }

    async fn get_membership(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, GetMembershipRequest>,
    ) -> ServiceResult<GetMembershipResponse> {
        let command = operation::GetMembership { membership_id: id("membershipId", request.membership_id)? };
        let membership = self.0.get_membership(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(GetMembershipResponse { membership: record::membership(membership).into(), ..Default::default() })
    }

    async fn get_memberships(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, GetMembershipsRequest>,
    ) -> ServiceResult<GetMembershipsResponse> {
        let command = operation::GetMemberships {
            workspace_id: id("workspaceId", request.workspace_id)?,
            membership_ids: ids("membershipIds", &request.membership_ids)?,
        };
        let batch = self.0.get_memberships(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(GetMembershipsResponse {
            memberships: batch.found.into_iter().map(|found| record::membership(found.value)).collect(),
            missing_ids: wire_ids(batch.missing),
            ..Default::default()
        })
    }

    async fn list_memberships(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, ListMembershipsRequest>,
    ) -> ServiceResult<ListMembershipsResponse> {
        let command = operation::ListMemberships {
            workspace_id: id("workspaceId", request.workspace_id)?,
            status: optional_enum("status", request.status)?,
            limit: request.limit,
            cursor: request.cursor.to_owned(),
        };
        let page = self.0.list_memberships(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(ListMembershipsResponse {
            membership_ids: wire_ids(page.entries),
            next_cursor: Some(page.next_cursor),
            ..Default::default()
        })
    }

    async fn count_memberships(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, CountMembershipsRequest>,
    ) -> ServiceResult<CountMembershipsResponse> {
        let command = operation::CountMemberships {
            user_id: optional_id("userId", request.user_id)?,
            workspace_id: optional_id("workspaceId", request.workspace_id)?,
        };
        let counted = self.0.count_memberships(caller(&context)?, command).await.map_err(to_wire)?;
        let counts = counted.into_iter().map(|counted| MembershipCount {
            status: Some(counted.status.to_wire()),
            count: Some(wire_count(counted.count)),
            ..Default::default()
        });
        Response::ok(CountMembershipsResponse { counts: counts.collect(), ..Default::default() })
    }

    async fn create_api_key(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, CreateAPIKeyRequest>,
    ) -> ServiceResult<CreateAPIKeyResponse> {
        let command = operation::CreateApiKey {
            name: request.name.to_owned(),
            expires_at: timestamp("expiresAt", &request.expires_at)?,
            policies: texts(&request.policies),
        };
        let created = self.0.create_api_key(caller(&context)?, command).await.map_err(to_wire)?;
        secret_answer(CreateAPIKeyResponse {
            api_key: record::api_key(KeyWithUse { key: created.key, last_used_at: None }).into(),
            raw_key: Some(created.raw_key.expose_secret().to_owned()),
            ..Default::default()
        })
    }

    async fn get_api_key(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, GetAPIKeyRequest>,
    ) -> ServiceResult<GetAPIKeyResponse> {
        let command = operation::GetApiKey { api_key_id: id("apiKeyId", request.api_key_id)? };
        let key = self.0.get_api_key(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(GetAPIKeyResponse { api_key: record::api_key(key).into(), ..Default::default() })
    }

    async fn list_api_keys(
        &self,
        context: RequestContext,
        _: ServiceRequest<'_, ListAPIKeysRequest>,
    ) -> ServiceResult<ListAPIKeysResponse> {
        let keys = self.0.list_api_keys(caller(&context)?).await.map_err(to_wire)?;
        Response::ok(ListAPIKeysResponse {
            api_keys: keys.into_iter().map(record::api_key).collect(),
            ..Default::default()
        })
    }

    async fn count_api_keys(
        &self,
        context: RequestContext,
        _: ServiceRequest<'_, CountAPIKeysRequest>,
    ) -> ServiceResult<CountAPIKeysResponse> {
        let count = self.0.count_api_keys(caller(&context)?).await.map_err(to_wire)?;
        Response::ok(CountAPIKeysResponse { count: Some(wire_count(count)), ..Default::default() })
    }

    async fn revoke_api_key(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, RevokeAPIKeyRequest>,
    ) -> ServiceResult<RevokeAPIKeyResponse> {
        let command = operation::RevokeApiKey { api_key_id: id("apiKeyId", request.api_key_id)?, workspace_id: None };
        self.0.revoke_api_key(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(RevokeAPIKeyResponse::default())
    }

    async fn list_policies(
        &self,
        context: RequestContext,
        _: ServiceRequest<'_, ListPoliciesRequest>,
    ) -> ServiceResult<ListPoliciesResponse> {
        let policies = self.0.list_policies(caller(&context)?).map_err(to_wire)?;
        Response::ok(ListPoliciesResponse {
            policies: policies.into_iter().map(record::policy).collect(),
            ..Default::default()
        })
    }

    async fn get_effective_permissions(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, GetEffectivePermissionsRequest>,
    ) -> ServiceResult<GetEffectivePermissionsResponse> {
        let command = operation::GetEffectivePermissions { workspace_id: id("workspaceId", request.workspace_id)? };
        let held = self.0.get_effective_permissions(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(GetEffectivePermissionsResponse {
            principal_type: Some(EnumValue::Known(PrincipalType::PRINCIPAL_TYPE_API_KEY)),
            user_id: Some(wire_id(held.user_id)),
            role: Some(held.role.to_wire()),
            policies: record::policy_names(held.policies),
            operations: record::operation_ids(&held.operations),
            step_up_verified_until: held.step_up_valid_until.map(wire_time).into(),
            ..Default::default()
        })
    }

    async fn add_email_credential(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, AddEmailCredentialRequest>,
    ) -> ServiceResult<AddEmailCredentialResponse> {
        let command = operation::AddEmailCredential {
            email: request.email.to_owned(),
            password: secret(request.password),
            bot_check_token: secret(request.bot_check_token),
        };
        self.0.add_email_credential(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(AddEmailCredentialResponse::default())
    }

    async fn verify_email(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, VerifyEmailRequest>,
    ) -> ServiceResult<VerifyEmailResponse> {
        let command = operation::FollowEmailLink { token: secret(request.token) };
        self.0.verify_email(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(VerifyEmailResponse::default())
    }

    async fn change_email(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, ChangeEmailRequest>,
    ) -> ServiceResult<ChangeEmailResponse> {
        let command =
            operation::ChangeEmail { new_email: request.new_email.to_owned(), password: secret(request.password) };
        self.0.change_email(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(ChangeEmailResponse::default())
    }

    async fn confirm_email_change(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, ConfirmEmailChangeRequest>,
    ) -> ServiceResult<ConfirmEmailChangeResponse> {
        let command = operation::FollowEmailLink { token: secret(request.token) };
        self.0.confirm_email_change(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(ConfirmEmailChangeResponse::default())
    }

    async fn revert_email_change(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, RevertEmailChangeRequest>,
    ) -> ServiceResult<RevertEmailChangeResponse> {
        let command = operation::FollowEmailLink { token: secret(request.token) };
        self.0.revert_email_change(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(RevertEmailChangeResponse::default())
    }

    async fn change_password(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, ChangePasswordRequest>,
    ) -> ServiceResult<ChangePasswordResponse> {
        let command = operation::ChangePassword {
            current_password: secret(request.current_password),
            new_password: secret(request.new_password),
        };
        self.0.change_password(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(ChangePasswordResponse::default())
    }

    async fn begin_passkey_registration(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, BeginPasskeyRegistrationRequest>,
    ) -> ServiceResult<BeginPasskeyRegistrationResponse> {
        let command = operation::BeginPasskeyRegistration { name: request.name.to_owned() };
        let options = self.0.begin_passkey_registration(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(BeginPasskeyRegistrationResponse { options: Some(options), ..Default::default() })
    }

    async fn finish_passkey_registration(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, FinishPasskeyRegistrationRequest>,
    ) -> ServiceResult<FinishPasskeyRegistrationResponse> {
        let command = operation::FinishPasskeyRegistration { credential: request.credential.to_owned() };
        let passkey = self.0.finish_passkey_registration(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(FinishPasskeyRegistrationResponse {
            passkey: record::passkey(passkey).into(),
            ..Default::default()
        })
    }

    async fn begin_step_up(
        &self,
        context: RequestContext,
        _: ServiceRequest<'_, BeginStepUpRequest>,
    ) -> ServiceResult<BeginStepUpResponse> {
        let asked = self.0.begin_step_up(caller(&context)?).await.map_err(to_wire)?;
        Response::ok(BeginStepUpResponse {
            challenge_id: Some(asked.challenge_id.to_string()),
            allowed_methods: asked.allowed_methods.into_iter().map(|method| method.to_wire()).collect(),
            ..Default::default()
        })
    }

    async fn complete_step_up(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, CompleteStepUpRequest>,
    ) -> ServiceResult<CompleteStepUpResponse> {
        let command = operation::CompleteStepUp {
            challenge_id: text_id("challengeId", request.challenge_id)?,
            method: required_enum("method", request.method)?,
            code: secret(request.code),
        };
        let verified_until = self.0.complete_step_up(caller(&context)?, command).await.map_err(to_wire)?;
        Response::ok(CompleteStepUpResponse { verified_until: wire_time(verified_until).into(), ..Default::default() })
    }

    async fn begin_totp_enrollment(
        &self,
        context: RequestContext,
        _: ServiceRequest<'_, BeginTOTPEnrollmentRequest>,
    ) -> ServiceResult<BeginTOTPEnrollmentResponse> {
        let offered = self.0.begin_totp_enrollment(caller(&context)?).await.map_err(to_wire)?;
        secret_answer(BeginTOTPEnrollmentResponse {
            enrollment_id: Some(wire_id(offered.enrollment_id)),
            secret: Some(offered.secret.expose_secret().to_owned()),
            otpauth_url: Some(offered.otpauth_url.expose_secret().to_owned()),
            ..Default::default()
        })
    }

    async fn confirm_totp_enrollment(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, ConfirmTOTPEnrollmentRequest>,
    ) -> ServiceResult<ConfirmTOTPEnrollmentResponse> {
        let command = operation::ConfirmTotpEnrollment {
            enrollment_id: id("enrollmentId", request.enrollment_id)?,
            code: secret(request.code),
        };
        let codes = self.0.confirm_totp_enrollment(caller(&context)?, command).await.map_err(to_wire)?;
        secret_answer(ConfirmTOTPEnrollmentResponse {
            recovery_codes: codes.iter().map(|code| code.expose_secret().to_owned()).collect(),
            ..Default::default()
        })
    }
}
