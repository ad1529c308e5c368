//! Reading conversations: which of them have something new, and how far back each is read.

use std::collections::{BTreeMap, BTreeSet};

use time::Duration;
use tradepost_domain::id::ConversationId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{
    ChatMessage, Conversation, MessagePlace, MessageStatus, ShownConversation, ShownMessage,
};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_operations::trading::{ConversationsWith, GetConversations, RecordMessages};
use tradepost_ports::game_platform::social::{MessagePage, SocialResult};

use crate::context::account_health::SocialAccount;
use crate::error::EngineResult;
use crate::social::SocialDesk;
use crate::turns::TimeSlice;

/// Messages of the same second may follow the one that was read last: for so long, a conversation is read again.
const FRESH: Duration = Duration::minutes(2);
/// Pages that are read of a conversation that is new here. What is older stays on the platform.
const FIRST_PAGES: usize = 4;
/// Pages that are read of any other one.
const MOST_PAGES: usize = 100;
/// Partners whose conversations are looked up at once.
const AT_ONCE: usize = 200;

/// A conversation to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Wanted {
    partner: PlatformUserId,
    shown: Option<ShownConversation>,
    /// Up to which place everything is recorded.
    recorded_to: Option<MessagePlace>,
    /// From when on a message without an answer would be shown.
    sought_from: Option<Timestamp>,
}

/// Reads the conversations of an account that have something new, and those with a message that has no answer, as far as the time suffices.
/// Those with partners who are `done` are left out. Returns whether all were read.
pub(super) async fn read_conversations(
    desk: SocialDesk<'_>,
    account: SocialAccount,
    open: &[ChatMessage],
    done: &mut BTreeSet<PlatformUserId>,
    slice: TimeSlice,
) -> EngineResult<bool> {
    let began_at = desk.context.now();
    let shown = desk.port.conversations(account.user).await?;
    let known = known_conversations(desk, account, &shown, open).await?;
    let sought = sought_from(open);
    let mut wanted = wanted(&shown, &known, &sought, began_at);
    wanted.retain(|wanted| !done.contains(&wanted.partner));
    let mut rest = slice.of(wanted);
    for wanted in rest.by_ref() {
        let (messages, complete_from) = read_messages(desk, account, wanted).await?;
        let record = RecordMessages {
            workspace_id: desk.context.desk().workspace_id,
            account_id: account.id,
            partner: wanted.partner,
            conversation: wanted.shown,
            messages,
            complete_from: Some(complete_from),
            began_at,
        };
        desk.context.operations().record_messages(desk.context.caller(), &record).await?;
        done.insert(wanted.partner);
    }
    Ok(rest.left().is_empty())
}

/// Returns what is on record of the shown conversations, and of those with a message that has no answer.
async fn known_conversations(
    desk: SocialDesk<'_>,
    account: SocialAccount,
    shown: &[ShownConversation],
    open: &[ChatMessage],
) -> EngineResult<Vec<Conversation>> {
    let (context, workspace_id) = (desk.context, desk.context.desk().workspace_id);
    let mut known: BTreeMap<ConversationId, Conversation> = BTreeMap::new();
    for some in shown.chunks(AT_ONCE) {
        let partners = some.iter().map(|shown| shown.partner).collect();
        let ask = ConversationsWith { workspace_id, account_id: account.id, partners };
        let found = context.operations().conversations_with(context.caller(), ask).await?;
        known.extend(found.into_iter().map(|found| (found.value.id, found.value)));
    }
    let uncertain = open.iter().filter(|message| is_uncertain_of(message, account));
    let missing: BTreeSet<ConversationId> = uncertain.map(|message| message.conversation_id).collect();
    let conversation_ids: Vec<ConversationId> =
        missing.into_iter().filter(|id| !known.contains_key(id)).take(AT_ONCE).collect();
    if !conversation_ids.is_empty() {
        let get = GetConversations { workspace_id, conversation_ids };
        let found = context.operations().get_conversations(context.caller(), get).await?.found;
        known.extend(found.into_iter().map(|found| (found.value.id, found.value)));
    }
    Ok(known.into_values().collect())
}

fn is_uncertain_of(message: &ChatMessage, account: SocialAccount) -> bool {
    message.status == MessageStatus::Uncertain && message.account_id == account.id
}

/// Returns from when on the messages without an answer would be shown, by conversation.
fn sought_from(open: &[ChatMessage]) -> BTreeMap<ConversationId, Timestamp> {
    let mut sought = BTreeMap::new();
    for message in open.iter().filter(|message| message.status == MessageStatus::Uncertain) {
        if let Some(from) = message.sought_from() {
            let earliest = sought.entry(message.conversation_id).or_insert(from);
            *earliest = from.min(*earliest);
        }
    }
    sought
}

