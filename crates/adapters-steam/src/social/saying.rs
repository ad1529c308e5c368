//! Messages that are sent, and conversations that are marked as read.
//!
//! A message is sent by one call, and never by a second one. Its conversation shows whether one without a clear answer was sent, which the caller
//! reads. No error has a part of a text.

use prost::Message;
use tradepost_adapters_outside::ServiceAnswer;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{ChatText, MessagePlace};
use tradepost_domain::trading::friend::FriendRelation;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::social::{SocialRefusal, SocialResult};

use super::chats::seconds;
use super::{friends, of_social, refused};
use crate::eresult::{EResult, LIMITED_FOR};
use crate::messages::{Nothing, ReadMarkRequest, SayAnswer, SayRequest};
use crate::protobuf_call::{self, NoMessage};
use crate::reading::time_of;
use crate::routes::{MARK_READ, SAY};
use crate::writing::{Writing, read_first};

/// The type of a message that is a text.
const TEXT: i32 = 1;
/// The status of a method that Steam does not have.
const NOT_FOUND: u16 = 404;

const LIMITED_ACCOUNT: &str = "Steam does not let a limited account send messages";
const NO_SUCH_METHOD: &str = "Steam does not take this by its web API";

/// Sends a message to a friend, and returns its place. An account that is not one receives none.
pub(super) async fn say(
    writing: &Writing<'_>,
    partner: PlatformUserId,
    text: &ChatText,
    client_id: &ExternalId,
) -> SocialResult<MessagePlace> {
    let relation = of_social(read_first(friends::relation(writing.account(), partner).await))?;
    if relation != FriendRelation::Friend {
        return refused(SocialRefusal::NotAllowed);
    }
    let request = SayRequest {
        steamid: partner.number().get(),
        chat_entry_type: TEXT,
        message: escaped(text.as_str()),
        contains_bbcode: true,
        echo_to_sender: true,
        client_message_id: client_id.as_str().to_owned(),
    };
    place(&of_social(writing.send_about_chat(SAY, &request).await)?)
}

/// Marks a conversation as read until a time, which Steam takes in whole seconds.
pub(super) async fn mark_read(writing: &Writing<'_>, partner: PlatformUserId, until: Timestamp) -> SocialResult<()> {
    let request = ReadMarkRequest { steamid_partner: partner.number().get(), timestamp: seconds(until) };
    message::<Nothing>(&of_social(writing.send_about_chat(MARK_READ, &request).await)?).map(drop)
}

/// The place of a message that was sent.
fn place(answer: &ServiceAnswer) -> SocialResult<MessagePlace> {
    let sent: SayAnswer = message(answer)?;
    let sent_at = time_of(sent.server_timestamp.into()).filter(|_| sent.server_timestamp > 0);
    let sent_at = sent_at.ok_or_else(|| ExternalError::Unknown("its answer names no time".to_owned()))?;
    Ok(MessagePlace { sent_at, ordinal: sent.ordinal })
}

/// Returns the message of an answer to a call that changes something, or what it means that there is none.
fn message<M: Message + Default>(answer: &ServiceAnswer) -> SocialResult<M> {
    if answer.status == NOT_FOUND {
        return refused(SocialRefusal::Other(NO_SUCH_METHOD.to_owned()));
    }
    protobuf_call::message(answer).map_err(|none| match none {
        NoMessage::SignedOut => ExternalError::AuthLost { effect: Effect::Unknown },
        NoMessage::Result(EResult::RATE_LIMIT_EXCEEDED) => {
            ExternalError::RateLimited { retry_after: LIMITED_FOR, effect: Effect::Unknown }
        }
        // Steam looks at what an account may do before it acts.
        NoMessage::Result(EResult::ACCESS_DENIED | EResult::BLOCKED | EResult::ACCOUNT_NOT_FRIENDS) => {
            ExternalError::Rejected(SocialRefusal::NotAllowed)
        }
        NoMessage::Result(EResult::INSUFFICIENT_PRIVILEGE | EResult::LIMITED_USER_ACCOUNT) => {
            ExternalError::Rejected(SocialRefusal::Other(LIMITED_ACCOUNT.to_owned()))
        }
        NoMessage::Result(result) => ExternalError::Unknown(format!("it answered {result}")),
        NoMessage::Unusable(text) => ExternalError::Unknown(text),
    })
}

/// Returns a text in which no bracket is markup. A backslash is escaped where it would escape what follows.
fn escaped(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c == '[' || (c == '\\' && matches!(rest.peek(), Some('[' | ']' | '\\'))) {
            written.push('\\');
        }
        written.push(c);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u32 = 1_752_644_100;

    fn answer(status: u16, result: &str, body: &impl Message) -> ServiceAnswer {
        let headers = vec![("x-eresult", result.to_owned())];
        ServiceAnswer { status, headers, date: None, body: body.encode_to_vec() }
    }

    fn sent(server_timestamp: u32, ordinal: u32) -> SayAnswer {
        SayAnswer { server_timestamp, ordinal }
    }

    fn refusal(result: &str) -> ExternalError<SocialRefusal> {
        place(&answer(200, result, &SayAnswer::default())).unwrap_err()
    }

    #[test]
    fn a_text_that_is_escaped_is_read_as_it_was_written() {
        for (text, written) in [
            ("hello", "hello"),
            ("AK-47 [0.07]", "AK-47 \\[0.07]"),
            ("[b]bold[/b]", "\\[b]bold\\[/b]"),
            ("\\[b]", "\\\\\\[b]"),
            ("a\\\\b", "a\\\\\\b"),
            ("\u{af}\\_(\u{30c4})_/\u{af}", "\u{af}\\_(\u{30c4})_/\u{af}"),
            ("ends with \\", "ends with \\"),
        ] {
            assert_eq!(escaped(text), written, "{text}");
            assert_eq!(ChatText::plain(written).as_str(), text, "{written}");
        }
    }

    #[test]
    fn a_message_that_was_sent_has_its_place_and_one_without_a_time_is_unknown() {
        let shown = place(&answer(200, "1", &sent(SECOND, 2)));
        assert_eq!(shown, Ok(MessagePlace { sent_at: time_of(SECOND.into()).unwrap(), ordinal: 2 }));
        let unknown = place(&answer(200, "1", &sent(0, 2)));
        assert_eq!(unknown, Err(ExternalError::Unknown("its answer names no time".to_owned())));
    }

    #[test]
    fn only_a_result_about_rights_and_a_method_that_is_missing_prove_that_nothing_was_sent() {
        for result in ["15", "40", "111"] {
            assert_eq!(refusal(result), ExternalError::Rejected(SocialRefusal::NotAllowed), "{result}");
        }
        for result in ["24", "112"] {
            assert!(refusal(result).did_nothing(), "{result}");
        }
        for result in ["2", "8", "16", "17", "20", "41", "84", "999", ""] {
            assert!(!refusal(result).did_nothing(), "{result}");
        }
        for status in [302, 400, 401, 403, 405, 500, 502] {
            let failed = place(&answer(status, "1", &sent(SECOND, 0))).unwrap_err();
            assert!(!failed.did_nothing(), "{status}: {failed:?}");
        }
        assert!(place(&answer(404, "1", &sent(SECOND, 0))).unwrap_err().did_nothing());
    }
}
