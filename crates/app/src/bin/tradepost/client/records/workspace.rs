//! The workspace itself.

use super::{Action, Group, Shows};

pub(crate) static GROUP: Group = Group {
    name: "workspace",
    about: "Show the workspace of the key, and what the key may do",
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
    ],
};
