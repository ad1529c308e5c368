//! What a workspace has on record of where it trades, by whom and for what: marketplaces, an index of prices, trading accounts and the
//! pool that these work for, and filter sets.

use tradepost::domain::id::{AccountId, FilterSetId, PoolId, WorkspaceId};
use tradepost::domain::markets::provider::ProviderKind;
use tradepost::domain::money::Currency;
use tradepost::domain::trading::trade::TradeAddress;
use tradepost::domain::trading::trading_account::AccountRole;
use tradepost::operations::Reason;
use tradepost::operations::contracts::{
    AssignmentLimits, CreateAssignment, CreateFilterSet, FilterRules, GetFilterSets, ListFilterSets,
};
use tradepost::operations::markets::{CreateProvider, ProviderCredentials};
use tradepost::operations::trading::{AccountSecrets, AcknowledgeTradeProtection, CreateAccount, LimitsOfAccount};
use tradepost::operations::{Caller, OpResult, Operations};
use tradepost_adapters_simulator::WorldTransport;

use crate::failure::Outcome;
use crate::simulated::{self, INDEXES, Names, refused};

/// The platform of simulated trading accounts.
pub(crate) const PLATFORM: &str = "steam";
/// As many as the operations give at once.
const PAGE: i32 = 200;

/// Puts a new desk on record, and lets its accounts work for a pool. From then on the engine reports their state.
pub(crate) async fn keep<L: WorldTransport>(
    operations: &Operations,
    line: &L,
    names: &Names<'_>,
    pool_id: PoolId,
) -> Outcome {
    let (workspace_id, currency) = (names.workspace_id, names.currency.unwrap_or(Currency::USD));
    let indexes = INDEXES.map(|index| (ProviderKind::PriceSource, index));
    for (kind, name) in [(ProviderKind::Marketplace, names.marketplace.as_str())].into_iter().chain(indexes) {
        provider(operations, workspace_id, kind, name, currency).await.map_err(refused)?;
    }
    for known in simulated::trading_accounts(line, names).await.map_err(refused)? {
        let account_id = account(operations, workspace_id, known.name.as_str(), &known.address).await;
        let account_id = account_id.map_err(refused)?;
        assign(operations, workspace_id, pool_id, account_id).await.map_err(refused)?;
    }
    Ok(())
}

/// Puts something that the simulator plays on record.
pub(crate) async fn provider(
    operations: &Operations,
    workspace_id: WorkspaceId,
    kind: ProviderKind,
    name: &str,
    currency: Currency,
) -> OpResult<()> {
    let command = CreateProvider {
        workspace_id,
        kind,
        driver: "simulator".to_owned(),
        name: name.to_owned(),
        currency: currency.to_string(),
        settings: Vec::new(),
        credentials: ProviderCredentials::default(),
    };
    operations.create_provider(&Caller::system(), command).await.map(drop)
}

/// The same, unless something of this name is on record already.
pub(crate) async fn provider_once(
    operations: &Operations,
    workspace_id: WorkspaceId,
    kind: ProviderKind,
    name: &str,
    currency: Currency,
) -> OpResult<()> {
    match provider(operations, workspace_id, kind, name, currency).await {
        Err(error) if error.reason == Reason::ProviderExists => Ok(()),
        done => done,
    }
}

/// Registers a trading account without any report of its state. The notice of the simulated platform counts as accepted.
pub(crate) async fn account(
    operations: &Operations,
    workspace_id: WorkspaceId,
    name: &str,
    address: &TradeAddress,
) -> OpResult<AccountId> {
    let command = CreateAccount {
        workspace_id,
        name: name.to_owned(),
        platform: PLATFORM.to_owned(),
        platform_user_id: address.user.to_string(),
        trade_token: Some(address.token.to_string()),
        capabilities: Vec::new(),
        limits: LimitsOfAccount::default(),
        giving_limits: None,
        secrets: AccountSecrets::default(),
    };
    let account_id = operations.create_account(&Caller::system(), command).await?.value.id;
    let accept = AcknowledgeTradeProtection { workspace_id, account_ids: vec![account_id] };
    operations.acknowledge_trade_protection(&Caller::system(), accept).await?;
    Ok(account_id)
}

async fn assign(
    operations: &Operations,
    workspace_id: WorkspaceId,
    pool_id: PoolId,
    account_id: AccountId,
) -> OpResult<()> {
    let command = CreateAssignment {
        workspace_id,
        pool_id,
        account_id: Some(account_id),
        account_group_id: None,
        roles: AccountRole::ALL.to_vec(),
        priority: 0,
        limits: AssignmentLimits::default(),
    };
    operations.create_assignment(&Caller::system(), command).await.map(drop)
}

/// The filter set of this name, made where there is none.
pub(crate) async fn filter_set(
    operations: &Operations,
    workspace_id: WorkspaceId,
    name: &str,
    rules: FilterRules,
) -> OpResult<FilterSetId> {
    let system = Caller::system();
    let list = ListFilterSets { workspace_id, limit: PAGE, cursor: String::new() };
    let filter_set_ids = operations.list_filter_sets(&system, list).await?.entries;
    if !filter_set_ids.is_empty() {
        let found = operations.get_filter_sets(&system, GetFilterSets { workspace_id, filter_set_ids }).await?.found;
        if let Some(known) = found.into_iter().find(|known| known.value.name.as_str() == name) {
            return Ok(known.value.id);
        }
    }
    let command = CreateFilterSet { workspace_id, name: name.to_owned(), rules };
    Ok(operations.create_filter_set(&system, command).await?.id)
}
