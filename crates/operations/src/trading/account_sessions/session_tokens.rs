//! The tokens of a session: sealed under the workspace's data key, apart from what the account signs in by, and readable only by the process
//! itself. What a driver may do with them is asked here too.

use std::sync::Arc;

use async_trait::async_trait;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace_key::SecretPlace;
use tradepost_domain::id::{AccountId, AccountSessionId, WorkspaceId};
use tradepost_domain::text::{ExternalId, Name};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::account_session::AccountSession;
use tradepost_domain::trading::chat::MessageStatus;
use tradepost_domain::trading::friend::{ActionState, FriendAction};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_domain::trading::trading_account::TradingAccount;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::game_platform::ConfirmationAnswer;
use tradepost_ports::game_platform::sessions::{
    AnswerToSign, ConfirmationKey, ConfirmationTag, TokenVault, Tokens, VaultUnavailable,
};
use tradepost_ports::game_platform::social::SocialChange;
use tradepost_ports::store::StoreError;

use super::working_session::working_session;
use crate::rules::WRITE_ACCOUNTS;
use crate::secrets::packing::{Packed, pack};
use crate::secrets::workspace_secrets::{FindWorkspaceSecret, drop_secret, seal_secret};
use crate::trading::trading_accounts::ReadAccountSecrets;
use crate::{OpError, OpResult, Operations};

/// The account whose tokens to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadSessionTokens {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
}

/// The access tokens and the confirmation keys of the accounts of one platform in a workspace, for the driver of the platform.
#[derive(Debug, Clone)]
pub struct AccountTokens {
    operations: Arc<Operations>,
    workspace_id: WorkspaceId,
    platform: Name,
}

impl Operations {
    /// Reads the tokens of an account's session; `None` without a session that works.
    ///
    /// # Errors
    /// `permission_denied` unless the process itself calls; `internal` with `KEY_ENCRYPTION_UNAVAILABLE`, or `INTERNAL` for what does not open:
    /// it was changed or moved in the database.
    pub async fn read_session_tokens(&self, caller: &Caller, command: ReadSessionTokens) -> OpResult<Option<Tokens>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let Some(account) = self.ports.store.trading_accounts().find(scope, command.account_id).await? else {
            return Ok(None);
        };
        let user = account.peek().platform_user_id;
        self.tokens_of(caller, scope, command.account_id, user).await
    }

    async fn tokens_of(
        &self,
        caller: &Caller,
        scope: WorkspaceScope,
        account_id: AccountId,
        user: PlatformUserId,
    ) -> OpResult<Option<Tokens>> {
        let Some(session) = working_session(self, scope, account_id).await? else { return Ok(None) };
        let place = tokens_place(session.peek().id)?;
        let wanted = FindWorkspaceSecret { workspace_id: scope.workspace_id(), place };
        let Some(packed) = self.read_workspace_secret(caller, &wanted).await? else { return Ok(None) };
        let corrupt = || OpError::from(StoreError::Corrupt("the tokens of an account's session".to_owned()));
        let mut left = Packed(packed.expose_secret());
        let mut next = || left.next_text().ok().flatten().ok_or_else(corrupt);
        let (access, refresh) = (next()?, next()?);
        let expiry = session.peek().expiry.ok_or_else(corrupt)?;
        Ok(Some(Tokens { user, access, refresh, expiry }))
    }
}

impl AccountTokens {
    /// The tokens of the accounts of a platform in a workspace.
    pub const fn new(operations: Arc<Operations>, workspace_id: WorkspaceId, platform: Name) -> Self {
        Self { operations, workspace_id, platform }
    }

    async fn read(&self, user: PlatformUserId) -> OpResult<Option<SecretString>> {
        let caller = Caller::system();
        let scope = caller.principal.enter(self.workspace_id, WRITE_ACCOUNTS)?;
        let Some(account_id) = self.find(scope, user).await? else { return Ok(None) };
        let tokens = self.operations.tokens_of(&caller, scope, account_id, user).await?;
        Ok(tokens.map(|tokens| tokens.access))
    }

    /// Makes what lists confirmations.
    async fn make_list_key(&self, user: PlatformUserId, at: Timestamp) -> OpResult<Option<ConfirmationKey>> {
        let scope = Caller::system().principal.enter(self.workspace_id, WRITE_ACCOUNTS)?;
        let Some(account) = self.find_account(scope, user).await? else { return Ok(None) };
        self.make_key(&account, at, ConfirmationTag::List).await
    }

