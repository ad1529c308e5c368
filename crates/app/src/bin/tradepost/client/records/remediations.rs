//! Remediations: problems, and what can be done about each.

use super::column::{id, name, named, text as texts, time as times};
use super::flag::{Flag, Kind, Names, amount, choice, kind, of, reason, sets, text, time};
use super::{Action, Group, Records, Shows, USERS};

static REMEDIATIONS: Records = Records {
    noun: "remediation",
    listed_by: "tradepost remediations list",
    list: "contracts.v1.Contracts/ListRemediations",
    ids: "remediationIds",
    get: "contracts.v1.Contracts/GetRemediations",
    found: "remediations",
    one: "remediation",
    name: None,
    added: None,
    columns: &[
        id("ID", "id"),
        name("KIND", "kind").flexible(),
        name("SEVERITY", "severity"),
        name("STATUS", "status"),
        name("OF", "subjectType").wide(),
        id("RECORD", "subjectId").wide(),
        texts("EXPECTED", "evidence.expected").wide(),
        texts("FOUND", "evidence.found").wide(),
        named("ASSIGNEE", "assigneeId", &USERS).wide(),
        times("OPENED", "createdAt").wide(),
        name("ACTIONS", "allowedActions").wide(),
    ],
};

static STATUSES: Names = Names {
    prefix: "REMEDIATION_STATUS_",
    all: &["open", "working", "waiting", "needs_operator", "resolved", "dismissed"],
};
static SEVERITIES: Names = Names { prefix: "REMEDIATION_SEVERITY_", all: &["info", "warning", "critical"] };
pub(super) static KINDS: Names = Names {
    prefix: "REMEDIATION_KIND_",
    all: &[
        "outcome_unknown",
        "paid_not_delivered",
        "late_delivery",
        "overpaid",
        "duplicate_suspect",
        "orphan_item",
        "missing_item",
        "asset_id_mismatch",
        "chain_invalid",
        "trade_reversed",
        "confirmation_stuck",
        "unexpected_confirmation",
        "session_failed",
        "balance_mismatch",
        "fee_mismatch",
        "price_source_stale",
        "provider_down",
        "breaker_open",
        "listing_mismatch",
        "traits_differ",
        "not_served",
        "strange_offer",
        "acknowledge_trades",
        "token_expiring",
        "giving_limit_reached",
    ],
};
static ACTIONS: Names = Names {
    prefix: "REMEDIATION_ACTION_",
    all: &["reconcile", "append_link", "release_reservation", "record_refund", "write_off", "relist"],
};

/// What an item's asset id can be known from.
static SOURCES: Names = Names {
    prefix: "",
    all: &[
        "listing",
        "purchase_trade",
        "inventory",
        "transfer",
        "sale_listing",
        "sale_trade",
        "sale_return",
        "purchase_reversal",
        "import",
        "sale_elsewhere",
    ],
};
/// The actions that need evidence, and those that need a flag of their own, in every spelling.
const SHOWN: &[&str] = &[
    "append_link",
    "append-link",
    "append link",
    "release_reservation",
    "release-reservation",
    "release reservation",
    "record_refund",
    "record-refund",
    "record refund",
    "write_off",
    "write-off",
    "write off",
];
const APPEND: &[&str] = &["append_link", "append-link", "append link"];
const RELEASE: &[&str] = &["release_reservation", "release-reservation", "release reservation"];

const REMEDIATION: Flag = of("REMEDIATION", &REMEDIATIONS, "Its id");

pub(crate) static GROUP: Group = Group {
    name: "remediations",
    about: "List, resolve, assign and dismiss incidents (remediations)",
    actions: &[LIST, SHOW, COUNT, RUN, ASSIGN, DISMISS],
};

