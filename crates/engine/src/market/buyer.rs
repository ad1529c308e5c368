//! Chooses the trading account that buys.

use tradepost_domain::id::ContractId;
use tradepost_domain::trading::trading_account::AccountRole;
use tradepost_operations::contracts::{AccountChoice, ResolveAssignment};

use crate::context::Context;
use crate::desk::{TradingAccount, account_in_turn};
use crate::error::{EngineError, EngineResult};
use crate::market::Market;

impl Market {
    /// Returns the account that buys next for a contract: the one assigned to its pool, or each in turn.
    pub(crate) async fn choose_buyer(
        &mut self,
        context: &Context,
        contract_id: ContractId,
    ) -> EngineResult<TradingAccount> {
        let (workspace_id, role) = (context.desk().workspace_id, AccountRole::Buy);
        let pool_id = self.contracts.get(contract_id).and_then(|standing| standing.contract().pool_id);
        let Some(pool_id) = pool_id else { return self.next_ready_account(context).await };
        let ask = ResolveAssignment { workspace_id, pool_id, role };
        match context.operations().choose_account(context.caller(), ask).await? {
            AccountChoice::Anybody => self.next_ready_account(context).await,
            AccountChoice::Account { name, .. } => context.account(&name),
            AccountChoice::NoAccount => Err(EngineError::NoAssignedAccount(pool_id)),
        }
    }

    async fn next_ready_account(&mut self, context: &Context) -> EngineResult<TradingAccount> {
        let (now, turn, loads) = (context.now(), self.next_account, context.loads().await?);
        self.next_account = turn.wrapping_add(1);
        let is_ready = |account: &TradingAccount| context.may_buy(&account.name, &loads, now);
        account_in_turn(&context.desk().accounts, turn, is_ready).cloned().ok_or(EngineError::NoReadyAccount)
    }
}
