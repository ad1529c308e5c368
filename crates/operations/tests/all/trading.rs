//! Trading accounts, their groups, and what they are assigned to.

mod account_requests;
mod account_sessions;
mod accounts;
mod assigning;
mod chats;
mod confirmation_rights;
mod confirmations;
mod expiring_imports;
mod friends;
mod giving;
mod giving_limits;
mod groups;
mod holdings;
mod imports;
mod inventory_rights;
mod login_codes;
mod purchases_elsewhere;
mod rights;
mod risk_notice;
mod sales_elsewhere;
mod session_rights;
mod snapshots;
mod social_rights;

use secrecy::SecretString;
use tradepost_domain::accounts::access::{Principal, WorkspaceScope};
use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::id::{AccountId, PoolId};
use tradepost_domain::trading::trading_account::{AccountEvent, AccountHealth, AccountRole, TradingAccount};
use tradepost_operations::contracts::{AssignmentLimits, CreateAssignment, CreatePool, LimitsOfPool};
use tradepost_operations::trading::{
    AccountSecrets, AcknowledgeTradeProtection, AdvanceAccount, CreateAccount, GetAccount, LimitsOfAccount,
    RecordAccountHealth,
};
use tradepost_operations::{Caller, Code, OpResult, Versioned};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::samples::Samples;

use crate::harness::World;

/// A world with a key that has the policies `accounts` and `trading`.
struct Staff {
    world: World,
    keeper: Caller,
}

/// How an operation refuses.
async fn refusal<T: std::fmt::Debug>(answer: impl Future<Output = OpResult<T>>) -> (Code, &'static str) {
    crate::harness::refusal(answer.await)
}

impl Staff {
    async fn open() -> Self {
        Self::in_world(World::new().await).await
    }

    async fn in_world(world: World) -> Self {
        world.acknowledge_risks().await;
        let keeper = world.key(PolicySet::of(&[Policy::Accounts, Policy::Trading])).await;
        Self { world, keeper }
    }

    fn registration(&self, number: u32) -> CreateAccount {
        CreateAccount {
            workspace_id: self.world.workspace_id,
            name: format!("trader-{number}"),
            platform: "steam".to_owned(),
            platform_user_id: (76_561_198_000_000_000_u64 + u64::from(number)).to_string(),
            trade_token: Some("AbCdEfGh".to_owned()),
            capabilities: Vec::new(),
            limits: LimitsOfAccount::default(),
            giving_limits: None,
            secrets: AccountSecrets {
                password: Some(SecretString::from("seven lanterns")),
                ..AccountSecrets::default()
            },
        }
    }

    /// An account that was never signed in; the notice of its platform was accepted.
    async fn register(&self, number: u32) -> TradingAccount {
        let command = self.registration(number);
        let account_id = self.world.operations.create_account(&Caller::system(), command).await.unwrap().value.id;
        self.acknowledge(account_id).await
    }

    /// Has the notice of the platform accepted for an account.
    async fn acknowledge(&self, account_id: AccountId) -> TradingAccount {
        let command =
            AcknowledgeTradeProtection { workspace_id: self.world.workspace_id, account_ids: vec![account_id] };
        let results = self.world.operations.acknowledge_trade_protection(&Caller::system(), command).await.unwrap();
        results.into_iter().next().unwrap().outcome.unwrap().value
    }

    async fn record_event(&self, account_id: AccountId, event: AccountEvent) -> OpResult<Versioned<TradingAccount>> {
        let command = AdvanceAccount { workspace_id: self.world.workspace_id, account_id, event, reason: None };
        self.world.operations.advance_account(&Caller::system(), command).await
    }

    /// An account that is signed in and with which all is well.
    async fn ready(&self, number: u32) -> TradingAccount {
        let id = self.register(number).await.id;
        for event in [AccountEvent::SigningIn, AccountEvent::SignedIn] {
            self.record_event(id, event).await.unwrap();
        }
        self.see(id, self.health()).await.unwrap().value
    }

    fn health(&self) -> AccountHealth {
        AccountHealth { seen_at: self.world.clock.now(), ..Samples::seeded(9).good_health() }
    }

    async fn see(&self, account_id: AccountId, health: AccountHealth) -> OpResult<Versioned<TradingAccount>> {
        let command = RecordAccountHealth { workspace_id: self.world.workspace_id, account_id, health };
        self.world.operations.record_account_health(&Caller::system(), command).await
    }

    fn scope(&self) -> WorkspaceScope {
        Principal::System.enter(self.world.workspace_id, PolicySet::EVERY).unwrap()
    }

    async fn found(&self, account_id: AccountId) -> Versioned<TradingAccount> {
        let command = GetAccount { workspace_id: self.world.workspace_id, account_id };
        self.world.operations.get_account(&self.keeper, command).await.unwrap()
    }

    async fn pool(&self) -> PoolId {
        let limits = LimitsOfPool {
            budget_cents: 10_000,
            max_per_purchase_cents: None,
            max_exposure_per_item_cents: None,
            daily_limit_cents: None,
        };
        let (name, currency) = ("Main".to_owned(), "USD".to_owned());
        let command = CreatePool { workspace_id: self.world.workspace_id, name, currency, limits };
        self.world.operations.create_pool(&Caller::system(), command).await.unwrap().value.id
    }

    fn assignment(&self, pool_id: PoolId, account: AccountId) -> CreateAssignment {
        CreateAssignment {
            workspace_id: self.world.workspace_id,
            pool_id,
            account_id: Some(account),
            account_group_id: None,
            roles: vec![AccountRole::Buy],
            priority: 0,
            limits: AssignmentLimits::default(),
        }
    }
}
