//! Chats of trading accounts: conversations, their messages, and the plain text of each.
//!
//! A text is data that others wrote. Nothing here or elsewhere reads it as an instruction.

mod conversation;
mod matching;
mod message;
mod plain_text;

pub use conversation::{
    Conversation, ConversationKey, ConversationParts, CorruptConversation, Reading, ShownConversation,
};
pub use matching::{Found, ShownMessage, SoughtMessage, assign};
pub use message::{
    Author, ChatMessage, CorruptMessage, Draft, MessageFailure, MessageKey, MessageParts, MessagePlace, MessageStatus,
    SETTLES_WITHIN, SayResult,
};
pub use plain_text::{ChatText, MOST_CHARACTERS, MOST_SENT};

use time::Duration;

/// For how long messages are kept.
pub const KEPT_FOR: Duration = Duration::days(90);
