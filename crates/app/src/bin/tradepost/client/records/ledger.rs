//! The ledger: double-entry bookkeeping of the money of pools.

use super::column::{Column, amount as amounts, id, name, named, text as texts, time as times};
use super::contracts::CONTRACTS;
use super::flag::{Names, choice, record, time};
use super::pools::POOLS;
use super::{Action, Group, Records, Shows};

/// An entry with one of its legs in the field `leg`.
pub(crate) static LEGS: &[Column] = &[
    times("TIME", "createdAt"),
    name("POSTING", "posting"),
    name("ACCOUNT", "leg.account"),
    amounts("AMOUNT", "leg.amountCents").summed(),
    named("POOL", "poolId", &POOLS),
    texts("ITEM", "marketHashName").flexible(),
    texts("REASON", "reason").wide(),
    named("CONTRACT", "contractId", &CONTRACTS).wide(),
    id("PURCHASE", "purchaseId").wide(),
    id("OWN ITEM", "inventoryItemId").wide(),
    texts("MARKETPLACE", "marketplace").wide(),
    id("ID", "id").wide(),
];

pub(crate) static ENTRIES: Records = Records {
    noun: "ledger entry",
    listed_by: "tradepost ledger",
    list: "contracts.v1.Contracts/ListLedgerEntries",
    ids: "ledgerEntryIds",
    get: "contracts.v1.Contracts/GetLedgerEntries",
    found: "ledgerEntries",
    one: "ledgerEntry",
    name: None,
    added: None,
    columns: LEGS,
};

static ACCOUNTS: Names = Names {
    prefix: "LEDGER_ACCOUNT_",
    all: &[
        "available",
        "reserved",
        "paid_in_transit",
        "refund_due",
        "inventory_at_cost",
        "delivered_at_cost",
        "receivable",
        "fees",
        "realised_pnl",
        "write_offs",
        "capital",
    ],
};

pub(crate) static GROUP: Group = Group {
    name: "ledger",
    about: "List the entries of the ledger",
    actions: &[Action {
        name: "",
        about: "",
        help: "Examples:\n  tradepost ledger --pool Main --account available\n  \
               tradepost ledger --from 2026-01-01 --to 2026-02-01 --limit 10000 -o csv > january.csv\n\n\
               An entry has a row for each account that it moves money of, or with --account for that one. The rows of an\n\
               entry sum to 0. --limit counts entries.",
        operation: "contracts.v1.Contracts/ListLedgerEntries",
        flags: &[
            choice("account", "account", &ACCOUNTS, "Only money of this account"),
            record("pool", "poolId", &POOLS, "Only of this pool"),
            record("contract", "contractId", &CONTRACTS, "Only of this contract"),
            time("from", "from", "From this time on"),
            time("to", "to", "Before this time"),
        ],
        shows: Shows::Legs,
    }],
};
