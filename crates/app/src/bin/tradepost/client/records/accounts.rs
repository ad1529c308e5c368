//! Trading accounts.

pub(super) mod account_sessions;
pub(super) mod chats;
pub(super) mod confirmations;
pub(super) mod friends;
pub(super) mod groups;
pub(super) mod imports;
pub(super) mod inventory_changes;
pub(super) mod renewals;
pub(super) mod snapshots;

use super::column::{Column, amount as amounts, id, name, text as texts, time as times};
use super::flag::{Flag, Kind, Names, WRITE, amount, choice, kind, number, of, reason, record, sets, text};
use super::{Action, Group, Records, Shows};

pub(crate) static ACCOUNTS: Records = Records {
    noun: "account",
    listed_by: "tradepost accounts list",
    list: "trading.v1.Trading/ListAccounts",
    ids: "accountIds",
    get: "trading.v1.Trading/GetAccounts",
    found: "accounts",
    one: "account",
    name: Some("name"),
    added: None,
    columns: &[
        id("ID", "id").wide(),
        texts("NAME", "name").flexible(),
        texts("PLATFORM", "platform"),
        name("STATUS", "status"),
        name("CAN", "capabilities").flexible(),
        name("REASON", "statusReason").flexible(),
        texts("ITEMS", "health.inventoryCount"),
        amounts("BALANCE", "health.balanceCents"),
        texts("USER ID", "platformUserId").wide(),
        name("LOCK", "lockReason").wide(),
        times("LOCKED UNTIL", "lockedUntil").wide(),
        texts("CHAT", "chatEnabled").wide(),
        times("NOTICE ACCEPTED", "tradeNoticeAcknowledgedAt").wide(),
        times("GIVES SINCE", "givingEnabledAt").wide(),
        amounts("GIVES PER HOUR", "givingLimits.maxGiveCentsPerHour").wide(),
        amounts("GIVES PER DAY", "givingLimits.maxGiveCentsPerDay").wide(),
        times("REFRESHED", "refreshedAt").wide(),
        texts("NOT READ", "refreshRefusal.reason").wide(),
    ],
};

static STATUSES: Names = Names {
    prefix: "ACCOUNT_STATUS_",
    all: &["new", "validating", "ready", "degraded", "needs_login", "restricted", "disabled", "banned", "removed"],
};
static BULK_ACTIONS: Names = Names { prefix: "ACCOUNT_ACTION_", all: &["enable", "disable", "start_session"] };
static CAPABILITIES: Names = Names { prefix: "ACCOUNT_CAPABILITY_", all: &["buy", "sell", "store"] };

const ACCOUNT: Flag = of("ACCOUNT", &ACCOUNTS, "Its name or id");
const TRADE_TOKEN: Flag = text("trade-token", "tradeToken", "Token of its trade URL");
const CAN: Flag = choice("can", "capabilities", &CAPABILITIES, "What it does; repeatable").list();
const MAX_ITEMS: Flag = number("max-items", "limits.maxInventory", "Most items that it holds").clearable();
const MAX_OPEN: Flag = number("max-open", "limits.maxOpenPurchases", "Most purchases open at a time").clearable();
const MIN_BALANCE: Flag = amount("min-balance", "limits.minBalanceCents", "Least balance that it keeps").clearable();
const MAX_GIVE_PER_HOUR: Flag = amount(
    "max-give-per-hour",
    "givingLimits.maxGiveCentsPerHour",
    "Most value that it gives within an hour; asks for a second factor",
)
.clearable();
const MAX_GIVE_PER_DAY: Flag = amount(
    "max-give-per-day",
    "givingLimits.maxGiveCentsPerDay",
    "Most value that it gives within 24 h; asks for a second factor",
)
.clearable();
const CHAT: Flag = sets("chat", "chatEnabled", "true", "Read its chat, and let messages be sent");
const NO_CHAT: Flag = sets("no-chat", "chatEnabled", "false", "Read its chat no longer, and send nothing");
const SECRETS: Flag = kind(
    "secrets-file",
    "secrets",
    Kind::SecretsFile,
    "File of lines NAME=VALUE with its secrets; - for standard input",
);

pub(crate) static GROUP: Group = Group {
    name: "accounts",
    about: "List, create, edit, disable and remove trading accounts",
    actions: &[
        LIST,
        SHOW,
        READY,
        CODE,
        NEW,
        CREATE,
        EDIT,
        DISABLE,
        ENABLE,
        BULK,
        ACKNOWLEDGE,
        ENABLE_GIVING,
        DISABLE_GIVING,
        REFRESH,
        REFRESH_TOKEN,
        REVOCATION_CODE,
        REMOVE,
    ],
};

