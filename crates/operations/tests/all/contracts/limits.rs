//! What a contract spends in a day, takes of one market name, and how soon it buys again: held where money is reserved.

use time::Duration;
use tradepost_domain::contracts::intent::{Intent, IntentKind, IntentStatus};
use tradepost_domain::contracts::purchase::{CancelCause, PurchaseEvent};
use tradepost_operations::Versioned;
use tradepost_operations::contracts::{
    ActOn, BuyingLimits, ContractTerms, CreateIntent, RecordPurchase, WantedListing,
};
use tradepost_ports::clock::Clock as _;

use super::recording::refuses;
use super::two_clocks::{HOUR, YEAR};
use super::{Desk, buying_limits, cents, contract};

impl Desk {
    /// A desk whose contract has these limits.
    pub(super) async fn limited(limits: BuyingLimits) -> Self {
        let mut desk = Self::open().await;
        desk.contract_id = contract(&desk.world, &desk.trader, ContractTerms::Buying(limits)).await;
        desk
    }

    /// Proposes as a person does.
    async fn create(&self, number: u32) -> Versioned<Intent> {
        let command = CreateIntent {
            workspace_id: self.workspace_id(),
            contract_id: self.contract_id,
            kind: IntentKind::Buy,
            act_on: ActOn::Listing(wanted(number)),
        };
        self.operations().create_intent(&self.trader, command).await.unwrap()
    }
}

/// A listing as a person names it.
pub(super) fn wanted(number: u32) -> WantedListing {
    WantedListing {
        marketplace: "csfloat".to_owned(),
        listing_id: format!("listing-{number}"),
        listing_asset_id: format!("1{number:04}"),
        market_hash_name: "AK-47 | Redline (Field-Tested)".to_owned(),
        phase: String::new(),
        price_cents: Some(1_200),
        platform_fee_cents: Some(30),
        max_buy_price_cents: Some(1_500),
    }
}

#[tokio::test]
async fn a_contract_keeps_to_its_day_its_number_of_a_name_and_its_cool_down() {
    let elsewhere = "AWP | Asiimov (Field-Tested)";
    let cases = [
        (
            BuyingLimits { daily_budget_cents: Some(2_999), ..buying_limits() },
            "DAILY_BUDGET_TOO_LOW",
            Duration::days(1),
        ),
        (BuyingLimits { max_per_item_name: Some(1), ..buying_limits() }, "ITEM_NAME_LIMIT", Duration::ZERO),
        (BuyingLimits { cooldown_seconds: Some(60), ..buying_limits() }, "COOLING_DOWN", Duration::seconds(60)),
    ];
    for (limits, reason, later) in cases {
        let desk = Desk::limited(limits).await;
        let failed = desk.buy(2).await;
        refuses(&desk, desk.contract_id, reason).await;
        // A purchase that came to nothing no longer counts.
        desk.advance(failed, PurchaseEvent::Cancelled(CancelCause::Withdrawn)).await.unwrap();
        desk.buy(3).await;
        refuses(&desk, desk.contract_id, reason).await;
        desk.advance_clock(later);
        let name = if later.is_zero() { elsewhere.to_owned() } else { desk.listing(4).market_hash_name };
        let command = RecordPurchase { market_hash_name: name, ..desk.listing(4) };
        desk.operations().record_purchase(&desk.trader, command).await.unwrap();
    }
}

#[tokio::test]
async fn a_cool_down_follows_the_market_which_is_behind_ahead_or_steps_back() {
    for apart in [-YEAR, Duration::ZERO, YEAR] {
        let desk = Desk::limited(BuyingLimits { cooldown_seconds: Some(60), ..buying_limits() }).await;
        // The process has made ids by the server's clock already.
        let market = desk.trade_apart(apart).await;
        let bought = market.now();
        desk.buy(2).await;
        desk.advance_clock(Duration::days(1));
        let minute = Duration::minutes(1);
        for since in [minute - Duration::seconds(1), -HOUR, minute - HOUR] {
            market.set(bought.plus(since));
            refuses(&desk, desk.contract_id, "COOLING_DOWN").await;
        }
        market.set(bought.plus(minute));
        desk.buy(3).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_in_two_processes_as_many_win_as_the_day_and_the_name_allow() {
    for (limits, reason) in [
        (BuyingLimits { daily_budget_cents: Some(4_500), ..buying_limits() }, "DAILY_BUDGET_TOO_LOW"),
        (BuyingLimits { max_per_item_name: Some(3), ..buying_limits() }, "ITEM_NAME_LIMIT"),
    ] {
        let desk = Desk::limited(limits).await;
        // They do not take turns with each other: what is between them is the version of the contract.
        let processes = [desk.world.operations.clone(), desk.world.restarted(|_| {}).operations];
        let mut racing = tokio::task::JoinSet::new();
        for number in 0..16 {
            let (operations, trader, listing) =
                (processes[number as usize % 2].clone(), desk.trader.clone(), desk.listing(number));
            racing.spawn(async move {
                operations.record_purchase(&trader, listing).await.map_err(|error| error.reason.as_str())
            });
        }
        let outcomes = racing.join_all().await;
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 3, "{outcomes:?}");
        assert!(outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).all(|refused| *refused == reason));
        assert_eq!(desk.counters().await.reserved, cents(4_500));
    }
}

#[tokio::test]
async fn whatever_leads_to_a_purchase_is_held_to_what_the_contract_did_lately() {
    let cases = [
        (BuyingLimits { daily_budget_cents: Some(1_500), ..buying_limits() }, "DAILY_BUDGET_TOO_LOW"),
        (BuyingLimits { max_per_item_name: Some(1), ..buying_limits() }, "ITEM_NAME_LIMIT"),
        (BuyingLimits { cooldown_seconds: Some(86_400), ..buying_limits() }, "COOLING_DOWN"),
    ];
    for (limits, reason) in cases {
        let desk = Desk::limited(limits).await;
        // Approved at once, because the contract asks for no approval.
        let (first, second) = (desk.create(1).await, desk.create(2).await);
        desk.buy_approved(&first).await.unwrap();
        desk.forbidden(desk.operations().buy_now(&desk.trader, desk.now(3)), reason).await;
        assert_eq!(desk.buy_approved(&second).await.unwrap_err().reason.as_str(), reason);
        let denied = desk.intent(second.value.terms.id).await.value;
        assert_eq!((denied.status, denied.failed_check.as_ref().unwrap().as_str()), (IntentStatus::Denied, reason));
        assert_eq!(desk.counters().await.reserved, cents(1_500), "nothing more is reserved");
    }
}
