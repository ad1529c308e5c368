//! Items that were bought.

use super::accounts::ACCOUNTS;
use super::column::{amount as amounts, id, name, named, text as texts, time as times};
use super::command::Table;
use super::contracts::CONTRACTS;
use super::flag::{Flag, Kind, Names, amount, choice, kind, of, reason, record, sets, text};
use super::intents::INTENTS;
use super::offers::ACCEPT_HOLD;
use super::{Action, Group, Records, Shows};

pub(crate) static ITEMS: Records = Records {
    noun: "item",
    listed_by: "tradepost inventory list",
    list: "contracts.v1.Contracts/ListInventoryItems",
    ids: "inventoryItemIds",
    get: "contracts.v1.Contracts/GetInventoryItems",
    found: "inventoryItems",
    one: "inventoryItem",
    name: None,
    added: None,
    columns: &[
        id("ID", "id"),
        texts("ITEM", "marketHashName").flexible(),
        name("STATUS", "status"),
        amounts("BOUGHT FOR", "buyPriceCents").summed(),
        texts("ASSET", "currentAssetId").wide(),
        texts("ACCOUNT", "accountName").wide(),
        named("CONTRACT", "contractId", &CONTRACTS).wide(),
        amounts("LISTED AT", "listPriceCents").wide(),
        amounts("SOLD FOR", "sellPriceCents").wide(),
        times("LOCKED UNTIL", "lockedUntil").wide(),
        times("UPDATED", "updatedAt").wide(),
    ],
};

static STATUSES: Names = Names {
    prefix: "INVENTORY_ITEM_STATUS_",
    all: &[
        "in_inventory",
        "listing",
        "listed",
        "reserved",
        "delivering",
        "held",
        "sold",
        "settled",
        "missing",
        "reverted",
        "written_off",
    ],
};

const STATUS: Flag = choice("status", "statuses", &STATUSES, "Only in this status; repeatable").list();
const CONTRACT: Flag = record("contract", "contractId", &CONTRACTS, "Only those that this contract bought");
const NAME: Flag = text("name", "marketHashName", "Only those of this market name, exactly");
const CONTAINS: Flag = text("name-contains", "nameContains", "Only of names with these parts, such as \"ak redline\"");
const ACCOUNT: Flag =
    kind("account", "accountName", Kind::NameOf(&ACCOUNTS), "Only those that this trading account holds, or held last");
const MARKETPLACE: Flag =
    text("marketplace", "saleMarketplace", "Only those on sale at this marketplace, or sold there");
const LOCKED: Flag = sets("locked", "locked", "true", "Only those that something keeps from being traded now");
const UNLOCKED: Flag = sets("unlocked", "locked", "false", "Only those that nothing keeps from being traded now");
const ITEM: Flag = of("ITEM", &ITEMS, "Its id");
const AT: Flag = text("at", "marketplace", "The marketplace").required();

pub(crate) static GROUP: Group = Group {
    name: "inventory",
    about: "",
    actions: &[LIST, SHOW, FIND, COUNT, VERIFY, PROFIT, ESTIMATE, SELL, REPRICE, DELIST, TRANSFER, WRITE_OFF],
};

/// The actions on items that are tables.
#[derive(Debug)]
pub(crate) enum InventoryTable {}

impl Table for InventoryTable {
    fn group() -> &'static Group {
        &GROUP
    }
}

