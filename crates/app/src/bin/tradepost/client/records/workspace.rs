//! The workspace itself.

use super::flag::text;
use super::{Action, Group, Shows};

pub(crate) static GROUP: Group = Group {
    name: "workspace",
    about: "Show the workspace, its risks, and what the key may do",
    actions: &[
        Action {
            name: "show",
            about: "Show the workspace: name, currency, trading halt",
            help: "Example:\n  tradepost workspace show",
            operation: "accounts.v1.Accounts/GetWorkspace",
            flags: &[],
            shows: Shows::Whole("workspace"),
        },
        Action {
            name: "permissions",
            about: "Show what the key may do",
            help: "Example:\n  tradepost workspace permissions",
            operation: "accounts.v1.Accounts/GetEffectivePermissions",
            flags: &[],
            shows: Shows::Whole(""),
        },
        Action {
            name: "risks",
            about: "Show the risks of trading accounts, and who acknowledged them",
            help: "Example:\n  tradepost workspace risks",
            operation: "accounts.v1.Accounts/GetRiskNotice",
            flags: &[],
            shows: Shows::Risks,
        },
        Action {
            name: "acknowledge-risks",
            about: "Acknowledge the risks, so that secrets can be stored",
            help: "Example:\n  tradepost workspace acknowledge-risks 2026-11-28\n\nRead the risks first; their version is in the first line.",
            operation: "accounts.v1.Accounts/AcknowledgeRiskNotice",
            flags: &[text("VERSION", "version", "The version that you read").argument()],
            shows: Shows::Whole("acknowledgement"),
        },
    ],
};
