//! `accounts.v1.Accounts`.

mod account_links;
mod api_keys;
mod audit;
mod credentials;
mod memberships;
mod passkeys;
mod sessions;
mod two_factor;
mod usage;
mod users;
mod workspace_keys;
mod workspaces;

use std::sync::Arc;

use connectrpc::{RequestContext, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;

use tradepost_proto::accounts::v1 as wire;

/// The service.
pub(crate) struct AccountsHandlers(pub(crate) Arc<Operations>);

impl wire::Accounts for AccountsHandlers {
    handled! {
        account_links:
            begin_account_link(BeginAccountLinkRequest) -> BeginAccountLinkResponse,
            begin_linked_sign_in(BeginLinkedSignInRequest) -> BeginLinkedSignInResponse,
            finish_account_link(FinishAccountLinkRequest) -> FinishAccountLinkResponse,
            finish_linked_sign_in(FinishLinkedSignInRequest) -> FinishLinkedSignInResponse,
            list_linked_accounts(ListLinkedAccountsRequest) -> ListLinkedAccountsResponse,
            unlink_account(UnlinkAccountRequest) -> UnlinkAccountResponse;
        api_keys:
            create_api_key(CreateAPIKeyRequest) -> CreateAPIKeyResponse,
            get_api_key(GetAPIKeyRequest) -> GetAPIKeyResponse,
            list_api_keys(ListAPIKeysRequest) -> ListAPIKeysResponse,
            count_api_keys(CountAPIKeysRequest) -> CountAPIKeysResponse,
            revoke_api_key(RevokeAPIKeyRequest) -> RevokeAPIKeyResponse,
            update_api_key(UpdateAPIKeyRequest) -> UpdateAPIKeyResponse,
            rotate_api_key(RotateAPIKeyRequest) -> RotateAPIKeyResponse,
            report_leaked_api_key(ReportLeakedAPIKeyRequest) -> ReportLeakedAPIKeyResponse;
        audit:
            list_audit_events(ListAuditEventsRequest) -> ListAuditEventsResponse,
            list_my_audit_events(ListMyAuditEventsRequest) -> ListMyAuditEventsResponse,
            verify_audit_chain(VerifyAuditChainRequest) -> VerifyAuditChainResponse;
        credentials:
            add_email_credential(AddEmailCredentialRequest) -> AddEmailCredentialResponse,
            verify_email(VerifyEmailRequest) -> VerifyEmailResponse,
            change_email(ChangeEmailRequest) -> ChangeEmailResponse,
            cancel_email_change(CancelEmailChangeRequest) -> CancelEmailChangeResponse,
            confirm_email_change(ConfirmEmailChangeRequest) -> ConfirmEmailChangeResponse,
            revert_email_change(RevertEmailChangeRequest) -> RevertEmailChangeResponse,
            change_password(ChangePasswordRequest) -> ChangePasswordResponse;
        memberships:
            invite_member(InviteMemberRequest) -> InviteMemberResponse,
            accept_membership(AcceptMembershipRequest) -> AcceptMembershipResponse,
            get_membership(GetMembershipRequest) -> GetMembershipResponse,
            get_memberships(GetMembershipsRequest) -> GetMembershipsResponse,
            list_memberships(ListMembershipsRequest) -> ListMembershipsResponse,
            count_memberships(CountMembershipsRequest) -> CountMembershipsResponse,
            get_effective_permissions(GetEffectivePermissionsRequest) -> GetEffectivePermissionsResponse,
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
            get_current_user(GetCurrentUserRequest) -> GetCurrentUserResponse,
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
            get_workspace(GetWorkspaceRequest) -> GetWorkspaceResponse,
            delete_workspace(DeleteWorkspaceRequest) -> DeleteWorkspaceResponse,
            get_workspace_settings(GetWorkspaceSettingsRequest) -> GetWorkspaceSettingsResponse,
            restore_workspace(RestoreWorkspaceRequest) -> RestoreWorkspaceResponse,
            set_trading_halt(SetTradingHaltRequest) -> SetTradingHaltResponse,
            transfer_workspace_ownership(TransferWorkspaceOwnershipRequest) -> TransferWorkspaceOwnershipResponse,
            update_workspace(UpdateWorkspaceRequest) -> UpdateWorkspaceResponse;
    }

    handled_at_once! {
        memberships: list_policies(ListPoliciesRequest) -> ListPoliciesResponse;
    }
}
