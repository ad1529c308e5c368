//! Changes of the inventories of trading accounts.

use super::super::column::{id, name, named, text as texts, time as times};
use super::super::flag::{Flag, Names, choice, of, reason, record};
use super::super::inventory::ITEMS;
use super::super::{Action, Group, Records, Shows};
use super::ACCOUNTS;

static CHANGES: Records = Records {
    noun: "inventory change",
    listed_by: "tradepost inventory-changes list",
    list: "trading.v1.Trading/ListInventoryChanges",
    ids: "inventoryChangeIds",
    get: "trading.v1.Trading/GetInventoryChanges",
    found: "inventoryChanges",
    one: "inventoryChange",
    name: None,
    added: None,
    columns: &[
        id("ID", "id"),
        name("KIND", "kind"),
        name("STATUS", "status"),
        texts("NAME", "marketHashName").flexible(),
        texts("ASSET ID", "assetId").wide(),
        texts("NEW ASSET ID", "newAssetId").wide(),
        named("ACCOUNT", "accountId", &ACCOUNTS).wide(),
        id("ITEM", "inventoryItemId").wide(),
        texts("TRADE", "tradeId").wide(),
        texts("REASON", "reason").wide(),
        times("RECORDED", "createdAt").wide(),
    ],
};

static KINDS: Names = Names {
    prefix: "INVENTORY_CHANGE_KIND_",
    all: &["appeared", "disappeared", "asset_id_changed", "context_changed", "lock_changed"],
};
static STATUSES: Names =
    Names { prefix: "INVENTORY_CHANGE_STATUS_", all: &["open", "explained", "matched", "ignored"] };

const CHANGE: Flag = of("CHANGE", &CHANGES, "Its id");

pub(crate) static GROUP: Group = Group {
    name: "inventory-changes",
    about: "List changes of inventories, and decide on them",
    actions: &[LIST, SHOW, MATCH, IGNORE],
};

const LIST: Action = Action {
    name: "list",
    about: "List changes, the newest first",
    help: "Example:\n  tradepost inventory-changes list --account trader-1 --status open",
    operation: "trading.v1.Trading/ListInventoryChanges",
    flags: &[
        record("account", "accountId", &ACCOUNTS, "Only of this trading account"),
        choice("kind", "kind", &KINDS, "Only of this kind"),
        choice("status", "status", &STATUSES, "Only in this status"),
    ],
    shows: Shows::List(&CHANGES),
};
const SHOW: Action = Action {
    name: "show",
    about: "Show everything about a change",
    help: "Example:\n  tradepost inventory-changes show 019ba07c-0b38-7000-8000-00000000a600",
    operation: "trading.v1.Trading/GetInventoryChange",
    flags: &[CHANGE],
    shows: Shows::Whole("inventoryChange"),
};
const MATCH: Action = Action {
    name: "match",
    about: "Name the inventory item that a change belongs to",
    help: "Example:\n  tradepost inventory-changes match 019ba07c-0b38-7000-8000-00000000a600 019ba07c-0b38-7000-8000-00000000a100",
    operation: "trading.v1.Trading/MatchInventoryChange",
    flags: &[CHANGE, record("ITEM", "inventoryItemId", &ITEMS, "The inventory item").argument()],
    shows: Shows::One(&CHANGES),
};
const IGNORE: Action = Action {
    name: "ignore",
    about: "Close a change that needs no inventory item",
    help: "Example:\n  tradepost inventory-changes ignore 019ba07c-0b38-7000-8000-00000000a600 --reason \"a gift\"",
    operation: "trading.v1.Trading/IgnoreInventoryChange",
    flags: &[CHANGE, reason("Reason, stored with it").required()],
    shows: Shows::One(&CHANGES),
};
