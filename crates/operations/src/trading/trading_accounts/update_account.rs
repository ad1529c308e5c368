//! [`UpdateAccount`]: changes address, capabilities, limits, chat or secrets of a trading account, and how much it gives.

use crate::trading::trading_accounts::account_moves::account_as_seen;
use crate::trading::trading_accounts::account_secrets::keep_account_secrets;
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_domain::trading::giving::GivingLimits;
use tradepost_domain::trading::trading_account::{AccountChange, AccountRole, TradingAccount};
use tradepost_ports::changes::{Caller, Changes};

use super::account_fields::{LimitsOfAccount, LimitsOfGiving};
use super::account_secrets::AccountSecrets;
use crate::commit::By;
use crate::rules::{self, StepUp};
use crate::secrets::data_keys::lost_race;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// The changes to one trading account; absent fields stay unchanged.
#[derive(Debug, Clone)]
pub struct UpdateAccount {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
    /// The token of its trade URL from now on, 1 to 128 characters.
    pub trade_token: Option<String>,
    /// The new permitted roles; empty leaves them unchanged.
    pub capabilities: Vec<AccountRole>,
    /// The limits from now on, all of them.
    pub limits: Option<LimitsOfAccount>,
    /// Whether its chat is read from now on, and messages can be sent.
    pub chat_enabled: Option<bool>,
    /// The new secrets, complete; empty leaves them unchanged.
    pub secrets: AccountSecrets,
    /// Whether offers that give items of it and were not sent here are cancelled from now on.
    pub cancel_strange_offers: Option<bool>,
    /// The most that it gives from now on, both limits.
    pub giving_limits: Option<LimitsOfGiving>,
    /// The version that the caller saw, from 1; rejected when the account has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Changes a trading account. Its name and number stay: they are on its purchases and items.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for bad fields, and when nothing is to change; `not_found`;
    /// `failed_precondition`: `VERSION_MISMATCH`, `STEP_UP_REQUIRED` for other secrets, to keep strange offers, and, without a check of the last
    /// 2 min, for other limits of what it gives, `RISKS_NOT_ACKNOWLEDGED` for other secrets, `ACCOUNT_REMOVED`; `internal` with `KEY_ENCRYPTION_UNAVAILABLE`.
    pub async fn update_account(&self, caller: &Caller, command: UpdateAccount) -> OpResult<Versioned<TradingAccount>> {
        let scope = rules::UPDATE_ACCOUNT.enter(&caller.principal, command.workspace_id)?;
        let change = change(&command)?;
        fields::expected_version(command.expected_version)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let account = account_as_seen(self, scope, command.account_id, command.expected_version).await?;
            let mut changes = Changes::by(caller);
            if change.giving_limits.is_some() {
                let fresh = rules::UPDATE_ACCOUNT.with_step_up(StepUp::Fresh);
                self.require_step_up_in(caller, scope, fresh, &mut changes).await?;
            } else if change.secrets || change.cancel_strange_offers == Some(false) {
                self.require_step_up_in(caller, scope, rules::UPDATE_ACCOUNT, &mut changes).await?;
            }
            let next = changes.revise(account, |account| account.change(change.clone(), at))?;
            if change.secrets {
                keep_account_secrets(self, scope, command.account_id, &command.secrets, &mut changes).await?;
            }
            if let Some(limits) = change.giving_limits {
                self.settle_giving_limit(&mut changes, By { caller, at }, scope, command.account_id).await?;
                changes.audit(AuditKind::AccountGivingLimited, limited(&next.value, limits));
            }
            if change != (AccountChange { giving_limits: change.giving_limits, ..AccountChange::default() }) {
                changes.audit(AuditKind::AccountUpdated, &next.value);
            }
            self.commit(caller, changes).await.map_err(lost_race)?;
            Ok(next.into())
        })
        .await
    }
}

/// The event of an account whose limits of what it gives were set.
pub(super) fn limited(account: &TradingAccount, limits: GivingLimits) -> About {
    let facts = [(Fact::MaxGiveCentsPerHour, limits.per_hour), (Fact::MaxGiveCentsPerDay, limits.per_day)];
    let known = facts.into_iter().filter_map(|(fact, limit)| limit.map(|limit| (fact, limit)));
    known.fold(About::from(account), |about, (fact, limit)| about.with(fact, &limit))
}

fn change(command: &UpdateAccount) -> OpResult<AccountChange> {
    command.secrets.check()?;
    let capabilities = &command.capabilities;
    let change = AccountChange {
        trade_token: command.trade_token.as_deref().map(|token| fields::text("tradeToken", token)).transpose()?,
        capabilities: (!capabilities.is_empty()).then(|| capabilities.iter().copied().collect()),
        limits: command.limits.as_ref().map(LimitsOfAccount::check).transpose()?,
        chat: command.chat_enabled,
        secrets: !command.secrets.is_empty(),
        cancel_strange_offers: command.cancel_strange_offers,
        giving_limits: command.giving_limits.as_ref().map(LimitsOfGiving::check).transpose()?,
    };
    if change == AccountChange::default() {
        return Err(OpError::invalid_field("limits", "or another field that is to change is required"));
    }
    Ok(change)
}
