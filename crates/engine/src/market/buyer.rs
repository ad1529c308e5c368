//! Chooses the trading account that buys.

use tradepost_domain::id::ContractId;
use tradepost_domain::trading::trading_account::AccountRole;
use tradepost_operations::contracts::{AccountChoice, ResolveAssignment};

use crate::context::Context;
use crate::desk::TradingAccount;
use crate::error::{EngineError, EngineResult};
use crate::market::Market;

impl Market {
    /// Returns the account that buys next for a contract: the one assigned to its pool, or each in turn.
    pub(crate) async fn choose_buyer(
        &mut self,
        context: &Context,
        contract_id: ContractId,
    ) -> EngineResult<TradingAccount> {
        let (workspace_id, role) = (context.desk.workspace_id, AccountRole::Buy);
        let pool_id = self.contracts.get(contract_id).and_then(|standing| standing.contract().pool_id);
        let Some(pool_id) = pool_id else { return self.next_ready_account(context).await };
        let ask = ResolveAssignment { workspace_id, pool_id, role };
        match context.operations.choose_account(&context.caller, ask).await? {
            AccountChoice::Anybody => self.next_ready_account(context).await,
            AccountChoice::Account { name, .. } => context.account(&name),
            AccountChoice::Nobody => Err(EngineError::NoAssignedAccount(pool_id)),
        }
    }

    async fn next_ready_account(&mut self, context: &Context) -> EngineResult<TradingAccount> {
        let (now, turn, loads) = (context.now(), self.next_account, context.loads().await?);
        self.next_account = turn.wrapping_add(1);
        let is_ready = |account: &TradingAccount| context.state.accounts.may_buy(&account.name, &loads, now);
        account_in_turn(&context.desk.accounts, turn, is_ready).cloned().ok_or(EngineError::NoReadyAccount)
    }
}

/// Returns the ready account whose turn it is.
fn account_in_turn(
    accounts: &[TradingAccount],
    turn: usize,
    is_ready: impl Fn(&TradingAccount) -> bool,
) -> Option<&TradingAccount> {
    let ready: Vec<&TradingAccount> = accounts.iter().filter(|account| is_ready(account)).collect();
    turn.checked_rem(ready.len()).and_then(|place| ready.get(place).copied())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};
    use tradepost_testkit::samples::text;

    fn accounts() -> Vec<TradingAccount> {
        let user = PlatformUserId::new(std::num::NonZeroU64::MIN);
        let address = TradeAddress { user, token: text("token") };
        ["one", "two", "three"].map(|name| TradingAccount { name: text(name), address: address.clone() }).into()
    }

    fn names_in_turn(is_ready: impl Fn(&TradingAccount) -> bool + Copy) -> Vec<String> {
        let accounts = accounts();
        let named = |turn| account_in_turn(&accounts, turn, is_ready).map(|account| account.name.to_string());
        (0..4).filter_map(named).collect()
    }

    #[test]
    fn ready_accounts_buy_in_turn() {
        assert_eq!(names_in_turn(|_| true), ["one", "two", "three", "one"]);
    }

    #[test]
    fn an_account_that_is_not_ready_loses_its_turn_to_the_next_one() {
        assert_eq!(names_in_turn(|account| account.name.as_str() != "two"), ["one", "three", "one", "three"]);
    }

    #[test]
    fn no_account_buys_if_none_is_ready() {
        assert!(names_in_turn(|_| false).is_empty());
        assert_eq!(account_in_turn(&[], 0, |_| true), None);
    }
}