    /// Makes what gives an answer, if it is on record that it is given now.
    async fn make_answer_key(&self, wanted: &AnswerToSign) -> OpResult<Option<ConfirmationKey>> {
        let scope = Caller::system().principal.enter(self.workspace_id, WRITE_ACCOUNTS)?;
        let Some(account) = self.find_account(scope, wanted.account).await?.filter(|account| account.may_give()) else {
            return Ok(None);
        };
        let confirmations = self.operations.ports.store.confirmations();
        let found = confirmations.find_seen(scope, &account.name, &wanted.confirmation).await?;
        let is_allowed = wanted.answer == ConfirmationAnswer::Allow;
        if !found.is_some_and(|seen| seen.peek().is_being_answered(is_allowed)) {
            return Ok(None);
        }
        self.make_key(&account, wanted.at, wanted.answer.into()).await
    }

    /// Makes a key of one time and one kind of call. Of the identity secret, nothing else leaves.
    async fn make_key(
        &self,
        account: &TradingAccount,
        at: Timestamp,
        tag: ConfirmationTag,
    ) -> OpResult<Option<ConfirmationKey>> {
        let wanted = ReadAccountSecrets { workspace_id: self.workspace_id, account_id: account.id };
        let secrets = self.operations.read_account_secrets(&Caller::system(), wanted).await?;
        let Some(secret) = secrets.and_then(|secrets| secrets.identity_secret) else { return Ok(None) };
        Ok(self.operations.ports.totp.confirmation_key(&secret, account.platform_user_id, at, tag))
    }

    async fn read_permission(&self, user: PlatformUserId) -> OpResult<bool> {
        let scope = Caller::system().principal.enter(self.workspace_id, WRITE_ACCOUNTS)?;
        Ok(self.find_account(scope, user).await?.is_some_and(|account| account.may_give()))
    }

    /// Whether a change of friends or chats is on record as begun.
    async fn read_change(&self, user: PlatformUserId, change: &SocialChange) -> OpResult<bool> {
        let scope = Caller::system().principal.enter(self.workspace_id, WRITE_ACCOUNTS)?;
        let Some(account) = self.find_account(scope, user).await? else { return Ok(false) };
        match change {
            SocialChange::Friend { user: other, action } => self.is_acted(scope, account.id, *other, *action).await,
            SocialChange::Message { .. } | SocialChange::Read { .. } if !account.is_chat_enabled => Ok(false),
            SocialChange::Message { partner, client_id } => self.is_sent(scope, account.id, *partner, client_id).await,
            SocialChange::Read { partner, until } => {
                let found = self.operations.ports.store.chats().find_with(scope, account.id, &[*partner]).await?;
                Ok(found.iter().any(|seen| seen.peek().is_unreported && seen.peek().read_until >= Some(*until)))
            }
        }
    }

    async fn is_acted(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
        user: PlatformUserId,
        action: FriendAction,
    ) -> OpResult<bool> {
        let found = self.operations.ports.store.friends().find_user(scope, account, user).await?;
        let request = found.and_then(|seen| seen.peek().request);
        Ok(request.is_some_and(|request| request.action == action && request.state == ActionState::Uncertain))
    }

    async fn is_sent(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
        partner: PlatformUserId,
        client_id: &ExternalId,
    ) -> OpResult<bool> {
        let chats = self.operations.ports.store.chats();
        let found = chats.find_with(scope, account, &[partner]).await?;
        let Some(conversation) = found.first() else { return Ok(false) };
        let sought = chats.list_sought(scope, conversation.peek().id).await?;
        let is_it = |id: [u8; 16]| ExternalId::from(id) == *client_id;
        let mut begun = sought.iter().filter(|seen| seen.peek().status == MessageStatus::Uncertain);
        Ok(begun.any(|seen| is_it(seen.peek().id.to_bytes())))
    }

    /// The id of the account of the platform that has this number.
    async fn find(&self, scope: WorkspaceScope, user: PlatformUserId) -> OpResult<Option<AccountId>> {
        Ok(self.find_account(scope, user).await?.map(|account| account.id))
    }

