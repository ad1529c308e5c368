//! `accounts.v1.Accounts`: memberships, invitations and policies.

use buffa::EnumValue;
use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_domain::accounts::principal_id::PrincipalId;
use tradepost_operations::Operations;
use tradepost_operations::accounts as operation;

use crate::convert::accounts as record;
use crate::convert::enums::{WireEnum as _, optional_enum, required_enum};
use crate::convert::{id, ids, optional_id, replaced, secret, texts, wire_count, wire_id, wire_ids, wire_time};
use crate::error::to_wire;
use crate::handlers::request::{caller, enter, enter_own};
use tradepost_proto::accounts::v1 as wire;

pub(super) async fn invite_member(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::InviteMemberRequest>,
) -> ServiceResult<wire::InviteMemberResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::InviteMember {
        workspace_id,
        email: request.email.to_owned(),
        role: required_enum("role", request.role)?,
        policies: texts(&request.policies),
    };
    let membership = operations.invite_member(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::InviteMemberResponse { membership: record::membership(&membership).into() })
}

pub(super) async fn accept_membership(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::AcceptMembershipRequest>,
) -> ServiceResult<wire::AcceptMembershipResponse> {
    let caller = caller(context)?;
    let command = operation::AcceptMembership { membership_id: id("membershipId", request.membership_id)? };
    let membership = operations.accept_membership(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::AcceptMembershipResponse { membership: record::membership(&membership).into() })
}

pub(super) async fn get_membership(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetMembershipRequest>,
) -> ServiceResult<wire::GetMembershipResponse> {
    let caller = caller(context)?;
    let command = operation::GetMembership { membership_id: id("membershipId", request.membership_id)? };
    let membership = operations.get_membership(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetMembershipResponse {
        membership: record::membership(&membership.value).into(),
        version: Some(membership.version),
    })
}

pub(super) async fn get_memberships(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetMembershipsRequest>,
) -> ServiceResult<wire::GetMembershipsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command =
        operation::GetMemberships { workspace_id, membership_ids: ids("membershipIds", &request.membership_ids)? };
    let batch = operations.get_memberships(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetMembershipsResponse {
        memberships: batch.found.iter().map(|found| record::membership(&found.value)).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn list_memberships(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListMembershipsRequest>,
) -> ServiceResult<wire::ListMembershipsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListMemberships {
        workspace_id,
        status: optional_enum("status", request.status)?,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
    };
    let page = operations.list_memberships(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListMembershipsResponse {
        membership_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn count_memberships(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CountMembershipsRequest>,
) -> ServiceResult<wire::CountMembershipsResponse> {
    let (caller, workspace_id) = match request.workspace_id {
        [] => (caller(context)?, None),
        given => enter(context, given).map(|(caller, workspace_id)| (caller, Some(workspace_id)))?,
    };
    let command = operation::CountMemberships { user_id: optional_id("userId", request.user_id)?, workspace_id };
    let counted = operations.count_memberships(caller, command).await.map_err(to_wire)?;
    let counts = counted.into_iter().map(|counted| wire::MembershipCount {
        status: Some(counted.status.to_wire()),
        count: Some(wire_count(counted.count)),
    });
    Response::ok(wire::CountMembershipsResponse { counts: counts.collect() })
}

pub(super) async fn list_policies(
    operations: &Operations,
    context: &RequestContext,
    _: ServiceRequest<'_, wire::ListPoliciesRequest>,
) -> ServiceResult<wire::ListPoliciesResponse> {
    let caller = caller(context)?;
    let policies = operations.list_policies(caller).map_err(to_wire)?;
    Response::ok(wire::ListPoliciesResponse { policies: policies.iter().map(record::policy).collect() })
}

pub(super) async fn get_effective_permissions(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetEffectivePermissionsRequest>,
) -> ServiceResult<wire::GetEffectivePermissionsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetEffectivePermissions { workspace_id };
    let held = operations.get_effective_permissions(caller, command).await.map_err(to_wire)?;
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
    })
}

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
            Response::ok(wire::$response { membership: record::membership(&membership).into() })
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
    Response::ok(wire::DeclineMembershipResponse { membership: record::membership(&membership).into() })
}

pub(super) async fn leave_workspace(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::LeaveWorkspaceRequest>,
) -> ServiceResult<wire::LeaveWorkspaceResponse> {
    let caller = caller(context)?;
    let command = operation::LeaveWorkspace { workspace_id: id("workspaceId", request.workspace_id)? };
    let membership = operations.leave_workspace(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::LeaveWorkspaceResponse { membership: record::membership(&membership).into() })
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
        policies: replaced("policies", texts(&request.policies), "noPolicies", request.no_policies)?,
        expected_version: request.expected_version,
    };
    let membership = operations.update_membership(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::UpdateMembershipResponse {
        membership: record::membership(&membership.value).into(),
        version: Some(membership.version),
    })
}
