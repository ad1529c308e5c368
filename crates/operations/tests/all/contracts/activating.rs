//! What keeps a contract from being activated: limits that its pool would never pay for, accounts that may not buy, and marketplaces that
//! are disabled or have not reported their fees.

use tradepost_domain::id::{AccountId, PoolId};
use tradepost_domain::markets::provider::{ProviderKind, ProviderReport};
use tradepost_domain::trading::trading_account::AccountRole;
use tradepost_operations::Caller;
use tradepost_operations::contracts::{
    AssignmentLimits, BuyingLimits, ContractTerms, CreateAssignment, CreateContract, LimitsOfPool, SellingLimits,
    UpdateContract,
};
use tradepost_operations::markets::RecordProviderHealth;
use tradepost_operations::trading::{AccountSecrets, CreateAccount, DisableAccount, LimitsOfAccount};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::samples::{Samples, text};

use super::pools::NO_LIMITS;
use super::{Desk, buying, buying_limits, draft, renamed};

impl Desk {
    /// Registers an account that may do this.
    pub(super) async fn registered(&self, number: u32, may: AccountRole) -> AccountId {
        let command = CreateAccount {
            workspace_id: self.workspace_id(),
            name: format!("trader-{number}"),
            platform: "steam".to_owned(),
            platform_user_id: (76_561_198_000_000_000_u64 + u64::from(number)).to_string(),
            trade_token: None,
            capabilities: vec![may],
            limits: LimitsOfAccount::default(),
            giving_limits: None,
            secrets: AccountSecrets::default(),
        };
        self.operations().create_account(&Caller::system(), command).await.unwrap().value.id
    }

    /// Registers an account that may do this, and assigns it to a pool to do that.
    async fn assigned(&self, pool_id: PoolId, number: u32, may: AccountRole, does: AccountRole) -> AccountId {
        let (workspace_id, system) = (self.workspace_id(), Caller::system());
        let account_id = self.registered(number, may).await;
        let command = CreateAssignment {
            workspace_id,
            pool_id,
            account_id: Some(account_id),
            account_group_id: None,
            roles: vec![does],
            priority: 1,
            limits: AssignmentLimits::default(),
        };
        self.operations().create_assignment(&system, command).await.unwrap();
        account_id
    }

    /// Records a check of a marketplace, which reported its fees or did not.
    async fn looked_at(&self, name: &str, reports_fees: bool) {
        let now = self.world.clock.now();
        let mut report: ProviderReport = Samples::seeded(9).good_report(now);
        report.fees = report.fees.filter(|_| reports_fees);
        let (workspace_id, kind) = (self.workspace_id(), ProviderKind::Marketplace);
        let command = RecordProviderHealth { workspace_id, kind, name: text(name), report };
        self.operations().record_provider_health(&Caller::system(), command).await.unwrap();
    }
}

#[tokio::test]
async fn a_contract_that_may_spend_more_than_its_pool_is_not_activated() {
    let day = LimitsOfPool { daily_limit_cents: Some(1_999), ..NO_LIMITS };
    let cases = [
        (LimitsOfPool { budget_cents: 9_999, ..NO_LIMITS }, buying_limits()),
        (day, BuyingLimits { daily_budget_cents: Some(2_000), ..buying_limits() }),
        (LimitsOfPool { max_per_purchase_cents: Some(1_499), ..NO_LIMITS }, buying_limits()),
    ];
    for (limits, wanted) in cases {
        let desk = Desk::open().await;
        let pool_id = desk.pool(limits).await;
        let desk = desk.buying_from(pool_id, wanted).await;
        desk.forbidden(desk.activate(), "BEYOND_POOL").await;
        desk.limit(pool_id, NO_LIMITS).await.unwrap();
        desk.activate().await.unwrap();
    }
}

#[tokio::test]
async fn active_contracts_get_no_limits_beyond_their_pool_and_drafts_are_written_in_steps() {
    let desk = Desk::open().await;
    let pool_id = desk.pool(NO_LIMITS).await;
    let desk = desk.buying_from(pool_id, buying_limits()).await;
    let budget = |cents| {
        let terms = ContractTerms::Buying(BuyingLimits { budget_cents: Some(cents), ..buying_limits() });
        UpdateContract { terms: Some(terms), ..renamed(desk.workspace_id(), desk.contract_id) }
    };
    let update = async |cents| desk.operations().update_contract(&desk.trader, budget(cents)).await;
    update(10_001).await.unwrap();
    desk.forbidden(desk.activate(), "BEYOND_POOL").await;
    update(9_000).await.unwrap();
    desk.activate().await.unwrap();
    desk.forbidden(update(10_001), "BEYOND_POOL").await;
    update(10_000).await.unwrap();
}

