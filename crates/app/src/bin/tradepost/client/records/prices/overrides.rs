//! Price overrides: fair values that an operator sets.

use super::super::column::{amount as amounts, id, text as texts, time as times};
use super::super::flag::{Kind, WRITE, amount, kind, of, reason};
use super::super::{Action, Group, Records, Shows};
use super::{GAME, ITEM, PHASE};

static PRICE_OVERRIDES: Records = Records {
    noun: "price override",
    listed_by: "tradepost price-overrides list",
    list: "markets.v1.Markets/ListPriceOverrides",
    ids: "",
    get: "",
    found: "priceOverrides",
    one: "priceOverride",
    name: None,
    added: None,
    columns: &[
        id("ID", "id"),
        texts("ITEM", "variant.marketHashName").flexible(),
        texts("PHASE", "variant.phase").wide(),
        amounts("PRICE", "priceCents"),
        times("EXPIRES", "expiresAt"),
        texts("REASON", "reason").wide(),
        times("CREATED", "createdAt").wide(),
    ],
};

pub(crate) static GROUP: Group = Group {
    name: "price-overrides",
    about: "List, set and delete fair values that replace the sources",
    actions: &[LIST, NEW, SET, DELETE],
};

const LIST: Action = Action {
    name: "list",
    about: "List price overrides, the newest first",
    help: "Example:\n  tradepost price-overrides list",
    operation: "markets.v1.Markets/ListPriceOverrides",
    flags: &[],
    shows: Shows::Pages("priceOverrides", PRICE_OVERRIDES.columns),
};
const NEW: Action = Action {
    name: "new",
    about: "Ask for a price override on the terminal, and create it",
    help: "Examples:\n  tradepost price-overrides new\n  tradepost price-overrides new --write desk.toml",
    operation: "markets.v1.Markets/SetPriceOverride",
    flags: &[WRITE],
    shows: Shows::Asked("price_overrides"),
};
const SET: Action = Action {
    name: "set",
    about: "Set the fair value of an item until a time",
    help: "Example:\n  tradepost price-overrides set \"AK-47 | Redline (Field-Tested)\" 12.50 --until 7d \\\n    \
           --reason \"the sources are wrong\"",
    operation: "markets.v1.Markets/SetPriceOverride",
    flags: &[
        ITEM,
        amount("PRICE", "priceCents", "The fair value, such as 12.50").argument(),
        PHASE,
        GAME,
        kind("until", "expiresAt", Kind::Until, "When it expires: 7d, or a day or time").required(),
        reason("Reason, shown with it").required(),
    ],
    shows: Shows::One(&PRICE_OVERRIDES),
};
const DELETE: Action = Action {
    name: "delete",
    about: "Delete a price override",
    help: "Example:\n  tradepost price-overrides delete 019ba07c-0b38-7000-8000-00000000a400",
    operation: "markets.v1.Markets/DeletePriceOverride",
    flags: &[of("OVERRIDE", &PRICE_OVERRIDES, "Its id")],
    shows: Shows::Done("Deleted price override"),
};
