//! Providers: marketplaces, price sources and game platforms.

use super::column::{amount as amounts, id, name, text as texts, time as times};
use super::flag::{Flag, Kind, Names, WRITE, choice, kind, of, reason, sets, text};
use super::{Action, Group, Records, Shows};

static PROVIDERS: Records = Records {
    noun: "provider",
    listed_by: "tradepost providers list",
    list: "markets.v1.Markets/ListProviders",
    ids: "providerIds",
    get: "markets.v1.Markets/GetProviders",
    found: "providers",
    one: "provider",
    name: Some("name"),
    added: None,
    columns: &[
        id("ID", "id").wide(),
        texts("NAME", "name").flexible(),
        name("KIND", "kind"),
        texts("DRIVER", "driver").flexible(),
        texts("ENABLED", "enabled"),
        name("REASON", "statusReason").flexible(),
        name("BREAKER", "health.breakerState"),
        amounts("BALANCE", "balanceCents"),
        texts("CURRENCY", "currency"),
        name("CAN", "capabilities").wide(),
        times("LAST SUCCESS", "lastSuccessAt").wide(),
    ],
};

static KINDS: Names = Names { prefix: "PROVIDER_KIND_", all: &["marketplace", "price_source", "game_platform"] };

const PROVIDER: Flag = of("PROVIDER", &PROVIDERS, "Its name or id");
const SETTING: Flag = kind("setting", "settings", Kind::Setting, "Setting of its driver; repeatable").list();
const CREDENTIALS: Flag = kind(
    "credentials-file",
    "credentials",
    Kind::CredentialFile,
    "File of lines NAME=VALUE with its credentials; - for standard input",
);

pub(crate) static GROUP: Group = Group {
    name: "providers",
    about: "List, create, edit and test marketplaces and price sources",
    actions: &[LIST, SHOW, HEALTH, DRIVERS, NEW, CREATE, EDIT, TEST, SHAPES, ENABLE, DISABLE, DELETE],
};

const LIST: Action = Action {
    name: "list",
    about: "List providers, the newest first",
    help: "Example:\n  tradepost providers list --kind marketplace",
    operation: "markets.v1.Markets/ListProviders",
    flags: &[choice("kind", "kind", &KINDS, "Only of this kind")],
    shows: Shows::List(&PROVIDERS),
};
const SHOW: Action = Action {
    name: "show",
    about: "Show a provider with its fees, limits and health",
    help: "Example:\n  tradepost providers show simulator",
    operation: "markets.v1.Markets/GetProvider",
    flags: &[PROVIDER],
    shows: Shows::Whole("provider"),
};
const HEALTH: Action = Action {
    name: "health",
    about: "Show what an engine last saw of a provider",
    help: "Example:\n  tradepost providers health simulator",
    operation: "markets.v1.Markets/GetProviderHealth",
    flags: &[PROVIDER],
    shows: Shows::Whole("health"),
};
const DRIVERS: Action = Action {
    name: "drivers",
    about: "List the drivers with their settings and credentials",
    help: "Example:\n  tradepost providers drivers",
    operation: "markets.v1.Markets/ListProviderDrivers",
    flags: &[],
    shows: Shows::Rows(
        "drivers",
        &[
            texts("DRIVER", "name"),
            texts("DESCRIPTION", "description").flexible(),
            texts("SETTINGS", "settings.name").flexible(),
            texts("CREDENTIALS", "credentials.name").flexible(),
        ],
    ),
};
const NEW: Action = Action {
    name: "new",
    about: "Ask for a provider on the terminal, and create it",
    help: "Examples:\n  tradepost providers new\n  tradepost providers new --write desk.toml\n\nIts credentials are given by: tradepost providers edit",
    operation: "markets.v1.Markets/CreateProvider",
    flags: &[WRITE],
    shows: Shows::Asked("providers"),
};
const CREATE: Action = Action {
    name: "create",
    about: "Create a provider; asks for a second factor",
    help: "Example:\n  tradepost providers create --kind marketplace --driver simulator --name market-2 --currency USD \\\n    \
           --setting world=main --setting customer=desk\n\n\
           A file of credentials is read and sent once; the server encrypts them.",
    operation: "markets.v1.Markets/CreateProvider",
    flags: &[
        choice("kind", "kind", &KINDS, "What it is").required(),
        text("driver", "driver", "Its driver: tradepost providers drivers").required(),
        text("name", "name", "Its name").required(),
        text("currency", "currency", "Currency of its prices").required(),
        SETTING,
        CREDENTIALS,
    ],
    shows: Shows::One(&PROVIDERS),
};
const EDIT: Action = Action {
    name: "edit",
    about: "Replace the settings or the credentials of a provider",
    help: "Example:\n  tradepost providers edit market-2 --setting world=main --setting customer=beta\n\n\
           The settings given replace all of them. Other credentials need a second factor.",
    operation: "markets.v1.Markets/UpdateProvider",
    flags: &[PROVIDER, SETTING, sets("no-settings", "noSettings", "true", "Remove all settings"), CREDENTIALS],
    shows: Shows::One(&PROVIDERS),
};
const TEST: Action = Action {
    name: "test",
    about: "Call a provider, and report whether it works",
    help: "Example:\n  tradepost providers test simulator",
    operation: "markets.v1.Markets/TestProvider",
    flags: &[PROVIDER],
    shows: Shows::Rows(
        "checks",
        &[texts("CHECK", "code"), texts("PASSED", "ok"), texts("DETAIL", "detail").flexible()],
    ),
};
const SHAPES: Action = Action {
    name: "shapes",
    about: "Show what is new in the answers of a price source",
    help: "Example:\n  tradepost providers shapes skinport\n\n\
           It reads the source once. Each line is a path of an answer with its type, and no value.",
    operation: "markets.v1.Markets/TestProvider",
    flags: &[PROVIDER],
    shows: Shows::Check("SHAPES"),
};
const ENABLE: Action = Action {
    name: "enable",
    about: "Enable a disabled provider",
    help: "Example:\n  tradepost providers enable market-2",
    operation: "markets.v1.Markets/EnableProvider",
    flags: &[PROVIDER],
    shows: Shows::One(&PROVIDERS),
};
const DISABLE: Action = Action {
    name: "disable",
    about: "Disable a provider: nothing new starts there",
    help: "Example:\n  tradepost providers disable market-2 --reason \"maintenance\"",
    operation: "markets.v1.Markets/DisableProvider",
    flags: &[PROVIDER, reason("Reason, shown with the provider")],
    shows: Shows::One(&PROVIDERS),
};
const DELETE: Action = Action {
    name: "delete",
    about: "Delete a provider",
    help: "Example:\n  tradepost providers delete market-2",
    operation: "markets.v1.Markets/DeleteProvider",
    flags: &[PROVIDER],
    shows: Shows::Done("Deleted provider"),
};
