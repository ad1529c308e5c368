//! Contracts: standing orders to buy or to sell.

use super::column::{amount as amounts, id, name, named, out_of, share as shares, text as texts, time as times};
use super::command::Table;
use super::filter_sets::FILTER_SETS;
use super::flag::{Flag, Names, amount, choice, number, of, reason, record, sets, share, span, text, time};
use super::pools::POOLS;
use super::{Action, Group, Records, Shows};

pub(crate) static CONTRACTS: Records = Records {
    noun: "contract",
    listed_by: "tradepost contracts list",
    list: "contracts.v1.Contracts/ListContracts",
    ids: "contractIds",
    get: "contracts.v1.Contracts/GetContracts",
    found: "contracts",
    one: "contract",
    name: Some("name"),
    added: None,
    columns: &[
        id("ID", "id").wide(),
        texts("NAME", "name").flexible(),
        name("TYPE", "type"),
        name("STATUS", "status"),
        name("REASON", "statusReason").flexible(),
        name("APPROVAL", "approvalMode").wide(),
        out_of("FILLED", "progress.filledQuantity", "buying.targetQuantity"),
        texts("OPEN", "progress.openQuantity"),
        amounts("SPENT", "progress.spentCents").summed(),
        amounts("RESERVED", "progress.reservedCents").summed(),
        named("FILTER SET", "filterSetId", &FILTER_SETS).wide(),
        named("POOL", "poolId", &POOLS).wide(),
        times("UPDATED", "updatedAt").wide(),
    ],
};

static VERSIONS: Records = Records {
    noun: "version",
    listed_by: "tradepost contracts versions",
    list: "contracts.v1.Contracts/ListContractVersions",
    ids: "contractVersionIds",
    get: "contracts.v1.Contracts/GetContractVersions",
    found: "contractVersions",
    one: "contractVersion",
    name: None,
    added: None,
    columns: &[
        id("ID", "id").wide(),
        times("MADE", "createdAt"),
        texts("FROM VERSION", "fromVersion"),
        texts("NAME", "name").flexible().wide(),
        name("APPROVAL", "approvalMode"),
        texts("QUANTITY", "buying.targetQuantity"),
        amounts("MAX PRICE", "buying.maxBuyPriceCents"),
        amounts("BUDGET", "buying.budgetCents"),
        shares("MIN DISCOUNT", "buying.minDiscountBps").wide(),
        amounts("DAILY BUDGET", "buying.dailyBudgetCents").wide(),
        amounts("FLOOR PRICE", "selling.floorPriceCents"),
        amounts("CEILING PRICE", "selling.ceilingPriceCents").wide(),
        named("FILTER SET", "filterSetId", &FILTER_SETS).wide(),
        named("POOL", "poolId", &POOLS).wide(),
    ],
};

static STATUSES: Names = Names {
    prefix: "CONTRACT_STATUS_",
    all: &["draft", "active", "paused", "suspended", "closing", "completed", "cancelled", "expired"],
};
static TYPES: Names = Names { prefix: "CONTRACT_TYPE_", all: &["buying", "selling"] };
static APPROVALS: Names = Names { prefix: "APPROVAL_MODE_", all: &["automatic", "manual", "dry_run"] };
pub(super) static STATISTICS: Names =
    Names { prefix: "PRICE_STATISTIC_", all: &["median", "lowest_ask", "highest_bid", "sales_7d"] };

const CONTRACT: Flag = of("CONTRACT", &CONTRACTS, "Its name or id");
const ENDS: Flag = time("ends", "endsAt", "Time until which it may act, such as 2026-01-31");
const STARTS: Flag = time("starts", "startsAt", "Time from which it may act");
const FILTER_SET: Flag = record("filter-set", "filterSetId", &FILTER_SETS, "Filter set that items must pass");
const POOL: Flag = record("pool", "poolId", &POOLS, "Pool whose money it uses");
const MARKETPLACE: Flag = text("marketplace", "marketplaces", "Marketplace that it acts on; repeatable").list();

