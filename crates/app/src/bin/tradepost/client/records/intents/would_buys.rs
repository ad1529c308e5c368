//! What contracts would buy at marketplaces that are only read.

use super::super::column::{Column, amount as amounts, id, name, named, text as texts, time as times};
use super::super::contracts::CONTRACTS;
use super::super::flag::{Flag, record, time};
use super::super::{Action, Group, Shows};

const COLUMNS: &[Column] = &[
    id("ID", "id").wide(),
    texts("ITEM", "listing.marketHashName").flexible(),
    texts("MARKETPLACE", "listing.marketplace"),
    amounts("PRICE", "listing.priceCents"),
    amounts("FEE", "listing.platformFeeCents").wide(),
    amounts("FAIR VALUE", "fairValueCents"),
    name("LATER", "followUp.outcome"),
    amounts("PRICE LATER", "followUp.priceCents").wide(),
    named("CONTRACT", "contractId", &CONTRACTS).wide(),
    texts("LISTING", "listing.listingId").wide(),
    times("DECIDED", "createdAt"),
];

const CONTRACT: Flag = record("contract", "contractId", &CONTRACTS, "Only of this contract");

pub(crate) static GROUP: Group = Group {
    name: "would-buys",
    about: "Show what contracts would buy at read-only marketplaces",
    actions: &[LIST, REPORT],
};

const LIST: Action = Action {
    name: "list",
    about: "List what contracts would have bought, the newest first",
    help: "Example:\n  tradepost would-buys list --contract \"AK-47 below value\"",
    operation: "contracts.v1.Contracts/ListWouldBuys",
    flags: &[CONTRACT],
    shows: Shows::Pages("intents", COLUMNS),
};
const REPORT: Action = Action {
    name: "report",
    about: "Sum up what contracts would have bought",
    help: "Example:\n  tradepost would-buys report --from 2026-01-01\n\nA row is for each state in which the listing was 10 min later.",
    operation: "contracts.v1.Contracts/GetWouldBuyReport",
    flags: &[
        CONTRACT,
        time("from", "from", "Decided from this time on [default: 30 days before --to]"),
        time("to", "to", "Decided before this time [default: now]"),
    ],
    shows: Shows::Rows(
        "sums",
        &[
            name("LATER", "outcome"),
            texts("COUNT", "count").summed(),
            amounts("COST", "costCents").summed(),
            amounts("FAIR VALUE", "fairValueCents").summed(),
        ],
    ),
};
