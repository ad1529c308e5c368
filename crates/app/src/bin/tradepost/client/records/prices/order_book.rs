//! The order book of an item: what is offered, and what is bid.

use super::super::column::{amount as amounts, id, text as texts, time as times};
use super::super::{Action, Group, Shows};
use super::{GAME, ITEM, PHASE};

pub(crate) static GROUP: Group = Group {
    name: "order-book",
    about: "Show the listings and the bids of an item",
    actions: &[Action {
        name: "",
        about: "",
        help: "Example:\n  tradepost order-book \"AK-47 | Redline (Field-Tested)\"",
        operation: "markets.v1.Markets/GetOrderBook",
        flags: &[ITEM, PHASE, GAME],
        shows: Shows::Two([
            (
                "Asks",
                "asks",
                &[
                    amounts("PRICE", "priceCents"),
                    texts("MARKETPLACE", "marketplace"),
                    texts("LISTING", "listingId").flexible(),
                    times("SEEN", "seenAt"),
                    id("OBSERVATION", "observationId").wide(),
                ],
            ),
            ("Bids", "bids", &[amounts("PRICE", "priceCents"), texts("SOURCE", "source"), times("SEEN", "observedAt")]),
        ]),
    }],
};
