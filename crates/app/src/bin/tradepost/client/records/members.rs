//! Members of the workspace.

use super::column::{id, name, named, text as texts, time as times};
use super::flag::{Flag, Kind, Names, choice, kind, text};
use super::{Action, Group, Records, Shows, USERS};

pub(crate) static MEMBERSHIPS: Records = Records {
    noun: "membership",
    listed_by: "tradepost members list",
    list: "accounts.v1.Accounts/ListMemberships",
    ids: "membershipIds",
    get: "accounts.v1.Accounts/GetMemberships",
    found: "memberships",
    one: "membership",
    name: None,
    added: None,
    columns: &[
        id("ID", "id"),
        named("MEMBER", "userId", &USERS),
        texts("INVITED", "invitation.email").flexible(),
        name("ROLE", "role"),
        name("STATUS", "status"),
        texts("POLICIES", "policies").wide(),
        times("SINCE", "createdAt").wide(),
    ],
};

static STATUSES: Names = Names {
    prefix: "MEMBERSHIP_STATUS_",
    all: &["invited", "accepted", "suspended", "declined", "revoked", "expired", "removed", "left"],
};
static ROLES: Names = Names { prefix: "MEMBERSHIP_ROLE_", all: &["member", "admin"] };

const MEMBERSHIP: Flag =
    kind("MEMBERSHIP", "membershipId", Kind::Membership, "Name of the member, address of an invitation, or id")
        .argument();
const POLICY: Flag = text("policy", "policies", "What the member may do; repeatable").list();

pub(crate) static GROUP: Group = Group {
    name: "members",
    about: "List members, and invite, change, suspend and remove them",
    actions: &[LIST, SHOW, INVITE, RESEND, REVOKE, EDIT, SUSPEND, REINSTATE, REMOVE],
};

const LIST: Action = Action {
    name: "list",
    about: "List members and invitations, the newest first",
    help: "Example:\n  tradepost members list --status accepted",
    operation: "accounts.v1.Accounts/ListMemberships",
    flags: &[choice("status", "status", &STATUSES, "Only in this status")],
    shows: Shows::List(&MEMBERSHIPS),
};
const SHOW: Action = Action {
    name: "show",
    about: "Show a membership with its policies",
    help: "Examples:\n  tradepost members show Ada\n  tradepost members show grace@example.com",
    operation: "accounts.v1.Accounts/GetMembership",
    flags: &[MEMBERSHIP],
    shows: Shows::Whole("membership"),
};
const INVITE: Action = Action {
    name: "invite",
    about: "Invite a user by e-mail; asks for a second factor",
    help: "Example:\n  tradepost members invite ada@example.com --policy trading --policy analytics",
    operation: "accounts.v1.Accounts/InviteMember",
    flags: &[
        text("EMAIL", "email", "Address of the user").argument(),
        choice("role", "role", &ROLES, "The role").or("member"),
        POLICY,
    ],
    shows: Shows::One(&MEMBERSHIPS),
};
const RESEND: Action = Action {
    name: "resend",
    about: "Mail an invitation again; it is valid for another 7 days",
    help: "Example:\n  tradepost members resend ada@example.com",
    operation: "accounts.v1.Accounts/ResendInvitation",
    flags: &[MEMBERSHIP],
    shows: Shows::One(&MEMBERSHIPS),
};
const REVOKE: Action = Action {
    name: "revoke",
    about: "Revoke an invitation that was not accepted yet",
    help: "Example:\n  tradepost members revoke ada@example.com",
    operation: "accounts.v1.Accounts/RevokeInvitation",
    flags: &[MEMBERSHIP],
    shows: Shows::One(&MEMBERSHIPS),
};
const EDIT: Action = Action {
    name: "edit",
    about: "Change role or policies; asks for a second factor",
    help: "Example:\n  tradepost members edit Ada --policy analytics",
    operation: "accounts.v1.Accounts/UpdateMembership",
    flags: &[MEMBERSHIP, choice("role", "role", &ROLES, "The new role"), POLICY],
    shows: Shows::One(&MEMBERSHIPS),
};
const SUSPEND: Action = Action {
    name: "suspend",
    about: "Suspend a member: sessions and keys stop working here",
    help: "Example:\n  tradepost members suspend Ada",
    operation: "accounts.v1.Accounts/SuspendMembership",
    flags: &[MEMBERSHIP],
    shows: Shows::One(&MEMBERSHIPS),
};
const REINSTATE: Action = Action {
    name: "reinstate",
    about: "Reinstate a suspended member; asks for a second factor",
    help: "Example:\n  tradepost members reinstate Ada",
    operation: "accounts.v1.Accounts/ReinstateMembership",
    flags: &[MEMBERSHIP],
    shows: Shows::One(&MEMBERSHIPS),
};
const REMOVE: Action = Action {
    name: "remove",
    about: "Remove a member permanently; asks for a second factor",
    help: "Example:\n  tradepost members remove Ada",
    operation: "accounts.v1.Accounts/RemoveMembership",
    flags: &[MEMBERSHIP],
    shows: Shows::One(&MEMBERSHIPS),
};