/// Returns the conversations to read.
fn wanted(
    shown: &[ShownConversation],
    known: &[Conversation],
    sought: &BTreeMap<ConversationId, Timestamp>,
    now: Timestamp,
) -> Vec<Wanted> {
    let of = |partner: PlatformUserId| known.iter().find(|known| known.partner == partner);
    let want = |partner: PlatformUserId, shown: Option<ShownConversation>| {
        let known = of(partner);
        let sought_from = known.and_then(|known| sought.get(&known.id)).copied();
        Wanted { partner, shown, recorded_to: known.and_then(|known| known.recorded_to), sought_from }
    };
    let has_news = |wanted: &Wanted, shown: &ShownConversation| {
        let is_recorded = wanted.recorded_to.is_some_and(|place| place.sent_at >= shown.last_message_at);
        let is_fresh = now.since(shown.last_message_at) < FRESH;
        let is_otherwise = of(shown.partner).is_none_or(|known| known.shown(shown, now) != *known);
        !is_recorded || is_fresh || is_otherwise || wanted.sought_from.is_some()
    };
    let listed = shown.iter().map(|shown| (want(shown.partner, Some(*shown)), shown));
    let listed = listed.filter(|(wanted, shown)| has_news(wanted, shown)).map(|(wanted, _)| wanted);
    // The platform may list no conversation whose only message was lost.
    let is_listed = |known: &&Conversation| shown.iter().any(|shown| shown.partner == known.partner);
    let unlisted = known.iter().filter(|known| !is_listed(known) && sought.contains_key(&known.id));
    listed.chain(unlisted.map(|known| want(known.partner, None))).collect()
}

/// Reads back to what is recorded, and to what is sought. Returns the messages, and from when on they are all.
async fn read_messages(
    desk: SocialDesk<'_>,
    account: SocialAccount,
    wanted: Wanted,
) -> SocialResult<(Vec<ShownMessage>, Timestamp)> {
    let most = if wanted.recorded_to.is_some() { MOST_PAGES } else { FIRST_PAGES };
    let mut messages: Vec<ShownMessage> = Vec::new();
    for _ in 0..most {
        let before = messages.last().map(|shown| shown.place);
        let MessagePage { messages: older, more } = desk.port.messages(account.user, wanted.partner, before).await?;
        let is_end = older.is_empty() || !more;
        messages.extend(older);
        let reached = messages.last().map(|shown| shown.place);
        if is_end || reached.is_some_and(|place| is_far_enough(wanted, place)) {
            // Only the end of the conversation, or what lies behind the recorded place, leaves nothing out.
            let complete_from = if is_end { Timestamp::MIN } else { later_than(reached) };
            return Ok((messages, complete_from));
        }
    }
    let complete_from = later_than(messages.last().map(|shown| shown.place));
    Ok((messages, complete_from))
}

fn is_far_enough(wanted: Wanted, place: MessagePlace) -> bool {
    let is_recorded = wanted.recorded_to.is_some_and(|recorded| place <= recorded);
    is_recorded && wanted.sought_from.is_none_or(|from| place.sent_at < from)
}

/// Others of the same second may be missing.
fn later_than(place: Option<MessagePlace>) -> Timestamp {
    place.map_or(Timestamp::MIN, |place| place.sent_at.plus(Duration::seconds(1)))
}

#[cfg(test)]
mod tests {
    use tradepost_testkit::samples::{Samples, minute};

    use super::*;

    fn shown(partner: PlatformUserId, last: i64, unread: u32) -> ShownConversation {
        ShownConversation { partner, last_message_at: minute(last), unread }
    }

    fn place(at: i64) -> MessagePlace {
        MessagePlace { sent_at: minute(at), ordinal: 0 }
    }

    #[test]
    fn a_conversation_is_read_if_it_has_something_new() {
        let samples = Samples::default();
        let known = samples.conversation(samples.id(), samples.id()).recorded(place(5), minute(6));
        let of = |last, unread| {
            let shown = [shown(known.partner, last, unread)];
            wanted(&shown, &[known], &BTreeMap::new(), minute(30)).len()
        };
        assert_eq!((of(5, 0), of(6, 0), of(5, 1)), (0, 1, 1));
        let fresh = [shown(known.partner, 5, 0)];
        assert_eq!(wanted(&fresh, &[known], &BTreeMap::new(), minute(6)).len(), 1);
        assert_eq!(wanted(&[shown(samples.platform_user(), 1, 0)], &[], &BTreeMap::new(), minute(30)).len(), 1);
    }

    #[test]
    fn a_conversation_with_a_message_without_an_answer_is_read_whether_it_is_listed_or_not() {
        let samples = Samples::default();
        let known = samples.conversation(samples.id(), samples.id()).recorded(place(5), minute(6));
        let sought = BTreeMap::from([(known.id, minute(3))]);
        let listed = wanted(&[shown(known.partner, 5, 0)], &[known], &sought, minute(30));
        let unlisted = wanted(&[], &[known], &sought, minute(30));
        assert_eq!(listed.iter().chain(&unlisted).filter(|wanted| wanted.sought_from == Some(minute(3))).count(), 2);
        assert!(!is_far_enough(unlisted[0], place(4)), "what is recorded does not end the search");
        assert!(is_far_enough(unlisted[0], place(2)));
    }
}
