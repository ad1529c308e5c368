//! Reads the accounts that people want to be read now: their state, their balance and their trade URL, which it has the platform renew if that is
//! asked for. The snapshot of the inventory waits among the others.
//!
//! A renewal is recorded as begun before the one call, and is never begun again: the URL that is read afterwards ends it. Nothing is sent with a
//! URL that is not on record.

use time::Duration;
use tokio::time::Instant;
use tradepost_domain::money::Cents;
use tradepost_domain::text::{AccountName, ExternalId};
use tradepost_domain::trading::trade::TradeAddress;
use tradepost_domain::trading::trading_account::{AccountReading, TradingAccount};
use tradepost_operations::Reason;
use tradepost_operations::trading::{
    AccountOnRecord, AccountsToRefresh, BeginTokenRenewal, PostponeTokenRenewal, RecordAccountReading,
    RefuseAccountReading,
};
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::PlatformRefusal;

use crate::context::Context;
use crate::context::account_health::failed_part;
use crate::desk::TradingAccount as DeskAccount;
use crate::error::{EngineError, EngineResult};
use crate::mark::is_due;
use crate::pass::Pass;
use crate::turns::Turns;

/// Shortest time between two tries for an account.
const SPACING: Duration = Duration::seconds(30);

/// When the accounts were last read that people want to be read.
pub(crate) type RefreshMarks = Turns<AccountName>;

impl Context {
    /// Reads the accounts that people want to be read. One that could not be read has its next try later. A request for one that the engine
    /// does not trade with ends.
    pub(crate) async fn refresh_requested_accounts(&mut self, pass: &mut Pass) -> EngineResult {
        if !self.holds_inventory() {
            return Ok(());
        }
        let (now, ask) = (self.mark(), AccountsToRefresh { workspace_id: self.desk.workspace_id });
        let waiting = self.operations.accounts_to_refresh(&self.caller, ask).await?.into_iter();
        let (of_desk, others): (Vec<TradingAccount>, Vec<TradingAccount>) =
            waiting.map(|waiting| waiting.value).partition(|record| self.desk.account(&record.name).is_some());
        for record in others {
            let refused = self.refuse_request(&record).await;
            pass.record_error(refused);
        }
        let is_due = |record: &TradingAccount| is_due(self.state.refreshes.last(&record.name), now, SPACING);
        let due: Vec<TradingAccount> = of_desk.into_iter().filter(is_due).collect();
        let balance = if due.is_empty() { None } else { self.total_balance().await };
        for record in self.state.refreshes.in_turn(due, |record| &record.name, self.time_slice()) {
            let Some(account) = self.desk.account(&record.name).cloned() else { continue };
            self.state.refreshes.note(record.name.clone(), now);
            let read = self.read_requested(&account, record, balance).await;
            pass.record_error(read);
        }
        Ok(())
    }

    /// Ends a request for an account that is not one of the desk. A young one waits: the engine begins again after an account was added.
    async fn refuse_request(&self, record: &TradingAccount) -> EngineResult {
        let ends = record.refresh.is_some_and(|refresh| refresh.may_be_refused(self.now()));
        if !ends {
            return Ok(());
        }
        tracing::warn!(account = %record.name, platform = %record.platform, "account not read: this engine does not trade with it");
        let command = RefuseAccountReading { workspace_id: self.desk.workspace_id, account_id: record.id };
        self.operations.refuse_account_reading(&self.caller, command).await?;
        Ok(())
    }

