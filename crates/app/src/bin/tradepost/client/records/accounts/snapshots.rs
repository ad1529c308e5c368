//! Snapshots of the inventories of trading accounts.

use super::super::column::{id, name, named, text as texts, time as times};
use super::super::flag::{Flag, Names, choice, of, record};
use super::super::{Action, Group, Records, Shows};
use super::ACCOUNTS;

static SNAPSHOTS: Records = Records {
    noun: "snapshot",
    listed_by: "tradepost snapshots list",
    list: "trading.v1.Trading/ListSnapshots",
    ids: "snapshotIds",
    get: "trading.v1.Trading/GetSnapshots",
    found: "snapshots",
    one: "snapshot",
    name: None,
    added: None,
    columns: &[
        id("ID", "id"),
        named("ACCOUNT", "accountId", &ACCOUNTS).flexible(),
        name("STATUS", "status"),
        texts("ITEMS", "itemCount"),
        texts("CHANGES", "changeCount").wide(),
        times("TAKEN", "takenAt"),
        name("CAUSE", "trigger").wide(),
        texts("FAILURE", "failure").wide(),
        times("ASKED", "createdAt").wide(),
    ],
};

static STATUSES: Names = Names { prefix: "SNAPSHOT_STATUS_", all: &["taking", "complete", "partial", "failed"] };

const SNAPSHOT: Flag = of("SNAPSHOT", &SNAPSHOTS, "Its id");

pub(crate) static GROUP: Group = Group {
    name: "snapshots",
    about: "List, take and compare snapshots of inventories",
    actions: &[LIST, SHOW, CREATE, ITEMS, COMPARE],
};

const LIST: Action = Action {
    name: "list",
    about: "List snapshots, the newest first",
    help: "Example:\n  tradepost snapshots list --account trader-1 --status complete",
    operation: "trading.v1.Trading/ListSnapshots",
    flags: &[
        record("account", "accountId", &ACCOUNTS, "Only of this trading account"),
        choice("status", "status", &STATUSES, "Only in this status"),
    ],
    shows: Shows::List(&SNAPSHOTS),
};
const SHOW: Action = Action {
    name: "show",
    about: "Show everything about a snapshot",
    help: "Example:\n  tradepost snapshots show 019ba07c-0b38-7000-8000-00000000a500",
    operation: "trading.v1.Trading/GetSnapshot",
    flags: &[SNAPSHOT],
    shows: Shows::Whole("snapshot"),
};
const CREATE: Action = Action {
    name: "create",
    about: "Ask for a snapshot, which the engine takes",
    help: "Example:\n  tradepost snapshots create trader-1\n\nIt waits until an engine runs that trades with the account. \
           With one that trades without it, the snapshot fails after 2 min.",
    operation: "trading.v1.Trading/CreateSnapshot",
    flags: &[record("ACCOUNT", "accountId", &ACCOUNTS, "Its trading account").argument()],
    shows: Shows::One(&SNAPSHOTS),
};
const ITEMS: Action = Action {
    name: "items",
    about: "List the items that a snapshot showed",
    help: "Example:\n  tradepost snapshots items 019ba07c-0b38-7000-8000-00000000a500",
    operation: "trading.v1.Trading/ListSnapshotItems",
    flags: &[SNAPSHOT],
    shows: Shows::Pages(
        "items",
        &[
            texts("ASSET ID", "assetId"),
            texts("NAME", "marketHashName").flexible(),
            texts("FLOAT", "floatValue"),
            texts("CONTEXT", "contextId"),
            times("LOCKED UNTIL", "lockedUntil"),
            id("ITEM", "inventoryItemId").wide(),
            texts("SEED", "paintSeed").wide(),
            texts("PHASE", "phase").wide(),
        ],
    ),
};
const COMPARE: Action = Action {
    name: "compare",
    about: "List the differences between two snapshots",
    help: "Example:\n  tradepost snapshots compare 019ba07c-0b38-7000-8000-00000000a500 019ba07c-0b38-7000-8000-00000000a501",
    operation: "trading.v1.Trading/CompareSnapshots",
    flags: &[
        record("FROM", "fromSnapshotId", &SNAPSHOTS, "The earlier snapshot").argument(),
        record("TO", "toSnapshotId", &SNAPSHOTS, "The later snapshot").argument(),
    ],
    shows: Shows::Pages(
        "differences",
        &[
            name("KIND", "kind"),
            texts("ASSET ID", "assetId"),
            texts("NEW ASSET ID", "newAssetId"),
            texts("NAME", "marketHashName").flexible(),
            texts("CONTEXT", "contextId").wide(),
            texts("NEW CONTEXT", "newContextId").wide(),
            texts("FLOAT", "floatValue").wide(),
        ],
    ),
};
