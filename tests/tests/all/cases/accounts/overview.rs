//! Users, workspaces, memberships, keys and permissions.

use futures::future::{BoxFuture, FutureExt as _};
use serde_json::{Value, json};
use tradepost_operations::Code;

use crate::cases::{Case, case};
use crate::harness::{Key, MEMBER, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    [users_and_workspaces(), memberships(), keys(), step_up()].into_iter().flatten().collect()
}

fn nothing(_: &World) -> Value {
    json!({})
}

fn workspace(world: &World) -> Value {
    json!({ "workspaceId": world.people.workspace_id.to_string() })
}

fn other_workspace(world: &World) -> Value {
    json!({ "workspaceId": world.people.other_workspace_id.to_string() })
}

fn users_and_workspaces() -> Vec<Case> {
    vec![
        case("GetCurrentUser", nothing).denies(Key::NoIdentity),
        case("GetWorkspace", workspace)
            .by(Key::Bare)
            .requires(&["workspaceId"])
            .denies(Key::Other)
            .denied(other_workspace, "PERMISSION_DENIED"),
        case("GetWorkspaceSettings", workspace)
            .by(Key::Bare)
            .requires(&["workspaceId"])
            .denies(Key::Other)
            .denied(other_workspace, "PERMISSION_DENIED"),
        case("GetEffectivePermissions", workspace)
            .requires(&["workspaceId"])
            .denies(Key::Other)
            .denied(other_workspace, "PERMISSION_DENIED"),
        case("ListPolicies", nothing).by(Key::Bare),
    ]
}

fn memberships() -> Vec<Case> {
    let invitation = |world: &World| json!({ "membershipId": world.people.invitation.to_string() });
    let membership = |world: &World| json!({ "membershipId": world.people.membership.to_string() });
    vec![
        case("AcceptMembership", invitation)
            .requires(&["membershipId"])
            .denies(Key::NoIdentity)
            .not_found(|_| json!({ "membershipId": unknown_id() }))
            .not_found(|world| json!({ "membershipId": world.people.guest.to_string() }))
            .fails(
                |world| json!({ "membershipId": world.people.stale_invitation.to_string() }),
                "MEMBERSHIP_NOT_PENDING",
            )
            .refuses(
                Key::Member,
                |world| json!({ "membershipId": world.people.membership.to_string() }),
                Code::FailedPrecondition,
                "MEMBERSHIP_NOT_PENDING",
            ),
        case("GetMembership", membership)
            .requires(&["membershipId"])
            .denies(Key::Bare)
            .not_found(|_| json!({ "membershipId": unknown_id() }))
            .not_found(|world| json!({ "membershipId": world.people.foreign_membership.to_string() })),
        case("GetMemberships", |world| {
            let ids = [world.people.guest.to_string(), unknown_id(), world.people.membership.to_string()];
            json!({ "workspaceId": world.people.workspace_id.to_string(), "membershipIds": ids })
        })
        .by(Key::Reader)
        .requires(&["workspaceId", "membershipIds"])
        .denies(Key::Bare)
        .denied(other_workspace, "PERMISSION_DENIED"),
        case("ListMemberships", workspace)
            .by(Key::Reader)
            .requires(&["workspaceId"])
            .denies(Key::Bare)
            .denied(other_workspace, "PERMISSION_DENIED")
            .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
            .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR"),
        case("CountMemberships", workspace)
            .by(Key::Bare)
            .denied(other_workspace, "PERMISSION_DENIED")
            .denied(|world| json!({ "userId": world.people.other.to_string(), "workspaceId": "" }), "PERMISSION_DENIED")
            .denied(|world| json!({ "userId": world.people.member.to_string() }), "PERMISSION_DENIED"),
        invite(),
    ]
}

fn invite() -> Case {
    case("InviteMember", |world| {
        json!({
            "workspaceId": world.people.workspace_id.to_string(),
            "email": "New.Person@Example.com",
            "role": "MEMBERSHIP_ROLE_MEMBER",
            "policies": ["trading", "analytics"],
        })
    })
    .requires(&["workspaceId", "email", "role"])
    .denies(Key::Reader)
    .denied(other_workspace, "PERMISSION_DENIED")
    .needs_step_up()
    .exists(|_| json!({ "email": MEMBER }), "ALREADY_MEMBER")
    .exists(|_| json!({ "email": "GUEST@example.com" }), "ALREADY_INVITED")
    .invalid(|_| json!({ "email": "nobody" }), "INVALID_EMAIL")
    .invalid(|_| json!({ "role": "MEMBERSHIP_ROLE_OWNER" }), "INVALID_OFFER")
    .invalid(|_| json!({ "policies": ["identity"] }), "INVALID_OFFER")
    .invalid(|_| json!({ "policies": ["omnipotence"] }), "UNKNOWN_POLICY")
    .invalid(|_| json!({ "policies": ["trading", "trading"] }), "DUPLICATE_POLICY")
}

