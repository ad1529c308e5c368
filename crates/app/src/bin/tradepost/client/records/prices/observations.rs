//! Market observations: listings as they were recorded.

use super::super::column::{amount as amounts, id, text as texts, time as times};
use super::super::flag::{of, text, time};
use super::super::{Action, Group, Records, Shows};

pub(crate) static OBSERVATIONS: Records = Records {
    noun: "observation",
    listed_by: "tradepost observations list",
    list: "markets.v1.Markets/ListMarketObservations",
    ids: "observationIds",
    get: "markets.v1.Markets/GetMarketObservations",
    found: "observations",
    one: "observation",
    name: None,
    added: None,
    columns: &[
        id("ID", "id"),
        texts("ITEM", "listing.marketHashName").flexible(),
        texts("MARKETPLACE", "listing.marketplace").flexible(),
        amounts("PRICE", "listing.priceCents"),
        texts("PHASE", "listing.phase").wide(),
        texts("FLOAT", "listing.floatValue").wide(),
        texts("LISTING", "listing.listingId").wide(),
        times("OBSERVED", "listing.observedAt").wide(),
    ],
};

pub(crate) static GROUP: Group = Group {
    name: "observations",
    about: "List and show recorded listings of marketplaces",
    actions: &[
        Action {
            name: "list",
            about: "List recorded listings, the newest first",
            help: "Example:\n  tradepost observations list --item \"AK-47 | Redline (Field-Tested)\"\n\n\
                   A row's id is what tradepost contracts explain takes.",
            operation: "markets.v1.Markets/ListMarketObservations",
            flags: &[
                text("marketplace", "marketplace", "Only of this marketplace"),
                text("item", "marketHashName", "Only of this market name"),
                time("since", "since", "Only from this time on"),
            ],
            shows: Shows::List(&OBSERVATIONS),
        },
        Action {
            name: "show",
            about: "Show everything about a recorded listing",
            help: "Example:\n  tradepost observations show 019ba07c-2c38-7000-8000-000000005e00",
            operation: "markets.v1.Markets/GetMarketObservation",
            flags: &[of("OBSERVATION", &OBSERVATIONS, "Its id")],
            shows: Shows::Whole("observation"),
        },
    ],
};
