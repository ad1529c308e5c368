//! [`AcknowledgeTradeProtection`]: a person accepts the platform's notice that trades can be reversed.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::contracts::remediation::RemediationKind;
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_domain::trading::trading_account::AccountGone;
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{Caller, Changes};

use super::bulk_accounts::{AccountResult, chosen_accounts, take_account};
use crate::commit::By;
use crate::contracts::Problems;
use crate::contracts::remediations::remediation_steps::{commit_problems, follow_problems};
use crate::rules;
use crate::{OpResult, Operations};

/// The acceptance of the platform's notice for some trading accounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcknowledgeTradeProtection {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The accounts, 1 to 100.
    pub account_ids: Vec<AccountId>,
}

impl Operations {
    /// Records that the caller accepts the notice for each account, which trades from then on, and ends `ACKNOWLEDGE_TRADES`. An account
    /// whose notice was accepted before stays as it is. Returns a result for each account, in the order asked for; what one of them rejects
    /// keeps no other back.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many, `failed_precondition` with `STEP_UP_REQUIRED`. Of one account:
    /// `NOT_FOUND`, `ACCOUNT_REMOVED`.
    pub async fn acknowledge_trade_protection(
        &self,
        caller: &Caller,
        command: AcknowledgeTradeProtection,
    ) -> OpResult<Vec<AccountResult>> {
        let scope = rules::ACKNOWLEDGE_TRADE_PROTECTION.enter(&caller.principal, command.workspace_id)?;
        let ids = chosen_accounts("accountIds", &command.account_ids)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            self.require_step_up_in(caller, scope, rules::ACKNOWLEDGE_TRADE_PROTECTION, &mut changes).await?;
            let mut found = self.ports.store.trading_accounts().find_many(scope, &ids).await?;
            let (mut results, mut is_changed) = (Vec::with_capacity(ids.len()), false);
            for id in &ids {
                let Some(seen) = take_account(&mut found, *id) else {
                    results.push(AccountResult::missing(*id));
                    continue;
                };
                if seen.peek().status.is_terminal() {
                    results.push(AccountResult::refused(*id, AccountGone.into()));
                    continue;
                }
                if seen.peek().may_trade() {
                    results.push(AccountResult::done(seen.into()));
                    continue;
                }
                let accepted = changes.revise(seen, |account| account.acknowledge_trades(at))?;
                changes.audit(AuditKind::AccountTradesAcknowledged, &accepted.value);
                let resolved = Some(RemediationKind::AcknowledgeTrades);
                let problems = Problems { scope, of: Subject::Account(*id), found: Vec::new(), resolved };
                follow_problems(self, &mut changes, By { caller, at }, None, problems).await?;
                results.push(AccountResult::done(accepted.into()));
                is_changed = true;
            }
            if is_changed {
                commit_problems(self, caller, changes).await?;
            }
            Ok(results)
        })
        .await
    }
}
