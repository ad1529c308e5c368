//! `accounts.v1.Accounts`.

mod account_links;
mod api_keys;
mod audit;
mod memberships;
mod passkeys;
mod sessions;
mod two_factor;
mod usage;
mod users;
mod workspace_keys;
mod workspaces;

use std::sync::Arc;

use buffa::EnumValue;
use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use secrecy::ExposeSecret as _;
use tradepost_domain::accounts::access::PrincipalId;
use tradepost_operations::Operations;
use tradepost_operations::accounts::{self as operation, KeyWithUse};

use super::{caller, enter, secret_answer};
use crate::convert::accounts as record;
use crate::convert::enums::{WireEnum, optional_enum, required_enum};
use crate::convert::{id, ids, optional_id, secret, texts, timestamp, wire_count, wire_id, wire_ids, wire_time};
use crate::error::to_wire;
use tradepost_proto::accounts::v1 as wire;

/// The service.
pub(crate) struct AccountsHandlers(pub(crate) Arc<Operations>);

impl wire::Accounts for AccountsHandlers {
    async fn get_current_user(
        &self,
        context: RequestContext,
        _: ServiceRequest<'_, wire::GetCurrentUserRequest>,
    ) -> ServiceResult<wire::GetCurrentUserResponse> {
        let caller = caller(&context)?;
        let current = self.0.get_current_user(caller).await.map_err(to_wire)?;
        Response::ok(wire::GetCurrentUserResponse {
            has_password: Some(current.user.value.password.is_some()),
            totp_enabled: Some(current.factors.totp),
            has_passkey: Some(current.factors.passkey),
            user: record::user(&current.user.value).into(),
            version: Some(current.user.version),
            ..Default::default()
        })
    }

    async fn get_workspace(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::GetWorkspaceRequest>,
    ) -> ServiceResult<wire::GetWorkspaceResponse> {
        let (caller, workspace_id) = enter(&context, request.workspace_id)?;
        let command = operation::GetWorkspace { workspace_id };
        let workspace = self.0.get_workspace(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::GetWorkspaceResponse {
            workspace: record::workspace(&workspace).into(),
            ..Default::default()
        })
    }

    async fn invite_member(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::InviteMemberRequest>,
    ) -> ServiceResult<wire::InviteMemberResponse> {
        let (caller, workspace_id) = enter(&context, request.workspace_id)?;
        let command = operation::InviteMember {
            workspace_id,
            email: request.email.to_owned(),
            role: required_enum("role", request.role)?,
            policies: texts(&request.policies),
        };
        let membership = self.0.invite_member(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::InviteMemberResponse {
            membership: record::membership(&membership).into(),
            ..Default::default()
        })
    }

    async fn accept_membership(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::AcceptMembershipRequest>,
    ) -> ServiceResult<wire::AcceptMembershipResponse> {
        let caller = caller(&context)?;
        let command = operation::AcceptMembership { membership_id: id("membershipId", request.membership_id)? };
        let membership = self.0.accept_membership(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::AcceptMembershipResponse {
            membership: record::membership(&membership).into(),
            ..Default::default()
        })
    }

    async fn get_membership(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::GetMembershipRequest>,
    ) -> ServiceResult<wire::GetMembershipResponse> {
        let caller = caller(&context)?;
        let command = operation::GetMembership { membership_id: id("membershipId", request.membership_id)? };
        let membership = self.0.get_membership(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::GetMembershipResponse {
            membership: record::membership(&membership.value).into(),
            version: Some(membership.version),
            ..Default::default()
        })
    }

    async fn get_memberships(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::GetMembershipsRequest>,
    ) -> ServiceResult<wire::GetMembershipsResponse> {
        let (caller, workspace_id) = enter(&context, request.workspace_id)?;
        let command =
            operation::GetMemberships { workspace_id, membership_ids: ids("membershipIds", &request.membership_ids)? };
        let batch = self.0.get_memberships(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::GetMembershipsResponse {
            memberships: batch.found.iter().map(|found| record::membership(&found.value)).collect(),
            missing_ids: wire_ids(batch.missing),
            ..Default::default()
        })
    }

    async fn list_memberships(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::ListMembershipsRequest>,
    ) -> ServiceResult<wire::ListMembershipsResponse> {
        let (caller, workspace_id) = enter(&context, request.workspace_id)?;
        let command = operation::ListMemberships {
            workspace_id,
            status: optional_enum("status", request.status)?,
            limit: request.limit,
            cursor: request.cursor.to_owned(),
        };
        let page = self.0.list_memberships(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::ListMembershipsResponse {
            membership_ids: wire_ids(page.entries),
            next_cursor: Some(page.next_cursor),
            ..Default::default()
        })
    }

