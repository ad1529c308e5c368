//! Reports the platform's view of the desk's trading accounts, and what they have to spend, to their records. Only changes are reported.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use time::Duration;
use tradepost_domain::id::AccountId;
use tradepost_domain::markets::exchange::Conversion;
use tradepost_domain::money::Cents;
use tradepost_domain::text::AccountName;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_domain::trading::trading_account::{
    AccountHealth, AccountReport, AccountRole, AccountStatus, Load, LockReason, TradingAccount,
};
use tradepost_operations::trading::{AccountLoads, AdvanceAccount, GetAccounts, ListAccounts, RecordAccountHealth};
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{AccountState, PlatformRefusal, PlatformResult};

use crate::context::Context;
use crate::desk::TradingAccount as DeskAccount;
use crate::error::{EngineError, EngineResult};
use crate::mark::{Mark, is_due};
use crate::pass::Pass;
use crate::timings::PAGE;

/// Why the platform did not show a part of an account's state, if it did not.
pub(super) type Unread = Option<ExternalError<PlatformRefusal>>;

/// The accounts of the desk that are on record, as they were last read, and the other accounts of the workspace that are not removed.
#[derive(Debug, Default)]
pub(crate) struct AccountRecords(BTreeMap<AccountName, TradingAccount>, Vec<AccountId>);

/// An account of the desk that is on record, for its friends and chats.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SocialAccount {
    pub(crate) id: AccountId,
    pub(crate) user: PlatformUserId,
    pub(crate) is_chat_enabled: bool,
}

impl AccountRecords {
    /// The record of an account of the desk, as it was last read.
    pub(super) fn get(&self, name: &AccountName) -> Option<&TradingAccount> {
        self.0.get(name)
    }

    pub(super) fn keep(&mut self, record: TradingAccount) {
        self.0.insert(record.name.clone(), record);
    }

    /// The accounts of the workspace that are not of the desk.
    pub(super) fn others(&self) -> &[AccountId] {
        &self.1
    }

    fn may_work(&self, name: &AccountName, role: AccountRole, load: Load, at: Timestamp) -> bool {
        self.0.get(name).is_none_or(|record| record.blocked_by(role, load, at).is_none())
    }
}

/// The accounts that the platform did not know when something was done for them, and that were not read since.
#[derive(Debug, Default)]
pub(crate) struct LostSessions(Mutex<BTreeSet<AccountName>>);

impl LostSessions {
    fn insert(&self, name: &AccountName) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name.clone());
    }

    fn contains(&self, name: &AccountName) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(name)
    }

    fn take(&self) -> BTreeSet<AccountName> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn put_back(&self, names: Vec<AccountName>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(names);
    }
}

/// When accounts last got new tokens, and when the platform last rejected their session. After a read that failed before new tokens came, the
/// next one does not wait.
#[derive(Debug, Default)]
pub(crate) struct SignIns {
    signed_in: BTreeMap<PlatformUserId, Mark>,
    /// When the read began that was rejected.
    rejected: BTreeMap<PlatformUserId, Mark>,
}

impl SignIns {
    fn follows(&self, user: PlatformUserId, last: Mark) -> bool {
        self.signed_in.get(&user).is_some_and(|signed_in_at| last < *signed_in_at)
    }
}

impl Context {
    /// Whether an account may buy with what accounts have in hand, as far as it is on record.
    pub(crate) fn may_buy(&self, name: &AccountName, loads: &BTreeMap<AccountName, Load>, at: Timestamp) -> bool {
        let load = loads.get(name).copied().unwrap_or_default();
        !self.state.lost_sessions.contains(name) && self.state.accounts.may_work(name, AccountRole::Buy, load, at)
    }

    /// The same of what it holds, and is to be put on sale.
    pub(crate) fn may_sell(&self, name: &AccountName, at: Timestamp) -> bool {
        self.state.accounts.may_work(name, AccountRole::Sell, Load::default(), at)
    }

    /// Whether an account may give and receive items at all, as far as it is on record: the platform makes no trade for one before a person
    /// has accepted its notice.
    pub(crate) fn may_trade(&self, name: &AccountName) -> bool {
        self.state.accounts.0.get(name).is_none_or(|record| record.may_trade())
    }

