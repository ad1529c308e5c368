//! Friends, conversations and messages: the newest message first, in pages of three. A message that is sent twice is there twice, whatever id the
//! client has for it: whether Steam knows it again is not known.

use std::cmp::Reverse;
use std::num::NonZeroU64;

use serde_json::{Value, json};
use time::Duration;
use tradepost_adapters_simulator::SocialCall;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{ChatText, MessagePlace, ShownConversation, ShownMessage};
use tradepost_domain::trading::friend::{FriendRelation, ShownFriend};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::social::{MessagePage, SocialResult};

use super::messages;
use super::replies::{done, failed, refused, signed_in, unauthorized};
use super::sign_in::{ACCESS_DENIED, INVALID_PARAMETER};
use crate::facade::{Asked, Reply};
use crate::state::Fakes;
use crate::steam_bearer::{Bearer, account_number, seconds};

/// The messages of a page: fewer than Steam shows, so that a small world has several pages.
const MESSAGES: usize = 3;

/// The fields in which clients say which messages they want: those before this time, and this place within its second. Clients differ in
/// which pair they use, so that both do here.
const BOUNDARIES: [(&str, &str); 2] = [("time_last", "ordinal_last"), ("rtime32_start_time", "start_ordinal")];

/// A message, and the text with its markup.
struct Written {
    message: ShownMessage,
    text: String,
}

pub(super) fn friends(fakes: &Fakes, asked: &Asked) -> Reply {
    const CARD: &str = "steam-api.friends";
    let Some(bearer) = signed_in(fakes, asked) else { return unauthorized() };
    match bearer.ask_social::<Vec<ShownFriend>>(fakes, SocialCall::Friends) {
        Ok(all) => {
            let friends: Vec<Value> = all.iter().map(shown_friend).collect();
            done(CARD, json!({ "response": { "friendslist": { "bincremental": false, "friends": friends } } }))
        }
        Err(error) => failed(&error, CARD),
    }
}

fn shown_friend(friend: &ShownFriend) -> Value {
    json!({ "ulfriendid": friend.user.to_string(), "efriendrelationship": number(friend.relation) })
}

/// The number of a relation at Steam. 1 is that of a request which was ignored, whatever its name.
const fn number(relation: FriendRelation) -> u32 {
    match relation {
        FriendRelation::None => 0,
        FriendRelation::Ignored => 1,
        FriendRelation::TheyAsked => 2,
        FriendRelation::Friend => 3,
        FriendRelation::WeAsked => 4,
        FriendRelation::Blocked => 5,
    }
}

/// The conversations, the one with the last message first.
pub(super) fn conversations(fakes: &Fakes, asked: &Asked) -> Reply {
    const CARD: &str = "steam-api.conversations";
    let Some(bearer) = signed_in(fakes, asked) else { return unauthorized() };
    if messages::of_request(asked, messages::CONVERSATIONS_REQUEST).is_none() {
        return refused("steam-api.conversations.refused", INVALID_PARAMETER);
    }
    match bearer.ask_social::<Vec<ShownConversation>>(fakes, SocialCall::Conversations) {
        Ok(mut all) => {
            all.sort_by_key(|conversation| Reverse(conversation.last_message_at));
            let sessions: Vec<Value> = all.iter().map(shown_conversation).collect();
            done(CARD, json!({ "sessions": sessions }))
        }
        Err(error) => failed(&error, CARD),
    }
}

/// The world does not show when an account last read. Where something is unread, that time is left out.
fn shown_conversation(conversation: &ShownConversation) -> Value {
    let until = seconds(conversation.last_message_at);
    let mut shown = json!({
        "accountid_friend": account_number(conversation.partner),
        "last_message": until,
        "unread_count": conversation.unread,
    });
    if conversation.unread == 0 {
        shown["last_view"] = json!(until);
    }
    shown
}

/// The messages of a conversation of the account. The first number of a request is its own.
pub(super) fn recent(fakes: &Fakes, asked: &Asked) -> Reply {
    const CARD: &str = "steam-api.messages";
    const REFUSED: &str = "steam-api.messages.refused";
    let Some(bearer) = signed_in(fakes, asked) else { return unauthorized() };
    let request = messages::of_request(asked, messages::RECENT_REQUEST);
    let Some((request, partner)) = request.and_then(|request| named(&request, "steamid2").map(|user| (request, user)))
    else {
        return refused(REFUSED, INVALID_PARAMETER);
    };
    if named(&request, "steamid1") != Some(bearer.user) {
        return refused(REFUSED, ACCESS_DENIED);
    }
    match written(fakes, &bearer, partner) {
        Ok(all) => done(CARD, shown_page(&all, [bearer.user, partner], &request)),
        Err(error) => failed(&error, CARD),
    }
}