    async fn find_account(&self, scope: WorkspaceScope, user: PlatformUserId) -> OpResult<Option<TradingAccount>> {
        let accounts = self.operations.ports.store.trading_accounts();
        let found = accounts.find_numbered(scope, &self.platform, &[user]).await?;
        Ok(found.into_iter().next().map(|account| account.into_display().0))
    }
}

#[async_trait]
impl TokenVault for AccountTokens {
    async fn access_token(&self, account: PlatformUserId) -> Result<Option<SecretString>, VaultUnavailable> {
        self.read(account).await.map_err(|error| unavailable(&error))
    }

    async fn confirmation_key(
        &self,
        account: PlatformUserId,
        at: Timestamp,
    ) -> Result<Option<ConfirmationKey>, VaultUnavailable> {
        self.make_list_key(account, at).await.map_err(|error| unavailable(&error))
    }

    async fn may_give(&self, account: PlatformUserId) -> Result<bool, VaultUnavailable> {
        self.read_permission(account).await.map_err(|error| unavailable(&error))
    }

    async fn may_change(&self, account: PlatformUserId, change: &SocialChange) -> Result<bool, VaultUnavailable> {
        self.read_change(account, change).await.map_err(|error| unavailable(&error))
    }

    async fn answer_key(&self, wanted: &AnswerToSign) -> Result<Option<ConfirmationKey>, VaultUnavailable> {
        self.make_answer_key(wanted).await.map_err(|error| unavailable(&error))
    }
}

fn unavailable(error: &OpError) -> VaultUnavailable {
    VaultUnavailable(error.to_string())
}

/// Seals the tokens of a session, in the changes by which it works with them.
pub(crate) async fn keep_tokens(
    operations: &Operations,
    scope: WorkspaceScope,
    session: AccountSessionId,
    tokens: &Tokens,
    changes: &mut Changes,
) -> OpResult<()> {
    let mut packed = Vec::new();
    pack(&mut packed, [Some(&tokens.access), Some(&tokens.refresh)]);
    seal_secret(operations, scope, &tokens_place(session)?, &packed, changes).await
}

/// Seals the code that a person gives, until the engine takes it.
pub(super) async fn keep_code(
    operations: &Operations,
    scope: WorkspaceScope,
    session: AccountSessionId,
    code: &SecretString,
    changes: &mut Changes,
) -> OpResult<()> {
    seal_secret(operations, scope, &code_place(session)?, code.expose_secret().as_bytes(), changes).await
}

/// Takes the code of a person out of what is sealed, in the changes that say so.
pub(super) async fn take_code(
    operations: &Operations,
    scope: WorkspaceScope,
    caller: &Caller,
    session: &AccountSession,
    changes: &mut Changes,
) -> OpResult<Option<SecretString>> {
    let wanted = FindWorkspaceSecret { workspace_id: session.workspace_id, place: code_place(session.id)? };
    let Some(code) = operations.read_workspace_secret(caller, &wanted).await? else { return Ok(None) };
    drop_secret(operations, scope, &wanted.place, changes).await?;
    Ok(std::str::from_utf8(code.expose_secret()).ok().map(SecretString::from))
}

/// Removes what is sealed for a session, in the changes that end it.
pub(super) async fn drop_session_secrets(
    operations: &Operations,
    scope: WorkspaceScope,
    session: AccountSessionId,
    changes: &mut Changes,
) -> OpResult<()> {
    drop_secret(operations, scope, &tokens_place(session)?, changes).await?;
    drop_session_code(operations, scope, session, changes).await
}

/// Removes a code that was not taken.
pub(super) async fn drop_session_code(
    operations: &Operations,
    scope: WorkspaceScope,
    session: AccountSessionId,
    changes: &mut Changes,
) -> OpResult<()> {
    drop_secret(operations, scope, &code_place(session)?, changes).await
}

fn tokens_place(session: AccountSessionId) -> OpResult<SecretPlace> {
    place_of(session, "tokens")
}

fn code_place(session: AccountSessionId) -> OpResult<SecretPlace> {
    place_of(session, "code")
}

fn place_of(session: AccountSessionId, column: &'static str) -> OpResult<SecretPlace> {
    let name = |name| Name::new(name).map_err(|error| OpError::internal(error.to_string()));
    Ok(SecretPlace { table: name("account_sessions")?, column: name(column)?, row: session.to_bytes() })
}