    /// Whether another than we registered an API key for an account, as far as it is on record. It may cancel offers of ours and send others.
    pub(crate) fn has_foreign_key(&self, name: &AccountName) -> bool {
        self.state.accounts.0.get(name).is_some_and(|record| record.has_foreign_key())
    }

    /// Whether offers that give items of an account and were not sent here are cancelled.
    pub(crate) fn cancels_strange_offers(&self, name: &AccountName) -> bool {
        self.state.accounts.0.get(name).is_none_or(|record| record.cancels_strange_offers)
    }

    /// The accounts of the desk that are on record, with their ids.
    pub(crate) fn recorded_accounts_of_desk(&self) -> impl Iterator<Item = (&DeskAccount, AccountId)> {
        let records = &self.state.accounts.0;
        self.desk
            .accounts
            .iter()
            .filter_map(move |account| records.get(&account.name).map(|record| (account, record.id)))
    }

    /// What those accounts have in hand whose records limit it. It is read for each purchase, since each is one more.
    pub(crate) async fn loads(&self) -> EngineResult<BTreeMap<AccountName, Load>> {
        let limited = self.state.accounts.0.values().filter(|record| record.limits.max_open_purchases.is_some());
        let names: Vec<AccountName> = limited.map(|record| record.name.clone()).collect();
        if names.is_empty() {
            return Ok(BTreeMap::new());
        }
        let ask = AccountLoads { workspace_id: self.desk.workspace_id, names };
        Ok(self.operations.account_loads(&self.caller, ask).await?)
    }

    /// The accounts of the desk that are on record, as they were last read.
    pub(crate) fn social_accounts(&self) -> Vec<SocialAccount> {
        let records = self.state.accounts.0.values();
        let account = |record: &TradingAccount| SocialAccount {
            id: record.id,
            user: record.platform_user_id,
            is_chat_enabled: record.is_chat_enabled,
        };
        records.map(account).collect()
    }

    /// Runs a step for an account, and notes if the platform rejects the account's session.
    pub(crate) async fn track_session<T>(
        &self,
        name: &AccountName,
        step: impl Future<Output = EngineResult<T>>,
    ) -> EngineResult<T> {
        let result = step.await;
        if matches!(result, Err(EngineError::Platform(ExternalError::AuthLost { .. }))) {
            self.state.lost_sessions.insert(name);
        }
        result
    }

    /// The accounts of the desk that need a login and have something to sign in by, as they were last read.
    pub(crate) fn accounts_to_sign_in(&self) -> Vec<AccountId> {
        let records = self.state.accounts.0.values();
        records.filter(|it| it.status == AccountStatus::NeedsLogin && it.has_secrets).map(|it| it.id).collect()
    }

    /// Whether an account of the desk needs a login, as far as it is on record.
    pub(crate) fn needs_login(&self, account_id: AccountId) -> bool {
        self.state.accounts.0.values().any(|it| it.id == account_id && it.status == AccountStatus::NeedsLogin)
    }

    /// Whether an account of the desk is on record with this id.
    pub(crate) fn has_account(&self, account_id: AccountId) -> bool {
        self.state.accounts.0.values().any(|it| it.id == account_id)
    }

    /// Reads an account that was signed in or got new tokens just now, so that it gets work again. What else is read of it does not wait for its
    /// next time.
    pub(crate) async fn refresh_signed_in(&mut self, user: PlatformUserId) -> EngineResult {
        let now = self.mark();
        self.state.sign_ins.signed_in.insert(user, now);
        let is_it = |account: &&DeskAccount| account.address.user == user;
        let Some(account) = self.desk.accounts.iter().find(is_it).cloned() else { return Ok(()) };
        self.refresh_account(&account, None).await
    }

    /// When a read of an account of the desk began that the platform rejected, the last one.
    pub(crate) fn rejected_at(&self, account_id: AccountId) -> Option<Mark> {
        let (account, _) = self.recorded_accounts_of_desk().find(|(_, id)| *id == account_id)?;
        self.state.sign_ins.rejected.get(&account.address.user).copied()
    }

