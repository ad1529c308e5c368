//! Filter sets: named rules that select items.

use super::column::{Column, id, text as texts, time as times};
use super::flag::{Flag, Kind, Names, WRITE, amount, choice, kind, number, of, text};
use super::{Action, Group, Records, Shows};

pub(crate) static FILTER_SETS: Records = Records {
    noun: "filter set",
    listed_by: "tradepost filter-sets list",
    list: "contracts.v1.Contracts/ListFilterSets",
    ids: "filterSetIds",
    get: "contracts.v1.Contracts/GetFilterSets",
    found: "filterSets",
    one: "filterSet",
    name: Some("name"),
    added: None,
    columns: &[
        id("ID", "id").wide(),
        texts("NAME", "name").flexible(),
        texts("VERSION", "version"),
        texts("CONTRACTS", "contractCount"),
        times("UPDATED", "updatedAt"),
    ],
};

static RARITIES: Names = Names {
    prefix: "RARITY_",
    all: &["consumer", "industrial", "mil_spec", "restricted", "classified", "covert", "contraband"],
};
static EXTERIORS: Names =
    Names { prefix: "EXTERIOR_", all: &["factory_new", "minimal_wear", "field_tested", "well_worn", "battle_scarred"] };
static CATEGORIES: Names = Names { prefix: "ITEM_CATEGORY_", all: &["normal", "stattrak", "souvenir"] };

const FILTER_SET: Flag = of("FILTER-SET", &FILTER_SETS, "Its name or id");

/// Flags of the rules, which are the same for a new filter set and for a change of one.
macro_rules! with_rules {
    ($($own:expr),* $(,)?) => {
        &[
            $($own,)*
            text("item", "rules.marketHashNames", "Whole market name; repeatable").list().clearable(),
            text("name-contains", "rules.nameContains", "Part of a market name; repeatable").list().clearable(),
            text("weapon", "rules.weapons", "Weapon, such as AK-47; repeatable").list().clearable(),
            choice("rarity", "rules.rarities", &RARITIES, "Rarity; repeatable").list().clearable(),
            choice("exterior", "rules.exteriors", &EXTERIORS, "Exterior; repeatable").list().clearable(),
            choice("category", "rules.categories", &CATEGORIES, "Category; repeatable").list().clearable(),
            text("phase", "rules.phases", "Phase, such as \"Phase 2\"; repeatable").list().clearable(),
            text("float-min", "rules.floatMin", "Least float value, 0 to 1").clearable(),
            text("float-max", "rules.floatMax", "Highest float value, 0 to 1").clearable(),
            number("paint-seed", "rules.paintSeeds", "Pattern seed; repeatable").list().clearable(),
            number("paint-index", "rules.paintIndexes", "Number of the finish; repeatable").list().clearable(),
            kind("sticker", "rules.stickers", Kind::Sticker, "Sticker, least count, most wear; repeatable").list().clearable(),
            text("charm", "rules.charms", "Charm; repeatable").list().clearable(),
            amount("price-min", "rules.priceMinCents", "Lowest price without fee").clearable(),
            amount("price-max", "rules.priceMaxCents", "Highest price without fee").clearable(),
            number("max-trade-lock", "rules.tradeLockMaxDays", "Longest trade lock, in days").clearable(),
            text("exclude-item", "rules.exclude.marketHashNames", "Market name to exclude; repeatable").list().clearable(),
            text("exclude-name-contains", "rules.exclude.nameContains", "Part of names to exclude; repeatable")
                .list()
                .clearable(),
            text("exclude-weapon", "rules.exclude.weapons", "Weapon to exclude; repeatable").list().clearable(),
            choice("exclude-rarity", "rules.exclude.rarities", &RARITIES, "Rarity to exclude; repeatable").list().clearable(),
            choice("exclude-exterior", "rules.exclude.exteriors", &EXTERIORS, "Exterior to exclude; repeatable")
                .list()
                .clearable(),
            choice("exclude-category", "rules.exclude.categories", &CATEGORIES, "Category to exclude; repeatable")
                .list()
                .clearable(),
        ]
    };
}

