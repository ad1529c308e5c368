//! The life of invitations and members.

use futures::future::FutureExt as _;
use serde_json::{Value, json};
use tradepost_operations::Code;

use crate::cases::{Case, case, merged};
use crate::harness::{Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    [invitations(), members(), own()].into_iter().flatten().collect()
}

fn guest(world: &World) -> Value {
    json!({ "membershipId": world.people.guest.to_string() })
}

fn member(world: &World) -> Value {
    json!({ "membershipId": world.people.membership.to_string() })
}

fn owner(world: &World) -> Value {
    json!({ "membershipId": world.people.owner_membership.to_string() })
}

/// What every operation on a membership of the caller's workspace has in common.
fn governing(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request)
        .requires(&["membershipId"])
        .denies(Key::Reader)
        .not_found(|_| json!({ "membershipId": unknown_id() }))
        .not_found(|world| json!({ "membershipId": world.people.foreign_membership.to_string() }))
}

fn invitations() -> Vec<Case> {
    vec![
        case("GetInvitation", |_| json!({}))
            .prepared(|world| world.mailed_invitation().boxed())
            .requires(&["token"])
            .fails(|_| json!({ "token": "tpi_nonsense" }), "TOKEN_INVALID"),
        governing("ResendInvitation", guest).by(Key::Unproven).fails(member, "MEMBERSHIP_NOT_PENDING"),
        governing("RevokeInvitation", guest).by(Key::Unproven).fails(member, "MEMBERSHIP_NOT_PENDING"),
    ]
}

fn members() -> Vec<Case> {
    vec![
        governing("UpdateMembership", |world| {
            json!({
                "membershipId": world.people.membership.to_string(),
                "role": "MEMBERSHIP_ROLE_ADMIN",
                "policies": ["analytics"],
                "expectedVersion": "2",
            })
        })
        .needs_step_up()
        .fails(|_| json!({ "expectedVersion": "1" }), "VERSION_MISMATCH")
        .fails(|world| merged(guest(world), &json!({ "expectedVersion": null })), "MEMBERSHIP_NOT_ACCEPTED")
        .fails(|world| merged(owner(world), &json!({ "expectedVersion": null })), "LAST_OWNER")
        .invalid(|_| json!({ "role": null, "policies": [] }), "INVALID_FIELD")
        .invalid(|_| json!({ "noPolicies": true }), "INVALID_FIELD")
        .invalid(|_| json!({ "role": "MEMBERSHIP_ROLE_OWNER" }), "INVALID_OFFER")
        .invalid(|_| json!({ "policies": ["identity"] }), "INVALID_OFFER")
        .invalid(|_| json!({ "policies": ["omnipotence"] }), "UNKNOWN_POLICY")
        .invalid(|_| json!({ "policies": ["trading", "trading"] }), "DUPLICATE_POLICY")
        .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD"),
        governing("SuspendMembership", member)
            .by(Key::Unproven)
            .fails(guest, "MEMBERSHIP_NOT_ACCEPTED")
            .fails(owner, "LAST_OWNER"),
        governing("ReinstateMembership", |_| json!({}))
            .prepared(|world| world.suspended_member().boxed())
            .needs_step_up()
            .fails(member, "MEMBERSHIP_NOT_SUSPENDED"),
        governing("RemoveMembership", member)
            .needs_step_up()
            .fails(guest, "MEMBERSHIP_NOT_ACCEPTED")
            .fails(owner, "LAST_OWNER"),
    ]
}

/// What people do about their own.
fn own() -> Vec<Case> {
    let invitation = |world: &World| json!({ "membershipId": world.people.invitation.to_string() });
    let workspace = |world: &World| json!({ "workspaceId": world.people.workspace_id.to_string() });
    vec![
        case("DeclineMembership", invitation)
            .requires(&["membershipId"])
            .denies(Key::NoIdentity)
            .not_found(|_| json!({ "membershipId": unknown_id() }))
            .not_found(guest)
            .refuses(Key::Member, member, Code::FailedPrecondition, "MEMBERSHIP_NOT_PENDING"),
        case("LeaveWorkspace", workspace)
            .by(Key::Member)
            .requires(&["workspaceId"])
            .denies(Key::NoIdentity)
            .denied(|world| json!({ "workspaceId": world.people.other_workspace_id.to_string() }), "PERMISSION_DENIED")
            .refuses(Key::Full, |_| json!({}), Code::FailedPrecondition, "OWNER_CANNOT_LEAVE"),
    ]
}
