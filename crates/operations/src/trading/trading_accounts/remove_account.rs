//! [`RemoveAccount`]: removes a trading account permanently.

use crate::contracts::remediations::remediation_steps::commit_problems;
use crate::trading::account_sessions::session_moves::{SessionStep, step_session};
use crate::trading::trading_accounts::account_moves::account_as_seen;
use crate::trading::trading_accounts::account_moves::step_account;
use crate::trading::trading_accounts::account_secrets::drop_account_secrets;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::contracts::assignment::Assignee;
use tradepost_domain::contracts::intent::{Intent, IntentStatus, Target};
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_domain::text::AccountName;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::account_session::SessionEvent;
use tradepost_domain::trading::trade_offer::TradeOfferStatus;
use tradepost_domain::trading::trading_account::{AccountEvent, OpenAccountWork, TradingAccount};
use tradepost_ports::changes::{Caller, Changes, Seen};
use tradepost_ports::store::{PageRequest, TradeOfferFilter};

use super::account_moves::AccountStep;
use crate::commit::By;
use crate::rules;
use crate::{OpError, OpResult, Operations, fields};

/// The maximum of trade offers that are counted in each status.
const COUNTED: u32 = 100;

/// Takes a trading account off the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemoveAccount {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
    /// The version that the caller saw, from 1; rejected when the account has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Removes a trading account without open work, its secrets, and its places in groups. Its name is free again.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for an expected version below 1; `failed_precondition` with `STEP_UP_REQUIRED`;
    /// `not_found`; `failed_precondition`: `VERSION_MISMATCH`, `ILLEGAL_STEP` when it is removed, `ACCOUNT_AT_WORK` while a
    /// purchase, an item or a trade offer of it is not over, `ACCOUNT_ASSIGNED` while an assignment names it itself.
    pub async fn remove_account(&self, caller: &Caller, command: RemoveAccount) -> OpResult<()> {
        let scope = rules::REMOVE_ACCOUNT.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let at = self.market_now(command.workspace_id);
        // In turn with commands that record purchases: a later one finds the account removed.
        self.in_turn(command.workspace_id, || async {
            let mut changes = Changes::by(caller);
            self.require_step_up_in(caller, scope, rules::REMOVE_ACCOUNT, &mut changes).await?;
            let account = account_as_seen(self, scope, command.account_id, command.expected_version).await?;
            let left = self.at_work(scope, at, &account).await?;
            let step = AccountStep { scope, event: AccountEvent::Removed(left), said: None };
            let removed = step_account(self, &mut changes, By { caller, at }, account, step).await?;
            drop_account_secrets(self, scope, command.account_id, &mut changes).await?;
            let sessions = self.ports.store.account_sessions();
            if let Some(live) = sessions.find_live_account_session(scope, command.account_id).await? {
                let step = SessionStep::of(scope, SessionEvent::Closed);
                step_session(self, &mut changes, By { caller, at }, live, step).await?;
            }
            for group in self.ports.store.account_groups().list_of_account(scope, command.account_id).await? {
                changes.revise(group, |group| Ok::<_, OpError>(group.without(&[command.account_id].into(), at)))?;
            }
            changes.audit(AuditKind::AccountRemoved, &removed.value);
            commit_problems(self, caller, changes).await?;
            Ok(())
        })
        .await
    }

    /// Returns the open work of an account.
    async fn at_work(
        &self,
        scope: WorkspaceScope,
        at: Timestamp,
        account: &Seen<TradingAccount>,
    ) -> OpResult<OpenAccountWork> {
        let (id, name) = (account.peek().id, account.peek().name.clone());
        let load = self.ports.store.trading_accounts().find_loads(scope, std::slice::from_ref(&name)).await?;
        let load = load.into_iter().next().map(|(_, load)| load).unwrap_or_default();
        let assignments = self.ports.store.assignments().count_of(scope, Assignee::Account(id)).await?;
        Ok(OpenAccountWork {
            purchases: load.open_purchases,
            items: load.items,
            offers: self.open_offers(scope, at, &name).await?.saturating_add(self.transfers_to(scope, &name).await?),
            assignments: u32::try_from(assignments).unwrap_or(u32::MAX),
        })
    }

    /// Returns how many offers of other accounts bring an item to this one.
    async fn transfers_to(&self, scope: WorkspaceScope, name: &AccountName) -> OpResult<u32> {
        let (mut count, mut after) = (0_u32, None);
        loop {
            let executing = self.ports.store.intents().list_in(scope, IntentStatus::Executing, after, COUNTED).await?;
            after = executing.last().map(|last| last.peek().terms.id);
            let is_to_it = |seen: &&Seen<Intent>| matches!(&seen.peek().terms.target, Target::Item(target) if target.to_account.as_ref() == Some(name));
            let found = executing.iter().filter(is_to_it).count();
            count = count.saturating_add(u32::try_from(found).unwrap_or(u32::MAX));
            if executing.len() < COUNTED as usize {
                return Ok(count);
            }
        }
    }

    /// Returns how many trade offers of an account are open; counted up to a hundred in a status.
    async fn open_offers(&self, scope: WorkspaceScope, at: Timestamp, name: &AccountName) -> OpResult<u32> {
        let mut open = 0_usize;
        for status in TradeOfferStatus::ALL.iter().filter(|status| !status.is_terminal()) {
            let filter =
                TradeOfferFilter { account_name: Some(name), status: Some(*status), ..TradeOfferFilter::default() };
            let page = PageRequest { before: None, limit: COUNTED };
            let ids = self.ports.store.trade_offers().list(scope, filter, page).await?.ids;
            if !ids.is_empty() {
                let found = self.ports.store.trade_offers().find_many(scope, &ids).await?;
                let under_way = found.iter().filter(|offer| offer.peek().may_move_items(at)).count();
                open = open.saturating_add(under_way);
            }
        }
        Ok(u32::try_from(open).unwrap_or(u32::MAX))
    }
}
