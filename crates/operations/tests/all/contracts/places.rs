//! The place of the field that a refusal names.

use tradepost_domain::contracts::intent::IntentKind;
use tradepost_domain::id::Id;
use tradepost_operations::contracts::{
    ActOn, BuyingLimits, ContractTerms, CreateContract, CreateIntent, CreatePool, EvaluateContract, LimitsOfPool,
    MarketView, SampleListing, SimulateContract, Simulated, ToEvaluate, WantedListing, WantedSale,
};
use tradepost_operations::{Code, OpResult};
use tradepost_ports::clock::Clock as _;

use super::limits::wanted;
use super::pools::NO_LIMITS;
use super::{Desk, buying_limits, draft};

/// What the refusal of a request says.
fn message<T: std::fmt::Debug>(answer: OpResult<T>) -> String {
    let error = answer.unwrap_err();
    assert_eq!((error.code, error.reason.as_str()), (Code::InvalidArgument, "INVALID_FIELD"), "{}", error.message);
    error.message
}

impl Desk {
    async fn limited_pool(&self, limits: LimitsOfPool) -> String {
        let (name, currency) = ("Main".to_owned(), "USD".to_owned());
        let command = CreatePool { workspace_id: self.workspace_id(), name, currency, limits };
        message(self.operations().create_pool(&self.trader, command).await)
    }

    async fn simulated_draft(&self, change: impl FnOnce(CreateContract) -> CreateContract) -> String {
        let drafted = change(draft(self.workspace_id(), ContractTerms::Buying(buying_limits())));
        let command = SimulateContract {
            workspace_id: self.workspace_id(),
            contract: Simulated::Draft(Box::new(drafted)),
            from: self.world.clock.now().plus(-time::Duration::hours(1)),
            to: None,
            limit: 0,
            fees: Vec::new(),
        };
        message(self.operations().simulate_contract(&self.trader, command).await)
    }

    async fn intended(&self, kind: IntentKind, act_on: ActOn) -> String {
        let command = CreateIntent { workspace_id: self.workspace_id(), contract_id: self.contract_id, kind, act_on };
        message(self.operations().create_intent(&self.trader, command).await)
    }

    async fn evaluated(&self, listing: SampleListing) -> String {
        let command = EvaluateContract {
            workspace_id: self.workspace_id(),
            contract_id: self.contract_id,
            marketplace: "csfloat".to_owned(),
            about: ToEvaluate::Listing(Box::new(listing)),
            market: MarketView::default(),
        };
        message(self.operations().evaluate_contract(&self.trader, command).await)
    }
}

fn seen() -> SampleListing {
    SampleListing {
        market_hash_name: "AK-47 | Redline (Field-Tested)".to_owned(),
        price_cents: Some(1_200),
        ..SampleListing::default()
    }
}

#[tokio::test]
async fn a_refusal_names_a_field_as_the_request_has_it() {
    let desk = Desk::open().await;
    let sale = |price_cents| WantedSale {
        inventory_item_id: Id::from_bytes([7; 16]),
        marketplace: "csfloat".to_owned(),
        price_cents,
    };
    let expensive = WantedListing { max_buy_price_cents: Some(1_229), ..wanted(1) };
    let limited = ContractTerms::Buying(BuyingLimits { budget_cents: Some(-1), ..buying_limits() });
    let cases = [
        ("limits.budgetCents", desk.limited_pool(LimitsOfPool { budget_cents: -1, ..NO_LIMITS }).await),
        ("limits.dailyLimitCents", desk.limited_pool(LimitsOfPool { daily_limit_cents: Some(-1), ..NO_LIMITS }).await),
        ("draft.name", desk.simulated_draft(|draft| CreateContract { name: " ".to_owned(), ..draft }).await),
        ("draft.buying.budgetCents", desk.simulated_draft(|draft| CreateContract { terms: limited, ..draft }).await),
        ("listing.listingId", {
            let nameless = WantedListing { listing_id: String::new(), ..wanted(1) };
            desk.intended(IntentKind::Buy, ActOn::Listing(nameless)).await
        }),
        ("listing.maxBuyPriceCents", desk.intended(IntentKind::Buy, ActOn::Listing(expensive)).await),
        ("item.priceCents", desk.intended(IntentKind::List, ActOn::Item(sale(Some(-1)))).await),
        ("item.priceCents", desk.intended(IntentKind::List, ActOn::Item(sale(None))).await),
        ("kind", desk.intended(IntentKind::List, ActOn::Listing(wanted(1))).await),
        ("listing.priceCents", desk.evaluated(SampleListing { price_cents: None, ..seen() }).await),
        (
            "listing.sellerSuccessBps",
            desk.evaluated(SampleListing { seller_success_bps: Some(10_001), ..seen() }).await,
        ),
    ];
    for (field, message) in cases {
        assert!(message.starts_with(&format!("{field} ")), "{field}: {message}");
    }
}
