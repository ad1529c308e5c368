//! Trade offers of trading accounts.

use super::accounts::ACCOUNTS;
use super::column::{amount as amounts, id, name, text as texts, time as times};
use super::flag::{Flag, Kind, Names, choice, kind, number, of, record, sets, text as words};
use super::intents::INTENTS;
use super::{Action, Group, Records, Shows};

static OFFERS: Records = Records {
    noun: "trade offer",
    listed_by: "tradepost offers list",
    list: "trading.v1.Trading/ListTradeOffers",
    ids: "tradeOfferIds",
    get: "trading.v1.Trading/GetTradeOffers",
    found: "tradeOffers",
    one: "tradeOffer",
    name: None,
    added: None,
    columns: &[
        id("ID", "id"),
        name("DIRECTION", "direction"),
        name("STATUS", "status").flexible(),
        texts("ACCOUNT", "accountName").flexible(),
        texts("PARTNER", "partner").wide(),
        texts("GIVES", "gives.marketHashName").wide(),
        amounts("VALUE GIVEN", "givenCents").wide(),
        texts("RECEIVES", "receives.marketHashName").wide(),
        texts("PLATFORM ID", "platformOfferId").wide(),
        id("PURCHASE", "purchaseId").wide(),
        id("ITEM", "inventoryItemId").wide(),
        name("ORIGIN", "origin").wide(),
        name("REQUEST", "request").wide(),
        texts("FAILURE", "requestFailure").wide(),
        times("CREATED", "createdAt").wide(),
        times("EXPIRES", "expiresAt").wide(),
    ],
};

static DIRECTIONS: Names = Names { prefix: "TRADE_OFFER_DIRECTION_", all: &["received", "sent"] };
static STATUSES: Names = Names {
    prefix: "TRADE_OFFER_STATUS_",
    all: &[
        "draft",
        "send_uncertain",
        "needs_confirmation",
        "active",
        "accepted",
        "countered",
        "expired",
        "cancelled",
        "declined",
        "invalid_items",
        "cancelled_by_second_factor",
        "in_escrow",
        "invalid",
        "completed",
        "reverted",
        "rolled_back",
        "final",
        "unknown",
    ],
};

pub(crate) static GROUP: Group = Group {
    name: "offers",
    about: "Show, send and answer trade offers",
    actions: &[
        Action {
            name: "list",
            about: "List trade offers, the newest first",
            help: "Example:\n  tradepost offers list --account trader-1 --status needs_confirmation",
            operation: "trading.v1.Trading/ListTradeOffers",
            flags: &[
                record("account", "accountId", &ACCOUNTS, "Only of this trading account"),
                choice("direction", "direction", &DIRECTIONS, "Only in this direction"),
                choice("status", "status", &STATUSES, "Only in this status"),
            ],
            shows: Shows::List(&OFFERS),
        },
        Action {
            name: "show",
            about: "Show everything about a trade offer",
            help: "Example:\n  tradepost offers show 019ba07c-0b38-7000-8000-00000000a400",
            operation: "trading.v1.Trading/GetTradeOffer",
            flags: &[of("OFFER", &OFFERS, "Its id")],
            shows: Shows::Whole("tradeOffer"),
        },
        SEND,
        ACCEPT,
        DECLINE,
        CANCEL,
        REFRESH,
    ],
};

const OFFER: Flag = of("OFFER", &OFFERS, "Its id");
pub(super) const ACCEPT_HOLD: Flag =
    sets("accept-hold", "acceptHold", "true", "Send it even if the platform would hold the items");
const SEND: Action = Action {
    name: "send",
    about: "Have the engine send a trade offer",
    help: "Example:\n  tradepost offers send trader-1 --to 76561190000000009 --token abcdefgh \\\n    --give 27348562871 --message \"for the other account\"",
    operation: "trading.v1.Trading/SendTradeOffer",
    flags: &[
        record("ACCOUNT", "accountId", &ACCOUNTS, "The trading account that sends it").argument(),
        words("to", "partner", "Trade URL of the recipient, or its number").required(),
        words("token", "token", "Token of the recipient's trade URL; with a number"),
        kind("give", "gives", Kind::Asset, "Asset to give, as ASSET or GAME/CONTEXT/ASSET; repeatable").list(),
        kind("receive", "receives", Kind::Asset, "Asset to receive, in the same form; repeatable").list(),
        words("message", "message", "Message to the recipient, up to 128 characters"),
        record("intent", "intentId", &INTENTS, "The intent that it belongs to"),
        ACCEPT_HOLD,
    ],
    shows: Shows::One(&OFFERS),
};
const ACCEPT: Action = Action {
    name: "accept",
    about: "Have the engine accept a received trade offer",
    help: "Example:\n  tradepost offers accept 019ba07c-0b38-7000-8000-00000000a400 --version 3",
    operation: "trading.v1.Trading/AcceptTradeOffer",
    flags: &[
        OFFER,
        number("version", "expectedVersion", "Version of the offer that you have seen").required(),
        sets("accept-hold", "acceptHold", "true", "Accept it even if the platform would hold the items"),
    ],
    shows: Shows::One(&OFFERS),
};
const DECLINE: Action = Action {
    name: "decline",
    about: "Have the engine decline a received trade offer",
    help: "Example:\n  tradepost offers decline 019ba07c-0b38-7000-8000-00000000a400",
    operation: "trading.v1.Trading/DeclineTradeOffer",
    flags: &[OFFER],
    shows: Shows::One(&OFFERS),
};
const CANCEL: Action = Action {
    name: "cancel",
    about: "Have the engine cancel a sent trade offer",
    help: "Example:\n  tradepost offers cancel 019ba07c-0b38-7000-8000-00000000a400",
    operation: "trading.v1.Trading/CancelTradeOffer",
    flags: &[OFFER],
    shows: Shows::One(&OFFERS),
};
const REFRESH: Action = Action {
    name: "refresh",
    about: "Have the engine read the offers of an account now",
    help: "Example:\n  tradepost offers refresh trader-1\n\nIt waits until an engine runs that trades with the account. One that \
           trades without it ends the request after 2 min: NOT READ of tradepost accounts list -o wide is NOT_SERVED then.",
    operation: "trading.v1.Trading/RefreshTradeOffers",
    flags: &[record("ACCOUNT", "accountId", &ACCOUNTS, "The trading account").argument()],
    shows: Shows::Whole(""),
};
