//! Weeks of trading in which one of twenty answers never comes: deals end without a person, and the ledger agrees with the marketplace.

use std::sync::Arc;

use time::Duration;
use tradepost_domain::contracts::contract::ApprovalMode;
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::remediation::RemediationStatus;
use tradepost_engine::{Desk as Engaged, Engine};
use tradepost_operations::Caller;
use tradepost_operations::contracts::{BuyingLimits, ContractTerms, GetRemediations, ListRemediations};

use crate::chance::{Losses, LossyPlatform};
use crate::desk::Desk;

/// One call of twenty.
const LOST_PER_THOUSAND: u64 = 50;
/// How long deals may take after the last day, until one that is still open counts as one that needs a person.
const MOST_DAYS_MORE: i64 = 30;

impl Desk {
    /// An engine of which calls to the marketplace and to the platform are lost.
    fn engine_losing(&self, losses: &Arc<Losses>) -> Engine {
        let desk = self.engaged("node-1", self.reached(Arc::clone(losses)));
        let platform = LossyPlatform { platform: self.simulator.platform(), losses: Arc::clone(losses) };
        self.engine_for(Engaged { platform: Arc::new(platform), ..desk })
    }

    /// Buys so many items, none of which is expensive.
    async fn buying_cheaply(&self, quantity: i64) {
        let limits = BuyingLimits {
            target_quantity: Some(quantity),
            max_buy_price_cents: Some(2_500),
            budget_cents: Some(900_000),
            min_discount_bps: Some(100),
            ..BuyingLimits::default()
        };
        self.contract("Buys", ContractTerms::Buying(limits), ApprovalMode::Automatic).await;
    }

    /// What a person is asked about now.
    async fn asked_of_a_person(&self) -> Vec<String> {
        let (workspace_id, cursor) = (self.workspace_id, String::new());
        let (status, kind, severity, subject) = (Some(RemediationStatus::NeedsOperator), None, None, None);
        let list = ListRemediations { workspace_id, limit: 200, cursor, status, kind, severity, subject };
        let remediation_ids = self.operations.list_remediations(&Caller::system(), list).await.unwrap().entries;
        if remediation_ids.is_empty() {
            return Vec::new();
        }
        let get = GetRemediations { workspace_id, remediation_ids };
        let found = self.operations.get_remediations(&Caller::system(), get).await.unwrap().found;
        found.iter().map(|found| format!("{} of {:?}", found.value.kind, found.value.subject)).collect()
    }

    /// The deals that are still open.
    async fn open_deals(&self) -> Vec<String> {
        let (purchases, items) = (self.purchases().await, self.items().await);
        let open = purchases.iter().filter(|purchase| !purchase.status.is_terminal());
        let mut deals: Vec<String> = open.map(|purchase| format!("a purchase that is {}", purchase.status)).collect();
        let held = items.iter().filter(|item| !item.status.is_terminal());
        deals.extend(held.map(|item| format!("an item that is {}", item.status)));
        deals
    }
}

/// What came of a desk's weeks.
struct Weeks {
    purchases: usize,
    /// What a person has to do something about.
    for_a_person: Vec<String>,
}

/// Trades for these days, and until every deal has ended.
async fn trade(seed: u64, quantity: i64, days: i64) -> Weeks {
    let mut desk = Desk::lively(seed).await.pooled().await;
    desk.step = Duration::minutes(5);
    desk.buying_cheaply(quantity).await;
    desk.selling().await;
    let losses = Losses::of(seed, LOST_PER_THOUSAND);
    let mut engine = desk.engine_losing(&losses);
    desk.live(&mut engine, Duration::days(days)).await;
    for _ in 0..MOST_DAYS_MORE {
        if desk.open_deals().await.is_empty() {
            break;
        }
        desk.live(&mut engine, Duration::DAY).await;
    }
    let mut for_a_person = desk.asked_of_a_person().await;
    let open = desk.open_deals().await;
    let settled = desk.item_statuses().await.iter().filter(|status| **status == ItemStatus::Settled).count();
    println!("{} calls lost, {settled} items sold, open: {open:?}, for a person: {for_a_person:?}", losses.count());
    assert!(losses.count() > 100, "only {} calls were lost", losses.count());
    assert!(settled > 0, "nothing was sold");
    desk.simulator.world(|world| world.check_books()).unwrap();
    if open.is_empty() {
        desk.assert_ledger_agrees().await;
    }
    for_a_person.extend(open);
    Weeks { purchases: desk.purchases().await.len(), for_a_person }
}

#[tokio::test]
async fn deals_end_without_a_person_though_one_of_twenty_answers_never_comes() {
    let weeks = trade(2_101, 8, 1).await;
    assert!(weeks.purchases >= 8 && weeks.for_a_person.is_empty(), "{:?}", weeks.for_a_person);
}

/// Months of trading, minutes each: `cargo xtask nightly` runs them.
mod long {
    use super::trade;

    #[tokio::test]
    async fn of_a_thousand_deals_in_thirty_days_with_lost_answers_one_at_most_needs_a_person() {
        let (mut purchases, mut for_a_person) = (0, Vec::new());
        for seed in 2_102..2_105 {
            let weeks = trade(seed, 350, 30).await;
            purchases += weeks.purchases;
            for_a_person.extend(weeks.for_a_person);
        }
        assert!(purchases >= 1_000, "only {purchases} purchases");
        assert!(for_a_person.len() * 1_000 <= purchases, "{} of {purchases}: {for_a_person:?}", for_a_person.len());
    }
}
