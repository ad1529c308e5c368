//! Chats: sends the messages that people wrote, each recorded first and sent once, and reads the conversations of accounts with chat.

use std::collections::{BTreeMap, BTreeSet};

use tokio::time::Instant;
use tradepost_domain::id::{AccountId, ChatMessageId, ConversationId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::chat::{
    ChatMessage, Conversation, MessageFailure, MessagePlace, MessageStatus, SayResult,
};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_domain::trading::trading_account::TradingAccount;
use tradepost_operations::Versioned;
use tradepost_operations::trading::{
    BeginMessage, FailMessage, GetAccounts, OpenMessages, RecordConversationReported, RecordMessageAnswer,
    UnreportedConversations,
};
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::social::{SocialRefusal, SocialResult};

use crate::context::account_health::SocialAccount;
use crate::desk::backoff::social::Does;
use crate::error::{EngineError, EngineResult};
use crate::pass::Pass;
use crate::social::reading::read_conversations;
use crate::social::{Rests, SocialDesk};
use crate::turns::{TimeSlice, Turns};

/// When the conversations of each account were last read.
#[derive(Debug, Default)]
pub(crate) struct Chats {
    read: Turns<AccountId>,
    /// The partners whose conversations were read, of accounts for which the time did not suffice.
    begun: BTreeMap<AccountId, BTreeSet<PlatformUserId>>,
}

impl Chats {
    pub(super) async fn step(&mut self, desk: SocialDesk<'_>, rests: &mut Rests, pass: &mut Pass) {
        let open = match open_messages(desk).await {
            Ok(open) => open,
            Err(error) => return pass.record_error(Err(error)),
        };
        let slice = desk.context.time_slice();
        let sent = send_drafts(desk, &open, slice, rests, pass).await;
        pass.record_error(sent);
        let reported = report_read(desk, slice, rests, pass).await;
        pass.record_error(reported);
        self.read_due(desk, &open, pass).await;
    }

    async fn read_due(&mut self, desk: SocialDesk<'_>, open: &[ChatMessage], pass: &mut Pass) {
        let (context, every) = (desk.context, desk.context.timings().chat_interval);
        let has_chat = |id: &AccountId| desk.account(*id).is_some_and(|account| account.is_chat_enabled);
        self.begun.retain(|id, _| has_chat(id));
        let is_due = |account: &&SocialAccount| {
            let last = self.read.last(&account.id);
            account.is_chat_enabled
                && (self.begun.contains_key(&account.id) || context.is_account_due(account.user, last, every))
        };
        let due: Vec<SocialAccount> = desk.accounts.iter().filter(is_due).copied().collect();
        let slice = context.time_slice();
        for account in self.read.in_turn(due, |account| &account.id, slice) {
            self.read.note(account.id, context.mark());
            let mut done = self.begun.remove(&account.id).unwrap_or_default();
            match read_conversations(desk, account, open, &mut done, slice).await {
                Ok(true) => {}
                Ok(false) => drop(self.begun.insert(account.id, done)),
                Err(error) => pass.record_error(Err(error)),
            }
        }
    }
}

async fn open_messages(desk: SocialDesk<'_>) -> EngineResult<Vec<ChatMessage>> {
    let context = desk.context;
    let (workspace_id, most) = (context.desk().workspace_id, context.timings().records_per_pass);
    let open = context.operations().open_messages(context.caller(), OpenMessages { workspace_id, most }).await?;
    Ok(open.into_iter().map(|message| message.value).collect())
}

/// Sends drafts, one after the other in each conversation: a message without an answer holds up those after it, so that it is found before
/// another one with its text is sent.
async fn send_drafts(
    desk: SocialDesk<'_>,
    open: &[ChatMessage],
    slice: TimeSlice,
    rests: &mut Rests,
    pass: &mut Pass,
) -> EngineResult {
    let is_draft = |message: &&ChatMessage| message.status == MessageStatus::Draft;
    let drafts: Vec<&ChatMessage> = open.iter().filter(is_draft).collect();
    if drafts.is_empty() {
        return Ok(());
    }
    let with_chat = accounts_with_chat(desk, open).await?;
    let uncertain = open.iter().filter(|message| message.status == MessageStatus::Uncertain);
    let mut held_up: BTreeSet<ConversationId> = uncertain.map(|message| message.conversation_id).collect();
    for message in slice.of(drafts) {
        let Some(account) = desk.account(message.account_id) else { continue };
        if !with_chat.contains(&account.id) {
            let failed = fail_draft(desk, message.id).await;
            pass.record_error(failed);
        } else if !held_up.contains(&message.conversation_id) && !rests.is_resting(desk.context, account, Does::Chat) {
            let sent = send_message(desk, account, message.id).await;
            rests.observe(desk.context, (account.id, Does::Chat), &sent);
            if sent.is_err() {
                held_up.insert(message.conversation_id);
            }
            pass.record_error(sent);
        }
    }
    Ok(())
}

/// Returns the accounts whose chat is enabled now: what a pass knows of accounts may be a minute old.
async fn accounts_with_chat(desk: SocialDesk<'_>, open: &[ChatMessage]) -> EngineResult<BTreeSet<AccountId>> {
    let context = desk.context;
    let ids: BTreeSet<AccountId> = open.iter().map(|message| message.account_id).collect();
    let get = GetAccounts { workspace_id: context.desk().workspace_id, account_ids: ids.into_iter().collect() };
    let found = context.operations().get_accounts(context.caller(), get).await?.found;
    let has_chat = |account: &Versioned<TradingAccount>| account.value.is_chat_enabled;
    Ok(found.iter().filter(|account| has_chat(account)).map(|account| account.value.id).collect())
}

async fn fail_draft(desk: SocialDesk<'_>, message_id: ChatMessageId) -> EngineResult {
    let context = desk.context;
    let (workspace_id, failure) = (context.desk().workspace_id, MessageFailure::ChatDisabled);
    let fail = FailMessage { workspace_id, message_id, failure };
    context.operations().fail_message(context.caller(), fail).await?;
    Ok(())
}

/// Records that the message is sent, sends it, and records the answer. Without an answer it is never sent again.
async fn send_message(desk: SocialDesk<'_>, account: SocialAccount, message_id: ChatMessageId) -> EngineResult {
    let context = desk.context;
    let workspace_id = context.desk().workspace_id;
    let begun_at = Instant::now();
    let command = BeginMessage { workspace_id, message_id };
    let Some(begun) = context.operations().begin_message(context.caller(), command).await? else { return Ok(()) };
    if begun_at.elapsed() >= context.timings().sent_within {
        return Err(EngineError::SubmitTooLate);
    }
    let client_id = ExternalId::from(message_id.to_bytes());
    let answer = desk.port.say(account.user, begun.partner, &begun.text, &client_id).await;
    if let Some(result) = result_of(&answer) {
        let record = RecordMessageAnswer { workspace_id, message_id, result };
        context.operations().record_message_answer(context.caller(), record).await?;
    }
    match answer {
        Ok(_) => Ok(()),
        // Its kind is on record.
        Err(ExternalError::Rejected(refusal)) => {
            tracing::info!(chat_message = %message_id, %refusal, "chat message rejected");
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns the result of an answered call; `None` where the message may be sent.
fn result_of(answer: &SocialResult<MessagePlace>) -> Option<SayResult> {
    match answer {
        Ok(place) => Some(SayResult::Sent(*place)),
        Err(ExternalError::Rejected(refusal)) => Some(SayResult::Rejected(match refusal {
            SocialRefusal::NotFound => MessageFailure::NotFound,
            SocialRefusal::ListFull
            | SocialRefusal::NotAllowed
            | SocialRefusal::NotDone(_)
            | SocialRefusal::Other(_) => MessageFailure::Rejected,
        })),
        Err(error) => error.did_nothing().then_some(SayResult::NotSent),
    }
}

/// Informs the platform of what was read here. A repeated call changes nothing there.
async fn report_read(desk: SocialDesk<'_>, slice: TimeSlice, rests: &mut Rests, pass: &mut Pass) -> EngineResult {
    let context = desk.context;
    let (workspace_id, most) = (context.desk().workspace_id, context.timings().records_per_pass);
    let ask = UnreportedConversations { workspace_id, most };
    let unreported = context.operations().unreported_conversations(context.caller(), ask).await?;
    for conversation in slice.of(unreported) {
        let account = desk.account(conversation.value.account_id).filter(|account| account.is_chat_enabled);
        if let Some(account) = account.filter(|account| !rests.is_resting(context, *account, Does::Chat)) {
            let reported = report_conversation(desk, account, &conversation.value).await;
            rests.observe(context, (account.id, Does::Chat), &reported);
            pass.record_error(reported);
        }
    }
    Ok(())
}

/// Whether the platform knows nothing of a conversation, so that it has nothing unread. Where no call was made, it may have.
fn has_nothing_unread(marked: &SocialResult<()>) -> bool {
    matches!(marked, Err(ExternalError::Rejected(refusal)) if !matches!(refusal, SocialRefusal::NotDone(_)))
}

async fn report_conversation(
    desk: SocialDesk<'_>,
    account: SocialAccount,
    conversation: &Conversation,
) -> EngineResult {
    let Some(until) = conversation.read_until else { return Ok(()) };
    let marked = desk.port.mark_read(account.user, conversation.partner, until).await;
    if !has_nothing_unread(&marked) {
        marked?;
    }
    let (context, conversation_id) = (desk.context, conversation.id);
    let record = RecordConversationReported { workspace_id: context.desk().workspace_id, conversation_id, until };
    Ok(context.operations().record_conversation_reported(context.caller(), record).await?)
}
