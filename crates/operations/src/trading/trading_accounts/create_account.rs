//! [`CreateAccount`]: registers a trading account, with its secrets.

use crate::trading::trading_accounts::account_secrets::keep_account_secrets;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_domain::trading::trading_account::{AccountRole, NewAccount, TradingAccount};
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{AppendedRow, Caller, Changes};
use tradepost_ports::store::{StoreError, Unique};

use super::account_fields::{LimitsOfAccount, LimitsOfGiving, platform_user_id};
use super::account_secrets::AccountSecrets;
use super::update_account::limited;
use crate::commit::{By, Step};
use crate::rules::{self, StepUp};
use crate::secrets::data_keys::lost_race;
use crate::{OpError, OpResult, Operations, Reason, Versioned, fields};

/// Registers a trading account.
#[derive(Debug, Clone)]
pub struct CreateAccount {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Its name on purchases and items, 1 to 64 characters.
    pub name: String,
    /// The platform, such as `steam`, 1 to 64 characters.
    pub platform: String,
    /// The platform's number of it.
    pub platform_user_id: String,
    /// The token of its trade URL, 1 to 128 characters.
    pub trade_token: Option<String>,
    /// The permitted roles; empty permits all.
    pub capabilities: Vec<AccountRole>,
    /// The limits.
    pub limits: LimitsOfAccount,
    /// The most that it gives, both limits.
    pub giving_limits: Option<LimitsOfGiving>,
    /// The secrets with which it signs in.
    pub secrets: AccountSecrets,
}

impl Operations {
    /// Registers a trading account, which gets no work until it was signed in. What it signs in by is sealed.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` naming the field; `failed_precondition` with `STEP_UP_REQUIRED`, also without a check of
    /// the last 2 min if what it gives is limited, or `RISKS_NOT_ACKNOWLEDGED`;
    /// `already_exists` with `ACCOUNT_EXISTS` when another account has its name or number; `internal` with
    /// `KEY_ENCRYPTION_UNAVAILABLE`.
    pub async fn create_account(&self, caller: &Caller, command: CreateAccount) -> OpResult<Versioned<TradingAccount>> {
        let scope = rules::CREATE_ACCOUNT.enter(&caller.principal, command.workspace_id)?;
        let at = self.market_now(command.workspace_id);
        let account = TradingAccount::register(new_account(&command, self.mint())?, at);
        let gives_limited = command.giving_limits.is_some();
        let step_up = if gives_limited { StepUp::Fresh } else { rules::CREATE_ACCOUNT.step_up };
        let rule = rules::CREATE_ACCOUNT.with_step_up(step_up);
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            self.require_step_up_in(caller, scope, rule, &mut changes).await?;
            if !command.secrets.is_empty() {
                keep_account_secrets(self, scope, account.id, &command.secrets, &mut changes).await?;
            }
            self.insert_account(&mut changes, By { caller, at }, scope, &account);
            if gives_limited {
                changes.audit(AuditKind::AccountGivingLimited, limited(&account, account.giving_limits));
            }
            match self.commit(caller, changes).await {
                Err(OpError {
                    source: Some(StoreError::Duplicate(Unique::AccountName | Unique::PlatformAccount)),
                    ..
                }) => Err(OpError::already_exists(
                    Reason::AccountExists,
                    "another trading account of the workspace has this name or number",
                )),
                Err(error) => Err(lost_race(error)),
                Ok(_) => Ok(Versioned::new(account.clone())),
            }
        })
        .await
    }

    pub(crate) fn insert_account(
        &self,
        changes: &mut Changes,
        by: By<'_>,
        scope: WorkspaceScope,
        account: &TradingAccount,
    ) {
        let step = Step {
            subject: Subject::Account(account.id),
            from: None,
            to: account.status.as_str(),
            version: 1,
            trigger: "registered",
        };
        changes.insert(account.clone());
        changes.append(AppendedRow::Transition(self.transition(by.caller, scope.workspace_id(), step, by.at)));
        changes.audit(AuditKind::AccountCreated, account);
    }
}

fn new_account(command: &CreateAccount, id: AccountId) -> OpResult<NewAccount> {
    command.secrets.check()?;
    let all = command.capabilities.is_empty().then_some(AccountRole::ALL);
    Ok(NewAccount {
        id,
        workspace_id: command.workspace_id,
        name: fields::text("name", &command.name)?,
        platform: fields::text("platform", &command.platform)?,
        platform_user_id: platform_user_id(&command.platform_user_id)?,
        trade_token: command.trade_token.as_deref().map(|token| fields::text("tradeToken", token)).transpose()?,
        capabilities: all.unwrap_or(&command.capabilities).iter().copied().collect(),
        limits: command.limits.check()?,
        giving_limits: command.giving_limits.as_ref().map(LimitsOfGiving::check).transpose()?.unwrap_or_default(),
        has_secrets: !command.secrets.is_empty(),
    })
}
