//! Assignments: trading accounts that work for pools.

use super::accounts::ACCOUNTS;
use super::accounts::groups::ACCOUNT_GROUPS;
use super::column::{id, name, named, text as texts, time as times};
use super::flag::{Flag, Names, WRITE, choice, number, of, record};
use super::pools::POOLS;
use super::{Action, Group, Records, Shows};

static ASSIGNMENTS: Records = Records {
    noun: "assignment",
    listed_by: "tradepost assignments list",
    list: "contracts.v1.Contracts/ListAssignments",
    ids: "assignmentIds",
    get: "contracts.v1.Contracts/GetAssignments",
    found: "assignments",
    one: "assignment",
    name: None,
    added: None,
    columns: &[
        id("ID", "id"),
        named("POOL", "poolId", &POOLS),
        named("ACCOUNT", "accountId", &ACCOUNTS),
        named("GROUP", "accountGroupId", &ACCOUNT_GROUPS),
        name("ROLES", "roles").flexible(),
        texts("PRIORITY", "priority"),
        texts("MAX OPEN", "limits.maxOpenPurchases").wide(),
        texts("MAX ITEMS", "limits.maxItems").wide(),
        times("UPDATED", "updatedAt").wide(),
    ],
};

static ROLES: Names = Names { prefix: "ASSIGNMENT_ROLE_", all: &["buy", "sell", "store"] };

const ASSIGNMENT: Flag = of("ASSIGNMENT", &ASSIGNMENTS, "Its id");
const POOL: Flag = record("pool", "poolId", &POOLS, "The pool");
const ROLE: Flag = choice("role", "roles", &ROLES, "What the accounts do for the pool; repeatable").list();
const MAX_OPEN: Flag = number("max-open", "limits.maxOpenPurchases", "Most open purchases of each account").clearable();
const MAX_ITEMS: Flag = number("max-items", "limits.maxItems", "Most items that each account holds").clearable();

pub(crate) static GROUP: Group = Group {
    name: "assignments",
    about: "Assign trading accounts to pools",
    actions: &[LIST, SHOW, NEW, CREATE, EDIT, DELETE, RESOLVE],
};

const LIST: Action = Action {
    name: "list",
    about: "List assignments, the newest first",
    help: "Example:\n  tradepost assignments list --pool Main",
    operation: "contracts.v1.Contracts/ListAssignments",
    flags: &[
        record("pool", "poolId", &POOLS, "Only to this pool"),
        record("account", "accountId", &ACCOUNTS, "Only those that name this account itself"),
    ],
    shows: Shows::List(&ASSIGNMENTS),
};
const SHOW: Action = Action {
    name: "show",
    about: "Show an assignment",
    help: "Example:\n  tradepost assignments show 019ba07c-0b38-7000-8000-00000000a400",
    operation: "contracts.v1.Contracts/GetAssignment",
    flags: &[ASSIGNMENT],
    shows: Shows::Whole("assignment"),
};
const NEW: Action = Action {
    name: "new",
    about: "Ask for an assignment on the terminal, and create it",
    help: "Examples:\n  tradepost assignments new\n  tradepost assignments new --write desk.toml",
    operation: "contracts.v1.Contracts/CreateAssignment",
    flags: &[WRITE],
    shows: Shows::Asked("assignments"),
};
const CREATE: Action = Action {
    name: "create",
    about: "Assign an account, or a group of accounts, to a pool",
    help: "Examples:\n  tradepost assignments create --pool Main --account trader-1 --role buy --role sell\n  \
           tradepost assignments create --pool Main --group bots --role store --priority 1",
    operation: "contracts.v1.Contracts/CreateAssignment",
    flags: &[
        POOL.required(),
        record("account", "accountId", &ACCOUNTS, "The account; either this or --group"),
        record("group", "accountGroupId", &ACCOUNT_GROUPS, "The group of accounts"),
        ROLE.required(),
        number("priority", "priority", "Lower numbers come first").or("0"),
        MAX_OPEN,
        MAX_ITEMS,
    ],
    shows: Shows::One(&ASSIGNMENTS),
};
const EDIT: Action = Action {
    name: "edit",
    about: "Change an assignment; what is not given stays",
    help: "Example:\n  tradepost assignments edit 019ba07c-0b38-7000-8000-00000000a400 --priority 2 --max-items none",
    operation: "contracts.v1.Contracts/UpdateAssignment",
    flags: &[ASSIGNMENT, ROLE, number("priority", "priority", "Lower numbers come first"), MAX_OPEN, MAX_ITEMS],
    shows: Shows::Edited(&ASSIGNMENTS, &["limits"]),
};
const DELETE: Action = Action {
    name: "delete",
    about: "Delete an assignment",
    help: "Example:\n  tradepost assignments delete 019ba07c-0b38-7000-8000-00000000a400",
    operation: "contracts.v1.Contracts/DeleteAssignment",
    flags: &[ASSIGNMENT],
    shows: Shows::Done("Deleted assignment"),
};
const RESOLVE: Action = Action {
    name: "resolve",
    about: "Show which accounts can work for a pool now, in their order",
    help: "Example:\n  tradepost assignments resolve Main buy",
    operation: "contracts.v1.Contracts/ResolveAssignment",
    flags: &[of("POOL", &POOLS, "Its name or id"), choice("ROLE", "role", &ROLES, "What the accounts do").argument()],
    shows: Shows::Rows(
        "accounts",
        &[
            texts("ACCOUNT", "accountName").flexible(),
            texts("ELIGIBLE", "eligible"),
            texts("REASON", "reason"),
            texts("DETAIL", "detail").flexible(),
            id("ASSIGNMENT", "assignmentId").wide(),
        ],
    ),
};
