//! Confirmations of trading accounts.

use super::super::column::{id, name, text as texts, time as times};
use super::super::flag::{Flag, Names, choice, number, of, record};
use super::super::{Action, Group, Records, Shows};
use super::ACCOUNTS;

static CONFIRMATIONS: Records = Records {
    noun: "confirmation",
    listed_by: "tradepost confirmations list",
    list: "trading.v1.Trading/ListConfirmations",
    ids: "confirmationIds",
    get: "trading.v1.Trading/GetConfirmations",
    found: "confirmations",
    one: "confirmation",
    name: None,
    added: None,
    columns: &[
        id("ID", "id"),
        name("KIND", "kind"),
        name("STATUS", "status"),
        texts("ACCOUNT", "accountName").flexible(),
        texts("HEADLINE", "headline").wide(),
        texts("SUMMARY", "summary").wide(),
        texts("PLATFORM ID", "platformConfirmationId").wide(),
        id("OFFER", "tradeOfferId").wide(),
        texts("VERSION", "version").wide(),
        times("CREATED", "createdAt").wide(),
    ],
};
static STATUSES: Names = Names {
    prefix: "CONFIRMATION_STATUS_",
    all: &["seen", "matched", "allowing", "allowed", "denying", "denied", "vanished", "uncertain", "strange"],
};
static KINDS: Names = Names {
    prefix: "CONFIRMATION_KIND_",
    all: &["trade_offer", "market_listing", "api_key", "phone", "recovery", "family", "other"],
};

const CONFIRMATION: Flag = of("CONFIRMATION", &CONFIRMATIONS, "Its id");

pub(crate) static GROUP: Group = Group {
    name: "confirmations",
    about: "Show and answer mobile confirmations",
    actions: &[LIST, SHOW, COUNT, APPROVE, DENY, REFRESH],
};

const LIST: Action = Action {
    name: "list",
    about: "List confirmations, the newest first",
    help: "Example:\n  tradepost confirmations list --account trader-1 --status strange",
    operation: "trading.v1.Trading/ListConfirmations",
    flags: &[
        record("account", "accountId", &ACCOUNTS, "Only of this trading account"),
        choice("status", "status", &STATUSES, "Only in this status"),
        choice("kind", "kind", &KINDS, "Only of this kind"),
    ],
    shows: Shows::List(&CONFIRMATIONS),
};
const SHOW: Action = Action {
    name: "show",
    about: "Show everything about a confirmation, with its checks",
    help: "Example:\n  tradepost confirmations show 019ba07c-4b38-7000-8000-00000000c100",
    operation: "trading.v1.Trading/GetConfirmation",
    flags: &[CONFIRMATION],
    shows: Shows::Whole("confirmation"),
};
const COUNT: Action = Action {
    name: "count",
    about: "Count confirmations by status",
    help: "Example:\n  tradepost confirmations count",
    operation: "trading.v1.Trading/CountConfirmations",
    flags: &[],
    shows: Shows::Rows("counts", &[name("STATUS", "status"), texts("COUNT", "count").summed()]),
};
const APPROVE: Action = Action {
    name: "approve",
    about: "Have the engine allow a confirmation",
    help: "Example:\n  tradepost confirmations approve 019ba07c-4b38-7000-8000-00000000c100 --version 3",
    operation: "trading.v1.Trading/ApproveConfirmation",
    flags: &[
        CONFIRMATION,
        number("version", "expectedVersion", "Version of the confirmation that you have seen").required(),
    ],
    shows: Shows::One(&CONFIRMATIONS),
};
const DENY: Action = Action {
    name: "deny",
    about: "Have the engine deny a confirmation",
    help: "Example:\n  tradepost confirmations deny 019ba07c-4b38-7000-8000-00000000c100",
    operation: "trading.v1.Trading/DenyConfirmation",
    flags: &[CONFIRMATION],
    shows: Shows::One(&CONFIRMATIONS),
};
const REFRESH: Action = Action {
    name: "refresh",
    about: "Have the engine read the confirmations of an account now",
    help: "Example:\n  tradepost confirmations refresh trader-1\n\nIt waits until an engine runs that trades with the account. \
           One that trades without it ends the request after 2 min: NOT READ of tradepost accounts list -o wide is NOT_SERVED \
           then.",
    operation: "trading.v1.Trading/RefreshConfirmations",
    flags: &[record("ACCOUNT", "accountId", &ACCOUNTS, "The trading account").argument()],
    shows: Shows::Whole(""),
};
