//! The audit log of the workspace.

use super::column::{id, name, named, text as texts, time as times};
use super::flag::{Kind, kind, text, time};
use super::{Action, Group, Shows, USERS};

pub(crate) static GROUP: Group = Group {
    name: "audit",
    about: "List the audit log, and verify its chain",
    actions: &[
        Action {
            name: "list",
            about: "List audit events, the newest first",
            help: "Examples:\n  tradepost audit list --type api_key.revoked\n  tradepost audit list --from 2026-01-01 -o jsonl",
            operation: "accounts.v1.Accounts/ListAuditEvents",
            flags: &[
                kind("actor", "actorId", Kind::Member, "Only what this member did"),
                text("type", "type", "Only events of this type, such as api_key.revoked"),
                time("from", "from", "From this time on"),
                time("to", "to", "Before this time"),
            ],
            shows: Shows::Pages(
                "events",
                &[
                    times("TIME", "createdAt"),
                    texts("EVENT", "type").flexible(),
                    named("USER", "actorUserId", &USERS),
                    name("ACTOR", "actorType").wide(),
                    name("OF", "subjectType"),
                    id("RECORD", "subjectId").wide(),
                    texts("ADDRESS", "ip").wide(),
                    texts("DETAILS", "details").flexible(),
                    texts("NUMBER", "sequence").wide(),
                ],
            ),
        },
        Action {
            name: "verify",
            about: "Verify that no audit event was changed or removed",
            help: "Example:\n  tradepost audit verify\n\nEnds with 1 if the chain is broken.",
            operation: "accounts.v1.Accounts/VerifyAuditChain",
            flags: &[],
            shows: Shows::Verdict("The audit log is intact", "firstBadSequence"),
        },
    ],
};