    async fn read_requested(
        &mut self,
        account: &DeskAccount,
        record: TradingAccount,
        balance: Option<Cents>,
    ) -> EngineResult {
        let (workspace_id, account_id) = (self.desk.workspace_id, record.id);
        self.state.accounts.keep(record.clone());
        let shown = self.report_state(account, balance, Duration::ZERO).await;
        let (trade_token, unread) = match shown {
            // That the session is lost is what there is to report.
            Err(EngineError::Platform(ExternalError::AuthLost { .. })) => (None, None),
            Err(error) => return Err(error),
            Ok(unread) => (self.token_of(account, &record).await?, unread),
        };
        let reading = AccountReading { began_at: self.now(), trade_token };
        let command = RecordAccountReading { workspace_id, account_id, reading };
        let read = self.operations.record_account_reading(&self.caller, command).await?;
        self.state.accounts.keep(read.value);
        failed_part(unread)
    }

    /// Returns the token of an account's trade URL, which is renewed before if that is asked for; nothing if the platform does not show it.
    async fn token_of(&self, account: &DeskAccount, record: &TradingAccount) -> EngineResult<Option<ExternalId>> {
        if let Some(renewed) = self.renewed_token(account, record).await? {
            return Ok(Some(renewed));
        }
        match self.desk.platform.trade_token(account.address.user).await {
            Ok(token) => Ok(Some(token)),
            Err(ExternalError::Rejected(refusal)) => {
                tracing::debug!(%refusal, "the platform does not show a trade URL");
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    async fn renewed_token(&self, account: &DeskAccount, record: &TradingAccount) -> EngineResult<Option<ExternalId>> {
        let (workspace_id, account_id) = (self.desk.workspace_id, record.id);
        let renewal = record.refresh.and_then(|refresh| refresh.renewal);
        if renewal.is_none_or(|renewal| renewal.begun_at.is_some() || renewal.is_late(self.now())) {
            return Ok(None);
        }
        let started = Instant::now();
        let command = BeginTokenRenewal { workspace_id, account_id };
        match self.operations.begin_token_renewal(&self.caller, command).await {
            // It waits for the purchases that were decided on in the meantime.
            Err(refusal) if refusal.reason == Reason::AccountAtWork => return Ok(None),
            begun => begun?,
        };
        if started.elapsed() >= self.timings.sent_within {
            return Err(EngineError::SubmitTooLate);
        }
        match self.desk.platform.renew_trade_token(account.address.user).await {
            Ok(token) => Ok(Some(token)),
            // No call was made, and none would be the next time: the URL that is read next ends the request.
            Err(ExternalError::Rejected(PlatformRefusal::NotDone(why))) => {
                tracing::warn!(account = %account.name, %why, "trade URL not renewed");
                Ok(None)
            }
            Err(error) if error.did_nothing() => {
                let command = PostponeTokenRenewal { workspace_id, account_id };
                self.operations.postpone_token_renewal(&self.caller, command).await?;
                Err(error.into())
            }
            // The URL that is read next shows what came of it.
            Err(error) => Err(error.into()),
        }
    }

    /// The account with the trade URL that is on record for it.
    pub(crate) fn addressed(&self, account: &DeskAccount) -> DeskAccount {
        let record = self.state.accounts.get(&account.name);
        DeskAccount { name: account.name.clone(), address: address_of(account, record) }
    }

    /// Where a purchase for an account is delivered to, by a record that is read now; nothing if the account may not receive anything, or while
    /// its trade URL is renewed.
    pub(crate) async fn address_for_delivery(&self, name: &AccountName) -> EngineResult<Option<TradeAddress>> {
        let account = self.account(name)?;
        let ask = AccountOnRecord { workspace_id: self.desk.workspace_id, name: name.clone() };
        let record = self.operations.account_on_record(&self.caller, ask).await?;
        let may_receive = record.as_ref().is_none_or(|record| record.may_trade() && !record.is_token_renewed());
        Ok(may_receive.then(|| address_of(&account, record.as_ref())))
    }
}

/// The address of an account: the token on record is newer than the one that the desk began with.
fn address_of(account: &DeskAccount, record: Option<&TradingAccount>) -> TradeAddress {
    let on_record = record.and_then(|record| record.address()).filter(|known| known.user == account.address.user);
    on_record.unwrap_or_else(|| account.address.clone())
}