    async fn count_memberships(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::CountMembershipsRequest>,
    ) -> ServiceResult<wire::CountMembershipsResponse> {
        let (caller, workspace_id) = match request.workspace_id {
            [] => (caller(&context)?, None),
            given => enter(&context, given).map(|(caller, workspace_id)| (caller, Some(workspace_id)))?,
        };
        let command = operation::CountMemberships { user_id: optional_id("userId", request.user_id)?, workspace_id };
        let counted = self.0.count_memberships(caller, command).await.map_err(to_wire)?;
        let counts = counted.into_iter().map(|counted| wire::MembershipCount {
            status: Some(counted.status.to_wire()),
            count: Some(wire_count(counted.count)),
            ..Default::default()
        });
        Response::ok(wire::CountMembershipsResponse { counts: counts.collect(), ..Default::default() })
    }

    async fn create_api_key(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::CreateAPIKeyRequest>,
    ) -> ServiceResult<wire::CreateAPIKeyResponse> {
        let caller = caller(&context)?;
        let command = operation::CreateApiKey {
            name: request.name.to_owned(),
            expires_at: timestamp("expiresAt", &request.expires_at)?,
            policies: texts(&request.policies),
            allowed_cidrs: texts(&request.allowed_cidrs),
        };
        let created = self.0.create_api_key(caller, command).await.map_err(to_wire)?;
        Ok(secret_answer(wire::CreateAPIKeyResponse {
            api_key: record::api_key(&KeyWithUse { key: created.key, last_used_at: None }).into(),
            raw_key: Some(created.raw_key.expose_secret().to_owned()),
            ..Default::default()
        }))
    }

    async fn get_api_key(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::GetAPIKeyRequest>,
    ) -> ServiceResult<wire::GetAPIKeyResponse> {
        let caller = caller(&context)?;
        let command = operation::GetApiKey { api_key_id: id("apiKeyId", request.api_key_id)? };
        let key = self.0.get_api_key(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::GetAPIKeyResponse {
            api_key: record::api_key(&key.value).into(),
            version: Some(key.version),
            ..Default::default()
        })
    }

    async fn list_api_keys(
        &self,
        context: RequestContext,
        _: ServiceRequest<'_, wire::ListAPIKeysRequest>,
    ) -> ServiceResult<wire::ListAPIKeysResponse> {
        let caller = caller(&context)?;
        let keys = self.0.list_api_keys(caller).await.map_err(to_wire)?;
        Response::ok(wire::ListAPIKeysResponse {
            api_keys: keys.iter().map(record::api_key).collect(),
            ..Default::default()
        })
    }

    async fn count_api_keys(
        &self,
        context: RequestContext,
        _: ServiceRequest<'_, wire::CountAPIKeysRequest>,
    ) -> ServiceResult<wire::CountAPIKeysResponse> {
        let caller = caller(&context)?;
        let count = self.0.count_api_keys(caller).await.map_err(to_wire)?;
        Response::ok(wire::CountAPIKeysResponse { count: Some(wire_count(count)), ..Default::default() })
    }

    async fn revoke_api_key(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::RevokeAPIKeyRequest>,
    ) -> ServiceResult<wire::RevokeAPIKeyResponse> {
        let caller = caller(&context)?;
        let command = operation::RevokeApiKey {
            api_key_id: id("apiKeyId", request.api_key_id)?,
            workspace_id: None,
            reason: request.reason.map(str::to_owned),
        };
        self.0.revoke_api_key(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::RevokeAPIKeyResponse::default())
    }

    async fn list_policies(
        &self,
        context: RequestContext,
        _: ServiceRequest<'_, wire::ListPoliciesRequest>,
    ) -> ServiceResult<wire::ListPoliciesResponse> {
        let caller = caller(&context)?;
        let policies = self.0.list_policies(caller).map_err(to_wire)?;
        Response::ok(wire::ListPoliciesResponse {
            policies: policies.iter().map(record::policy).collect(),
            ..Default::default()
        })
    }

