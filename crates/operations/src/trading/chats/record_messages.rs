//! [`RecordMessages`]: the report of an engine of what the platform shows of a conversation. Not an operation of the interface.

use std::collections::{BTreeSet, HashMap};

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, ChatMessageId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{
    ChatMessage, ChatText, Conversation, Found, MessageFailure, MessageKey, MessagePlace, ShownConversation,
    ShownMessage, SoughtMessage, assign,
};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::changes::{Caller, Changes, Seen};

use super::chat_moves::{Place, insert_message, move_message, recorded_first};
use super::texts::{keep_texts, open_texts};
use crate::commit::By;
use crate::rules::WRITE_ACCOUNTS;
use crate::{OpResult, Operations};

/// Messages that are recorded in one commit.
const AT_ONCE: usize = 50;

/// A report of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordMessages {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Our account.
    pub account_id: AccountId,
    /// The partner.
    pub partner: PlatformUserId,
    /// The conversation as the list shows it; `None` where it does not.
    pub conversation: Option<ShownConversation>,
    /// The messages that were read, in any order.
    pub messages: Vec<ShownMessage>,
    /// From when on these are all messages; `None` where none were read.
    pub complete_from: Option<Timestamp>,
    /// When the reading began.
    pub began_at: Timestamp,
}

/// What a report changes.
struct Plan {
    /// The conversation afterwards.
    conversation: Conversation,
    /// Messages that are not recorded yet, the oldest first, and what each is.
    new: Vec<(ShownMessage, Found)>,
    /// Messages of ours that the platform would show if they had been sent.
    missing: Vec<ChatMessageId>,
    sought: HashMap<ChatMessageId, Seen<ChatMessage>>,
}

impl Operations {
    /// Records what the platform shows of a conversation: each message once, by its place. A message of ours whose call had no answer is
    /// found by its text; one that a later reading does not show was not sent.
    ///
    /// # Errors
    /// `permission_denied`; `failed_precondition` with `CONFLICT` when others kept changing the same records; `internal` with
    /// `KEY_ENCRYPTION_UNAVAILABLE`. What was recorded until then stays so.
    pub async fn record_messages(&self, caller: &Caller, command: &RecordMessages) -> OpResult<()> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        while self.retrying(|| self.record_some_messages(caller, scope, command)).await? {}
        Ok(())
    }

    /// Records a bounded part; returns whether there is more.
    async fn record_some_messages(
        &self,
        caller: &Caller,
        scope: WorkspaceScope,
        command: &RecordMessages,
    ) -> OpResult<bool> {
        let at = self.market_now(command.workspace_id);
        let place = Place::find(self, scope, command.account_id, command.partner).await?;
        let before = place.conversation();
        let mut plan = self.plan_messages(scope, command, before).await?;
        let is_more = plan.new.len() > AT_ONCE;
        plan.new.truncate(AT_ONCE);
        if let Some((last, _)) = plan.new.last() {
            plan.conversation = before.recorded(last.place, at);
        }
        if is_more {
            plan.missing.clear();
        } else {
            plan.conversation = shown_whole(plan.conversation, command, at);
        }
        if plan.new.is_empty() && plan.missing.is_empty() && plan.conversation == before {
            return Ok(false);
        }
        let (mut changes, by) = (Changes::by(caller), By { caller, at });
        place.keep(plan.conversation, &mut changes)?;
        self.write_messages(scope, plan, by, &mut changes).await?;
        self.commit(caller, changes).await.map_err(recorded_first)?;
        Ok(is_more)
    }

    /// Compares the report with what is on record.
    async fn plan_messages(
        &self,
        scope: WorkspaceScope,
        command: &RecordMessages,
        conversation: Conversation,
    ) -> OpResult<Plan> {
        let chats = self.ports.store.chats();
        let known = match command.messages.iter().map(|shown| shown.place.sent_at).min() {
            Some(first) => chats.list_places(scope, conversation.id, first).await?,
            None => Vec::new(),
        };
        let known: BTreeSet<MessagePlace> = known.into_iter().collect();
        let mut new: Vec<ShownMessage> =
            command.messages.iter().filter(|shown| !known.contains(&shown.place)).cloned().collect();
        new.sort_by_key(|shown| shown.place);
        new.dedup_by_key(|shown| shown.place);
        let sought = chats.list_sought(scope, conversation.id).await?;
        let ids: Vec<ChatMessageId> = sought.iter().map(|seen| seen.peek().id).collect();
        let mut texts = open_texts(self, scope, &ids).await?;
        let messages: Vec<SoughtMessage> = sought
            .iter()
            .filter_map(|seen| Some(SoughtMessage { message: *seen.peek(), text: texts.remove(&seen.peek().id)? }))
            .collect();
        let found = assign(&new, &messages);
        let is_missing = |message: &ChatMessage| {
            let is_covered = command.complete_from.is_some_and(|from| Some(from) <= message.sought_from());
            is_covered && message.is_disproven_by(command.began_at) && !found.contains(&Found::Ours(message.id))
        };
        let missing = sought.iter().map(Seen::peek).filter(|message| is_missing(message)).map(|message| message.id);
        let missing = missing.collect();
        let sought = sought.into_iter().map(|seen| (seen.peek().id, seen)).collect();
        Ok(Plan { conversation, new: new.into_iter().zip(found).collect(), missing, sought })
    }

    async fn write_messages(
        &self,
        scope: WorkspaceScope,
        plan: Plan,
        by: By<'_>,
        changes: &mut Changes,
    ) -> OpResult<()> {
        let Plan { conversation, new, missing, mut sought } = plan;
        let mut texts: Vec<(ChatMessageId, ChatText)> = Vec::new();
        for (shown, found) in new {
            if let Found::Ours(id) = found {
                if let Some(seen) = sought.remove(&id) {
                    let next = seen.peek().at_place(shown.place);
                    move_message(self, changes, by, seen, next)?;
                }
                continue;
            }
            let key = MessageKey {
                id: self.mint(),
                workspace_id: conversation.workspace_id,
                account_id: conversation.account_id,
                conversation_id: conversation.id,
            };
            insert_message(self, changes, by, ChatMessage::first_seen(key, shown.is_from_us, shown.place, self.now()));
            texts.push((key.id, shown.text));
        }
        for id in missing {
            if let Some(seen) = sought.remove(&id) {
                let next = seen.peek().failed(MessageFailure::NotShown);
                move_message(self, changes, by, seen, next)?;
            }
        }
        let texts: Vec<(ChatMessageId, &ChatText)> = texts.iter().map(|(id, text)| (*id, text)).collect();
        keep_texts(self, scope, &texts, changes).await
    }
}

/// Returns the conversation once everything that was read of it is recorded.
fn shown_whole(conversation: Conversation, command: &RecordMessages, at: Timestamp) -> Conversation {
    let last = command.messages.iter().map(|shown| shown.place).max();
    let recorded = last.map_or(conversation, |last| conversation.recorded(last, at));
    command.conversation.map_or(recorded, |shown| recorded.shown(&shown, at))
}
