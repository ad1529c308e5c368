//! The workspace itself.

use super::column::{id, name, named, text as texts, time as times};
use super::flag::{Names, choice, number, of, sets, text, time};
use super::keys::KEYS;
use super::{Action, Group, Records, Shows};

/// The keys under which secrets of the workspace are stored.
static DATA_KEYS: Records = Records {
    noun: "data key",
    listed_by: "tradepost workspace data-keys",
    list: "accounts.v1.Accounts/ListWorkspaceKeys",
    ids: "",
    get: "",
    found: "workspaceKeys",
    one: "workspaceKey",
    name: None,
    added: None,
    columns: &[
        id("ID", "id"),
        texts("NUMBER", "version"),
        name("STATUS", "status"),
        texts("SECRETS", "recordsRemaining"),
        times("CREATED", "createdAt").wide(),
        times("RETIRED", "retiredAt").wide(),
    ],
};
static GRANULARITIES: Names = Names { prefix: "USAGE_GRANULARITY_", all: &["minute", "hour", "day"] };
static USAGE_GROUPS: Names = Names { prefix: "USAGE_GROUP_", all: &["api_key", "operation"] };

pub(crate) static GROUP: Group = Group {
    name: "workspace",
    about: "Show and edit the settings, usage, rights and risks",
    actions: &[
        Action {
            name: "show",
            about: "Show the workspace: name, currency, trading halt",
            help: "Example:\n  tradepost workspace show",
            operation: "accounts.v1.Accounts/GetWorkspace",
            flags: &[],
            shows: Shows::Whole("workspace"),
        },
        SETTINGS,
        EDIT,
        USAGE,
        QUOTAS,
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
            about: "Show the risks, and who acknowledged them",
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
        DATA_KEY_LIST,
        ROTATE_KEY,
        DESTROY_KEY,
    ],
};

const SETTINGS: Action = Action {
    name: "settings",
    about: "Show what it requires of its members and of their keys",
    help: "Example:\n  tradepost workspace settings",
    operation: "accounts.v1.Accounts/GetWorkspaceSettings",
    flags: &[],
    shows: Shows::Whole("settings"),
};
const EDIT: Action = Action {
    name: "edit",
    about: "Change name or settings; some ask for a second factor",
    help: "Examples:\n  tradepost workspace edit --name \"Night desk\" --time-zone Europe/Zurich\n  \
           tradepost workspace edit --require-two-factor --max-key-days 90\n\n\
           What makes the workspace less safe asks for a second factor. An empty text removes the description.",
    operation: "accounts.v1.Accounts/UpdateWorkspace",
    flags: &[
        text("name", "name", "New name"),
        text("description", "description", "What it is for"),
        text("time-zone", "timeZone", "Where its members count days, such as Europe/Zurich"),
        sets("require-two-factor", "requireTwoFactor", "true", "Require an authenticator app or a passkey of members"),
        sets("no-require-two-factor", "requireTwoFactor", "false", "Require neither"),
        number("max-key-days", "maxApiKeyLifetimeDays", "Longest lifetime of a new API key, in days; 0 for no limit"),
        sets("email-step-up", "allowEmailStepUp", "true", "Accept a mailed code as a second factor"),
        sets("no-email-step-up", "allowEmailStepUp", "false", "Accept no mailed code"),
    ],
    shows: Shows::Whole(""),
};
const USAGE: Action = Action {
    name: "usage",
    about: "Count the calls by time, key and operation",
    help: "Examples:\n  tradepost workspace usage --by hour --from 2026-01-31\n  \
           tradepost workspace usage --group operation -o csv > usage.csv\n\nCalls are kept for 90 days.",
    operation: "accounts.v1.Accounts/GetUsage",
    flags: &[
        choice("by", "granularity", &GRANULARITIES, "Time that a row covers").or("day"),
        choice("group", "groupBy", &USAGE_GROUPS, "A row for each; repeatable").list(),
        time("from", "from", "From this time on [default: 30 days before --to, or a day by minute]"),
        time("to", "to", "Before this time [default: now]"),
    ],
    shows: Shows::Rows(
        "points",
        &[
            times("FROM", "time"),
            named("KEY", "apiKeyId", &KEYS).flexible(),
            texts("OPERATION", "operation").flexible(),
            texts("CALLS", "requests").summed(),
            texts("FAILED", "errors").summed(),
            texts("RATE LIMITED", "rateLimited").summed(),
        ],
    ),
};
const QUOTAS: Action = Action {
    name: "quotas",
    about: "Show the rate limits, and the room for keys and members",
    help: "Example:\n  tradepost workspace quotas",
    operation: "accounts.v1.Accounts/GetQuotas",
    flags: &[],
    shows: Shows::Whole(""),
};
const DATA_KEY_LIST: Action = Action {
    name: "data-keys",
    about: "List the keys under which its secrets are stored",
    help: "Example:\n  tradepost workspace data-keys",
    operation: "accounts.v1.Accounts/ListWorkspaceKeys",
    flags: &[],
    shows: Shows::Rows("workspaceKeys", DATA_KEYS.columns),
};
const ROTATE_KEY: Action = Action {
    name: "rotate-data-key",
    about: "Create a new data key; asks for a second factor",
    help: "Example:\n  tradepost workspace rotate-data-key\n\nThe server stores the secrets under the new key in the background. \
           The old one can be destroyed once it has none.",
    operation: "accounts.v1.Accounts/RotateWorkspaceKey",
    flags: &[],
    shows: Shows::One(&DATA_KEYS),
};
const DESTROY_KEY: Action = Action {
    name: "destroy-data-key",
    about: "Destroy a retired data key; asks for a second factor",
    help: "Example:\n  tradepost workspace destroy-data-key 019ba07c-2c38-7000-8000-00000000f300",
    operation: "accounts.v1.Accounts/DestroyWorkspaceKey",
    flags: &[of("DATA-KEY", &DATA_KEYS, "Its id")],
    shows: Shows::Done("Destroyed data key"),
};
