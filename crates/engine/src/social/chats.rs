//! Chats: sends the messages that people wrote, each recorded first and sent once, and reads the conversations of accounts with chat.

use std::collections::{BTreeMap, BTreeSet};

use tokio::time::Instant;
use tradepost_domain::id::{AccountId, ChatMessageId, ConversationId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::chat::{
    ChatMessage, Conversation, MessageFailure, MessagePlace, MessageStatus, SayResult,
};
use tradepost_domain::trading::trading_account::TradingAccount;
use tradepost_operations::Versioned;
use tradepost_operations::trading::{
    BeginMessage, FailMessage, GetAccounts, OpenMessages, RecordConversationReported, RecordMessageAnswer,
    UnreportedConversations,
};
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::social::{SocialRefusal, SocialResult};

use crate::context::account_health::SocialAccount;
use crate::error::{EngineError, EngineResult};
use crate::mark::{Mark, is_due};
use crate::pass::Pass;
use crate::social::reading::read_conversations;
use crate::social::{Rests, SocialDesk};

/// When the conversations of each account were last read.
#[derive(Debug, Default)]
pub(crate) struct Chats {
    read: BTreeMap<AccountId, Mark>,
}

impl Chats {
    pub(super) async fn step(&mut self, desk: SocialDesk<'_>, rests: &mut Rests, pass: &mut Pass) {
        let open = match open_messages(desk).await {
            Ok(open) => open,
            Err(error) => return pass.record_error(Err(error)),
        };
        let sent = send_drafts(desk, &open, rests, pass).await;
        pass.record_error(sent);
        let reported = report_read(desk, pass).await;
        pass.record_error(reported);
        let (now, every) = (desk.context.mark(), desk.context.timings().chat_interval);
        for account in desk.accounts.iter().filter(|account| account.is_chat_enabled) {
            if is_due(self.read.get(&account.id), now, every) {
                self.read.insert(account.id, now);
                let read = read_conversations(desk, *account, &open).await;
                pass.record_error(read);
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
async fn send_drafts(desk: SocialDesk<'_>, open: &[ChatMessage], rests: &mut Rests, pass: &mut Pass) -> EngineResult {
    let is_draft = |message: &&ChatMessage| message.status == MessageStatus::Draft;
    if !open.iter().any(|message| is_draft(&message)) {
        return Ok(());
    }
    let with_chat = accounts_with_chat(desk, open).await?;
    let uncertain = open.iter().filter(|message| message.status == MessageStatus::Uncertain);
    let mut held_up: BTreeSet<ConversationId> = uncertain.map(|message| message.conversation_id).collect();
    for message in open.iter().filter(is_draft) {
        let Some(account) = desk.account(message.account_id) else { continue };
        if !with_chat.contains(&account.id) {
            let failed = fail_draft(desk, message.id).await;
            pass.record_error(failed);
        } else if !held_up.contains(&message.conversation_id) && !rests.is_resting(desk.context, account.id) {
            let sent = send_message(desk, account, message.id).await;
            rests.observe(desk.context, account.id, &sent);
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
        // The reason is on record.
        Ok(_) | Err(ExternalError::Rejected(_)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Returns the result of an answered call; `None` where the message may be sent.
fn result_of(answer: &SocialResult<MessagePlace>) -> Option<SayResult> {
    match answer {
        Ok(place) => Some(SayResult::Sent(*place)),
        Err(ExternalError::Rejected(refusal)) => Some(SayResult::Rejected(match refusal {
            SocialRefusal::NotFound => MessageFailure::NotFound,
            SocialRefusal::ListFull | SocialRefusal::NotAllowed | SocialRefusal::Other(_) => MessageFailure::Rejected,
        })),
        Err(error) => error.did_nothing().then_some(SayResult::NotSent),
    }
}

/// Informs the platform of what was read here. A repeated call changes nothing there.
async fn report_read(desk: SocialDesk<'_>, pass: &mut Pass) -> EngineResult {
    let context = desk.context;
    let (workspace_id, most) = (context.desk().workspace_id, context.timings().records_per_pass);
    let ask = UnreportedConversations { workspace_id, most };
    for conversation in context.operations().unreported_conversations(context.caller(), ask).await? {
        let account = desk.account(conversation.value.account_id).filter(|account| account.is_chat_enabled);
        if let Some(account) = account {
            let reported = report_conversation(desk, account, &conversation.value).await;
            pass.record_error(reported);
        }
    }
    Ok(())
}

async fn report_conversation(
    desk: SocialDesk<'_>,
    account: SocialAccount,
    conversation: &Conversation,
) -> EngineResult {
    let Some(until) = conversation.read_until else { return Ok(()) };
    match desk.port.mark_read(account.user, conversation.partner, until).await {
        // A platform that knows nothing of it has nothing unread.
        Ok(()) | Err(ExternalError::Rejected(_)) => {}
        Err(error) => return Err(error.into()),
    }
    let (context, conversation_id) = (desk.context, conversation.id);
    let record = RecordConversationReported { workspace_id: context.desk().workspace_id, conversation_id, until };
    Ok(context.operations().record_conversation_reported(context.caller(), record).await?)
}
