//! Evaluations: what contracts decided on listings and items.

use super::column::{amount as amounts, id, name, named, share as shares, text as texts, time as times};
use super::contracts::CONTRACTS;
use super::flag::{Names, choice, of, record, text};
use super::{Action, Group, Records, Shows};

static EVALUATIONS: Records = Records {
    noun: "evaluation",
    listed_by: "tradepost evaluations list",
    list: "contracts.v1.Contracts/ListEvaluations",
    ids: "evaluationIds",
    get: "contracts.v1.Contracts/GetEvaluations",
    found: "evaluations",
    one: "evaluation",
    name: None,
    added: None,
    columns: &[
        id("ID", "id"),
        name("DECISION", "decision"),
        texts("ITEM", "marketHashName").flexible(),
        amounts("PRICE", "priceCents"),
        amounts("FAIR VALUE", "fairValueCents"),
        amounts("COST", "allInCostCents").wide(),
        amounts("NET", "expectedNetCents").wide(),
        shares("MARGIN", "expectedMarginBps").wide(),
        named("CONTRACT", "contractId", &CONTRACTS).wide(),
        texts("MARKETPLACE", "marketplace").wide(),
        texts("LISTING", "listingId").wide(),
        times("CREATED", "createdAt").wide(),
    ],
};

static DECISIONS: Names = Names { prefix: "EVALUATION_DECISION_", all: &["buy", "skip", "sell", "hold"] };

pub(crate) static GROUP: Group = Group {
    name: "evaluations",
    about: "List what contracts decided, and show why",
    actions: &[
        Action {
            name: "list",
            about: "List stored decisions, the newest first",
            help: "Example:\n  tradepost evaluations list --contract \"Redline below value\" --decision skip",
            operation: "contracts.v1.Contracts/ListEvaluations",
            flags: &[
                record("contract", "contractId", &CONTRACTS, "Only of this contract"),
                choice("decision", "decision", &DECISIONS, "Only these decisions"),
                text("listing", "listingId", "Only on this listing"),
            ],
            shows: Shows::List(&EVALUATIONS),
        },
        Action {
            name: "show",
            about: "Show a decision rule by rule",
            help: "Example:\n  tradepost evaluations show 019ba07c-2c38-7000-8000-000000005e00",
            operation: "contracts.v1.Contracts/GetEvaluation",
            flags: &[of("EVALUATION", &EVALUATIONS, "Its id")],
            shows: Shows::Evaluation,
        },
    ],
};