/// Flags of the terms, which are the same for a new contract and for a change of one.
macro_rules! with_terms {
    ($($own:expr),* $(,)?) => {
        &[
            $($own,)*
            number("quantity", "buying.targetQuantity", "Buying: items to buy in all"),
            amount("max-price", "buying.maxBuyPriceCents", "Buying: highest price of an item, fee included"),
            amount("budget", "buying.budgetCents", "Buying: most to spend in all"),
            amount("daily-budget", "buying.dailyBudgetCents", "Buying: most to spend within a day").clearable(),
            share("min-discount", "buying.minDiscountBps", "Buying: least discount from the fair value, in percent").clearable(),
            share("min-expected-margin", "buying.minExpectedMarginBps", "Buying: least margin expected after fees, in percent")
                .clearable(),
            number("max-per-item", "buying.maxPerItemName", "Buying: most items of one market name").clearable(),
            number("max-open", "buying.maxOpenPurchases", "Buying: most purchases open at a time").clearable(),
            span("cooldown", "buying.cooldownSeconds", "Buying: least time between two purchases").clearable(),
            number("max-trade-lock", "buying.maxTradeLockDays", "Buying: longest trade lock of an item, in days").clearable(),
            number("min-liquidity", "buying.minLiquidityScore", "Buying: least liquidity score, 0 to 100").clearable(),
            share("min-seller-success", "buying.minSellerSuccessBps", "Buying: least share of trades that the seller completed")
                .clearable(),
            amount("max-daily-loss", "buying.maxDailyLossCents", "Buying: loss on a day that pauses the contract").clearable(),
            amount("floor-price", "selling.floorPriceCents", "Selling: lowest price of an item"),
            share("min-margin", "selling.minMarginBps", "Selling: least margin over cost after fees, in percent").clearable(),
            amount("undercut", "selling.undercutCents", "Selling: amount below the lowest offer of others").clearable(),
            share("undercut-share", "selling.undercutBps", "Selling: percent below the lowest offer of others").clearable(),
            amount("ceiling-price", "selling.ceilingPriceCents", "Selling: highest price of an item").clearable(),
            span("reprice-interval", "selling.repriceIntervalSeconds", "Selling: least time between two changes of a price")
                .clearable(),
            number("max-listings", "selling.maxListings", "Selling: most items on sale at a time").clearable(),
            share("max-below-value", "selling.maxBelowValueBps", "Selling: furthest below the fair value [default: 50]")
                .clearable(),
            share("max-above-value", "selling.maxAboveValueBps", "Selling: furthest above the fair value [default: 50]")
                .clearable(),
            text("source", "priceReference.sources", "Price source of the fair value; repeatable").list(),
            choice("statistic", "priceReference.statistic", &STATISTICS, "Number taken from the price sources"),
            span("max-price-age", "priceReference.maxAgeSeconds", "Oldest price that counts"),
            share("min-confidence", "priceReference.minConfidenceBps", "Least confidence of the fair value, in percent"),
        ]
    };
}

pub(crate) static GROUP: Group = Group {
    name: "contracts",
    about: "",
    actions: &[LIST, SHOW, VERSIONS_OF, CREATE, EDIT, ACTIVATE, PAUSE, RESUME, CANCEL, CLONE, DELETE],
};

/// The actions on contracts that are tables.
#[derive(Debug)]
pub(crate) enum ContractsTable {}

impl Table for ContractsTable {
    fn group() -> &'static Group {
        &GROUP
    }
}