pub(crate) static GROUP: Group = Group {
    name: "filter-sets",
    about: "List, create, edit, test and delete filter sets",
    actions: &[LIST, SHOW, NEW, CREATE, EDIT, TEST, DELETE],
};

const LIST: Action = Action {
    name: "list",
    about: "List filter sets, the newest first",
    help: "Example:\n  tradepost filter-sets list",
    operation: "contracts.v1.Contracts/ListFilterSets",
    flags: &[],
    shows: Shows::List(&FILTER_SETS),
};
const SHOW: Action = Action {
    name: "show",
    about: "Show the rules of a filter set",
    help: "Examples:\n  tradepost filter-sets show Redline\n  tradepost filter-sets show Redline --version 1",
    operation: "contracts.v1.Contracts/GetFilterSet",
    flags: &[FILTER_SET, number("version", "version", "An earlier version [default: the current one]")],
    shows: Shows::Whole("filterSet"),
};
const NEW: Action = Action {
    name: "new",
    about: "Ask for a filter set on the terminal, and create it",
    help: "Examples:\n  tradepost filter-sets new\n  tradepost filter-sets new --write desk.toml",
    operation: "contracts.v1.Contracts/CreateFilterSet",
    flags: &[WRITE],
    shows: Shows::Asked("filter_sets"),
};
const CREATE: Action = Action {
    name: "create",
    about: "Create a filter set",
    help: "Example:\n  tradepost filter-sets create --name Redline --weapon AK-47 --name-contains Redline \\\n    \
           --exterior field_tested --exterior minimal_wear --float-max 0.25\n\n\
           An item passes if it meets every rule. Of a repeated flag one value is enough.",
    operation: "contracts.v1.Contracts/CreateFilterSet",
    flags: with_rules![text("name", "name", "Its name").required()],
    shows: Shows::One(&FILTER_SETS),
};
const EDIT: Action = Action {
    name: "edit",
    about: "Change a filter set; what is not given stays",
    help: "Examples:\n  tradepost filter-sets edit Redline --price-max 30\n  \
           tradepost filter-sets edit Redline --exterior none --float-max none\n\n\
           A repeated flag replaces all values of its rule, and none removes the rule. Contracts use the new version at once.",
    operation: "contracts.v1.Contracts/UpdateFilterSet",
    flags: with_rules![FILTER_SET, text("name", "name", "New name")],
    shows: Shows::Edited(&FILTER_SETS, &["rules"]),
};
const MATCHES: &[Column] =
    &[id("OBSERVATION", "id"), texts("MATCHED", "matched"), texts("FAILED RULE", "failedRule").flexible()];
const TEST: Action = Action {
    name: "test",
    about: "Test the rules of a filter set on recorded listings",
    help: "Example:\n  tradepost filter-sets test Redline --observation 019ba07c-2c38-7000-8000-000000005e00\n\n\
           tradepost observations list has the ids. Nothing is stored.",
    operation: "contracts.v1.Contracts/TestFilterSet",
    flags: &[
        kind("FILTER-SET", "rules", Kind::PartOf(&FILTER_SETS, "rules"), "Its name or id").argument(),
        kind("observation", "observationIds", Kind::Id, "Id of a recorded listing, at most 200; repeatable")
            .list()
            .required(),
    ],
    shows: Shows::Two([("Tested", "matches", MATCHES), ("Not found", "missingIds", &[id("OBSERVATION", "")])]),
};
const DELETE: Action = Action {
    name: "delete",
    about: "Delete a filter set that no contract names",
    help: "Example:\n  tradepost filter-sets delete Redline",
    operation: "contracts.v1.Contracts/DeleteFilterSet",
    flags: &[FILTER_SET],
    shows: Shows::Done("Deleted filter set"),
};