    /// Reads an account whose session is uncertain, at most so often. It does not wait for its turn.
    pub(crate) async fn read_in_doubt(&mut self, account_id: AccountId, every: Duration) -> EngineResult {
        let found = self.recorded_accounts_of_desk().find(|(_, id)| *id == account_id);
        let Some(account) = found.map(|(account, _)| account.clone()) else { return Ok(()) };
        if !is_due(self.state.account_reads.last(&account.name), self.mark(), every) {
            return Ok(());
        }
        self.refresh_account(&account, None).await
    }

    /// Whether it is time to read something of an account again: it got new tokens since it was last read or tried, or the time is over.
    pub(crate) fn is_account_due(&self, user: PlatformUserId, last: Option<&Mark>, every: Duration) -> bool {
        is_due(last, self.mark(), every) || last.is_some_and(|last| self.state.sign_ins.follows(user, *last))
    }

    /// Refreshes the accounts whose session the platform rejected, before they get more work. Accounts that get none are refreshed with the
    /// others.
    pub(crate) async fn report_lost_sessions(&mut self, pass: &mut Pass) {
        let (now, lost) = (self.now(), self.state.lost_sessions.take());
        let mut lost = self.state.account_reads.in_turn(lost.into_iter().collect(), |name| name, self.time_slice());
        for name in lost.by_ref() {
            let Some(account) = self.desk.account(&name).cloned() else { continue };
            if self.may_buy(&name, &BTreeMap::new(), now) {
                let refreshed = self.refresh_account(&account, None).await;
                pass.record_error(refreshed);
            }
        }
        self.state.lost_sessions.put_back(lost.left());
    }

    /// Reads the records of the desk's accounts.
    pub(crate) async fn refresh_account_records(&mut self) -> EngineResult {
        self.state.accounts = self.recorded_accounts().await?;
        Ok(())
    }

    /// Reads the accounts that are due, the longest unread ones first, and reports what the platform shows of them. One node does this for all.
    pub(crate) async fn read_due_accounts(&mut self, pass: &mut Pass) {
        let due = if self.holds_inventory() { self.accounts_to_read() } else { Vec::new() };
        let is_limited = due.iter().any(|account| {
            self.state.accounts.get(&account.name).is_some_and(|record| record.limits.min_balance.is_some())
        });
        let balance = if is_limited { self.total_balance().await } else { None };
        for account in self.state.account_reads.in_turn(due, |account| &account.name, self.time_slice()) {
            let read = self.refresh_account(&account, balance).await;
            pass.record_error(read);
        }
    }

    fn accounts_to_read(&self) -> Vec<DeskAccount> {
        let (now, every) = (self.mark(), self.timings.maintenance_interval);
        let was_not_read = |account: &&DeskAccount| is_due(self.state.account_reads.last(&account.name), now, every);
        self.recorded_accounts_of_desk().map(|(account, _)| account).filter(was_not_read).cloned().collect()
    }

    async fn recorded_accounts(&self) -> EngineResult<AccountRecords> {
        let (workspace_id, mut cursor, mut known) = (self.desk.workspace_id, String::new(), AccountRecords::default());
        loop {
            let list = ListAccounts { workspace_id, limit: PAGE, cursor, status: None, account_group_id: None };
            let page = self.operations.list_accounts(&self.caller, list).await?;
            if !page.entries.is_empty() {
                let get = GetAccounts { workspace_id, account_ids: page.entries };
                let found = self.operations.get_accounts(&self.caller, get).await?.found;
                // The name of one that was removed may be another's by now.
                let found = found.into_iter().map(|account| account.value);
                for account in found.filter(|account| !account.status.is_terminal()) {
                    if self.desk.account(&account.name).is_some() {
                        known.keep(account);
                    } else {
                        known.1.push(account.id);
                    }
                }
            }
            if page.next_cursor.is_empty() {
                return Ok(known);
            }
            cursor = page.next_cursor;
        }
    }

