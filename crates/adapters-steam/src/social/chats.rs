//! Conversations and their messages. A message is identified by its time and by its number within that second.
//!
//! What was written is data of others: no error has a part of it.

use std::cmp::Reverse;

use tradepost_adapters_outside::ServiceAnswer;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{ChatText, MessagePlace, ShownConversation, ShownMessage};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::game_platform::PlatformResult;
use tradepost_ports::game_platform::social::MessagePage;

use crate::messages::{
    MessageSession, Nothing, RecentMessage, RecentMessagesAnswer, RecentMessagesRequest, SessionsAnswer,
};
use crate::protobuf_call::{self, FIELD};
use crate::reading::{individual, message, time_of, unavailable, whole_seconds};
use crate::routes::{CONVERSATIONS, MESSAGES};
use crate::signed_in::{ACCESS_TOKEN, SignedIn};

/// The most messages of a page.
const ON_A_PAGE: u32 = 50;

/// A part of a conversation that is asked for.
#[derive(Debug, Clone, Copy)]
struct Asked {
    account: PlatformUserId,
    partner: PlatformUserId,
    before: Option<MessagePlace>,
}

/// Reads the conversations of the account.
pub(super) async fn conversations(account: &SignedIn<'_>) -> PlatformResult<Vec<ShownConversation>> {
    let request = protobuf_call::encoded(&Nothing {});
    let query = [(ACCESS_TOKEN, account.token()), (FIELD, request.as_str())];
    read_conversations(&account.ask(protobuf_call::get(CONVERSATIONS, &query)).await?)
}

/// Reads the newest messages of a conversation, or those before a place.
pub(super) async fn messages(
    account: &SignedIn<'_>,
    partner: PlatformUserId,
    before: Option<MessagePlace>,
) -> PlatformResult<MessagePage> {
    let asked = Asked { account: account.user(), partner, before };
    let request = protobuf_call::encoded(&asked.request());
    let query = [(ACCESS_TOKEN, account.token()), (FIELD, request.as_str())];
    asked.read(&account.ask(protobuf_call::get(MESSAGES, &query)).await?)
}

fn read_conversations(answer: &ServiceAnswer) -> PlatformResult<Vec<ShownConversation>> {
    let found: SessionsAnswer = message(answer)?;
    found.sessions.iter().filter_map(|session| conversation(session).transpose()).collect()
}

/// Returns a conversation; nothing for one in which nothing was said.
fn conversation(session: &MessageSession) -> PlatformResult<Option<ShownConversation>> {
    let partner =
        individual(session.accountid_friend).ok_or_else(|| unavailable("a conversation without a partner"))?;
    let last_message_at = time_of(session.last_message.into()).filter(|_| session.last_message > 0);
    let shown = |last_message_at| ShownConversation { partner, last_message_at, unread: session.unread_count };
    Ok(last_message_at.map(shown))
}

impl Asked {
    fn request(self) -> RecentMessagesRequest {
        let of_before = |before: MessagePlace| (seconds(before.sent_at), before.ordinal);
        let (time_last, ordinal_last) = self.before.map_or((0, 0), of_before);
        RecentMessagesRequest {
            steamid1: self.account.number().get(),
            steamid2: self.partner.number().get(),
            count: ON_A_PAGE,
            // Text in brackets is distinguished from markup by it.
            bbcode_format: true,
            time_last,
            ordinal_last,
        }
    }

    fn read(self, answer: &ServiceAnswer) -> PlatformResult<MessagePage> {
        let found: RecentMessagesAnswer = message(answer)?;
        let shown: PlatformResult<Vec<ShownMessage>> = found.messages.iter().map(|said| self.message(said)).collect();
        let mut messages = shown?;
        // Whether the message at the place itself is on the page is not known.
        messages.retain(|shown| self.before.is_none_or(|before| shown.place < before));
        messages.sort_by_key(|shown| Reverse(shown.place));
        if messages.is_empty() && found.more_available {
            return Err(unavailable("no message before one that has older ones"));
        }
        Ok(MessagePage { messages, more: found.more_available })
    }

    fn message(self, said: &RecentMessage) -> PlatformResult<ShownMessage> {
        let author = individual(said.accountid).filter(|author| [self.account, self.partner].contains(author));
        let author = author.ok_or_else(|| unavailable("a message of another account"))?;
        let sent_at = time_of(said.timestamp.into()).filter(|_| said.timestamp > 0);
        let sent_at = sent_at.ok_or_else(|| unavailable("a message without a time"))?;
        let place = MessagePlace { sent_at, ordinal: said.ordinal };
        Ok(ShownMessage { place, is_from_us: author == self.account, text: ChatText::plain(&said.message) })
    }
}

/// Returns a time as a request has it.
pub(super) fn seconds(at: Timestamp) -> u32 {
    u32::try_from(whole_seconds(at)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
