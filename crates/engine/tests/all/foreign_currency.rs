//! Marketplaces in another currency: how the ledger books a deal there, and what waits while there is no rate.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use async_trait::async_trait;
use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, Side, Simulator};
use tradepost_domain::contracts::contract::ApprovalMode;
use tradepost_domain::contracts::intent::IntentKind;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::money::Currency;
use tradepost_domain::time::Timestamp;
use tradepost_engine::EngineError;
use tradepost_ports::clock::MarketClock as _;
use tradepost_ports::exchange_rates::{ExchangeRates, RateResult};
use tradepost_ports::marketplace::Marketplace as _;

use crate::desk::{CAPITAL, CUSTOMER, Desk};

/// A rate that stays until it is set again.
struct SetRate {
    simulator: Simulator,
    micros: AtomicI64,
}

#[async_trait]
impl ExchangeRates for SetRate {
    async fn rate(&self, from: Currency, _: Currency) -> RateResult<ExchangeRate> {
        Ok(ExchangeRate::new(from, self.micros.load(Ordering::Relaxed), self.simulator.market_now()).unwrap())
    }
}

fn of_purchase(purchase: &Purchase) -> Option<ExchangeRate> {
    purchase.terms.exchange_rate.filter(|_| purchase.progress.order.is_some())
}

impl Desk {
    /// Compares every deal with the marketplace's own record, and all of them with the balance there, in its currency.
    pub(crate) async fn assert_deals_agree(&self, purchases: &[Purchase], items: &[InventoryItem]) {
        let (market, mut left) = (self.simulator.marketplace(CUSTOMER), CAPITAL);
        for purchase in purchases {
            let (Some(rate), Some(ours)) = (of_purchase(purchase), &purchase.progress.order) else { continue };
            let order = market.order(&ours.id).await.unwrap();
            assert_eq!(
                (ours.executed_price, ours.fee),
                (rate.cost(order.price).unwrap(), rate.cost(order.fee).unwrap())
            );
            assert!(purchase.cost() <= purchase.terms.max_buy_price, "{purchase:?}");
            left += order.refunded.get() - order.price.get() - order.fee.get();
            if purchase.status == PurchaseStatus::Refunded {
                assert_eq!(purchase.progress.refunded, purchase.cost(), "all of it came back");
            }
        }
        let sales = market.sales(Timestamp::MIN).await.unwrap();
        for item in items.iter().filter(|item| item.status == ItemStatus::Settled) {
            let sale = sales.iter().find(|sale| Some(&sale.listing_id) == item.sale_listing_id.as_ref()).unwrap();
            let (rate, proceeds) = (item.sale_rate.unwrap(), item.proceeds.unwrap());
            assert_eq!(proceeds.sell_price(), rate.proceeds(sale.price).unwrap());
            assert_eq!(proceeds.sale_fee(), rate.cost(sale.fee).unwrap());
            left += sale.price.get() - sale.fee.get();
        }
        assert_eq!(market.balance().await.unwrap().get(), left, "our deals are not all that the marketplace knows");
    }
}

#[tokio::test]
async fn a_deal_abroad_keeps_its_rate_from_purchase_to_refund_and_sale() {
    let desk = Desk::slow(71).await.pooled().await.abroad();
    desk.buying(4).await;
    desk.selling().await;
    for fault in [Fault::LateDelivery { seconds: 86_400 }, Fault::TimeoutAfterCommit { call: Call::Buy }] {
        desk.simulator.world(|world| world.inject(fault));
    }
    let mut engine = desk.engine();
    let are_over = |purchases: &[Purchase], items: &[InventoryItem]| {
        let is_refunded = |purchase: &Purchase| purchase.status == PurchaseStatus::Refunded;
        let sold = items.iter().filter(|item| item.status == ItemStatus::Settled).count();
        purchases.iter().any(is_refunded) && sold >= 2
    };
    desk.live_until(&mut engine, are_over).await;
    let (purchases, items) = (desk.purchases().await, desk.items().await);
    desk.assert_deals_agree(&purchases, &items).await;
    desk.simulator.world(|world| world.check_books()).unwrap();
    let mut rates: Vec<i64> = purchases.iter().filter_map(of_purchase).map(ExchangeRate::micros).collect();
    rates.extend(items.iter().filter_map(|item| item.sale_rate).map(ExchangeRate::micros));
    rates.sort_unstable();
    rates.dedup();
    assert!(rates.len() > 2, "the rate has not moved: {rates:?}");
}

#[tokio::test]
async fn without_a_fresh_rate_nothing_is_bought_or_put_on_sale_and_what_is_open_goes_on() {
    let desk = Desk::lively(72).await.abroad();
    desk.buying(50).await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, |purchases, _| purchases.iter().any(|one| one.progress.order.is_some())).await;
    desk.simulator.world(|world| world.inject(Fault::RateLimitStorm { side: Side::Rates, seconds: 3 * 86_400 }));
    desk.live(&mut engine, Duration::minutes(70)).await;
    desk.selling().await;
    let bought = desk.purchases().await.len();
    desk.live(&mut engine, Duration::hours(12)).await;
    let pass = engine.pass().await;
    assert!(pass.errors.iter().any(|error| matches!(error, EngineError::NoExchangeRate(_))), "{:?}", pass.errors);
    let (purchases, items) = (desk.purchases().await, desk.items().await);
    assert_eq!(purchases.len(), bought);
    assert!(purchases.iter().all(|purchase| purchase.status != PurchaseStatus::Paid), "what was paid was followed");
    assert!(!items.is_empty() && items.iter().all(|item| item.status == ItemStatus::InInventory));
    desk.assert_deals_agree(&purchases, &items).await;
    desk.live_until(&mut engine, |purchases, _| purchases.len() > bought).await;
}

/// The outcome of a purchase that a person agrees to, while the rate changes from 1.08 to another.
async fn agreed_before_the_rate_was(micros: i64) -> Purchase {
    let desk = Desk::lively(73).await.abroad();
    desk.buying_when(ApprovalMode::Manual, 50).await;
    let rates = Arc::new(SetRate { simulator: desk.simulator.clone(), micros: AtomicI64::new(1_080_000) });
    let mut engine = desk.engine_by(rates.clone());
    let mut proposed = desk.intents(IntentKind::Buy).await;
    while proposed.is_empty() {
        engine.pass().await;
        proposed = desk.intents(IntentKind::Buy).await;
        desk.simulator.advance(Duration::minutes(2));
    }
    rates.micros.store(micros, Ordering::Relaxed);
    desk.approve(&proposed[0]).await;
    engine.pass().await;
    let (mut purchases, items) = (desk.purchases().await, desk.items().await);
    desk.assert_deals_agree(&purchases, &items).await;
    purchases.pop().unwrap()
}

#[tokio::test]
async fn an_approved_purchase_uses_its_own_rate_and_stays_within_the_approved_price() {
    let cheaper = agreed_before_the_rate_was(1_000_000).await;
    assert_eq!((cheaper.status, cheaper.terms.exchange_rate.unwrap().micros()), (PurchaseStatus::Paid, 1_000_000));
    assert!(cheaper.cost() < cheaper.terms.max_buy_price);
    let dearer = agreed_before_the_rate_was(1_100_000).await;
    assert_eq!(dearer.status, PurchaseStatus::Cancelled);
}
