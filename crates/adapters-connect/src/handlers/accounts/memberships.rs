//! `accounts.v1.Accounts`: what becomes of memberships and invitations.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::accounts as operation;

use crate::convert::accounts as record;
use crate::convert::enums::optional_enum;
use crate::convert::{id, replaced, secret, texts, wire_id, wire_time};
use crate::error::to_wire;
use crate::handlers::{caller, enter_own};
use tradepost_proto::accounts::v1 as wire;

/// Handlers whose request names a membership of the caller's workspace and whose answer has it as it is afterwards.
macro_rules! steps {
    ($($method:ident: $command:ident, $request:ident, $response:ident;)+) => {$(
        pub(super) async fn $method(
            operations: &Operations,
            context: &RequestContext,
            request: ServiceRequest<'_, wire::$request>,
        ) -> ServiceResult<wire::$response> {
            let (caller, workspace_id) = enter_own(context)?;
            let membership_id = id("membershipId", request.membership_id)?;
            let command = operation::$command { workspace_id, membership_id };
            let membership = operations.$method(caller, command).await.map_err(to_wire)?;
            Response::ok(wire::$response { membership: record::membership(&membership).into(), ..Default::default() })
        }
    )+};
}

steps! {
    resend_invitation: ResendInvitation, ResendInvitationRequest, ResendInvitationResponse;
    revoke_invitation: RevokeInvitation, RevokeInvitationRequest, RevokeInvitationResponse;
    suspend_membership: SuspendMembership, SuspendMembershipRequest, SuspendMembershipResponse;
    reinstate_membership: ReinstateMembership, ReinstateMembershipRequest, ReinstateMembershipResponse;
    remove_membership: RemoveMembership, RemoveMembershipRequest, RemoveMembershipResponse;
}

pub(super) async fn get_invitation(
    operations: &Operations,
    _: &RequestContext,
    request: ServiceRequest<'_, wire::GetInvitationRequest>,
) -> ServiceResult<wire::GetInvitationResponse> {
    let command = operation::GetInvitation { token: secret(request.token) };
    let shown = operations.get_invitation(command).await.map_err(to_wire)?;
    Response::ok(wire::GetInvitationResponse {
        workspace_name: Some(shown.workspace_name.to_string()),
        inviter_name: Some(shown.inviter_name.map(|name| name.to_string()).unwrap_or_default()),
        email: Some(shown.email.to_string()),
        membership_id: Some(wire_id(shown.membership_id)),
        expires_at: wire_time(shown.expires_at).into(),
        ..Default::default()
    })
}

pub(super) async fn decline_membership(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::DeclineMembershipRequest>,
) -> ServiceResult<wire::DeclineMembershipResponse> {
    let caller = caller(context)?;
    let command = operation::DeclineMembership { membership_id: id("membershipId", request.membership_id)? };
    let membership = operations.decline_membership(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::DeclineMembershipResponse {
        membership: record::membership(&membership).into(),
        ..Default::default()
    })
}

pub(super) async fn leave_workspace(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::LeaveWorkspaceRequest>,
) -> ServiceResult<wire::LeaveWorkspaceResponse> {
    let caller = caller(context)?;
    let command = operation::LeaveWorkspace { workspace_id: id("workspaceId", request.workspace_id)? };
    let membership = operations.leave_workspace(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::LeaveWorkspaceResponse {
        membership: record::membership(&membership).into(),
        ..Default::default()
    })
}

pub(super) async fn update_membership(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::UpdateMembershipRequest>,
) -> ServiceResult<wire::UpdateMembershipResponse> {
    let (caller, workspace_id) = enter_own(context)?;
    let command = operation::UpdateMembership {
        workspace_id,
        membership_id: id("membershipId", request.membership_id)?,
        role: optional_enum("role", request.role)?,
        policies: replaced("policies", texts(&request.policies), ("noPolicies", request.no_policies))?,
        expected_version: request.expected_version,
    };
    let membership = operations.update_membership(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::UpdateMembershipResponse {
        membership: record::membership(&membership.value).into(),
        version: Some(membership.version),
        ..Default::default()
    })
}
