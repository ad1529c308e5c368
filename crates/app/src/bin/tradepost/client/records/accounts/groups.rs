//! Groups of trading accounts.

use super::super::column::{id, named, text as texts, time as times};
use super::super::flag::{Flag, of, record, text};
use super::super::{Action, Group, Records, Shows};
use super::ACCOUNTS;

pub(crate) static ACCOUNT_GROUPS: Records = Records {
    noun: "account group",
    listed_by: "tradepost account-groups list",
    list: "trading.v1.Trading/ListAccountGroups",
    ids: "accountGroupIds",
    get: "trading.v1.Trading/GetAccountGroups",
    found: "accountGroups",
    one: "accountGroup",
    name: Some("name"),
    added: None,
    columns: &[
        id("ID", "id").wide(),
        texts("NAME", "name").flexible(),
        named("ACCOUNTS", "accountIds", &ACCOUNTS),
        texts("DESCRIPTION", "description").flexible(),
        times("UPDATED", "updatedAt").wide(),
    ],
};

const ACCOUNT_GROUP: Flag = of("GROUP", &ACCOUNT_GROUPS, "Its name or id");
const MEMBERS: Flag = record("account", "accountIds", &ACCOUNTS, "The account; repeatable").list();
const DESCRIPTION: Flag = text("description", "description", "What it is for");

pub(crate) static GROUP: Group = Group {
    name: "account-groups",
    about: "List groups of trading accounts, and change them",
    actions: &[LIST, SHOW, CREATE, EDIT, ADD, REMOVE, DELETE],
};

const LIST: Action = Action {
    name: "list",
    about: "List groups of trading accounts",
    help: "Example:\n  tradepost account-groups list",
    operation: "trading.v1.Trading/ListAccountGroups",
    flags: &[],
    shows: Shows::List(&ACCOUNT_GROUPS),
};
const SHOW: Action = Action {
    name: "show",
    about: "Show a group with its accounts",
    help: "Example:\n  tradepost account-groups show bots",
    operation: "trading.v1.Trading/GetAccountGroup",
    flags: &[ACCOUNT_GROUP],
    shows: Shows::Whole("accountGroup"),
};
const CREATE: Action = Action {
    name: "create",
    about: "Create a group without accounts",
    help: "Example:\n  tradepost account-groups create --name bots --description \"Accounts that buy\"",
    operation: "trading.v1.Trading/CreateAccountGroup",
    flags: &[text("name", "name", "Its name").required(), DESCRIPTION],
    shows: Shows::One(&ACCOUNT_GROUPS),
};
const EDIT: Action = Action {
    name: "edit",
    about: "Change the name or the description of a group",
    help: "Example:\n  tradepost account-groups edit bots --name buyers",
    operation: "trading.v1.Trading/UpdateAccountGroup",
    flags: &[ACCOUNT_GROUP, text("name", "name", "New name"), DESCRIPTION],
    shows: Shows::One(&ACCOUNT_GROUPS),
};
const ADD: Action = Action {
    name: "add",
    about: "Add accounts to a group",
    help: "Example:\n  tradepost account-groups add bots --account trader-1 --account trader-2",
    operation: "trading.v1.Trading/AddAccountsToGroup",
    flags: &[ACCOUNT_GROUP, MEMBERS.required()],
    shows: Shows::One(&ACCOUNT_GROUPS),
};
const REMOVE: Action = Action {
    name: "remove",
    about: "Remove accounts from a group",
    help: "Example:\n  tradepost account-groups remove bots --account trader-2",
    operation: "trading.v1.Trading/RemoveAccountsFromGroup",
    flags: &[ACCOUNT_GROUP, MEMBERS.required()],
    shows: Shows::One(&ACCOUNT_GROUPS),
};
const DELETE: Action = Action {
    name: "delete",
    about: "Delete a group; its accounts stay",
    help: "Example:\n  tradepost account-groups delete bots",
    operation: "trading.v1.Trading/DeleteAccountGroup",
    flags: &[ACCOUNT_GROUP],
    shows: Shows::Done("Deleted account group"),
};
