//! Limits that another node has used up meanwhile: decided anew, and nothing that went wrong.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use tradepost_domain::contract::ApprovalMode;
use tradepost_domain::evaluation::Rule;
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_domain::text::Marketplace;
use tradepost_operations::contracts::{BuyingLimits, ContractTerms, RecordPurchase};
use tradepost_operations::{Caller, Operations};
use tradepost_ports::price_source::{PriceResult, PriceSource, VariantQuote};
use tradepost_ports::testing::samples::text;

use crate::desk::{Desk, MARKET};

/// A source of prices, during whose answer another node buys for a contract.
struct Meanwhile {
    source: Box<dyn PriceSource>,
    operations: Arc<Operations>,
    workspace_id: WorkspaceId,
    contract_id: ContractId,
    bought: AtomicU64,
}

#[async_trait]
impl PriceSource for Meanwhile {
    fn name(&self) -> &Marketplace {
        self.source.name()
    }

    async fn quotes(&self) -> PriceResult<Vec<VariantQuote>> {
        let number = self.bought.fetch_add(1, Ordering::Relaxed);
        let bought = RecordPurchase {
            workspace_id: self.workspace_id,
            contract_id: self.contract_id,
            intent_id: None,
            market_hash_name: "AK-47 | Redline (Field-Tested)".to_owned(),
            listing_price_cents: 1_000,
            max_buy_price_cents: 1_000,
            platform_fee_cents: 0,
            listing_id: format!("elsewhere-{number}"),
            listing_asset_id: format!("9{number:06}"),
            marketplace: MARKET.to_owned(),
            account_name: "bot-2".to_owned(),
        };
        self.operations.record_purchase(&Caller::system(), bought).await.unwrap();
        self.source.quotes().await
    }
}

#[tokio::test]
async fn what_another_node_has_bought_meanwhile_is_a_decision_and_no_trouble() {
    let desk = Desk::lively(35).await;
    let limits = BuyingLimits { cooldown_seconds: Some(3_600), ..Desk::limits(3) };
    let contract_id = desk.contract("Buys", ContractTerms::Buying(limits), ApprovalMode::Automatic).await;
    let meanwhile = Meanwhile {
        source: Box::new(desk.simulator.prices(text("index"))),
        operations: desk.operations.clone(),
        workspace_id: desk.workspace_id,
        contract_id,
        bought: AtomicU64::new(0),
    };
    let mut engine = desk.engine_hearing(Arc::new(meanwhile));
    let mut is_told = false;
    for _ in 0..100 {
        let pass = engine.pass().await;
        assert!(pass.troubles.is_empty() && pass.bought == 0, "{pass:?}");
        is_told |= pass.decisions.iter().any(|decided| decided.failed == [Rule::Cooldown]);
        if is_told {
            break;
        }
        // What the other has recorded is withdrawn by then, as it was not sent.
        desk.simulator.advance(desk.step);
    }
    assert!(is_told);
    assert!(desk.purchases().await.iter().all(|purchase| purchase.terms.account_name.as_str() == "bot-2"));
}
