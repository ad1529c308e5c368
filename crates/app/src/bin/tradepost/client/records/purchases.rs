//! Purchases.

use super::accounts::ACCOUNTS;
use super::column::{amount as amounts, id, name, named, text as texts, time as times};
use super::contracts::CONTRACTS;
use super::flag::{Flag, Kind, Names, amount, choice, kind, of, reason, record, text, time};
use super::{Action, Group, Records, Shows};

static PURCHASES: Records = Records {
    noun: "purchase",
    listed_by: "tradepost purchases list",
    list: "contracts.v1.Contracts/ListPurchases",
    ids: "purchaseIds",
    get: "contracts.v1.Contracts/GetPurchases",
    found: "purchases",
    one: "purchase",
    name: None,
    added: None,
    columns: &[
        id("ID", "id"),
        texts("ITEM", "marketHashName").flexible(),
        name("STATUS", "status"),
        amounts("PRICE", "listingPriceCents").summed(),
        amounts("FEE", "platformFeeCents").wide(),
        amounts("MAX", "maxBuyPriceCents").wide(),
        amounts("PAID", "executedPriceCents").wide(),
        amounts("REFUNDED", "refundedCents").wide(),
        named("CONTRACT", "contractId", &CONTRACTS).wide(),
        texts("MARKETPLACE", "marketplace").wide(),
        texts("ACCOUNT", "accountName").wide(),
        name("FAILURE", "failureCode").wide(),
        times("CREATED", "createdAt").wide(),
    ],
};

static STATUSES: Names = Names {
    prefix: "PURCHASE_STATUS_",
    all: &[
        "pending",
        "submitted",
        "uncertain",
        "paid",
        "offered",
        "trade_held",
        "traded",
        "settled",
        "failed",
        "cancelled",
        "refund_pending",
        "refunded",
        "reverted",
        "written_off",
    ],
};
static OUTCOMES: Names = Names { prefix: "PURCHASE_OUTCOME_", all: &["delivered", "refunded", "written_off"] };

const STATUS: Flag = choice("status", "statuses", &STATUSES, "Only in this status; repeatable").list();
const CONTRACT: Flag = record("contract", "contractId", &CONTRACTS, "Only of this contract");
const NAME: Flag = text("name", "marketHashName", "Only of this market name, exactly");
const CONTAINS: Flag = text("name-contains", "nameContains", "Only of names with these parts, such as \"ak redline\"");
const MARKETPLACE: Flag = text("marketplace", "marketplace", "Only at this marketplace");
const ACCOUNT: Flag = kind("account", "accountName", Kind::NameOf(&ACCOUNTS), "Only with this trading account");
const FROM: Flag = time("from", "from", "Recorded from this time on");
const TO: Flag = time("to", "to", "Recorded before this time");
const PURCHASE: Flag = of("PURCHASE", &PURCHASES, "Its id");

pub(crate) static GROUP: Group = Group {
    name: "purchases",
    about: "List and show purchases, and resolve those that hang",
    actions: &[LIST, SHOW, COUNT, CANCEL, RECONCILE, RECORD],
};

const LIST: Action = Action {
    name: "list",
    about: "List purchases, the newest first",
    help: "Examples:\n  tradepost purchases list --status uncertain\n  tradepost purchases list --name-contains \"ak redline\" --from 2026-01-01",
    operation: "contracts.v1.Contracts/ListPurchases",
    flags: &[STATUS, CONTRACT, NAME, CONTAINS, MARKETPLACE, ACCOUNT, FROM, TO],
    shows: Shows::List(&PURCHASES),
};
const SHOW: Action = Action {
    name: "show",
    about: "Show everything about a purchase",
    help: "Example:\n  tradepost purchases show 019ba07c-0b38-7000-8000-00000000a400",
    operation: "contracts.v1.Contracts/GetPurchase",
    flags: &[PURCHASE],
    shows: Shows::Whole("purchase"),
};
const COUNT: Action = Action {
    name: "count",
    about: "Count purchases by status",
    help: "Example:\n  tradepost purchases count",
    operation: "contracts.v1.Contracts/CountPurchases",
    flags: &[STATUS, CONTRACT, NAME, CONTAINS, MARKETPLACE, ACCOUNT, FROM, TO],
    shows: Shows::Rows("counts", &[name("STATUS", "status"), texts("COUNT", "count").summed()]),
};
const CANCEL: Action = Action {
    name: "cancel",
    about: "Cancel a purchase before it is sent",
    help: "Example:\n  tradepost purchases cancel 019ba07c-0b38-7000-8000-00000000a400",
    operation: "contracts.v1.Contracts/CancelPurchase",
    flags: &[PURCHASE, reason("Reason, stored in the log of status changes")],
    shows: Shows::One(&PURCHASES),
};
const RECONCILE: Action = Action {
    name: "reconcile",
    about: "Ask the marketplace for the outcome of a purchase",
    help: "Example:\n  tradepost purchases reconcile 019ba07c-0b38-7000-8000-00000000a400",
    operation: "contracts.v1.Contracts/ReconcilePurchase",
    flags: &[PURCHASE],
    shows: Shows::One(&PURCHASES),
};
const RECORD: Action = Action {
    name: "record",
    about: "Record an outcome by hand; asks for a second factor",
    help: "Example:\n  tradepost purchases record 019ba07c-0b38-7000-8000-00000000a400 refunded --evidence case-7 --amount 12.50",
    operation: "contracts.v1.Contracts/RecordPurchaseOutcome",
    flags: &[
        PURCHASE,
        choice("OUTCOME", "outcome", &OUTCOMES, "What happened").argument(),
        text("evidence", "evidence", "What shows it: a statement, a case, a trade").required(),
        amount("amount", "amountCents", "refunded: money that came back"),
        text("asset-id", "assetId", "delivered: asset id of the item"),
    ],
    shows: Shows::One(&PURCHASES),
};