/// Sends a message. Markup is read in it if the client says that it has some.
pub(super) fn say(fakes: &Fakes, asked: &Asked) -> Reply {
    const CARD: &str = "steam-api.say";
    const REFUSED: &str = "steam-api.say.refused";
    let Some(bearer) = signed_in(fakes, asked) else { return unauthorized() };
    let request = messages::of_request(asked, messages::SAY_REQUEST).filter(|request| request["chat_entry_type"] == 1);
    let Some(request) = request else { return refused(REFUSED, INVALID_PARAMETER) };
    let (Some(partner), Some(written)) = (named(&request, "steamid"), request["message"].as_str()) else {
        return refused(REFUSED, INVALID_PARAMETER);
    };
    let has_markup = request["contains_bbcode"] == true;
    let text = if has_markup { ChatText::plain(written) } else { ChatText::stored(written) };
    match bearer.ask_social::<MessagePlace>(fakes, SocialCall::Say { partner, text: text.clone() }) {
        Ok(place) => {
            let sent = json!({
                "modified_message": written,
                "server_timestamp": seconds(place.sent_at),
                "ordinal": place.ordinal,
                "message_without_bb_code": text.as_str(),
            });
            done(CARD, sent)
        }
        Err(ExternalError::Rejected(_)) => refused(REFUSED, ACCESS_DENIED),
        Err(error) => failed(&error, CARD),
    }
}

/// Marks a conversation as read. A time that is missing is zero, as in every message.
pub(super) fn mark_read(fakes: &Fakes, asked: &Asked) -> Reply {
    const CARD: &str = "steam-api.read-mark";
    const REFUSED: &str = "steam-api.read-mark.refused";
    let Some(bearer) = signed_in(fakes, asked) else { return unauthorized() };
    let request = messages::of_request(asked, messages::READ_MARK_REQUEST).unwrap_or_default();
    let until = i64::try_from(request["timestamp"].as_u64().unwrap_or_default()).ok();
    let until = until.and_then(|until| Timestamp::from_micros(until.checked_mul(1_000_000)?).ok());
    let (Some(partner), Some(until)) = (named(&request, "steamid_partner"), until) else {
        return refused(REFUSED, INVALID_PARAMETER);
    };
    match bearer.ask_social::<()>(fakes, SocialCall::MarkRead { partner, until }) {
        Ok(()) => done(CARD, json!({})),
        Err(ExternalError::Rejected(_)) => refused(REFUSED, ACCESS_DENIED),
        Err(error) => failed(&error, CARD),
    }
}

fn named(request: &Value, name: &str) -> Option<PlatformUserId> {
    request[name].as_u64().and_then(NonZeroU64::new).map(PlatformUserId::new)
}

/// All messages of a conversation, the newest first.
fn written(fakes: &Fakes, bearer: &Bearer, partner: PlatformUserId) -> SocialResult<Vec<Written>> {
    let (mut messages, mut before) = (Vec::new(), None);
    loop {
        let call = SocialCall::Messages { partner, before };
        let page: MessagePage = bearer.ask_social(fakes, call)?;
        before = page.messages.last().map(|message| message.place);
        messages.extend(page.messages);
        if !page.more || before.is_none() {
            break;
        }
    }
    let texts = fakes.simulator().world(|world| world.said_between(bearer.user, partner));
    let newest_first = messages.into_iter().zip(texts.into_iter().rev());
    Ok(newest_first.map(|(message, text)| Written { message, text }).collect())
}

fn shown_page(all: &[Written], [own, partner]: [PlatformUserId; 2], request: &Value) -> Value {
    let before = boundary(request);
    let is_older = |written: &&Written| before.is_none_or(|before| written.message.place < before);
    let older: Vec<&Written> = all.iter().filter(is_older).collect();
    let wanted = request["count"].as_u64().and_then(|count| usize::try_from(count).ok()).filter(|count| *count > 0);
    let part = older.iter().take(wanted.map_or(MESSAGES, |count| count.min(MESSAGES)));
    let shown = |written: &&Written| {
        let message = &written.message;
        let text = if request["bbcode"] == true { written.text.as_str() } else { message.text.as_str() };
        json!({
            "accountid": account_number(if message.is_from_us { own } else { partner }),
            "timestamp": seconds(message.place.sent_at),
            "message": text,
            "ordinal": message.place.ordinal,
        })
    };
    let shown: Vec<Value> = part.map(shown).collect();
    let is_more = shown.len() < older.len();
    json!({ "messages": shown, "more_available": is_more })
}

/// The place before which messages are wanted; `None` for the newest ones.
fn boundary(request: &Value) -> Option<MessagePlace> {
    let field = |name: &str| request[name].as_u64().and_then(|number| u32::try_from(number).ok());
    let given = |(time, ordinal): (&str, &str)| field(time).filter(|time| *time > 0).map(|time| (time, field(ordinal)));
    let (time, ordinal) = BOUNDARIES.into_iter().find_map(given)?;
    let since_first = Duration::seconds(i64::from(time));
    let sent_at = Timestamp::from_micros(0).ok()?.plus(since_first);
    Some(MessagePlace { sent_at, ordinal: ordinal.unwrap_or_default() })
}
