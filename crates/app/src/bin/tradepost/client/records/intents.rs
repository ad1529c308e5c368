//! Intents: trades that contracts propose.

pub(super) mod would_buys;

use super::column::{Mark, amount as amounts, id, marked_name, name, named, text as texts, time as times};
use super::command::Table;
use super::contracts::CONTRACTS;
use super::flag::{Flag, Kind, Names, amount, choice, kind, of, reason, record, text};
use super::{Action, Group, Records, Shows};

pub(crate) static INTENTS: Records = Records {
    noun: "intent",
    listed_by: "tradepost intents list",
    list: "contracts.v1.Contracts/ListIntents",
    ids: "intentIds",
    get: "contracts.v1.Contracts/GetIntents",
    found: "intents",
    one: "intent",
    name: None,
    added: None,
    columns: &[
        id("ID", "id"),
        name("KIND", "kind").wide(),
        marked_name("STATUS", "status", DRY),
        texts("ITEM", "listing.marketHashName").flexible(),
        texts("MARKETPLACE", "listing.marketplace").wide(),
        amounts("PRICE", "listing.priceCents").summed(),
        amounts("MAX", "listing.maxBuyPriceCents").wide(),
        amounts("FAIR VALUE", "fairValueCents"),
        named("CONTRACT", "contractId", &CONTRACTS).wide(),
        name("APPROVAL", "approvalMode").wide(),
        times("EXPIRES", "expiresAt").wide(),
        name("FAILED CHECK", "failedCheck").wide(),
        texts("REASON", "reason").wide(),
        id("OWN ITEM", "item.inventoryItemId").wide(),
        amounts("LIST PRICE", "item.priceCents").wide(),
    ],
};

/// Such an intent is never executed.
const DRY: Mark = Mark { text: "(dry)", field: "approvalMode", value: "APPROVAL_MODE_DRY_RUN" };

static STATUSES: Names = Names {
    prefix: "INTENT_STATUS_",
    all: &["proposed", "approved", "executing", "succeeded", "failed", "denied", "rejected", "expired", "cancelled"],
};
static KINDS: Names =
    Names { prefix: "INTENT_KIND_", all: &["buy", "list", "reprice", "delist", "deliver", "accept_offer", "transfer"] };

/// The kinds that a person can propose, those that are about an item, and those of these with a price.
static PROPOSED: Names = Names { prefix: "INTENT_KIND_", all: &["buy", "list", "reprice", "delist"] };
const BUY: &[&str] = &["buy"];
const OF_ITEMS: &[&str] = &["list", "reprice", "delist"];
const PRICED: &[&str] = &["list", "reprice"];

const INTENT: Flag = of("INTENT", &INTENTS, "Its id");

pub(crate) static GROUP: Group = Group { name: "intents", about: "", actions: &[LIST, SHOW, CREATE, REJECT, CANCEL] };

/// The actions on intents that are tables.
#[derive(Debug)]
pub(crate) enum IntentsTable {}

impl Table for IntentsTable {
    fn group() -> &'static Group {
        &GROUP
    }
}

const LIST: Action = Action {
    name: "list",
    about: "List intents, the newest first",
    help: "Example:\n  tradepost intents list --status proposed",
    operation: "contracts.v1.Contracts/ListIntents",
    flags: &[
        choice("status", "status", &STATUSES, "Only in this status"),
        choice("kind", "kind", &KINDS, "Only of this kind"),
        record("contract", "contractId", &CONTRACTS, "Only of this contract"),
    ],
    shows: Shows::List(&INTENTS),
};
const SHOW: Action = Action {
    name: "show",
    about: "Show everything about an intent",
    help: "Example:\n  tradepost intents show 019ba07c-2c38-7000-8000-00000000a400",
    operation: "contracts.v1.Contracts/GetIntent",
    flags: &[INTENT],
    shows: Shows::Whole("intent"),
};
const CREATE: Action = Action {
    name: "create",
    about: "Propose a trade for an active contract",
    help: "Examples:\n  tradepost intents create buy \"Redline below value\" --at simulator --listing listing-7 --asset-id 27348562871 \\\n    \
           --name \"AK-47 | Redline (Field-Tested)\" --price 12.00 --fee 0.30\n  \
           tradepost intents create list \"Sell cases\" --item 019ba07c-0cf8-7000-8000-000000008700 --sell-at simulator --ask 14.20\n\n\
           What the contract asks for decides whether it waits for: tradepost intents approve.",
    operation: "contracts.v1.Contracts/CreateIntent",
    flags: &[
        choice("KIND", "kind", &PROPOSED, "What is proposed").argument(),
        of("CONTRACT", &CONTRACTS, "The contract, by name or id"),
        text("at", "listing.marketplace", "buy: the marketplace").required_for("KIND", BUY),
        text("listing", "listing.listingId", "buy: id of the listing there").required_for("KIND", BUY),
        text("asset-id", "listing.listingAssetId", "buy: asset id in the listing").required_for("KIND", BUY),
        text("name", "listing.marketHashName", "buy: market name of the item").required_for("KIND", BUY),
        text("phase", "listing.phase", "buy: its phase, such as \"Phase 2\""),
        amount("price", "listing.priceCents", "buy: the price without fee").required_for("KIND", BUY),
        amount("fee", "listing.platformFeeCents", "buy: fee of the marketplace [default: by what it last reported]"),
        amount("max-price", "listing.maxBuyPriceCents", "buy: most that it may cost [default: price and fee]"),
        kind("item", "item.inventoryItemId", Kind::Id, "list, reprice, delist: id of the item")
            .required_for("KIND", OF_ITEMS),
        text("sell-at", "item.marketplace", "list: the marketplace").required_for("KIND", &["list"]),
        amount("ask", "item.priceCents", "list, reprice: the price to ask").required_for("KIND", PRICED),
    ],
    shows: Shows::One(&INTENTS),
};
const REJECT: Action = Action {
    name: "reject",
    about: "Reject an intent that waits for approval",
    help: "Example:\n  tradepost intents reject 019ba07c-2c38-7000-8000-00000000a400 --reason \"too expensive\"",
    operation: "contracts.v1.Contracts/RejectIntent",
    flags: &[INTENT, reason("Reason, shown with the intent")],
    shows: Shows::One(&INTENTS),
};
const CANCEL: Action = Action {
    name: "cancel",
    about: "Cancel an intent that has not been executed",
    help: "Example:\n  tradepost intents cancel 019ba07c-2c38-7000-8000-00000000a400 --reason \"sold elsewhere\"",
    operation: "contracts.v1.Contracts/CancelIntent",
    flags: &[INTENT, reason("Reason, shown with the intent")],
    shows: Shows::One(&INTENTS),
};