fn keys() -> Vec<Case> {
    let reader = |world: &World| json!({ "apiKeyId": world.people.keys.id(Key::Reader).to_string() });
    vec![
        create_key(),
        case("GetAPIKey", reader)
            .requires(&["apiKeyId"])
            .denies(Key::Trader)
            .not_found(|_| json!({ "apiKeyId": unknown_id() }))
            .not_found(|world| json!({ "apiKeyId": world.people.keys.id(Key::Revoked).to_string() }))
            .not_found(|world| json!({ "apiKeyId": world.people.keys.id(Key::Other).to_string() })),
        case("ListAPIKeys", nothing).by(Key::Reader).denies(Key::Trader),
        case("CountAPIKeys", nothing).by(Key::Reader).denies(Key::Trader),
        case("RevokeAPIKey", reader)
            .by(Key::NoIdentity)
            .requires(&["apiKeyId"])
            .denies(Key::Trader)
            .not_found(|_| json!({ "apiKeyId": unknown_id() }))
            .not_found(|world| json!({ "apiKeyId": world.people.keys.id(Key::Other).to_string() }))
            .fails(|world| json!({ "apiKeyId": world.people.keys.id(Key::Revoked).to_string() }), "API_KEY_REVOKED")
            .invalid(|_| json!({ "reason": "x".repeat(201) }), "INVALID_FIELD"),
    ]
}

fn create_key() -> Case {
    case(
        "CreateAPIKey",
        |_| json!({ "name": "Night shift", "expiresAt": "2026-03-01T00:00:00Z", "policies": ["trading", "analytics"] }),
    )
    .requires(&["name"])
    .denies(Key::Reader)
    .denied(|_| json!({ "policies": ["identity"] }), "IDENTITY_NEEDS_SIGN_IN")
    .needs_step_up()
    .fails(|_| json!({ "expiresAt": "2026-01-01T00:00:00Z" }), "EXPIRY_IN_PAST")
    .fails(|_| json!({ "expiresAt": "2096-01-01T00:00:00Z" }), "EXPIRY_TOO_FAR")
    .invalid(|_| json!({ "name": " \t" }), "INVALID_FIELD")
    .invalid(|_| json!({ "name": "x".repeat(65) }), "INVALID_FIELD")
    .invalid(|_| json!({ "policies": ["omnipotence"] }), "UNKNOWN_POLICY")
    .invalid(|_| json!({ "policies": ["trading", "trading"] }), "DUPLICATE_POLICY")
}

/// The member has shown a second factor, a code that was mailed.
fn member_stepped_up(world: &World) -> BoxFuture<'_, Value> {
    async {
        world.step_up(Key::Member, Some(MEMBER)).await;
        json!({})
    }
    .boxed()
}

fn step_up() -> Vec<Case> {
    vec![
        case("BeginStepUp", nothing).by(Key::Unproven).refuses(
            Key::Chat,
            nothing,
            Code::FailedPrecondition,
            "NO_STEP_UP_METHOD",
        ),
        case("CompleteStepUp", nothing)
            .by(Key::Unproven)
            .prepared(|world| world.step_up_answer(Key::Unproven, None).boxed())
            .requires(&["challengeId", "method", "code"])
            .denied(|_| json!({ "code": "no code" }), "CODE_MISMATCH")
            .fails(|_| json!({ "challengeId": unknown_id() }), "CHALLENGE_INVALID")
            .fails(|_| json!({ "method": "TWO_FACTOR_METHOD_EMAIL" }), "OTHER_METHOD")
            .refuses(Key::Full, nothing, Code::FailedPrecondition, "CHALLENGE_INVALID")
            .invalid(|_| json!({ "challengeId": "nonsense" }), "INVALID_FIELD"),
        case("BeginStepUpPasskey", nothing)
            .by(Key::Unproven)
            .prepared(|world| world.begun_step_up_with_passkey().boxed())
            .requires(&["challengeId"])
            .fails(|_| json!({ "challengeId": unknown_id() }), "CHALLENGE_INVALID")
            .refuses(Key::Full, nothing, Code::FailedPrecondition, "CHALLENGE_INVALID")
            .invalid(|_| json!({ "challengeId": "nonsense" }), "INVALID_FIELD"),
        case("ResendStepUpCode", nothing)
            .by(Key::Member)
            .prepared(|world| world.mailed_challenge().boxed())
            .requires(&["challengeId"])
            .fails(|_| json!({ "challengeId": unknown_id() }), "CHALLENGE_INVALID")
            .refuses(Key::Full, nothing, Code::FailedPrecondition, "CHALLENGE_INVALID")
            .invalid(|_| json!({ "challengeId": "nonsense" }), "INVALID_FIELD"),
        case("GetStepUpStatus", nothing).by(Key::Full),
        case("GetTwoFactorStatus", nothing).denies(Key::NoIdentity),
        case("DisableTOTP", nothing).prepared(member_stepped_up).denies(Key::NoIdentity).needs_step_up().refuses(
            Key::Member,
            nothing,
            Code::FailedPrecondition,
            "TOTP_NOT_ENABLED",
        ),
        case("RegenerateRecoveryCodes", nothing)
            .prepared(member_stepped_up)
            .denies(Key::NoIdentity)
            .needs_step_up()
            .refuses(Key::Member, nothing, Code::FailedPrecondition, "TOTP_NOT_ENABLED"),
        case("BeginTOTPEnrollment", nothing)
            .by(Key::Member)
            .prepared(member_stepped_up)
            .denies(Key::NoIdentity)
            .needs_step_up()
            .refuses(Key::Full, nothing, Code::FailedPrecondition, "TOTP_ENABLED"),
        case("ConfirmTOTPEnrollment", nothing)
            .by(Key::Member)
            .prepared(|world| world.begun_enrollment().boxed())
            .requires(&["enrollmentId", "code"])
            .denies(Key::NoIdentity)
            .denied(|_| json!({ "code": "no code" }), "CODE_MISMATCH")
            .fails(|_| json!({ "enrollmentId": unknown_id() }), "ENROLLMENT_INVALID"),
    ]
}
