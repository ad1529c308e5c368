//! Conversations and messages as Steam writes them.

use prost::Message;
use tradepost_ports::external::{Effect, ExternalError};

use super::*;
use crate::reading::tests::{NOW, at, unknown_text};

/// The short numbers of both accounts.
const US: u32 = 86_702_473;
const THEM: u32 = 86_702_474;
const SECOND: u32 = 1_752_644_100;

fn answer(result: &str, body: &impl Message) -> ServiceAnswer {
    let headers = vec![("x-eresult", result.to_owned())];
    ServiceAnswer { status: 200, headers, date: time_of(NOW), body: body.encode_to_vec() }
}

fn session(partner: u32, last: u32, unread: u32) -> MessageSession {
    MessageSession { accountid_friend: partner, last_message: last, unread_count: unread }
}

fn conversations_of(sessions: Vec<MessageSession>) -> PlatformResult<Vec<ShownConversation>> {
    read_conversations(&answer("1", &SessionsAnswer { sessions }))
}

fn said(author: u32, timestamp: u32, ordinal: u32) -> RecentMessage {
    RecentMessage { accountid: author, timestamp, message: "[b]hi[/b] \\[0.07]".to_owned(), ordinal }
}

fn place(timestamp: u32, ordinal: u32) -> MessagePlace {
    MessagePlace { sent_at: at(timestamp.into()), ordinal }
}

fn asked(before: Option<MessagePlace>) -> Asked {
    Asked { account: individual(US).unwrap(), partner: individual(THEM).unwrap(), before }
}

fn page(before: Option<MessagePlace>, messages: Vec<RecentMessage>, more: bool) -> PlatformResult<MessagePage> {
    asked(before).read(&answer("1", &RecentMessagesAnswer { messages, more_available: more }))
}

fn places(page: PlatformResult<MessagePage>) -> Vec<MessagePlace> {
    page.unwrap().messages.iter().map(|shown| shown.place).collect()
}

#[test]
fn a_conversation_has_its_partner_its_last_message_and_what_is_unread() {
    let partner = individual(THEM).unwrap();
    let shown = ShownConversation { partner, last_message_at: at(SECOND.into()), unread: 2 };
    assert_eq!(conversations_of(vec![session(THEM, SECOND, 2)]), Ok(vec![shown]));
    assert_eq!(conversations_of(Vec::new()), Ok(Vec::new()));
}

#[test]
fn where_nothing_was_said_there_is_no_conversation_and_without_a_partner_the_list_is_unknown() {
    assert_eq!(conversations_of(vec![session(THEM, 0, 0)]), Ok(Vec::new()));
    for wrong in [session(0, SECOND, 0), session(0, 0, 0)] {
        let text = unknown_text(conversations_of(vec![session(THEM, SECOND, 0), wrong]));
        assert!(text.ends_with("a conversation without a partner"), "{text}");
    }
}

#[test]
fn messages_are_read_with_the_newest_first_as_plain_text_and_with_their_author() {
    let messages = vec![said(THEM, SECOND, 0), said(US, SECOND + 1, 0), said(THEM, SECOND, 1)];
    let page = page(None, messages, true).unwrap();
    let shown: Vec<(MessagePlace, bool, &str)> =
        page.messages.iter().map(|shown| (shown.place, shown.is_from_us, shown.text.as_str())).collect();
    let text = "hi [0.07]";
    let expected =
        [(place(SECOND + 1, 0), true, text), (place(SECOND, 1), false, text), (place(SECOND, 0), false, text)];
    assert_eq!(shown, expected);
    assert!(page.more);
}

#[test]
fn a_page_before_a_place_has_no_message_at_or_after_it() {
    let messages = || vec![said(US, SECOND + 1, 0), said(US, SECOND, 1), said(THEM, SECOND, 0)];
    assert_eq!(places(page(Some(place(SECOND, 1)), messages(), false)), [place(SECOND, 0)]);
    assert!(places(page(Some(place(SECOND, 0)), messages(), false)).is_empty());
}

#[test]
fn a_page_that_leads_on_without_a_message_is_unknown() {
    unknown_text(page(None, Vec::new(), true));
    unknown_text(page(Some(place(SECOND, 0)), vec![said(THEM, SECOND, 0)], true));
    assert_eq!(page(None, Vec::new(), false), Ok(MessagePage { messages: Vec::new(), more: false }));
}

#[test]
fn a_message_of_a_third_account_or_without_a_time_makes_the_page_unknown() {
    for wrong in [said(THEM + 1, SECOND, 0), said(0, SECOND, 0), said(THEM, 0, 0)] {
        let text = unknown_text(page(None, vec![said(US, SECOND, 0), wrong], false));
        assert!(text.starts_with("its data are unavailable for now: it showed a message "), "{text}");
    }
}

#[test]
fn a_request_names_both_accounts_and_the_place_before_which_its_page_ends() {
    let newest = asked(None).request();
    let [us, them] = [US, THEM].map(|short| individual(short).unwrap().number().get());
    assert_eq!((newest.steamid1, newest.steamid2, newest.count, newest.bbcode_format), (us, them, 50, true));
    assert_eq!((newest.time_last, newest.ordinal_last), (0, 0));
    let older = asked(Some(place(SECOND, 3))).request();
    assert_eq!((older.time_last, older.ordinal_last), (SECOND, 3));
}

#[test]
fn another_result_than_ok_proves_nothing_and_that_of_a_limit_is_waited_for() {
    let of = |result: &str| read_conversations(&answer(result, &SessionsAnswer::default()));
    assert_eq!(unknown_text(of("15")), "it answered result 15");
    let limited = of("84");
    assert!(matches!(limited, Err(ExternalError::RateLimited { effect: Effect::Nothing, .. })), "{limited:?}");
    let signed_out = ServiceAnswer { status: 401, ..answer("1", &SessionsAnswer::default()) };
    assert_eq!(read_conversations(&signed_out), Err(ExternalError::AuthLost { effect: Effect::Nothing }));
}