#[tokio::test]
async fn a_contract_needs_one_marketplace_that_works() {
    let desk = Desk::open().await;
    let (one, other) = (desk.provider("csfloat").await, desk.provider("skinport").await);
    desk.disable(one).await;
    desk.disable(other).await;
    desk.provider("dmarket").await;
    let selling = ContractTerms::Selling(SellingLimits { floor_price_cents: Some(900), ..SellingLimits::default() });
    for (terms, marketplaces, works) in [
        (buying(), vec!["csfloat", "skinport"], false),
        (selling, vec!["csfloat"], false),
        (buying(), vec!["csfloat", "skinport", "dmarket"], true),
        (buying(), vec![], true),
    ] {
        let marketplaces = marketplaces.into_iter().map(ToOwned::to_owned).collect();
        let command = CreateContract { marketplaces, ..draft(desk.workspace_id(), terms) };
        let contract_id = desk.operations().create_contract(&desk.trader, command).await.unwrap().value.id;
        let workspace_id = desk.workspace_id();
        let activate =
            tradepost_operations::contracts::ActivateContract { workspace_id, contract_id, expected_version: None };
        let activated = desk.operations().activate_contract(&desk.trader, activate);
        if works {
            activated.await.unwrap();
        } else {
            desk.forbidden(activated, "PROVIDER_DISABLED").await;
        }
    }
}

#[tokio::test]
async fn an_active_contract_names_only_marketplaces_on_record() {
    let desk = Desk::open().await;
    let marketplaces = vec!["csfloat".to_owned(), "csflaot".to_owned()];
    let command = CreateContract { marketplaces: marketplaces.clone(), ..draft(desk.workspace_id(), buying()) };
    let contract_id = desk.operations().create_contract(&desk.trader, command).await.unwrap().value.id;
    let mistyped = Desk { contract_id, ..desk };
    mistyped.forbidden(mistyped.activate(), "MARKETPLACE_NOT_ON_RECORD").await;
    let naming = |names| UpdateContract { marketplaces: Some(names), ..renamed(mistyped.workspace_id(), contract_id) };
    let update = async |names| mistyped.operations().update_contract(&mistyped.trader, naming(names)).await;
    update(vec!["csfloat".to_owned()]).await.unwrap();
    mistyped.activate().await.unwrap();
    mistyped.forbidden(update(marketplaces.clone()), "MARKETPLACE_NOT_ON_RECORD").await;
    mistyped.provider("csflaot").await;
    update(marketplaces.clone()).await.unwrap();
}

#[tokio::test]
async fn where_accounts_are_assigned_to_buy_one_of_them_may_whatever_keeps_it_from_it_now() {
    let desk = Desk::open().await;
    let pool_id = desk.pool(NO_LIMITS).await;
    let desk = desk.buying_from(pool_id, buying_limits()).await;
    // No account is assigned to buy, so any account that trades for the workspace does.
    let (buys, sells) = (AccountRole::Buy, AccountRole::Sell);
    desk.assigned(pool_id, 1, sells, sells).await;
    desk.activate().await.unwrap();
    let desk = desk.buying_from(pool_id, buying_limits()).await;
    desk.assigned(pool_id, 2, sells, buys).await;
    desk.forbidden(desk.activate(), "NO_ELIGIBLE_ACCOUNT").await;
    // The account is not signed in yet.
    let account_id = desk.assigned(pool_id, 3, buys, buys).await;
    desk.activate().await.unwrap();
    let disable =
        DisableAccount { workspace_id: desk.workspace_id(), account_id, reason: None, expected_version: None };
    desk.operations().disable_account(&Caller::system(), disable).await.unwrap();
    let desk = desk.buying_from(pool_id, buying_limits()).await;
    desk.forbidden(desk.activate(), "NO_ELIGIBLE_ACCOUNT").await;
}

#[tokio::test]
async fn a_contract_is_not_activated_when_its_marketplaces_were_checked_and_reported_no_fees() {
    let desk = Desk::open().await;
    let pool_id = desk.pool(NO_LIMITS).await;
    desk.provider("csfloat").await;
    let desk = desk.buying_from(pool_id, buying_limits()).await;
    desk.activate().await.expect("the marketplace is not checked yet");
    desk.looked_at("csfloat", false).await;
    let desk = desk.buying_from(pool_id, buying_limits()).await;
    desk.forbidden(desk.activate(), "FEES_UNKNOWN").await;
    desk.advance_clock(time::Duration::minutes(1));
    desk.looked_at("csfloat", true).await;
    desk.activate().await.unwrap();
}
