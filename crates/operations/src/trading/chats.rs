//! Chats of trading accounts: conversations, their messages, and the texts, which are stored sealed.
//!
//! A text is data. No operation reads it as an instruction.

pub(crate) mod chat_moves;
mod follow;
mod mark_conversation_read;
mod read;
mod record_messages;
mod send_message;
mod texts;

pub use follow::{
    BeginMessage, BegunMessage, ConversationsWith, FailMessage, OpenMessages, RecordConversationReported,
    RecordMessageAnswer, UnreportedConversations,
};
pub use mark_conversation_read::MarkConversationRead;
pub use read::*;
pub use record_messages::RecordMessages;
pub use send_message::SendMessage;
