//! Trade offers of trading accounts.

use super::accounts::ACCOUNTS;
use super::column::{id, name, text as texts, time as times};
use super::flag::{Names, choice, of, record};
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
        name("STATUS", "status"),
        texts("ACCOUNT", "accountName").flexible(),
        texts("PARTNER", "partner").wide(),
        texts("GIVES", "gives.marketHashName").wide(),
        texts("RECEIVES", "receives.marketHashName").wide(),
        texts("PLATFORM ID", "platformOfferId").wide(),
        id("PURCHASE", "purchaseId").wide(),
        id("ITEM", "inventoryItemId").wide(),
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
    about: "List and show trade offers",
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
    ],
};
