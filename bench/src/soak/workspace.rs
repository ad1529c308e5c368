//! The workspace of a soak: a pool, one contract that buys everything and one that sells everything.

use tradepost::domain::contracts::contract::{ApprovalMode, PriceStatistic};
use tradepost::domain::id::{ContractId, PoolId, WorkspaceId};
use tradepost::operations::Caller;
use tradepost::operations::contracts::{
    ActivateContract, BuyingLimits, ContractTerms, CreateContract, PriceSource, SellingLimits,
};

use super::site::Site;
use super::world::{MARKETPLACE, PAID_IN};
use crate::office::Office;

/// The workspace, and its contract that buys.
#[derive(Debug, Clone, Copy)]
pub(super) struct Desk {
    pub(super) workspace_id: WorkspaceId,
    pub(super) buying: ContractId,
}

/// Creates it.
pub(super) async fn found(site: &Site) -> anyhow::Result<Desk> {
    let office = Office::found_on(&site.folder, &site.url).await?;
    let pool_id = office.pool(PAID_IN).await?;
    office.keep_on_record(MARKETPLACE).await?;
    let buying = BuyingLimits {
        target_quantity: Some(10_000_000),
        max_buy_price_cents: Some(50_000),
        budget_cents: Some(PAID_IN),
        ..BuyingLimits::default()
    };
    let selling = SellingLimits { floor_price_cents: Some(1), ..SellingLimits::default() };
    let buying = contract(&office, Some(pool_id), ContractTerms::Buying(buying)).await?;
    contract(&office, None, ContractTerms::Selling(selling)).await?;
    let workspace_id = office.workspace_id;
    office.close().await?;
    Ok(Desk { workspace_id, buying })
}

async fn contract(office: &Office, pool_id: Option<PoolId>, terms: ContractTerms) -> anyhow::Result<ContractId> {
    let draft = CreateContract {
        workspace_id: office.workspace_id,
        name: "Soak".to_owned(),
        terms,
        filter_set_id: None,
        pool_id,
        approval_mode: ApprovalMode::Automatic,
        marketplaces: vec![MARKETPLACE.to_owned()],
        price_reference: Some(PriceSource {
            sources: Vec::new(),
            statistic: PriceStatistic::Median,
            max_age_seconds: Some(3_600),
            min_confidence_bps: Some(0),
        }),
        starts_at: None,
        ends_at: None,
    };
    let contract_id = office.operations().create_contract(&Caller::system(), draft).await?.value.id;
    let activate = ActivateContract { workspace_id: office.workspace_id, contract_id, expected_version: None };
    office.operations().activate_contract(&Caller::system(), activate).await?;
    Ok(contract_id)
}
