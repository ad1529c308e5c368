//! Contracts are suspended while no source says what items are worth, and resume once one does.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use time::Duration;
use tradepost_domain::contracts::contract::{ApprovalMode, SuspensionCause};
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::text::Marketplace;
use tradepost_operations::Caller;
use tradepost_operations::contracts::{BuyingLimits, ContractTerms, GetContract};
use tradepost_ports::external::ExternalError;
use tradepost_ports::price_source::{PriceResult, PriceSource, VariantQuote};
use tradepost_testkit::samples::text;

use crate::desk::Desk;

/// A source of prices that sometimes does not answer.
struct Moody {
    source: Box<dyn PriceSource>,
    is_silent: AtomicBool,
}

#[async_trait]
impl PriceSource for Moody {
    fn name(&self) -> &Marketplace {
        self.source.name()
    }

    async fn quotes(&self) -> PriceResult<Vec<VariantQuote>> {
        if self.is_silent.load(Ordering::Relaxed) {
            return Err(ExternalError::Unknown("no answer".to_owned()));
        }
        self.source.quotes().await
    }
}

#[tokio::test]
async fn a_contract_is_suspended_while_its_price_source_is_silent_and_resumes_after() {
    let desk = Desk::lively(36).await;
    // One at a time, so that something is left to buy.
    let limits = BuyingLimits { max_open_purchases: Some(1), ..Desk::limits(100) };
    let contract_id = desk.contract("Buys", ContractTerms::Buying(limits), ApprovalMode::Automatic).await;
    let source = Box::new(desk.simulator.prices(text("index")));
    let moody = Arc::new(Moody { source, is_silent: AtomicBool::new(false) });
    let mut engine = desk.engine_hearing(moody.clone());
    desk.live_until(&mut engine, |purchases, _| !purchases.is_empty()).await;
    let suspension = async || {
        let get = GetContract { workspace_id: desk.workspace_id, contract_id };
        desk.operations.get_contract(&Caller::system(), get).await.unwrap().value.suspended_for()
    };
    moody.is_silent.store(true, Ordering::Relaxed);
    // A quarter of an hour is what the contract lets prices be old; an hour is more than twice that.
    desk.live(&mut engine, Duration::minutes(20)).await;
    assert_eq!(suspension().await, None);
    desk.live(&mut engine, Duration::hours(1)).await;
    assert_eq!(suspension().await, Some(SuspensionCause::PriceSourceStale));
    assert_eq!(desk.remediations(RemediationKind::PriceSourceStale).await, [RemediationStatus::Open]);
    let bought = desk.purchases().await.len();
    moody.is_silent.store(false, Ordering::Relaxed);
    desk.live_until(&mut engine, |purchases, _| purchases.len() > bought).await;
    assert_eq!(suspension().await, None);
    assert_eq!(desk.remediations(RemediationKind::PriceSourceStale).await, [RemediationStatus::Resolved]);
    desk.assert_sound().await;
}
