//! Friends of trading accounts.

use super::super::column::{id, name, named, text as texts, time as times};
use super::super::flag::{Flag, Names, choice, of, record, text};
use super::super::{Action, Group, Records, Shows};
use super::ACCOUNTS;

static FRIENDS: Records = Records {
    noun: "friend",
    listed_by: "tradepost friends list",
    list: "trading.v1.Trading/ListFriends",
    ids: "friendIds",
    get: "trading.v1.Trading/GetFriends",
    found: "friends",
    one: "friend",
    name: None,
    added: None,
    columns: &[
        id("ID", "id"),
        named("ACCOUNT", "accountId", &ACCOUNTS),
        texts("NAME", "name").flexible(),
        name("RELATION", "relation"),
        name("ACTION", "action").wide(),
        name("STATE", "actionState").wide(),
        name("FAILURE", "failure").wide(),
        texts("USER ID", "platformUserId").wide(),
        times("FRIEND SINCE", "friendSince").wide(),
        times("SEEN", "seenAt").wide(),
        texts("NOTE", "note").wide(),
    ],
};
static RELATIONS: Names =
    Names { prefix: "FRIEND_RELATION_", all: &["they_asked", "we_asked", "friend", "blocked", "ignored", "none"] };

const FRIEND: Flag = of("FRIEND", &FRIENDS, "Its id");
const ACCOUNT: Flag = of("ACCOUNT", &ACCOUNTS, "Name or id of our trading account");

pub(crate) static GROUP: Group = Group {
    name: "friends",
    about: "List friends of trading accounts, add, accept and block",
    actions: &[LIST, SHOW, COUNT, ADD, ACCEPT, REMOVE, BLOCK, UNBLOCK, REFRESH],
};

const LIST: Action = Action {
    name: "list",
    about: "List friends, the newest first",
    help: "Example:\n  tradepost friends list --account trader-1 --relation they_asked",
    operation: "trading.v1.Trading/ListFriends",
    flags: &[
        record("account", "accountId", &ACCOUNTS, "Only of this trading account"),
        choice("relation", "relation", &RELATIONS, "Only in this relation"),
    ],
    shows: Shows::List(&FRIENDS),
};
const SHOW: Action = Action {
    name: "show",
    about: "Show everything about a friend",
    help: "Example:\n  tradepost friends show 019ba07c-2c38-7000-8000-00000000f100",
    operation: "trading.v1.Trading/GetFriend",
    flags: &[FRIEND],
    shows: Shows::Whole("friend"),
};
const COUNT: Action = Action {
    name: "count",
    about: "Count friends by relation",
    help: "Example:\n  tradepost friends count",
    operation: "trading.v1.Trading/CountFriends",
    flags: &[],
    shows: Shows::Rows("counts", &[name("RELATION", "relation"), texts("COUNT", "count").summed()]),
};
const ADD: Action = Action {
    name: "add",
    about: "Ask another account of the platform for friendship",
    help: "Example:\n  tradepost friends add trader-1 76561190000000001 --note \"sold us knives\"",
    operation: "trading.v1.Trading/AddFriend",
    flags: &[
        ACCOUNT,
        text("USER", "platformUserId", "The platform's number of the other account").argument(),
        text("note", "note", "Note for people; the other account does not see it"),
    ],
    shows: Shows::One(&FRIENDS),
};
const ACCEPT: Action = Action {
    name: "accept",
    about: "Accept the request of another account",
    help: "Example:\n  tradepost friends accept 019ba07c-2c38-7000-8000-00000000f100",
    operation: "trading.v1.Trading/AcceptFriend",
    flags: &[FRIEND],
    shows: Shows::One(&FRIENDS),
};
const REMOVE: Action = Action {
    name: "remove",
    about: "End a friendship, withdraw our request or decline theirs",
    help: "Example:\n  tradepost friends remove 019ba07c-2c38-7000-8000-00000000f100",
    operation: "trading.v1.Trading/RemoveFriend",
    flags: &[FRIEND],
    shows: Shows::One(&FRIENDS),
};
const BLOCK: Action = Action {
    name: "block",
    about: "Block another account",
    help: "Example:\n  tradepost friends block 019ba07c-2c38-7000-8000-00000000f100",
    operation: "trading.v1.Trading/BlockFriend",
    flags: &[FRIEND],
    shows: Shows::One(&FRIENDS),
};
const UNBLOCK: Action = Action {
    name: "unblock",
    about: "Block another account no longer",
    help: "Example:\n  tradepost friends unblock 019ba07c-2c38-7000-8000-00000000f100",
    operation: "trading.v1.Trading/UnblockFriend",
    flags: &[FRIEND],
    shows: Shows::One(&FRIENDS),
};
const REFRESH: Action = Action {
    name: "refresh",
    about: "Ask for a new look at the friends of an account",
    help: "Example:\n  tradepost friends refresh trader-1\n\nThe engine reads the list in one of its next passes, and every 15 min \
           anyway. An engine that does not trade with the account ends the request after 2 min: NOT READ of tradepost \
           accounts list -o wide is NOT_SERVED then.",
    operation: "trading.v1.Trading/RefreshFriends",
    flags: &[ACCOUNT],
    shows: Shows::Whole(""),
};
