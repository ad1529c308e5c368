//! The search for records.

use super::column::{id, name, text as texts};
use super::flag::{number, text};
use super::{Action, Group, Shows};

pub(crate) static GROUP: Group = Group {
    name: "search",
    about: "Find records by an identifier or a part of a name",
    actions: &[Action {
        name: "",
        about: "",
        help: "Examples:\n  tradepost search \"ak redline\"\n  tradepost search 41176350921\n  \
               tradepost search listing-7",
        operation: "contracts.v1.Contracts/Search",
        flags: &[
            text("TEXT", "text", "An asset, listing, order or trade, or parts of a name").argument(),
            number("most", "limit", "Most results [default: 20, at most 50]"),
        ],
        shows: Shows::Rows(
            "results",
            &[
                name("KIND", "kind"),
                texts("NAME", "title").flexible(),
                texts("OF", "subtitle").flexible(),
                id("ID", "id"),
            ],
        ),
    }],
};
