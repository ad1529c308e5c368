//! [`SendMessage`]: records a message, which the engine sends.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_domain::trading::chat::{Author, ChatMessage, ChatText, Draft, MOST_SENT, MessageKey};
use tradepost_domain::transition::Actor;
use tradepost_ports::changes::{Caller, Changes};

use super::chat_moves::{Place, insert_message, recorded_first};
use super::read::ReadMessage;
use super::texts::keep_texts;
use crate::commit::{By, known_actor};
use crate::rules;
use crate::trading::friends::friend_moves::live_account;
use crate::trading::trading_accounts::account_fields::platform_user_number;
use crate::{OpError, OpResult, Operations, Reason};

/// Sends a message.
#[derive(Clone, PartialEq, Eq)]
pub struct SendMessage {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Our account, whose chat is enabled.
    pub account_id: AccountId,
    /// The platform's number of the partner, in decimal digits.
    pub partner: String,
    /// The text, 1 to 2,000 characters. Markup is removed.
    pub text: String,
}

impl std::fmt::Debug for SendMessage {
    /// Leaves the text out, so that no log has it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SendMessage").field("account_id", &self.account_id).finish_non_exhaustive()
    }
}

impl Operations {
    /// Records a message, which the engine sends in one of its next passes, once. Its text is sealed.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for a bad number, that of the account itself, and a text that is empty or too long;
    /// `not_found`; `failed_precondition`: `ACCOUNT_REMOVED`, `CHAT_DISABLED`; `internal` with `KEY_ENCRYPTION_UNAVAILABLE`.
    pub async fn send_message(&self, caller: &Caller, command: SendMessage) -> OpResult<ReadMessage> {
        let scope = rules::SEND_MESSAGE.enter(&caller.principal, command.workspace_id)?;
        let partner = platform_user_number("partner", &command.partner)?;
        let text = text_to_send(&command.text)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            let account = live_account(self, scope, command.account_id, &mut changes).await?;
            if account.platform_user_id == partner {
                return Err(OpError::invalid_field("partner", "is the number of the account itself"));
            }
            if !account.is_chat_enabled {
                return Err(chat_disabled());
            }
            let place = Place::find(self, scope, account.id, partner).await?;
            let conversation = place.conversation();
            place.keep(conversation, &mut changes)?;
            let (workspace_id, account_id) = (command.workspace_id, account.id);
            let key = MessageKey { id: self.mint(), workspace_id, account_id, conversation_id: conversation.id };
            let message = ChatMessage::draft(Draft { key, author: author(caller) }, self.now());
            keep_texts(self, scope, &[(message.id, &text)], &mut changes).await?;
            insert_message(self, &mut changes, By { caller, at }, message);
            changes.audit(AuditKind::ChatMessageSent, &message);
            self.commit(caller, changes).await.map_err(recorded_first)?;
            Ok(ReadMessage { message, text: text.clone() })
        })
        .await
    }
}

fn text_to_send(written: &str) -> OpResult<ChatText> {
    let text = ChatText::plain(written);
    if text.is_empty() || written.chars().count() > MOST_SENT {
        return Err(OpError::invalid_field(
            "text",
            format_args!("must have 1 to {MOST_SENT} characters without markup"),
        ));
    }
    Ok(text)
}

fn author(caller: &Caller) -> Option<Author> {
    match known_actor(caller)? {
        Actor::User(id) => Some(Author::User(id)),
        Actor::ApiKey { key, .. } => Some(Author::Key(key)),
        Actor::System => None,
    }
}

fn chat_disabled() -> OpError {
    let message = "the chat of the account is disabled; enable it with UpdateAccount (chatEnabled) first";
    OpError::failed_precondition(Reason::ChatDisabled, message)
}