const LIST: Action = Action {
    name: "list",
    about: "List trading accounts, the newest first",
    help: "Examples:\n  tradepost accounts list --status ready\n  tradepost accounts list --group bots",
    operation: "trading.v1.Trading/ListAccounts",
    flags: &[
        choice("status", "status", &STATUSES, "Only in this status"),
        record("group", "accountGroupId", &groups::ACCOUNT_GROUPS, "Only of this group"),
    ],
    shows: Shows::List(&ACCOUNTS),
};
const SHOW: Action = Action {
    name: "show",
    about: "Show everything about a trading account",
    help: "Example:\n  tradepost accounts show trader-1",
    operation: "trading.v1.Trading/GetAccount",
    flags: &[ACCOUNT],
    shows: Shows::Whole("account"),
};
const READY: Action = Action {
    name: "ready",
    about: "Check whether a trading account can trade",
    help: "Example:\n  tradepost accounts ready trader-1",
    operation: "trading.v1.Trading/GetAccountReadiness",
    flags: &[ACCOUNT],
    shows: Shows::Rows(
        "checks",
        &[texts("CHECK", "code"), texts("PASSED", "ok"), texts("DETAIL", "detail").flexible()],
    ),
};
const CODE: Action = Action {
    name: "code",
    about: "Show a sign-in code; asks for a second factor",
    help: "Example:\n  tradepost accounts code trader-1\n\nThe code is what the mobile authenticator of the account shows now. \
           The audit log has each one.",
    operation: "trading.v1.Trading/GetAccountLoginCode",
    flags: &[ACCOUNT],
    shows: Shows::Whole(""),
};
const NEW: Action = Action {
    name: "new",
    about: "Ask for an account on the terminal, and create it",
    help: "Examples:\n  tradepost accounts new\n  tradepost accounts new --write desk.toml\n\nIts secrets are given by: tradepost accounts edit",
    operation: "trading.v1.Trading/CreateAccount",
    flags: &[WRITE],
    shows: Shows::Asked("accounts"),
};
const CREATE: Action = Action {
    name: "create",
    about: "Create a trading account; asks for a second factor",
    help: "Example:\n  tradepost accounts create --name bot-1 --platform steam --user-id 76561190000000001 \\\n    \
           --can buy --can sell --secrets-file bot-1.secrets\n\nThe names of the secrets are loginName, password, sharedSecret, \
           identitySecret and apiKey. The server encrypts them.",
    operation: "trading.v1.Trading/CreateAccount",
    flags: &[
        text("name", "name", "Its name").required(),
        text("platform", "platform", "The game platform").required(),
        text("user-id", "platformUserId", "Its user there").required(),
        TRADE_TOKEN,
        CAN.required(),
        MAX_ITEMS,
        MAX_OPEN,
        MIN_BALANCE,
        MAX_GIVE_PER_HOUR,
        MAX_GIVE_PER_DAY,
        SECRETS,
    ],
    shows: Shows::One(&ACCOUNTS),
};
const EDIT: Action = Action {
    name: "edit",
    about: "Change an account; some changes ask for a second factor",
    help: "Examples:\n  tradepost accounts edit bot-1 --max-open 5 --min-balance none\n  \
           tradepost accounts edit bot-1 --max-give-per-hour 50 --max-give-per-day 200\n\nA limit is removed by none. New \
           secrets and limits of giving ask for a second factor.",
    operation: "trading.v1.Trading/UpdateAccount",
    flags: &[
        ACCOUNT,
        TRADE_TOKEN,
        CAN,
        MAX_ITEMS,
        MAX_OPEN,
        MIN_BALANCE,
        CHAT,
        NO_CHAT,
        SECRETS,
        CANCEL_STRANGE,
        KEEP_STRANGE,
        MAX_GIVE_PER_HOUR,
        MAX_GIVE_PER_DAY,
    ],
    shows: Shows::Edited(&ACCOUNTS, &["limits", "givingLimits"]),
};
const CANCEL_STRANGE: Flag = sets(
    "cancel-strange-offers",
    "cancelStrangeOffers",
    "true",
    "Cancel offers that give its items and were not sent here",
);
const KEEP_STRANGE: Flag =
    sets("keep-strange-offers", "cancelStrangeOffers", "false", "Only report such offers; asks for a second factor");