const LIST: Action = Action {
    name: "list",
    about: "List items, the newest first",
    help: "Examples:\n  tradepost inventory list --status in_inventory\n  tradepost inventory list --account trader-1 -o wide",
    operation: "contracts.v1.Contracts/ListInventoryItems",
    flags: &[STATUS, CONTRACT, NAME, CONTAINS, ACCOUNT, MARKETPLACE, LOCKED, UNLOCKED],
    shows: Shows::List(&ITEMS),
};
const SHOW: Action = Action {
    name: "show",
    about: "Show everything about an item",
    help: "Example:\n  tradepost inventory show 019ba07c-0cf8-7000-8000-000000008700",
    operation: "contracts.v1.Contracts/GetInventoryItem",
    flags: &[ITEM],
    shows: Shows::Whole("inventoryItem"),
};
const FIND: Action = Action {
    name: "find",
    about: "Find the item that has, or had, an asset id",
    help: "Example:\n  tradepost inventory find 27348562871",
    operation: "contracts.v1.Contracts/FindInventoryItemByAssetID",
    flags: &[text("ASSET", "assetId", "The asset id, in decimal digits").argument()],
    shows: Shows::Whole(""),
};
const VERIFY: Action = Action {
    name: "verify",
    about: "Verify the asset ids of an item against the laws of chains",
    help: "Example:\n  tradepost inventory verify 019ba07c-0cf8-7000-8000-000000008700\n\nEnds with 1 if a law is broken.",
    operation: "contracts.v1.Contracts/VerifyAssetIDChain",
    flags: &[ITEM],
    shows: Shows::Laws("The chain of asset ids keeps every law"),
};
const COUNT: Action = Action {
    name: "count",
    about: "Count items by status",
    help: "Example:\n  tradepost inventory count --contract \"Redline below value\"",
    operation: "contracts.v1.Contracts/CountInventoryItems",
    flags: &[STATUS, CONTRACT, NAME, CONTAINS, ACCOUNT, MARKETPLACE, LOCKED, UNLOCKED],
    shows: Shows::Rows("counts", &[name("STATUS", "status"), texts("COUNT", "count").summed()]),
};
const PROFIT: Action = Action {
    name: "profit",
    about: "Show the profit or loss of one item",
    help: "Example:\n  tradepost inventory profit 019ba07c-0cf8-7000-8000-000000008700",
    operation: "contracts.v1.Contracts/GetItemProfitAndLoss",
    flags: &[ITEM],
    shows: Shows::Whole(""),
};
const ESTIMATE: Action = Action {
    name: "estimate",
    about: "Estimate the fee and the proceeds of selling an item",
    help: "Example:\n  tradepost inventory estimate 019ba07c-0cf8-7000-8000-000000008700 --at simulator --price 14.20",
    operation: "markets.v1.Markets/EstimateSale",
    flags: &[ITEM, AT, amount("price", "priceCents", "Price that the buyer pays").required()],
    shows: Shows::Whole(""),
};
const SELL: Action = Action {
    name: "sell",
    about: "List an item for sale at a marketplace",
    help: "Example:\n  tradepost inventory sell 019ba07c-0cf8-7000-8000-000000008700 --at simulator --price 14.20",
    operation: "contracts.v1.Contracts/ListItemForSale",
    flags: &[ITEM, AT, amount("price", "priceCents", "The price").required()],
    shows: Shows::One(&INTENTS),
};
const REPRICE: Action = Action {
    name: "reprice",
    about: "Change the price of an item that is on sale",
    help: "Example:\n  tradepost inventory reprice 019ba07c-0cf8-7000-8000-000000008700 --price 13.90",
    operation: "contracts.v1.Contracts/RepriceItem",
    flags: &[ITEM, amount("price", "priceCents", "The new price").required()],
    shows: Shows::One(&INTENTS),
};
const DELIST: Action = Action {
    name: "delist",
    about: "Withdraw an item from sale",
    help: "Example:\n  tradepost inventory delist 019ba07c-0cf8-7000-8000-000000008700",
    operation: "contracts.v1.Contracts/DelistItem",
    flags: &[ITEM],
    shows: Shows::One(&INTENTS),
};
const TRANSFER: Action = Action {
    name: "transfer",
    about: "Move an item to another account; asks for a second factor",
    help: "Example:\n  tradepost inventory transfer 019ba07c-0cf8-7000-8000-000000008700 --to trader-2",
    operation: "contracts.v1.Contracts/TransferItem",
    flags: &[
        ITEM,
        record("to", "accountId", &ACCOUNTS, "The account that receives it: its name or id").required(),
        ACCEPT_HOLD,
    ],
    shows: Shows::One(&INTENTS),
};
const WRITE_OFF: Action = Action {
    name: "write-off",
    about: "Write an item off as a loss; asks for a second factor",
    help: "Example:\n  tradepost inventory write-off 019ba07c-0cf8-7000-8000-000000008700 --reason \"account banned\"",
    operation: "contracts.v1.Contracts/WriteOffItem",
    flags: &[ITEM, reason("Reason, stored in the ledger").required()],
    shows: Shows::One(&ITEMS),
};
