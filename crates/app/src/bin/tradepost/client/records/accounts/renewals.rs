//! Renewals of the tokens of trading accounts.

use super::super::column::{id, name, named, text as texts, time as times};
use super::super::flag::{Flag, Kind, Names, choice, kind, of, record};
use super::super::{Action, Group, Records, Shows};
use super::ACCOUNTS;

static RENEWALS: Records = Records {
    noun: "renewal",
    listed_by: "tradepost renewals list",
    list: "trading.v1.Trading/ListRenewals",
    ids: "renewalIds",
    get: "trading.v1.Trading/GetRenewals",
    found: "renewals",
    one: "renewal",
    name: None,
    added: None,
    columns: &[
        id("ID", "id"),
        named("ACCOUNT", "accountId", &ACCOUNTS).flexible(),
        name("KIND", "kind").flexible(),
        name("STATUS", "status"),
        times("DUE", "dueAt"),
        times("TOKEN ENDS", "expiresAt").wide(),
        texts("TRIES", "attempts").wide(),
        texts("REQUESTED", "isRequested").wide(),
        texts("VERSION", "version").wide(),
        times("SCHEDULED", "createdAt").wide(),
    ],
};
static STATUSES: Names = Names {
    prefix: "RENEWAL_STATUS_",
    all: &["scheduled", "running", "succeeded", "retrying", "uncertain", "exhausted", "cancelled"],
};
static KINDS: Names = Names { prefix: "RENEWAL_KIND_", all: &["access_token", "refresh_token"] };

const RENEWAL: Flag = of("RENEWAL", &RENEWALS, "Its id");

pub(crate) static GROUP: Group = Group {
    name: "renewals",
    about: "Show, request and cancel renewals of tokens",
    actions: &[LIST, SHOW, COUNT, REQUEST, CANCEL],
};

const LIST: Action = Action {
    name: "list",
    about: "List renewals, the newest first",
    help: "Examples:\n  tradepost renewals list --account trader-1 --kind refresh_token\n  \
           tradepost renewals list --due-before 30d",
    operation: "trading.v1.Trading/ListRenewals",
    flags: &[
        record("account", "accountId", &ACCOUNTS, "Only of this trading account"),
        choice("kind", "kind", &KINDS, "Only of this kind"),
        choice("status", "status", &STATUSES, "Only in this status"),
        kind("due-before", "dueBefore", Kind::Until, "Only open ones due before then: 30d, or a day or time"),
    ],
    shows: Shows::List(&RENEWALS),
};
const SHOW: Action = Action {
    name: "show",
    about: "Show everything about a renewal",
    help: "Example:\n  tradepost renewals show 019ba07c-4b38-7000-8000-00000000c500",
    operation: "trading.v1.Trading/GetRenewal",
    flags: &[RENEWAL],
    shows: Shows::Whole("renewal"),
};
const COUNT: Action = Action {
    name: "count",
    about: "Count renewals by status",
    help: "Example:\n  tradepost renewals count",
    operation: "trading.v1.Trading/CountRenewals",
    flags: &[],
    shows: Shows::Rows("counts", &[name("STATUS", "status"), texts("COUNT", "count").summed()]),
};
const REQUEST: Action = Action {
    name: "request",
    about: "Have the engine renew a token of an account now",
    help: "Example:\n  tradepost renewals request trader-1 refresh_token",
    operation: "trading.v1.Trading/RequestRenewal",
    flags: &[
        record("ACCOUNT", "accountId", &ACCOUNTS, "The trading account").argument(),
        choice("KIND", "kind", &KINDS, "Which token").argument(),
    ],
    shows: Shows::One(&RENEWALS),
};
const CANCEL: Action = Action {
    name: "cancel",
    about: "Cancel a renewal that waits",
    help: "Example:\n  tradepost renewals cancel 019ba07c-4b38-7000-8000-00000000c500",
    operation: "trading.v1.Trading/CancelRenewal",
    flags: &[RENEWAL],
    shows: Shows::One(&RENEWALS),
};