const DISABLE: Action = Action {
    name: "disable",
    about: "Disable a trading account: it starts nothing new",
    help: "Example:\n  tradepost accounts disable bot-1 --reason \"new password\"",
    operation: "trading.v1.Trading/DisableAccount",
    flags: &[ACCOUNT, reason("Reason, shown with the account")],
    shows: Shows::One(&ACCOUNTS),
};
const ENABLE: Action = Action {
    name: "enable",
    about: "Enable a disabled trading account",
    help: "Example:\n  tradepost accounts enable bot-1",
    operation: "trading.v1.Trading/EnableAccount",
    flags: &[ACCOUNT],
    shows: Shows::One(&ACCOUNTS),
};
const RESULTS: &[Column] = &[
    id("ID", "accountId"),
    texts("NAME", "account.name").flexible(),
    name("STATUS", "account.status"),
    texts("REASON", "reason").flexible(),
    texts("MESSAGE", "message").flexible(),
    id("SESSION", "accountSessionId").wide(),
];
const BULK: Action = Action {
    name: "bulk",
    about: "Enable, disable or sign in several accounts at once",
    help: "Examples:\n  tradepost accounts bulk disable --account bot-1 --account bot-2\n  \
           tradepost accounts bulk enable --group bots\n  \
           tradepost accounts bulk start_session --group bots\n\nAn account that cannot be changed keeps no other back. To start sessions \
           asks for a second factor.",
    operation: "trading.v1.Trading/BulkAccounts",
    flags: &[
        choice("ACTION", "action", &BULK_ACTIONS, "What is done").argument(),
        record("account", "accountIds", &ACCOUNTS, "An account; repeatable").list(),
        record("group", "accountGroupId", &groups::ACCOUNT_GROUPS, "Its accounts"),
        reason("Reason, shown with the accounts; not to start sessions"),
    ],
    shows: Shows::Rows("results", RESULTS),
};
const ACKNOWLEDGE: Action = Action {
    name: "acknowledge",
    about: "Accept the platform's notice that trades can be reversed",
    help: "Example:\n  tradepost accounts acknowledge --account bot-1 --account bot-2\n\nAn account gives and receives nothing \
           before. The audit log has who accepted it.",
    operation: "trading.v1.Trading/AcknowledgeTradeProtection",
    flags: &[record("account", "accountIds", &ACCOUNTS, "An account; repeatable").list().required()],
    shows: Shows::Two([
        ("Accepted", "acknowledged", &[texts("NAME", "name"), times("ACCEPTED", "tradeNoticeAcknowledgedAt")]),
        ("Not accepted", "failed", &[id("ID", "accountId"), texts("MESSAGE", "message").flexible()]),
    ]),
};
const ENABLE_GIVING: Action = Action {
    name: "enable-giving",
    about: "Let an account give items; asks for a second factor",
    help: "Example:\n  tradepost accounts enable-giving bot-1\n\nBefore, it gives nothing at a real platform. From now on the server sends, \
           accepts, declines and cancels trade offers there, and answers confirmations. A simulated platform does not ask for it.\n\nLimit \
           what it gives before: tradepost accounts edit bot-1 --max-give-per-day 200",
    operation: "trading.v1.Trading/EnableGiving",
    flags: &[ACCOUNT],
    shows: Shows::One(&ACCOUNTS),
};
const DISABLE_GIVING: Action = Action {
    name: "disable-giving",
    about: "Let an account give no items",
    help: "Example:\n  tradepost accounts disable-giving bot-1\n\nOffers that are out stay out: cancel them before, or in the app of the \
           platform. Friends and messages are changed as before.",
    operation: "trading.v1.Trading/DisableGiving",
    flags: &[ACCOUNT],
    shows: Shows::One(&ACCOUNTS),
};
const REFRESH: Action = Action {
    name: "refresh",
    about: "Have the engine read an account now",
    help: "Example:\n  tradepost accounts refresh bot-1\n\nIt reads status, balance, inventory and trade URL. The request waits until \
           an engine runs that trades with the account. An engine that trades without it ends the request after 2 min: NOT \
           READ of tradepost accounts list -o wide is NOT_SERVED then.",
    operation: "trading.v1.Trading/RefreshAccount",
    flags: &[ACCOUNT],
    shows: Shows::One(&ACCOUNTS),
};
const REFRESH_TOKEN: Action = Action {
    name: "trade-url",
    about: "Have the engine read or renew the trade URL of an account",
    help: "Example:\n  tradepost accounts trade-url bot-1 --renew\n\nA renewal asks for a second factor. The earlier URL reaches no \
           one from then on.",
    operation: "trading.v1.Trading/RefreshTradeToken",
    flags: &[ACCOUNT, sets("renew", "renew", "true", "Have the platform make a new one")],
    shows: Shows::One(&ACCOUNTS),
};
const REVOCATION_CODE: Action = Action {
    name: "revocation-code",
    about: "Reveal a revocation code; asks for a second factor",
    help: "Example:\n  tradepost accounts revocation-code bot-1\n\nThe code removes the mobile authenticator of the account. The audit log \
           records that it was revealed.",
    operation: "trading.v1.Trading/RevealRevocationCode",
    flags: &[ACCOUNT],
    shows: Shows::Whole(""),
};
const REMOVE: Action = Action {
    name: "remove",
    about: "Remove an account and its secrets; asks for a second factor",
    help: "Example:\n  tradepost accounts remove bot-1",
    operation: "trading.v1.Trading/RemoveAccount",
    flags: &[ACCOUNT],
    shows: Shows::Done("Removed account"),
};
