//! The log of status changes.

use super::column::{Column, id, name, text as texts, time as times};
use super::command::Table;
use super::flag::{Flag, Names, choice, time};
use super::{Action, Group, Records, Shows};

/// A change of status; `tail` prints these as well.
pub(crate) static TRANSITION: [Column; 8] = [
    times("CREATED", "createdAt"),
    name("SUBJECT", "subjectType").flexible(),
    id("SUBJECT ID", "subjectId"),
    name("FROM", "fromStatus").wide(),
    name("TO", "toStatus").flexible(),
    texts("TRIGGER", "trigger").wide(),
    texts("REASON", "reason").wide(),
    id("ID", "id").wide(),
];

static SUBJECTS: Names = Names {
    prefix: "TRANSITION_SUBJECT_TYPE_",
    all: &[
        "membership",
        "api_key",
        "contract",
        "purchase",
        "inventory_item",
        "pool",
        "intent",
        "account",
        "remediation",
        "provider",
        "trade_offer",
        "inventory_change",
        "import",
        "confirmation",
        "account_session",
        "renewal",
    ],
};

static TRANSITIONS: Records = Records {
    noun: "transition",
    listed_by: "tradepost transitions list",
    list: "contracts.v1.Contracts/ListTransitions",
    ids: "transitionIds",
    get: "contracts.v1.Contracts/GetTransitions",
    found: "transitions",
    one: "transition",
    name: None,
    added: None,
    columns: &TRANSITION,
};

const SUBJECT: Flag = choice("subject", "subjectTypes", &SUBJECTS, "Only of this kind of record; repeatable").list();
const FROM: Flag = time("from", "from", "From this time on");
const TO: Flag = time("to", "to", "Before this time");

const LIST: Action = Action {
    name: "list",
    about: "List changes of status, the newest first",
    help: "Examples:\n  tradepost transitions list --from 2026-01-01 --limit 200\n  tradepost transitions list --subject purchase --subject inventory_item",
    operation: "contracts.v1.Contracts/ListTransitions",
    flags: &[SUBJECT, FROM, TO],
    shows: Shows::List(&TRANSITIONS),
};
const COUNT: Action = Action {
    name: "count",
    about: "Count the newest changes of status by kind of record",
    help: "Example:\n  tradepost transitions count --from 2026-01-01\n\nIt counts at most the newest 5,000.",
    operation: "contracts.v1.Contracts/CountTransitions",
    flags: &[SUBJECT, FROM, TO],
    shows: Shows::Rows("counts", &[name("SUBJECT", "subjectType"), texts("COUNT", "count").summed()]),
};

pub(crate) static GROUP: Group = Group { name: "transitions", about: "", actions: &[LIST, COUNT] };

/// The actions on the log that are tables.
#[derive(Debug)]
pub(crate) enum TransitionsTable {}

impl Table for TransitionsTable {
    fn group() -> &'static Group {
        &GROUP
    }
}
