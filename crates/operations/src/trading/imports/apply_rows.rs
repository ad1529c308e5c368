//! Applying some rows of an import in one commit: accounts with their secrets, their group, and the outcomes of the rows.

use std::collections::HashMap;

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::id::AccountId;
use tradepost_domain::trading::giving::GivingLimits;
use tradepost_domain::trading::import::{Import, ImportRow, ReasonCode, RowOutcome};
use tradepost_domain::trading::trading_account::{AccountChange, AccountGroup, NewAccount, TradingAccount};
use tradepost_ports::changes::{Changes, Seen};

use super::candidates::{HiddenFields, Refuse as _};
use super::check_rows::{KnownAccounts, hidden_fields, platform};
use super::content;
use crate::commit::By;
use crate::trading::trading_accounts::account_moves::account_group_as_seen;
use crate::trading::trading_accounts::account_secrets::keep_account_secrets;
use crate::{OpError, OpResult, Operations};

/// The rows of an import that are applied next.
pub(super) struct NextRows<'a> {
    pub(super) import: &'a Import,
    pub(super) rows: Vec<ImportRow>,
}

/// The writes of some rows, as they are gathered.
struct Gathered<'a> {
    operations: &'a Operations,
    scope: WorkspaceScope,
    by: By<'a>,
    /// Decides about each account again, because the check may be an hour old.
    known: KnownAccounts,
    /// How many accounts the group still takes.
    room: usize,
    /// The accounts that are created.
    created: Vec<AccountId>,
}

impl Operations {
    /// Adds the accounts of some rows to the changes, and returns the rows with their outcomes.
    pub(super) async fn apply_rows(
        &self,
        changes: &mut Changes,
        by: By<'_>,
        scope: WorkspaceScope,
        NextRows { import, mut rows }: NextRows<'_>,
    ) -> OpResult<Vec<ImportRow>> {
        let sealed = content::place(import.id).read(self, scope).await?;
        let sealed = sealed.ok_or_else(|| OpError::internal(format!("import {} has no content", import.id)))?;
        let mut fields: HashMap<u32, HiddenFields> = content::unpacked(&sealed)?;
        let known = KnownAccounts::read(self, scope, &rows).await?;
        let group = match import.defaults.group_id {
            Some(id) => Some(account_group_as_seen(self, scope, id, None).await?),
            None => None,
        };
        let room = group
            .as_ref()
            .map_or(usize::MAX, |group| AccountGroup::MOST.saturating_sub(group.peek().account_ids.len()));
        let mut gathered = Gathered { operations: self, scope, by, known, room, created: Vec::new() };
        for row in &mut rows {
            let hidden = fields.remove(&row.number);
            let hidden = hidden.ok_or_else(|| OpError::internal(format!("row {} has no content", row.number)))?;
            gathered.apply(changes, import, row, hidden).await?;
        }
        if let Some(group) = group.filter(|_| !gathered.created.is_empty()) {
            join(changes, by, group, &gathered.created)?;
        }
        Ok(rows)
    }
}

impl Gathered<'_> {
    async fn apply(
        &mut self,
        changes: &mut Changes,
        import: &Import,
        row: &mut ImportRow,
        hidden: HiddenFields,
    ) -> OpResult<()> {
        if let Some(account) = self.known.take(row) {
            return self.update(changes, account, row, hidden).await;
        }
        let objection = match self.room {
            0 => Some((ReasonCode::GroupFull, "the group has no room for the account")),
            _ => self.known.objection(row),
        };
        if let Some((code, detail)) = objection {
            row.refuse(code, detail);
            row.outcome = RowOutcome::Failed;
            return Ok(());
        }
        self.create(changes, import, row, hidden).await
    }

    async fn create(
        &mut self,
        changes: &mut Changes,
        import: &Import,
        row: &mut ImportRow,
        hidden: HiddenFields,
    ) -> OpResult<()> {
        let incomplete = || OpError::internal(format!("row {} of import {} is incomplete", row.number, import.id));
        let new = NewAccount {
            id: self.operations.mint(),
            workspace_id: import.workspace_id,
            name: row.name.clone().ok_or_else(incomplete)?,
            platform: platform()?,
            platform_user_id: row.platform_user_id.ok_or_else(incomplete)?,
            trade_token: hidden.token().transpose().map_err(|error| OpError::internal(error.to_string()))?,
            capabilities: import.defaults.capabilities.clone(),
            limits: import.defaults.limits,
            giving_limits: GivingLimits::default(),
            has_secrets: !hidden.secrets.is_empty(),
        };
        let by = By { at: self.operations.market_now(import.workspace_id), ..self.by };
        let account = TradingAccount::register(new, by.at);
        self.keep(changes, account.id, &hidden).await?;
        self.operations.insert_account(changes, by, self.scope, &account);
        self.room = self.room.saturating_sub(1);
        self.created.push(account.id);
        row.outcome = RowOutcome::Created;
        row.account_id = Some(account.id);
        Ok(())
    }

    async fn update(
        &self,
        changes: &mut Changes,
        account: Seen<TradingAccount>,
        row: &mut ImportRow,
        hidden: HiddenFields,
    ) -> OpResult<()> {
        let known = hidden_fields(self.operations, account.peek()).await?;
        let merged = hidden.over(&known);
        row.account_id = Some(account.peek().id);
        if merged.is_same(&known) {
            row.outcome = RowOutcome::Same;
            return Ok(());
        }
        let change = AccountChange {
            trade_token: merged.token().transpose().map_err(|error| OpError::internal(error.to_string()))?,
            secrets: !merged.secrets.is_empty(),
            ..AccountChange::default()
        };
        let at = self.operations.market_now(account.peek().workspace_id);
        let updated = changes.revise(account, |account| account.change(change, at))?;
        self.keep(changes, updated.value.id, &merged).await?;
        changes.audit(AuditKind::AccountUpdated, &updated.value);
        row.outcome = RowOutcome::Updated;
        Ok(())
    }

    async fn keep(&self, changes: &mut Changes, account: AccountId, hidden: &HiddenFields) -> OpResult<()> {
        if !hidden.secrets.is_empty() {
            keep_account_secrets(self.operations, self.scope, account, &hidden.secrets, changes).await?;
        }
        if !hidden.recovery.is_empty() {
            hidden.recovery.keep(self.operations, self.scope, account, changes).await?;
        }
        Ok(())
    }
}

fn join(changes: &mut Changes, by: By<'_>, group: Seen<AccountGroup>, created: &[AccountId]) -> OpResult<()> {
    let next = changes.revise(group, |group| group.with(created, by.at))?;
    changes.audit(AuditKind::AccountGroupJoined, About::from(&next.value).with(Fact::Count, &created.len()));
    Ok(())
}