    /// What there is to spend at the marketplaces of the desk together, each of which knows all accounts as one customer. Nothing while one of
    /// them does not say.
    pub(super) async fn total_balance(&self) -> Option<Cents> {
        let mut sum = Cents::ZERO;
        for venue in &self.desk.venues {
            if self.is_marketplace_disabled(&venue.name) {
                continue;
            }
            let conversion = Conversion::from(self.rate_for(venue.currency).ok()?);
            let balance = venue.marketplace.balance().await.ok()?;
            sum = sum.plus(conversion.proceeds(balance).ok()?).ok()?;
        }
        Some(sum)
    }

    /// Reads an account's state at the platform, and reports it or the missing answer.
    async fn refresh_account(&mut self, account: &DeskAccount, balance: Option<Cents>) -> EngineResult {
        let Some(record) = self.state.accounts.0.get(&account.name).cloned() else { return Ok(()) };
        let reported = balance.filter(|_| record.limits.min_balance.is_some());
        failed_part(self.report_state(account, reported, self.timings.account_report_interval).await?)
    }

    /// The same with a balance that is reported whatever the limits, of an account whose last report is at least this old. Returns why a part
    /// of its state was not read: the others are reported all the same.
    pub(super) async fn report_state(
        &mut self,
        account: &DeskAccount,
        reported: Option<Cents>,
        unless_within: Duration,
    ) -> EngineResult<Unread> {
        let Some(record) = self.state.accounts.0.get(&account.name).cloned() else { return Ok(None) };
        let mark = self.mark();
        self.state.account_reads.note(account.name.clone(), mark);
        let (now, shown) = (self.now(), self.desk.platform.account(account.address.user).await);
        if matches!(shown, Err(ExternalError::AuthLost { .. })) {
            self.state.sign_ins.rejected.insert(account.address.user, mark);
        }
        if let Some(report) = account_report(&shown, now) {
            let balance = reported.or(record.health.and_then(|known| known.balance));
            let health = account_health(&shown, record.health, balance, now);
            let health = health.filter(|health| {
                let is_old = record.health.is_none_or(|known| now.since(known.seen_at) >= unless_within);
                is_old || record.is_otherwise(health)
            });
            let record = self.report_account(record, report, health).await?;
            self.state.accounts.0.insert(account.name.clone(), record);
        }
        Ok(shown?.unread)
    }

    async fn report_account(
        &self,
        mut record: TradingAccount,
        report: AccountReport,
        health: Option<AccountHealth>,
    ) -> EngineResult<TradingAccount> {
        let (workspace_id, account_id, now) = (self.desk.workspace_id, record.id, self.now());
        // What was seen first: who becomes ready gets work in the same pass.
        if let Some(health) = health {
            let command = RecordAccountHealth { workspace_id, account_id, health };
            record = self.operations.record_account_health(&self.caller, command).await?.value;
        }
        for event in record.steps_to(report, now) {
            let command = AdvanceAccount { workspace_id, account_id, event, reason: None };
            record = self.operations.advance_account(&self.caller, command).await?.value;
        }
        Ok(record)
    }
}

/// Returns the failure to read a part of a state as one of the pass, after what was read is on record.
pub(super) fn failed_part(unread: Unread) -> EngineResult {
    unread.map_or(Ok(()), |unread| Err(unread.into()))
}

/// Returns what an answer of the platform means for the account; nothing if the answer is inconclusive.
fn account_report(shown: &PlatformResult<AccountState>, now: Timestamp) -> Option<AccountReport> {
    match shown {
        Ok(state) if state.is_banned => Some(AccountReport::ShutOut),
        Ok(state) => {
            let lock = state.restriction.filter(|lock| now < lock.until);
            Some(lock.map_or(AccountReport::Works, AccountReport::Restricted))
        }
        Err(ExternalError::RateLimited { .. }) => Some(AccountReport::Limited),
        Err(ExternalError::AuthLost { .. }) => Some(AccountReport::SignedOut),
        Err(ExternalError::Rejected(_) | ExternalError::Unknown(_)) => None,
    }
}

