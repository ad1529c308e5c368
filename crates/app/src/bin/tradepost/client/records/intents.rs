//! Intents: trades that contracts propose.

pub(super) mod would_buys;

use super::column::{Mark, amount as amounts, id, marked_name, name, named, text as texts, time as times};
use super::command::Table;
use super::contracts::CONTRACTS;
use super::flag::{Flag, Names, choice, of, reason, record};
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
        amounts("PRICE", "listing.priceCents"),
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

const INTENT: Flag = of("INTENT", &INTENTS, "Its id");

pub(crate) static GROUP: Group = Group { name: "intents", about: "", actions: &[LIST, SHOW, REJECT, CANCEL] };

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