const LIST: Action = Action {
    name: "list",
    about: "List contracts, the newest first",
    help: "Examples:\n  tradepost contracts list --status active\n  tradepost contracts list --type buying -o csv > contracts.csv",
    operation: "contracts.v1.Contracts/ListContracts",
    flags: &[
        choice("status", "status", &STATUSES, "Only in this status"),
        choice("type", "type", &TYPES, "Only of this type"),
    ],
    shows: Shows::List(&CONTRACTS),
};
const SHOW: Action = Action {
    name: "show",
    about: "Show everything about a contract",
    help: "Example:\n  tradepost contracts show \"Redline below value\"",
    operation: "contracts.v1.Contracts/GetContract",
    flags: &[CONTRACT],
    shows: Shows::Whole("contract"),
};
const VERSIONS_OF: Action = Action {
    name: "versions",
    about: "List the terms of a contract after each change",
    help: "Example:\n  tradepost contracts versions \"Redline below value\" -o json\n\nThe newest come first. JSON has all terms of each version, and who made it.",
    operation: "contracts.v1.Contracts/ListContractVersions",
    flags: &[CONTRACT],
    shows: Shows::List(&VERSIONS),
};
const CREATE: Action = Action {
    name: "create",
    about: "Create a draft contract that buys or sells",
    help: "Examples:\n  tradepost contracts create --name \"Redline below value\" --filter-set Redline --pool Main --quantity 10 \\\n    \
           --max-price 25 --budget 200 --min-discount 8 --source simulator\n  \
           tradepost contracts create --name \"Sell cases\" --filter-set Cases --floor-price 1.50 --undercut 0.01\n\n\
           A contract buys with --quantity, --max-price and --budget, and sells with --floor-price. A draft trades after: tradepost\n\
           contracts activate NAME. With --approval manual each of its trades waits for: tradepost intents approve.",
    operation: "contracts.v1.Contracts/CreateContract",
    flags: with_terms![
        text("name", "name", "Its name").required(),
        FILTER_SET,
        POOL,
        choice("approval", "approvalMode", &APPROVALS, "How its trades are approved").or("automatic"),
        MARKETPLACE,
        STARTS,
        ENDS,
    ],
    shows: Shows::One(&CONTRACTS),
};
const EDIT: Action = Action {
    name: "edit",
    about: "Change a contract; what is not given stays",
    help: "Examples:\n  tradepost contracts edit \"Redline below value\" --budget 300 --daily-budget 50\n  \
           tradepost contracts edit \"Redline below value\" --cooldown none --approval manual\n\n\
           A limit is removed by none. A draft can change in every way; an active contract keeps its pool and start. Without a flag \
           it asks on a terminal, with the present terms as defaults.",
    operation: "contracts.v1.Contracts/UpdateContract",
    flags: with_terms![
        CONTRACT,
        text("name", "name", "New name"),
        FILTER_SET,
        sets("no-filter-set", "filterSetId", "\"\"", "Remove the filter set"),
        POOL,
        sets("no-pool", "poolId", "\"\"", "Remove the pool"),
        choice("approval", "approvalMode", &APPROVALS, "How its trades are approved"),
        MARKETPLACE,
        sets("every-marketplace", "everyMarketplace", "true", "Act on every marketplace"),
        STARTS,
        sets("starts-at-activation", "startsAtActivation", "true", "Act from the activation"),
        ENDS,
        sets("never-ends", "neverEnds", "true", "Act without an end"),
        sets("no-price-reference", "noPriceReference", "true", "Remove the price reference"),
    ],
    shows: Shows::Edited(&CONTRACTS, &["buying", "selling", "priceReference"]),
};
const ACTIVATE: Action = Action {
    name: "activate",
    about: "Activate a draft contract",
    help: "Example:\n  tradepost contracts activate \"Redline below value\"",
    operation: "contracts.v1.Contracts/ActivateContract",
    flags: &[CONTRACT],
    shows: Shows::One(&CONTRACTS),
};
const PAUSE: Action = Action {
    name: "pause",
    about: "Pause a contract; open purchases still complete",
    help: "Example:\n  tradepost contracts pause \"Redline below value\" --reason \"too expensive\"",
    operation: "contracts.v1.Contracts/PauseContract",
    flags: &[CONTRACT, reason("Reason, shown with the contract")],
    shows: Shows::One(&CONTRACTS),
};
const RESUME: Action = Action {
    name: "resume",
    about: "Resume a paused contract",
    help: "Example:\n  tradepost contracts resume \"Redline below value\"",
    operation: "contracts.v1.Contracts/ResumeContract",
    flags: &[CONTRACT],
    shows: Shows::One(&CONTRACTS),
};
const CANCEL: Action = Action {
    name: "cancel",
    about: "Cancel a contract permanently; open purchases still complete",
    help: "Example:\n  tradepost contracts cancel \"Redline below value\"",
    operation: "contracts.v1.Contracts/CancelContract",
    flags: &[CONTRACT],
    shows: Shows::One(&CONTRACTS),
};
const CLONE: Action = Action {
    name: "clone",
    about: "Create a draft with the terms of a contract",
    help: "Example:\n  tradepost contracts clone \"Redline below value\" --name \"Redline, second half\"",
    operation: "contracts.v1.Contracts/CloneContract",
    flags: &[CONTRACT, text("name", "name", "Name of the draft").required()],
    shows: Shows::One(&CONTRACTS),
};
const DELETE: Action = Action {
    name: "delete",
    about: "Delete a draft contract",
    help: "Example:\n  tradepost contracts delete \"Sell cases\"",
    operation: "contracts.v1.Contracts/DeleteContract",
    flags: &[CONTRACT],
    shows: Shows::Done("Deleted contract"),
};