const LIST: Action = Action {
    name: "list",
    about: "List remediations, the newest first",
    help: "Examples:\n  tradepost remediations list --status needs_operator\n  tradepost remediations list --severity critical -o wide",
    operation: "contracts.v1.Contracts/ListRemediations",
    flags: &[
        choice("status", "status", &STATUSES, "Only in this status"),
        choice("kind", "kind", &KINDS, "Only of this kind"),
        choice("severity", "severity", &SEVERITIES, "Only of this severity"),
    ],
    shows: Shows::List(&REMEDIATIONS),
};
const SHOW: Action = Action {
    name: "show",
    about: "Show what was expected and found, and the possible actions",
    help: "Example:\n  tradepost remediations show 019ba07c-2080-7000-8000-000000009d00",
    operation: "contracts.v1.Contracts/GetRemediation",
    flags: &[REMEDIATION],
    shows: Shows::Whole("remediation"),
};
const COUNT: Action = Action {
    name: "count",
    about: "Count remediations by status",
    help: "Example:\n  tradepost remediations count",
    operation: "contracts.v1.Contracts/CountRemediations",
    flags: &[],
    shows: Shows::Rows("counts", &[name("STATUS", "status"), texts("COUNT", "count").summed()]),
};
const RUN: Action = Action {
    name: "run",
    about: "Run one of the possible actions of a remediation",
    help: "Examples:\n  tradepost remediations run 019ba07c-2080-7000-8000-000000009d00 reconcile\n  \
           tradepost remediations run 019ba07c-2080-7000-8000-000000009d00 record_refund --evidence case-7 --amount 12.50\n  \
           tradepost remediations run 019ba07c-2080-7000-8000-000000009d00 relist --marketplace simulator --price 14.20\n\n\
           release_reservation, record_refund and write_off ask for a second factor. All but reconcile and relist need --evidence.",
    operation: "contracts.v1.Contracts/RunRemediationAction",
    flags: &[
        REMEDIATION,
        choice("ACTION", "action", &ACTIONS, "What is done; `remediations show` has the allowed ones").argument(),
        text("evidence", "args.evidence", "What shows it: a statement, a case, a snapshot, a trade")
            .required_for("ACTION", SHOWN),
        amount("amount", "args.amountCents", "record_refund: money that came back [default: what was paid]"),
        text("asset-id", "args.assetId", "append_link: asset id that the item has now").required_for("ACTION", APPEND),
        choice("source", "args.source", &SOURCES, "append_link: what gave the item this asset id")
            .required_for("ACTION", APPEND),
        text("marketplace", "args.marketplace", "relist: the marketplace").required_for("ACTION", &["relist"]),
        amount("price", "args.priceCents", "relist: the price").required_for("ACTION", &["relist"]),
        time("first-lookup", "args.absence.firstLookupAt", "release_reservation: first look-up that found no order")
            .required_for("ACTION", RELEASE),
        time("last-lookup", "args.absence.lastLookupAt", "release_reservation: latest look-up that found no order")
            .required_for("ACTION", RELEASE),
        sets(
            "listing-explained",
            "args.absence.listingExplained",
            "true",
            "release_reservation: the listing is on sale, or another buyer has it",
        ),
        sets(
            "balance-unchanged",
            "args.absence.balanceUnchanged",
            "true",
            "release_reservation: the balance is what it was before",
        ),
    ],
    shows: Shows::One(&REMEDIATIONS),
};
const ASSIGN: Action = Action {
    name: "assign",
    about: "Assign a remediation to a member",
    help: "Example:\n  tradepost remediations assign 019ba07c-2080-7000-8000-000000009d00 Trader",
    operation: "contracts.v1.Contracts/AssignRemediation",
    flags: &[REMEDIATION, kind("MEMBER", "userId", Kind::Member, "Name or user id of the member").argument()],
    shows: Shows::Whole("remediation"),
};
const DISMISS: Action = Action {
    name: "dismiss",
    about: "Dismiss a remediation: nothing more is done about it",
    help: "Example:\n  tradepost remediations dismiss 019ba07c-2080-7000-8000-000000009d00 --reason \"known, refunded by hand\"",
    operation: "contracts.v1.Contracts/DismissRemediation",
    flags: &[REMEDIATION, reason("Reason, stored with it").required()],
    shows: Shows::One(&REMEDIATIONS),
};

#[cfg(test)]
mod tests {
    use tradepost::domain::contracts::chain::Source;

    use super::*;

    #[test]
    fn every_source_of_an_asset_id_can_be_named() {
        assert_eq!(SOURCES.all, Source::ALL.iter().map(|source| source.as_str()).collect::<Vec<_>>());
    }
}
