//! Samples of trading accounts, their groups and assignments.

use std::num::NonZeroU64;

use time::Duration;
use tradepost_domain::contracts::assignment::{Assignee, Assignment, AssignmentTerms};
use tradepost_domain::id::{PoolId, RecordKey, WorkspaceId};
use tradepost_domain::trading::giving::GivingLimits;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_domain::trading::trading_account::{
    AccountEvent, AccountGroup, AccountHealth, AccountLimits, AccountLock, AccountRole, AccountStatus, LockReason,
    NewAccount, OpenAccountWork, TradingAccount,
};

use super::trading::cents;
use super::{Samples, minute, start, text};

impl Samples {
    /// Returns an account that may do everything and was never signed in, and whose owner has accepted the platform's notice.
    ///
    /// # Panics
    /// Never: the account is legal.
    pub fn new_account(&self, workspace_id: WorkspaceId) -> TradingAccount {
        let new = NewAccount {
            id: self.id(),
            workspace_id,
            name: self.unique("trader"),
            platform: text("steam"),
            platform_user_id: PlatformUserId::new(NonZeroU64::new(76_561_198_000_000_000 + self.number()).unwrap()),
            trade_token: None,
            capabilities: AccountRole::ALL.iter().copied().collect(),
            limits: AccountLimits::default(),
            giving_limits: GivingLimits::default(),
            has_secrets: false,
        };
        TradingAccount::register(new, start()).acknowledge_trades(start()).unwrap()
    }

    /// Returns an account in a status, by the shortest path to it.
    ///
    /// # Panics
    /// Never: each path is legal.
    pub fn account(&self, workspace_id: WorkspaceId, status: AccountStatus) -> TradingAccount {
        use AccountEvent as On;
        let lock = AccountLock { reason: LockReason::NewDevice, until: start().plus(Duration::days(15)) };
        let way: &[AccountEvent] = match status {
            AccountStatus::New => &[],
            AccountStatus::Validating => &[On::SigningIn],
            AccountStatus::Ready => &[On::SigningIn, On::SignedIn],
            AccountStatus::Degraded => &[On::SigningIn, On::SignedIn, On::Disturbed],
            AccountStatus::NeedsLogin => &[On::SigningIn, On::SessionLost],
            AccountStatus::Restricted => &[On::SigningIn, On::Restricted(lock)],
            AccountStatus::Disabled => &[On::Disabled],
            AccountStatus::Banned => &[On::Banned],
            AccountStatus::Removed => &[On::Removed(OpenAccountWork::default())],
        };
        let said = Some(text("for a test"));
        let step =
            |account: TradingAccount, event: &AccountEvent| account.apply(*event, said.clone(), minute(1)).unwrap();
        way.iter().fold(self.new_account(workspace_id), step)
    }

    /// Returns the health of an account without a problem.
    pub fn good_health(&self) -> AccountHealth {
        AccountHealth {
            seen_at: start(),
            is_signed_in: true,
            authenticator_since: Some(start().plus(Duration::days(-30))),
            held_until: None,
            inventory_count: Some(12),
            is_api_key_ours: Some(true),
            balance: Some(cents(50_000)),
        }
    }

    /// Returns a group without accounts.
    pub fn account_group(&self, workspace_id: WorkspaceId) -> AccountGroup {
        AccountGroup::new(RecordKey { workspace_id, id: self.id() }, self.unique("Group"), None, start())
    }

    /// Returns an assignment to every role.
    pub fn assignment(&self, workspace_id: WorkspaceId, pool_id: PoolId, assignee: Assignee) -> Assignment {
        let roles = AccountRole::ALL.iter().copied().collect();
        let terms = AssignmentTerms { roles, priority: 0, max_open_purchases: None, max_items: None };
        Assignment { id: self.id(), workspace_id, pool_id, assignee, terms, created_at: start(), updated_at: start() }
    }
}
