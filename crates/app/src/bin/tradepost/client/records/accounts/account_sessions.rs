//! Sessions of trading accounts at their game platforms.

use super::super::column::{id, name, named, text as texts, time as times};
use super::super::flag::{Flag, Kind, Names, choice, kind, of, record, sets};
use super::super::{Action, Group, Records, Shows};
use super::ACCOUNTS;

static SESSIONS: Records = Records {
    noun: "account session",
    listed_by: "tradepost account-sessions list",
    list: "trading.v1.Trading/ListAccountSessions",
    ids: "accountSessionIds",
    get: "trading.v1.Trading/GetAccountSessions",
    found: "accountSessions",
    one: "accountSession",
    name: None,
    added: None,
    columns: &[
        id("ID", "id"),
        named("ACCOUNT", "accountId", &ACCOUNTS).flexible(),
        name("STATUS", "status"),
        name("ASKS FOR", "guards").flexible(),
        name("FAILURE", "failure").flexible(),
        times("ENDS", "refreshExpiresAt").wide(),
        texts("MAILED TO", "emailDomain").wide(),
        texts("CODES", "codesGiven").wide(),
        texts("STORED CODE", "usesStoredCode").wide(),
        texts("AUTOMATIC", "isAutomatic").wide(),
        times("ACCESS ENDS", "accessExpiresAt").wide(),
        times("TOKENS", "tokensIssuedAt").wide(),
        texts("VERSION", "version").wide(),
        times("STARTED", "createdAt").wide(),
    ],
};
static STATUSES: Names = Names {
    prefix: "ACCOUNT_SESSION_STATUS_",
    all: &[
        "starting",
        "awaiting_code",
        "awaiting_approval",
        "active",
        "renewing",
        "expired",
        "failed",
        "revoked",
        "closed",
    ],
};

const SESSION: Flag = of("SESSION", &SESSIONS, "Its id");

pub(crate) static GROUP: Group = Group {
    name: "account-sessions",
    about: "Sign trading accounts in, and show and end sessions",
    actions: &[LIST, SHOW, COUNT, START, CODE, END],
};

const LIST: Action = Action {
    name: "list",
    about: "List sessions, the newest first",
    help: "Example:\n  tradepost account-sessions list --account trader-1 --status active",
    operation: "trading.v1.Trading/ListAccountSessions",
    flags: &[
        record("account", "accountId", &ACCOUNTS, "Only of this trading account"),
        choice("status", "status", &STATUSES, "Only in this status"),
    ],
    shows: Shows::List(&SESSIONS),
};
const SHOW: Action = Action {
    name: "show",
    about: "Show everything about a session, without its tokens",
    help: "Example:\n  tradepost account-sessions show 019ba07c-4b38-7000-8000-00000000c400",
    operation: "trading.v1.Trading/GetAccountSession",
    flags: &[SESSION],
    shows: Shows::Whole("accountSession"),
};
const COUNT: Action = Action {
    name: "count",
    about: "Count sessions by status",
    help: "Example:\n  tradepost account-sessions count",
    operation: "trading.v1.Trading/CountAccountSessions",
    flags: &[],
    shows: Shows::Rows("counts", &[name("STATUS", "status"), texts("COUNT", "count").summed()]),
};
const START: Action = Action {
    name: "start",
    about: "Have the engine sign an account in at its platform",
    help: "Examples:\n  tradepost account-sessions start trader-1\n  tradepost account-sessions start trader-1 --ask-for-codes\n\n\
           A sign-in lasts 10 min at most. Users who have a second factor are asked for it.",
    operation: "trading.v1.Trading/StartAccountSession",
    flags: &[
        record("ACCOUNT", "accountId", &ACCOUNTS, "The trading account").argument(),
        sets("ask-for-codes", "useStoredCode", "false", "Make no codes of the stored secret of its authenticator"),
    ],
    shows: Shows::One(&SESSIONS),
};
const CODE: Action = Action {
    name: "code",
    about: "Give the code that the platform asks for",
    help: "Examples:\n  tradepost account-sessions code 019ba07c-4b38-7000-8000-00000000c400 --code-file -\n  \
           tradepost account-sessions code 019ba07c-4b38-7000-8000-00000000c400 --code-file code.txt\n\n\
           Type the code and end standard input, or pipe it. The code is in no log.",
    operation: "trading.v1.Trading/SubmitAccountSessionCode",
    flags: &[SESSION, kind("code-file", "code", Kind::TextFile, "File with the code; - for standard input").required()],
    shows: Shows::One(&SESSIONS),
};
const END: Action = Action {
    name: "end",
    about: "Have the engine end a session",
    help: "Example:\n  tradepost account-sessions end 019ba07c-4b38-7000-8000-00000000c400 --revoke",
    operation: "trading.v1.Trading/EndAccountSession",
    flags: &[SESSION, sets("revoke", "revoke", "true", "Have the platform revoke its tokens")],
    shows: Shows::One(&SESSIONS),
};
