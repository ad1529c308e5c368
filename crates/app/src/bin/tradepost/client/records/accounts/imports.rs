//! Imports of trading accounts, of items that they hold, and of purchases and sales made elsewhere.

use super::super::column::{id, name, text as texts, time as times};
use super::super::flag::{Flag, Kind, Names, amount, choice, kind, number, record, sets, text};
use super::super::{Action, Group, Records, Shows};
use super::{CAPABILITIES, groups};

static IMPORTS: Records = Records {
    noun: "import",
    listed_by: "tradepost imports list",
    list: "trading.v1.Trading/ListImports",
    ids: "importIds",
    get: "trading.v1.Trading/GetImports",
    found: "imports",
    one: "importRecord",
    name: None,
    added: None,
    columns: &[
        id("ID", "id"),
        texts("NAME", "name").flexible(),
        name("KIND", "kind").wide(),
        name("FORMAT", "format").wide(),
        name("STATUS", "status"),
        texts("ROWS", "rows"),
        texts("ACCEPTED", "accepted").wide(),
        texts("REJECTED", "rejected"),
        texts("VERSION", "version"),
        times("EXPIRES", "expiresAt").wide(),
        times("CREATED", "createdAt").wide(),
    ],
};

static KINDS: Names = Names { prefix: "IMPORT_KIND_", all: &["accounts", "holdings", "purchases", "sales"] };
static FORMATS: Names = Names {
    prefix: "IMPORT_FORMAT_",
    all: &["mafile", "mafile_bundle", "steamguard_cli", "asf_db", "winauth", "json", "csv"],
};
static STATUSES: Names =
    Names { prefix: "IMPORT_STATUS_", all: &["checked", "applying", "applied", "cancelled", "expired"] };
static OUTCOMES: Names = Names {
    prefix: "IMPORT_ROW_OUTCOME_",
    all: &["will_create", "will_update", "same", "refused", "created", "updated", "failed"],
};

const IMPORT: Flag = record("IMPORT", "importId", &IMPORTS, "Its id").argument();

pub(crate) static GROUP: Group = Group {
    name: "imports",
    about: "Import accounts, their items, purchases and sales",
    actions: &[CREATE, ROWS, APPLY, LIST, SHOW, COUNT, CANCEL],
};

const CREATE: Action = Action {
    name: "create",
    about: "Read and check what a file brings; applies nothing",
    help: "Examples:\n  tradepost imports create maFiles --format mafile-bundle --passphrase-file passphrase.txt --group bots\n  \
           tradepost imports create accounts.csv --format csv\n  tradepost imports create holdings.csv --format csv --kind holdings\n  \
           tradepost imports create purchases.csv --format csv --kind purchases\n  \
           tradepost imports create sales.csv --format csv --kind sales\n\n\
           Of a folder the files that end in .maFile, .json and .db are sent. The import expires after an hour.",
    operation: "trading.v1.Trading/CreateImport",
    flags: &[
        kind("PATH", "content", Kind::Content, "A file, or a folder").argument(),
        choice("format", "format", &FORMATS, "How it is written").required(),
        kind("passphrase-file", "passphrase", Kind::TextFile, "File with the passphrase of encrypted files"),
        record("group", "defaults.accountGroupId", &groups::ACCOUNT_GROUPS, "Group of new accounts"),
        choice("can", "defaults.capabilities", &CAPABILITIES, "What new accounts do; repeatable").list(),
        number("max-items", "defaults.limits.maxInventory", "Most items that a new account holds"),
        number("max-open", "defaults.limits.maxOpenPurchases", "Most purchases of a new account open at a time"),
        amount("min-balance", "defaults.limits.minBalanceCents", "Least balance that a new account keeps"),
        sets("name-after-login", "defaults.nameAfterLogin", "true", "Name accounts after their sign-in names"),
        text("name", "name", "What to call the import"),
        choice("kind", "kind", &KINDS, "What it brings").or("accounts"),
    ],
    shows: Shows::One(&IMPORTS),
};
const ROWS: Action = Action {
    name: "rows",
    about: "List what applying does, or did, with each row",
    help: "Example:\n  tradepost imports rows 0199c0de-0000-7000-8000-000000000001 --outcome refused",
    operation: "trading.v1.Trading/ListImportRows",
    flags: &[IMPORT, choice("outcome", "outcome", &OUTCOMES, "Only with this outcome")],
    shows: Shows::Pages(
        "rows",
        &[
            texts("ROW", "number"),
            texts("KEY", "key").flexible(),
            name("OUTCOME", "outcome"),
            texts("REASON", "reasons.code").flexible(),
            texts("DETAIL", "reasons.detail").flexible(),
            id("ACCOUNT", "accountId").wide(),
            id("ITEM", "inventoryItemId").wide(),
            id("PURCHASE", "purchaseId").wide(),
        ],
    ),
};
const APPLY: Action = Action {
    name: "apply",
    about: "Create and update the records; asks for a second factor",
    help: "Example:\n  tradepost imports apply 0199c0de-0000-7000-8000-000000000001 --version 1\n\nA command that was interrupted \
           continues when it is given again.",
    operation: "trading.v1.Trading/ApplyImport",
    flags: &[IMPORT, number("version", "expectedVersion", "Version whose rows you saw").required()],
    shows: Shows::One(&IMPORTS),
};
const LIST: Action = Action {
    name: "list",
    about: "List imports, the newest first",
    help: "Example:\n  tradepost imports list --status checked",
    operation: "trading.v1.Trading/ListImports",
    flags: &[choice("status", "status", &STATUSES, "Only in this status")],
    shows: Shows::List(&IMPORTS),
};
const SHOW: Action = Action {
    name: "show",
    about: "Show everything about an import",
    help: "Example:\n  tradepost imports show 0199c0de-0000-7000-8000-000000000001",
    operation: "trading.v1.Trading/GetImport",
    flags: &[IMPORT],
    shows: Shows::Whole("importRecord"),
};
const COUNT: Action = Action {
    name: "count",
    about: "Count imports by status",
    help: "Example:\n  tradepost imports count",
    operation: "trading.v1.Trading/CountImports",
    flags: &[],
    shows: Shows::Rows("counts", &[name("STATUS", "status"), texts("COUNT", "count").summed()]),
};
const CANCEL: Action = Action {
    name: "cancel",
    about: "Cancel an import and destroy its content",
    help: "Example:\n  tradepost imports cancel 0199c0de-0000-7000-8000-000000000001",
    operation: "trading.v1.Trading/CancelImport",
    flags: &[IMPORT],
    shows: Shows::One(&IMPORTS),
};
