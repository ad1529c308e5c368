//! Fair values of items, and how they changed.

pub(crate) mod observations;
pub(super) mod order_book;
pub(super) mod overrides;

use super::column::{amount as amounts, text as texts, time as times};
use super::contracts::STATISTICS;
use super::flag::{Flag, Names, amount, choice, number, share, span, text, time};
use super::{Action, Group, Shows};

static BUCKETS: Names = Names { prefix: "PRICE_BUCKET_", all: &["hour", "day"] };

const ITEM: Flag = text("ITEM", "marketHashName", "Its market name").argument();
const PHASE: Flag = text("phase", "phase", "Its phase, such as \"Phase 2\"");
const GAME: Flag = number("app", "appId", "Number of the game [default: Counter-Strike 2]");

pub(crate) static GROUP: Group = Group {
    name: "prices",
    about: "Show fair values, their history and rules; estimate sales",
    actions: &[SHOW, HISTORY, NAMES, ESTIMATE, RULES, SET_RULES],
};

const SHOW: Action = Action {
    name: "show",
    about: "Show the fair value of an item and the prices behind it",
    help: "Examples:\n  tradepost prices show \"AK-47 | Redline (Field-Tested)\"\n  \
           tradepost prices show \"★ Karambit | Doppler (Factory New)\" --phase \"Phase 2\"",
    operation: "markets.v1.Markets/GetPrice",
    flags: &[ITEM, PHASE, GAME],
    shows: Shows::Whole("price"),
};
const HISTORY: Action = Action {
    name: "history",
    about: "Show the recorded prices of an item by hour or day",
    help: "Example:\n  tradepost prices history \"AK-47 | Redline (Field-Tested)\" --by day --from 2026-01-01",
    operation: "markets.v1.Markets/ListPriceHistory",
    flags: &[
        ITEM,
        PHASE,
        GAME,
        text("marketplace", "marketplace", "Only at this marketplace"),
        choice("by", "bucket", &BUCKETS, "Time that a row covers").or("day"),
        time("from", "from", "From this time on"),
        time("to", "to", "Before this time"),
    ],
    shows: Shows::Rows(
        "points",
        &[
            times("FROM", "time"),
            amounts("FIRST", "openCents"),
            amounts("HIGHEST", "highCents"),
            amounts("LOWEST", "lowCents"),
            amounts("LAST", "closeCents"),
            texts("LISTINGS", "count"),
        ],
    ),
};
const NAMES: Action = Action {
    name: "names",
    about: "List market names that begin with a text",
    help: "Example:\n  tradepost prices names \"ak-47 |\"\n\nFor words anywhere in a name: tradepost search redline",
    operation: "markets.v1.Markets/ListVariants",
    flags: &[
        text("PREFIX", "prefix", "Beginning of the name, in upper or lower case").argument(),
        number("most", "limit", "Most names [default: 20, at most 200]"),
    ],
    shows: Shows::Rows("marketHashNames", &[texts("ITEM", "")]),
};
const ESTIMATE: Action = Action {
    name: "estimate",
    about: "Estimate the fee and the proceeds of a sale",
    help: "Example:\n  tradepost prices estimate \"AK-47 | Redline (Field-Tested)\" --at simulator --price 14.20\n\n\
           The fee is the one that the marketplace last reported.",
    operation: "markets.v1.Markets/EstimateSale",
    flags: &[
        text("ITEM", "variant.marketHashName", "Its market name").argument(),
        text("phase", "variant.phase", "Its phase, such as \"Phase 2\""),
        number("app", "variant.appId", "Number of the game [default: Counter-Strike 2]"),
        text("at", "marketplace", "The marketplace").required(),
        amount("price", "priceCents", "Price that the buyer pays").required(),
    ],
    shows: Shows::Whole(""),
};
const RULES: Action = Action {
    name: "rules",
    about: "Show which sources give the fair values",
    help: "Example:\n  tradepost prices rules",
    operation: "markets.v1.Markets/GetPricingRules",
    flags: &[],
    shows: Shows::Whole("rules"),
};
const SET_RULES: Action = Action {
    name: "set-rules",
    about: "Replace the rules that give the fair values",
    help: "Example:\n  tradepost prices set-rules --statistic median --max-price-age 1h --min-confidence 50\n\n\
           The rules given replace all of them. A contract with a price reference of its own keeps that.",
    operation: "markets.v1.Markets/UpdatePricingRules",
    flags: &[
        choice("statistic", "priceReference.statistic", &STATISTICS, "Number taken from the price sources").required(),
        span("max-price-age", "priceReference.maxAgeSeconds", "Oldest price that counts, such as 1h").required(),
        text("source", "priceReference.sources", "Price source that counts; repeatable [default: all]").list(),
        share("min-confidence", "priceReference.minConfidenceBps", "Least confidence of a value, in percent").or("0"),
    ],
    shows: Shows::Whole("rules"),
};
