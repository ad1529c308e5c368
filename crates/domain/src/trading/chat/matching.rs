//! Which of the messages that the platform shows are ours whose calls had no answer.

#[cfg(test)]
mod tests;

use super::{ChatMessage, ChatText, MessagePlace};
use crate::id::ChatMessageId;

/// A message as the platform shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownMessage {
    /// Its place.
    pub place: MessagePlace,
    /// Whether the account wrote it that reads.
    pub is_from_us: bool,
    /// Its text.
    pub text: ChatText,
}

/// A message of ours without a place, and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SoughtMessage {
    /// The message.
    pub message: ChatMessage,
    /// What was to be sent.
    pub text: ChatText,
}

/// What a shown message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// One of ours whose call had no answer.
    Ours(ChatMessageId),
    /// One that was not sent here.
    New,
}

/// Returns what each of the shown messages is, in their order. The messages must be those that are not recorded yet, the oldest first.
///
/// A message of ours is found by its text, once. Of two with one text, the one that was recorded first is at the first place; but one that
/// counts as not sent is found last.
pub fn assign(shown: &[ShownMessage], sought: &[SoughtMessage]) -> Vec<Found> {
    let mut left: Vec<&SoughtMessage> = sought.iter().collect();
    left.sort_by_key(|sought| (sought.message.failure.is_some(), sought.message.id));
    let find = |shown: &ShownMessage| {
        // A platform that reads markup in what was sent as plain text shows it without.
        let is_text = |text: &ChatText| *text == shown.text || ChatText::plain(text.as_str()) == shown.text;
        let is_it = |sought: &&SoughtMessage| is_text(&sought.text) && sought.message.may_be_at(shown.place);
        let at = left.iter().position(is_it).filter(|_| shown.is_from_us);
        at.map_or(Found::New, |at| Found::Ours(left.remove(at).message.id))
    };
    shown.iter().map(find).collect()
}