    async fn get_effective_permissions(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::GetEffectivePermissionsRequest>,
    ) -> ServiceResult<wire::GetEffectivePermissionsResponse> {
        let (caller, workspace_id) = enter(&context, request.workspace_id)?;
        let command = operation::GetEffectivePermissions { workspace_id };
        let held = self.0.get_effective_permissions(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::GetEffectivePermissionsResponse {
            principal_type: Some(EnumValue::Known(match held.principal {
                PrincipalId::Key(_) => wire::PrincipalType::PRINCIPAL_TYPE_API_KEY,
                PrincipalId::Session(_) => wire::PrincipalType::PRINCIPAL_TYPE_SESSION,
            })),
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
        request: ServiceRequest<'_, wire::AddEmailCredentialRequest>,
    ) -> ServiceResult<wire::AddEmailCredentialResponse> {
        let caller = caller(&context)?;
        let command = operation::AddEmailCredential {
            email: request.email.to_owned(),
            password: secret(request.password),
            bot_check_token: secret(request.bot_check_token),
        };
        self.0.add_email_credential(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::AddEmailCredentialResponse::default())
    }

    async fn verify_email(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::VerifyEmailRequest>,
    ) -> ServiceResult<wire::VerifyEmailResponse> {
        let caller = caller(&context)?;
        let command = operation::ConfirmAddress { token: secret(request.token), password: secret(request.password) };
        self.0.verify_email(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::VerifyEmailResponse::default())
    }

    async fn change_email(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::ChangeEmailRequest>,
    ) -> ServiceResult<wire::ChangeEmailResponse> {
        let caller = caller(&context)?;
        let command =
            operation::ChangeEmail { new_email: request.new_email.to_owned(), password: secret(request.password) };
        self.0.change_email(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::ChangeEmailResponse::default())
    }

    async fn cancel_email_change(
        &self,
        context: RequestContext,
        _: ServiceRequest<'_, wire::CancelEmailChangeRequest>,
    ) -> ServiceResult<wire::CancelEmailChangeResponse> {
        self.0.cancel_email_change(caller(&context)?).await.map_err(to_wire)?;
        Response::ok(wire::CancelEmailChangeResponse::default())
    }

    async fn confirm_email_change(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::ConfirmEmailChangeRequest>,
    ) -> ServiceResult<wire::ConfirmEmailChangeResponse> {
        let caller = caller(&context)?;
        let command = operation::ConfirmAddress { token: secret(request.token), password: secret(request.password) };
        self.0.confirm_email_change(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::ConfirmEmailChangeResponse::default())
    }

    async fn revert_email_change(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::RevertEmailChangeRequest>,
    ) -> ServiceResult<wire::RevertEmailChangeResponse> {
        let caller = caller(&context)?;
        let command = operation::FollowEmailLink { token: secret(request.token) };
        self.0.revert_email_change(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::RevertEmailChangeResponse::default())
    }

    async fn change_password(
        &self,
        context: RequestContext,
        request: ServiceRequest<'_, wire::ChangePasswordRequest>,
    ) -> ServiceResult<wire::ChangePasswordResponse> {
        let caller = caller(&context)?;
        let command = operation::ChangePassword {
            current_password: secret(request.current_password),
            new_password: secret(request.new_password),
        };
        self.0.change_password(caller, command).await.map_err(to_wire)?;
        Response::ok(wire::ChangePasswordResponse::default())
    }

    handled! {
        account_links:
            begin_account_link(BeginAccountLinkRequest) -> BeginAccountLinkResponse,
            begin_linked_sign_in(BeginLinkedSignInRequest) -> BeginLinkedSignInResponse,
            finish_account_link(FinishAccountLinkRequest) -> FinishAccountLinkResponse,
            finish_linked_sign_in(FinishLinkedSignInRequest) -> FinishLinkedSignInResponse,
            list_linked_accounts(ListLinkedAccountsRequest) -> ListLinkedAccountsResponse,
            unlink_account(UnlinkAccountRequest) -> UnlinkAccountResponse;
        api_keys:
            update_api_key(UpdateAPIKeyRequest) -> UpdateAPIKeyResponse,
            rotate_api_key(RotateAPIKeyRequest) -> RotateAPIKeyResponse,
            report_leaked_api_key(ReportLeakedAPIKeyRequest) -> ReportLeakedAPIKeyResponse;
        audit:
            list_audit_events(ListAuditEventsRequest) -> ListAuditEventsResponse,
            list_my_audit_events(ListMyAuditEventsRequest) -> ListMyAuditEventsResponse,
            verify_audit_chain(VerifyAuditChainRequest) -> VerifyAuditChainResponse;
        memberships:
            decline_membership(DeclineMembershipRequest) -> DeclineMembershipResponse,
            get_invitation(GetInvitationRequest) -> GetInvitationResponse,
            resend_invitation(ResendInvitationRequest) -> ResendInvitationResponse,
            revoke_invitation(RevokeInvitationRequest) -> RevokeInvitationResponse,
            update_membership(UpdateMembershipRequest) -> UpdateMembershipResponse,
            suspend_membership(SuspendMembershipRequest) -> SuspendMembershipResponse,
            reinstate_membership(ReinstateMembershipRequest) -> ReinstateMembershipResponse,
            remove_membership(RemoveMembershipRequest) -> RemoveMembershipResponse,
            leave_workspace(LeaveWorkspaceRequest) -> LeaveWorkspaceResponse;
        passkeys:
            begin_passkey_registration(BeginPasskeyRegistrationRequest) -> BeginPasskeyRegistrationResponse,
            begin_passkey_sign_in(BeginPasskeySignInRequest) -> BeginPasskeySignInResponse,
            delete_passkey(DeletePasskeyRequest) -> DeletePasskeyResponse,
            finish_passkey_registration(FinishPasskeyRegistrationRequest) -> FinishPasskeyRegistrationResponse,
            finish_passkey_sign_in(FinishPasskeySignInRequest) -> FinishPasskeySignInResponse,
            list_passkeys(ListPasskeysRequest) -> ListPasskeysResponse,
            update_passkey(UpdatePasskeyRequest) -> UpdatePasskeyResponse;
        sessions:
            complete_sign_in(CompleteSignInRequest) -> CompleteSignInResponse,
            create_workspace(CreateWorkspaceRequest) -> CreateWorkspaceResponse,
            list_sessions(ListSessionsRequest) -> ListSessionsResponse,
            list_workspaces(ListWorkspacesRequest) -> ListWorkspacesResponse,
            request_password_reset(RequestPasswordResetRequest) -> RequestPasswordResetResponse,
            resend_email_verification(ResendEmailVerificationRequest) -> ResendEmailVerificationResponse,
            reset_password(ResetPasswordRequest) -> ResetPasswordResponse,
            revoke_other_sessions(RevokeOtherSessionsRequest) -> RevokeOtherSessionsResponse,
            revoke_session(RevokeSessionRequest) -> RevokeSessionResponse,
            sign_in(SignInRequest) -> SignInResponse,
            sign_out(SignOutRequest) -> SignOutResponse,
            sign_up(SignUpRequest) -> SignUpResponse;
        two_factor:
            begin_step_up(BeginStepUpRequest) -> BeginStepUpResponse,
            begin_step_up_passkey(BeginStepUpPasskeyRequest) -> BeginStepUpPasskeyResponse,
            begin_totp_enrollment(BeginTOTPEnrollmentRequest) -> BeginTOTPEnrollmentResponse,
            complete_step_up(CompleteStepUpRequest) -> CompleteStepUpResponse,
            confirm_totp_enrollment(ConfirmTOTPEnrollmentRequest) -> ConfirmTOTPEnrollmentResponse,
            disable_totp(DisableTOTPRequest) -> DisableTOTPResponse,
            get_step_up_status(GetStepUpStatusRequest) -> GetStepUpStatusResponse,
            get_two_factor_status(GetTwoFactorStatusRequest) -> GetTwoFactorStatusResponse,
            regenerate_recovery_codes(RegenerateRecoveryCodesRequest) -> RegenerateRecoveryCodesResponse,
            resend_step_up_code(ResendStepUpCodeRequest) -> ResendStepUpCodeResponse;
        usage:
            get_quotas(GetQuotasRequest) -> GetQuotasResponse,
            get_usage(GetUsageRequest) -> GetUsageResponse,
            list_key_usage(ListKeyUsageRequest) -> ListKeyUsageResponse;
        users:
            delete_user(DeleteUserRequest) -> DeleteUserResponse,
            get_user(GetUserRequest) -> GetUserResponse,
            get_users(GetUsersRequest) -> GetUsersResponse,
            list_credentials(ListCredentialsRequest) -> ListCredentialsResponse,
            update_user(UpdateUserRequest) -> UpdateUserResponse;
        workspace_keys:
            destroy_workspace_key(DestroyWorkspaceKeyRequest) -> DestroyWorkspaceKeyResponse,
            list_workspace_keys(ListWorkspaceKeysRequest) -> ListWorkspaceKeysResponse,
            rotate_workspace_key(RotateWorkspaceKeyRequest) -> RotateWorkspaceKeyResponse;
        workspaces:
            delete_workspace(DeleteWorkspaceRequest) -> DeleteWorkspaceResponse,
            get_workspace_settings(GetWorkspaceSettingsRequest) -> GetWorkspaceSettingsResponse,
            restore_workspace(RestoreWorkspaceRequest) -> RestoreWorkspaceResponse,
            set_trading_halt(SetTradingHaltRequest) -> SetTradingHaltResponse,
            transfer_workspace_ownership(TransferWorkspaceOwnershipRequest) -> TransferWorkspaceOwnershipResponse,
            update_workspace(UpdateWorkspaceRequest) -> UpdateWorkspaceResponse;
    }
}
