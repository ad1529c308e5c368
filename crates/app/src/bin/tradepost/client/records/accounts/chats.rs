//! Chats of trading accounts.

use super::super::column::{id, name, named, text as texts, time as times};
use super::super::flag::{Flag, of, record, sets, text, time};
use super::super::{Action, Group, Records, Shows};
use super::ACCOUNTS;

static CONVERSATIONS: Records = Records {
    noun: "conversation",
    listed_by: "tradepost chat list",
    list: "trading.v1.Trading/ListConversations",
    ids: "conversationIds",
    get: "trading.v1.Trading/GetConversations",
    found: "conversations",
    one: "conversation",
    name: None,
    added: None,
    columns: &[
        id("ID", "id"),
        named("ACCOUNT", "accountId", &ACCOUNTS),
        texts("PARTNER", "partner").flexible(),
        texts("UNREAD", "unread"),
        times("LAST MESSAGE", "lastMessageAt").wide(),
        times("READ UNTIL", "readUntil").wide(),
    ],
};
static MESSAGES: Records = Records {
    noun: "message",
    listed_by: "tradepost chat messages CONVERSATION",
    list: "trading.v1.Trading/ListMessages",
    ids: "messageIds",
    get: "trading.v1.Trading/GetMessages",
    found: "messages",
    one: "message",
    name: None,
    added: None,
    columns: &[
        times("SENT", "sentAt"),
        texts("FROM US", "fromUs"),
        name("STATUS", "status"),
        texts("TEXT", "text").flexible(),
        id("ID", "id").wide(),
        name("FAILURE", "failure").wide(),
    ],
};

const CONVERSATION: Flag = of("CONVERSATION", &CONVERSATIONS, "Its id");

pub(crate) static GROUP: Group = Group {
    name: "chat",
    about: "List conversations and messages of accounts, and write",
    actions: &[LIST, SHOW, COUNT, MESSAGE_LIST, SEND, READ],
};

const LIST: Action = Action {
    name: "list",
    about: "List conversations, the newest first",
    help: "Example:\n  tradepost chat list --account trader-1 --unread",
    operation: "trading.v1.Trading/ListConversations",
    flags: &[
        record("account", "accountId", &ACCOUNTS, "Only of this trading account"),
        sets("unread", "unreadOnly", "true", "Only with unread messages"),
    ],
    shows: Shows::List(&CONVERSATIONS),
};
const SHOW: Action = Action {
    name: "show",
    about: "Show everything about a conversation",
    help: "Example:\n  tradepost chat show 019ba07c-2c38-7000-8000-00000000f200",
    operation: "trading.v1.Trading/GetConversation",
    flags: &[CONVERSATION],
    shows: Shows::Whole("conversation"),
};
const COUNT: Action = Action {
    name: "count",
    about: "Count conversations, and those with unread messages",
    help: "Example:\n  tradepost chat count",
    operation: "trading.v1.Trading/CountConversations",
    flags: &[],
    shows: Shows::Whole(""),
};
const MESSAGE_LIST: Action = Action {
    name: "messages",
    about: "List the messages of a conversation, the newest first",
    help: "Example:\n  tradepost chat messages 019ba07c-2c38-7000-8000-00000000f200\n\nMessages are kept for 90 days.",
    operation: "trading.v1.Trading/ListMessages",
    flags: &[CONVERSATION],
    shows: Shows::List(&MESSAGES),
};
const SEND: Action = Action {
    name: "send",
    about: "Send a message from a trading account",
    help: "Example:\n  tradepost chat send trader-1 76561190000000001 \"thanks for the trade\"\n\nThe engine sends it in one of its \
           next passes. `tradepost accounts edit trader-1 --chat` enables its chat.",
    operation: "trading.v1.Trading/SendMessage",
    flags: &[
        of("ACCOUNT", &ACCOUNTS, "Name or id of our trading account"),
        text("PARTNER", "partner", "The platform's number of the partner").argument(),
        text("TEXT", "text", "What to write, at most 2,000 characters").argument(),
    ],
    shows: Shows::One(&MESSAGES),
};
const READ: Action = Action {
    name: "read",
    about: "Mark a conversation as read, also on the platform",
    help: "Example:\n  tradepost chat read 019ba07c-2c38-7000-8000-00000000f200",
    operation: "trading.v1.Trading/MarkConversationRead",
    flags: &[CONVERSATION, time("until", "until", "Until when [default: its last message]")],
    shows: Shows::One(&CONVERSATIONS),
};
