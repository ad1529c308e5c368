//! Conversations and messages on the wire.

use tradepost_domain::trading::chat::{Author, Conversation};
use tradepost_operations::Versioned;
use tradepost_operations::trading::ReadMessage;

use crate::convert::enums::WireEnum as _;
use crate::convert::{wire_id, wire_number, wire_time};
use tradepost_proto::trading::v1 as wire;

pub(crate) fn conversation(Versioned { value, version }: &Versioned<Conversation>) -> wire::Conversation {
    wire::Conversation {
        id: Some(wire_id(value.id)),
        workspace_id: Some(wire_id(value.workspace_id)),
        account_id: Some(wire_id(value.account_id)),
        partner: Some(value.partner.to_string()),
        last_message_at: value.last_message_at.map(wire_time).into(),
        unread: Some(wire_number(value.unread)),
        read_until: value.read_until.map(wire_time).into(),
        version: Some(*version),
        created_at: wire_time(value.created_at).into(),
        updated_at: wire_time(value.updated_at).into(),
    }
}

pub(crate) fn message(ReadMessage { message, text }: &ReadMessage) -> wire::ChatMessage {
    let author = message.author.map(|author| match author {
        Author::User(id) => wire_id(id),
        Author::Key(id) => wire_id(id),
    });
    wire::ChatMessage {
        id: Some(wire_id(message.id)),
        conversation_id: Some(wire_id(message.conversation_id)),
        from_us: Some(message.is_from_us),
        text: Some(text.as_str().to_owned()),
        sent_at: message.place.map(|place| wire_time(place.sent_at)).into(),
        ordinal: message.place.map(|place| wire_number(place.ordinal)),
        status: Some(message.status.to_wire()),
        sent_by: Some(author.unwrap_or_default()),
        failure: Some(message.failure.map(|failure| failure.as_str().to_owned()).unwrap_or_default()),
        created_at: wire_time(message.created_at).into(),
    }
}