/// Returns what an answer of the platform shows of the account, in addition to what was known of it. The balance does not come from the
/// platform.
///
/// An old number of items is corrected by the next one. That the key is ours is not taken from the record, which does not have the time at
/// which that was seen; that it is another's stays so until a read shows otherwise.
fn account_health(
    shown: &PlatformResult<AccountState>,
    known: Option<AccountHealth>,
    balance: Option<Cents>,
    now: Timestamp,
) -> Option<AccountHealth> {
    match shown {
        Ok(state) => {
            let hold = state.restriction.filter(|lock| lock.reason == LockReason::TradeHold && now < lock.until);
            Some(AccountHealth {
                seen_at: now,
                is_signed_in: true,
                authenticator_since: state.authenticator_since,
                held_until: hold.map(|lock| lock.until),
                inventory_count: state.inventory_count.or(known.and_then(|known| known.inventory_count)),
                is_api_key_ours: state.is_api_key_ours.or_else(|| known?.is_api_key_ours.filter(|is_ours| !is_ours)),
                balance,
            })
        }
        Err(ExternalError::AuthLost { .. }) => {
            known.map(|known| AccountHealth { seen_at: now, is_signed_in: false, ..known })
        }
        Err(ExternalError::RateLimited { .. } | ExternalError::Rejected(_) | ExternalError::Unknown(_)) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration as Std;

    use tradepost_ports::external::Effect;
    use tradepost_testkit::samples::{Samples, minute};

    use super::*;

    fn limited() -> ExternalError<PlatformRefusal> {
        ExternalError::RateLimited { retry_after: Std::from_mins(10), effect: Effect::Nothing }
    }

    /// A state of which two parts could not be read.
    fn in_part() -> AccountState {
        AccountState {
            authenticator_since: Some(minute(-60)),
            restriction: None,
            is_banned: false,
            inventory_count: None,
            is_api_key_ours: None,
            unread: Some(limited()),
        }
    }

    #[test]
    fn parts_that_were_read_are_reported_though_others_were_not() {
        let health = account_health(&Ok(in_part()), None, None, minute(1));
        let known = health.map(|health| (health.seen_at, health.authenticator_since, health.is_api_key_ours));
        assert_eq!(known, Some((minute(1), Some(minute(-60)), None)));
        assert_eq!(account_report(&Ok(in_part()), minute(1)), Some(AccountReport::Works));
        let banned = Ok(AccountState { is_banned: true, ..in_part() });
        assert_eq!(account_report(&banned, minute(1)), Some(AccountReport::ShutOut));
    }

    #[test]
    fn an_unknown_number_of_items_stays_as_it_was_and_an_unknown_key_is_no_longer_known() {
        let known = Samples::default().good_health();
        let health = account_health(&Ok(in_part()), Some(known), None, minute(1));
        let parts = health.map(|health| (health.inventory_count, health.is_api_key_ours));
        assert_eq!(parts, Some((known.inventory_count, None)));
        assert!(known.inventory_count.is_some() && known.is_api_key_ours == Some(true));
    }

    #[test]
    fn a_key_of_another_stays_one_until_a_read_shows_that_it_is_ours() {
        let known = AccountHealth { is_api_key_ours: Some(false), ..Samples::default().good_health() };
        let seen_next = |state| account_health(&Ok(state), Some(known), None, minute(1));
        assert!(seen_next(in_part()).is_some_and(|health| health.has_foreign_key()));
        let ours = AccountState { is_api_key_ours: Some(true), ..in_part() };
        assert!(seen_next(ours).is_some_and(|health| !health.has_foreign_key()));
    }

    #[test]
    fn new_tokens_end_the_wait_after_reads_before_them_and_after_no_later_one() {
        let [one, other] = [7_u64, 8].map(|number| PlatformUserId::new(number.try_into().unwrap()));
        let at = |minutes| Mark::START.plus(Duration::minutes(minutes));
        let sign_ins = SignIns { signed_in: [(one, at(2))].into(), ..SignIns::default() };
        assert_eq!([1, 2, 3].map(|minutes| sign_ins.follows(one, at(minutes))), [true, false, false]);
        assert!(!sign_ins.follows(other, at(1)));
    }
}
