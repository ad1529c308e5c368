//! Pools: capital with limits, from which contracts buy.

use super::column::{amount as amounts, id, name, text as texts, time as times};
use super::flag::{Flag, Kind, Names, WRITE, amount, choice, kind, of, reason, text};
use super::{Action, Group, Records, Shows};

pub(crate) static POOLS: Records = Records {
    noun: "pool",
    listed_by: "tradepost pools list",
    list: "contracts.v1.Contracts/ListPools",
    ids: "poolIds",
    get: "contracts.v1.Contracts/GetPools",
    found: "pools",
    one: "pool",
    name: Some("name"),
    added: Some(("contracts.v1.Contracts/GetPoolBalance", "balance")),
    columns: &[
        id("ID", "id").wide(),
        texts("NAME", "name").flexible(),
        name("STATUS", "status"),
        amounts("CAPITAL", "balance.capitalCents").summed(),
        amounts("AVAILABLE", "balance.availableCents").summed(),
        amounts("RESERVED", "balance.reservedCents").summed(),
        amounts("IN TRANSIT", "balance.paidInTransitCents").summed().wide(),
        amounts("ITEMS", "balance.inventoryAtCostCents").summed(),
        amounts("RECEIVABLE", "balance.receivableCents").summed().wide(),
        amounts("REALISED", "balance.realisedCents").summed(),
        texts("CURRENCY", "currency").wide(),
        amounts("BUDGET", "limits.budgetCents").wide(),
        amounts("PER PURCHASE", "limits.maxPerPurchaseCents").wide(),
        amounts("PER ITEM", "limits.maxExposurePerItemCents").wide(),
        amounts("PER DAY", "limits.dailyLimitCents").wide(),
        times("UPDATED", "updatedAt").wide(),
    ],
};

static STATUSES: Names = Names { prefix: "POOL_STATUS_", all: &["active", "paused", "archived"] };

const POOL: Flag = of("POOL", &POOLS, "Its name or id");
const PER_PURCHASE: Flag =
    amount("max-per-purchase", "limits.maxPerPurchaseCents", "Most that one purchase may cost").clearable();
const PER_ITEM: Flag =
    amount("max-per-item", "limits.maxExposurePerItemCents", "Most at stake in items of one market name").clearable();
const PER_DAY: Flag =
    amount("daily-limit", "limits.dailyLimitCents", "Most that the purchases of a day may cost together").clearable();

pub(crate) static GROUP: Group = Group {
    name: "pools",
    about: "List, create, edit, fund, pause and archive pools",
    actions: &[LIST, SHOW, BALANCE, CAPITAL, NEW, CREATE, EDIT, FUND, WITHDRAW, PAUSE, RESUME, ARCHIVE],
};

const LIST: Action = Action {
    name: "list",
    about: "List pools with their money",
    help: "Examples:\n  tradepost pools list\n  tradepost pools list --status active -o wide",
    operation: "contracts.v1.Contracts/ListPools",
    flags: &[choice("status", "status", &STATUSES, "Only in this status")],
    shows: Shows::List(&POOLS),
};
const SHOW: Action = Action {
    name: "show",
    about: "Show a pool with its limits",
    help: "Example:\n  tradepost pools show Main",
    operation: "contracts.v1.Contracts/GetPool",
    flags: &[POOL],
    shows: Shows::Whole("pool"),
};
const BALANCE: Action = Action {
    name: "balance",
    about: "Show where the money of a pool is",
    help: "Example:\n  tradepost pools balance Main",
    operation: "contracts.v1.Contracts/GetPoolBalance",
    flags: &[POOL],
    shows: Shows::Whole("balance"),
};
const CAPITAL: Action = Action {
    name: "capital",
    about: "Show where the money of all pools is",
    help: "Example:\n  tradepost pools capital",
    operation: "contracts.v1.Contracts/GetCapital",
    flags: &[],
    shows: Shows::Whole("capital"),
};
const NEW: Action = Action {
    name: "new",
    about: "Ask for a pool on the terminal, and create it",
    help: "Examples:\n  tradepost pools new\n  tradepost pools new --write desk.toml",
    operation: "contracts.v1.Contracts/CreatePool",
    flags: &[WRITE],
    shows: Shows::Asked("pools"),
};
const CREATE: Action = Action {
    name: "create",
    about: "Create a pool, which has no money yet",
    help: "Example:\n  tradepost pools create --name Main --budget 1000 --max-per-purchase 50\n  \
           tradepost pools fund Main 500 --reason \"first deposit\"",
    operation: "contracts.v1.Contracts/CreatePool",
    flags: &[
        text("name", "name", "Its name").required(),
        text("currency", "currency", "Its currency [default: that of the workspace]"),
        amount("budget", "limits.budgetCents", "Most capital that may be deposited").required(),
        PER_PURCHASE,
        PER_ITEM,
        PER_DAY,
    ],
    shows: Shows::One(&POOLS),
};
const EDIT: Action = Action {
    name: "edit",
    about: "Change name or limits of a pool; what is not given stays",
    help: "Example:\n  tradepost pools edit Main --budget 2000 --daily-limit none\n\nA limit is removed by none.",
    operation: "contracts.v1.Contracts/UpdatePool",
    flags: &[
        POOL,
        text("name", "name", "New name"),
        amount("budget", "limits.budgetCents", "Most capital that may be deposited"),
        PER_PURCHASE,
        PER_ITEM,
        PER_DAY,
    ],
    shows: Shows::Edited(&POOLS, &["limits"]),
};
const FUND: Action = Action {
    name: "fund",
    about: "Deposit money into a pool; asks for a second factor",
    help: "Example:\n  tradepost pools fund Main 250.00 --reason \"deposit of March\"",
    operation: "contracts.v1.Contracts/AdjustPoolFunds",
    flags: &[
        POOL,
        amount("AMOUNT", "deltaCents", "How much, such as 250.00").argument(),
        reason("Reason, stored in the ledger").required(),
    ],
    shows: Shows::Whole("balance"),
};
const WITHDRAW: Action = Action {
    name: "withdraw",
    about: "Withdraw money from a pool; asks for a second factor",
    help: "Example:\n  tradepost pools withdraw Main 100.00 --reason \"profit of March\"",
    operation: "contracts.v1.Contracts/AdjustPoolFunds",
    flags: &[
        POOL,
        kind("AMOUNT", "deltaCents", Kind::Withdrawal, "How much, such as 100.00").argument(),
        reason("Reason, stored in the ledger").required(),
    ],
    shows: Shows::Whole("balance"),
};
const PAUSE: Action = Action {
    name: "pause",
    about: "Pause a pool: nothing more is bought from it",
    help: "Example:\n  tradepost pools pause Main --reason \"audit\"",
    operation: "contracts.v1.Contracts/PausePool",
    flags: &[POOL, reason("Reason, stored in the log of status changes")],
    shows: Shows::One(&POOLS),
};
const RESUME: Action = Action {
    name: "resume",
    about: "Resume a paused pool",
    help: "Example:\n  tradepost pools resume Main",
    operation: "contracts.v1.Contracts/ResumePool",
    flags: &[POOL],
    shows: Shows::One(&POOLS),
};
const ARCHIVE: Action = Action {
    name: "archive",
    about: "Archive a pool permanently",
    help: "Example:\n  tradepost pools archive Old\n\nNo contract may work with it, and no money may be bound in it.",
    operation: "contracts.v1.Contracts/ArchivePool",
    flags: &[POOL],
    shows: Shows::One(&POOLS),
};
