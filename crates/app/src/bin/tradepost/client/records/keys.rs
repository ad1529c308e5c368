//! API keys of the workspace, through a running server.

use super::column::{id, named, text as texts, time as times};
use super::flag::{Flag, Kind, kind, number, of, reason, sets, text, time};
use super::{Action, Group, Records, Shows};

pub(super) static KEYS: Records = Records {
    noun: "API key",
    listed_by: "tradepost keys list",
    list: "accounts.v1.Accounts/ListAPIKeys",
    ids: "",
    get: "",
    found: "apiKeys",
    one: "apiKey",
    name: Some("name"),
    added: None,
    columns: &[
        id("ID", "id").wide(),
        texts("PREFIX", "keyPrefix"),
        texts("NAME", "name").flexible(),
        texts("POLICIES", "policies").flexible(),
        times("EXPIRES", "expiresAt"),
        times("LAST USED", "lastUsedAt"),
        id("OWNER", "ownerId").wide(),
        texts("NETWORKS", "allowedCidrs").wide(),
        times("CREATED", "createdAt").wide(),
    ],
};

const KEY: Flag = of("KEY-NAME", &KEYS, "Its name or id");

pub(crate) static GROUP: Group = Group {
    name: "keys",
    about: "List, create, edit, rotate and revoke API keys by a server",
    actions: &[LIST, SHOW, USAGE, CREATE, EDIT, ROTATE, REVOKE],
};

const LIST: Action = Action {
    name: "list",
    about: "List the API keys of the workspace",
    help: "Example:\n  tradepost keys list --owners -o wide",
    operation: "accounts.v1.Accounts/ListAPIKeys",
    flags: &[sets("owners", "withOwners", "true", "With the user who owns each key, in wide tables and other formats")],
    shows: Shows::Rows("apiKeys", KEYS.columns),
};
const SHOW: Action = Action {
    name: "show",
    about: "Show everything about a key, but for its secret",
    help: "Example:\n  tradepost keys show bot",
    operation: "accounts.v1.Accounts/GetAPIKey",
    flags: &[KEY],
    shows: Shows::Whole("apiKey"),
};
const USAGE: Action = Action {
    name: "usage",
    about: "Show how many calls each key has made",
    help: "Example:\n  tradepost keys usage --from 2026-01-01\n\nCalls of sessions are in the row without a key.",
    operation: "accounts.v1.Accounts/ListKeyUsage",
    flags: &[
        time("from", "from", "From this time on [default: 30 days before --to]"),
        time("to", "to", "Before this time [default: now]"),
    ],
    shows: Shows::Rows(
        "keys",
        &[
            named("KEY", "apiKeyId", &KEYS).flexible(),
            texts("CALLS", "requests").summed(),
            texts("FAILED", "errors").summed(),
            texts("RATE LIMITED", "rateLimited").summed(),
        ],
    ),
};
/// The policies of a key, in the help of every command that makes one.
pub(crate) const POLICIES: &str =
    "What it may do; repeatable: trading, analytics, accounts, markets, workspace, identity";

const CREATE: Action = Action {
    name: "create",
    about: "Create a key and print it once; asks for a second factor",
    help: "Example:\n  tradepost keys create --name bot --policy trading --policy analytics --expires 90d > bot.key",
    operation: "accounts.v1.Accounts/CreateAPIKey",
    flags: &[
        text("name", "name", "Its name").required(),
        text("policy", "policies", POLICIES).list().required(),
        kind("expires", "expiresAt", Kind::Until, "When it expires: 90d, or a day or time [default: never]"),
        text("network", "allowedCidrs", "Network that may use it, such as 192.0.2.0/24; repeatable").list(),
    ],
    shows: Shows::Secret("rawKey"),
};
const EDIT: Action = Action {
    name: "edit",
    about: "Change a key; more rights ask for a second factor",
    help: "Examples:\n  tradepost keys edit bot --policy analytics --expires 90d\n  tradepost keys edit bot --name \"old bot\" --any-network\n\n\
           A repeated flag replaces all values. Only the owner of a key can give it more rights.",
    operation: "accounts.v1.Accounts/UpdateAPIKey",
    flags: &[
        KEY,
        text("name", "name", "New name"),
        text("policy", "policies", POLICIES).list(),
        sets("no-policies", "noPolicies", "true", "Remove all policies"),
        kind("expires", "expiresAt", Kind::Until, "When it expires: 90d, or a day or time"),
        sets("never-expires", "neverExpires", "true", "Remove the time at which it expires"),
        text("network", "allowedCidrs", "Network that may use it, such as 192.0.2.0/24; repeatable").list(),
        sets("any-network", "anyNetwork", "true", "Accept it from every network"),
    ],
    shows: Shows::One(&KEYS),
};
const ROTATE: Action = Action {
    name: "rotate",
    about: "Replace a key and print it once; asks for a second factor",
    help: "Example:\n  tradepost keys rotate bot --overlap-seconds 3600 > bot.key",
    operation: "accounts.v1.Accounts/RotateAPIKey",
    flags: &[KEY, number("overlap-seconds", "overlapSeconds", "How long the old key still works, in seconds")],
    shows: Shows::Secret("rawKey"),
};
const REVOKE: Action = Action {
    name: "revoke",
    about: "Revoke a key; the server rejects it from then on",
    help: "Example:\n  tradepost keys revoke bot --reason \"laptop lost\"",
    operation: "accounts.v1.Accounts/RevokeAPIKey",
    flags: &[KEY, reason("Reason, for its owner and the audit log")],
    shows: Shows::Done("Revoked key"),
};

#[cfg(test)]
mod tests {
    use tradepost::domain::accounts::policy::Policy;

    use super::*;

    #[test]
    fn the_help_names_every_policy() {
        let (_, named) = POLICIES.rsplit_once(": ").unwrap();
        let mut named: Vec<&str> = named.split(", ").collect();
        let mut all: Vec<&str> = Policy::ALL.iter().map(|policy| policy.name()).collect();
        named.sort_unstable();
        all.sort_unstable();
        assert_eq!(named, all);
    }
}
