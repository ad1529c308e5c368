//! The whole loop at a marketplace that counts in thousandths: no deal is booked as less than it cost or more than it brought, and together
//! they come to what is there.

use std::sync::Arc;

use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, Fees, InMills, Settings, Variant};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::contracts::remediation::RemediationStatus;
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::money::VenueCents;
use tradepost_domain::time::Timestamp;
use tradepost_engine::{Desk as Engaged, Engine};
use tradepost_ports::marketplace::{Marketplace as _, Mills};
use tradepost_testkit::samples::text;

use crate::desk::{CAPITAL, CUSTOMER, Desk, MARKET, all_items, all_purchases, cents};

/// A desk in a world whose amounts are thousandths: what costs 6.20 there costs 6200.
async fn desk(seed: u64) -> Desk {
    desk_that_charges(seed, Fees { buying: 0, selling: 500, minimum: 1 }).await
}

async fn desk_that_charges(seed: u64, fees: Fees) -> Desk {
    let usual = Settings::default();
    let dearer = |variant: Variant| Variant { price: cents(10 * variant.price.get()), ..variant };
    let settings = Settings {
        variants: usual.variants.iter().cloned().map(dearer).collect(),
        first_listings: 300,
        fees,
        protection: 43_200,
        ..usual
    };
    Desk::slow_in(seed, settings).await
}

fn engaged(desk: &Desk) -> Engaged {
    let market = InMills::new(desk.simulator.marketplace(CUSTOMER));
    let prices = |name| Arc::new(InMills::new(desk.simulator.prices(text(name)))) as Arc<_>;
    Engaged { price_sources: ["index", "guide"].map(prices).to_vec(), ..desk.engaged("node-1", Arc::new(market)) }
}

fn engine(desk: &Desk) -> Engine {
    desk.engine_for(engaged(desk))
}

fn mills(amount: VenueCents) -> Mills {
    Mills::new(amount.get()).unwrap()
}

/// Compares every deal with the marketplace's own record, and all of them with the balance there, to the thousandth.
async fn assert_agrees(desk: &Desk) {
    desk.simulator.world(|world| world.check_books()).unwrap();
    let (market, mut left, mut booked) = (desk.simulator.marketplace(CUSTOMER), CAPITAL, CAPITAL);
    for purchase in desk.purchases().await {
        let Some(ours) = &purchase.progress.order else { continue };
        let order = market.order(&ours.id).await.unwrap();
        assert_eq!(ours.executed_price.get(), mills(order.price).as_cost().get());
        assert_eq!(ours.fee.get(), mills(order.fee).as_cost().get());
        left -= order.price.get() + order.fee.get() - order.refunded.get();
        booked -= 10 * (purchase.cost().get() - purchase.progress.refunded.get());
    }
    let sales = market.sales(Timestamp::MIN).await.unwrap();
    for item in desk.items().await.iter().filter(|item| item.status == ItemStatus::Settled) {
        let sale = sales.iter().find(|sale| Some(&sale.listing_id) == item.sale_listing_id.as_ref()).unwrap();
        let (proceeds, net) = (item.proceeds.unwrap(), sale.price.minus(sale.fee).unwrap());
        assert_eq!(proceeds.sell_price().get() - proceeds.sale_fee().get(), mills(net).as_proceeds().get());
        left += net.get();
        booked += 10 * mills(net).as_proceeds().get();
    }
    assert_eq!(market.balance().await.unwrap().get(), left, "our deals are not all that the marketplace knows");
    assert!(booked <= left, "the ledger has more than there is: {booked} of {left}");
}

async fn assert_trades(number: usize, faults: &[Fault]) {
    let desk = desk(31).await.pooled().await;
    desk.buying(i64::try_from(number).unwrap()).await;
    desk.selling().await;
    desk.simulator.world(|world| faults.iter().for_each(|fault| world.inject(fault.clone())));
    desk.live_until(&mut engine(&desk), all_items(number, ItemStatus::Settled)).await;
    assert_agrees(&desk).await;
}

#[tokio::test]
async fn amounts_in_thousandths_are_rounded_to_our_disadvantage_when_booked() {
    assert_trades(4, &[]).await;
}

#[tokio::test]
async fn lost_answers_and_failed_trades_leave_amounts_in_thousandths_correct() {
    let calls = [Call::Buy, Call::Accept, Call::List, Call::Send, Call::Answer];
    let before = calls.map(|call| Fault::TimeoutBeforeCommit { call });
    let after = calls.map(|call| Fault::TimeoutAfterCommit { call });
    assert_trades(3, &before).await;
    assert_trades(3, &after).await;
    assert_trades(3, &[Fault::FailedTrade, Fault::LateDelivery { seconds: 7_200 }, Fault::ItemSwapped]).await;
}

#[tokio::test]
async fn a_refund_in_thousandths_closes_what_was_paid() {
    let desk = desk(32).await;
    desk.buying(1).await;
    desk.simulator.world(|world| world.inject(Fault::ItemSwapped));
    let mut engine = engine(&desk);
    desk.live_until(&mut engine, |purchases, _| {
        purchases.last().is_some_and(|purchase| purchase.status == PurchaseStatus::Refunded)
    })
    .await;
    let purchase = desk.purchases().await.pop().unwrap();
    assert_eq!(purchase.progress.refunded, purchase.cost());
    assert_agrees(&desk).await;
}

#[tokio::test]
async fn fractions_of_cents_make_no_balance_difference_and_a_missing_cent_does() {
    let desk = desk(33).await;
    desk.provider(ProviderKind::Marketplace, MARKET).await;
    desk.buying(3).await;
    desk.selling().await;
    let mut engine = engine(&desk);
    desk.live_until(&mut engine, all_items(3, ItemStatus::Settled)).await;
    desk.live(&mut engine, Duration::hours(3)).await;
    assert_eq!(desk.mismatches().await, []);
    desk.drift(-20);
    desk.live(&mut engine, Duration::hours(3)).await;
    assert_eq!(desk.mismatches().await, [RemediationStatus::NeedsOperator]);
}

#[tokio::test]
async fn money_beyond_rounding_differences_is_reported_and_sets_no_baseline() {
    let desk = desk(33).await;
    desk.provider(ProviderKind::Marketplace, MARKET).await;
    desk.buying(3).await;
    let mut first = engine(&desk);
    desk.live_until(&mut first, all_purchases(3, PurchaseStatus::Settled)).await;
    desk.live(&mut first, Duration::hours(3)).await;
    assert_eq!(desk.mismatches().await, []);
    desk.drift(20);
    desk.live(&mut first, Duration::hours(3)).await;
    assert_eq!(desk.mismatches().await, [RemediationStatus::NeedsOperator]);
    desk.live(&mut engine(&desk), Duration::hours(3)).await;
    assert_eq!(desk.mismatches().await, [RemediationStatus::NeedsOperator], "the surplus became no baseline");
}

#[tokio::test]
async fn a_refund_of_a_payment_before_the_baseline_makes_no_balance_difference() {
    for seed in 34..38 {
        let desk = desk_that_charges(seed, Fees { buying: 77, selling: 500, minimum: 1 }).await;
        desk.provider(ProviderKind::Marketplace, MARKET).await;
        desk.buying(1).await;
        desk.simulator.world(|world| {
            world.inject(Fault::ItemSwapped);
            world.inject(Fault::LateRefund { hours: 6 });
        });
        let mut engine = engine(&desk);
        desk.live_until(&mut engine, |purchases, _| {
            purchases.last().is_some_and(|purchase| purchase.status == PurchaseStatus::Refunded)
        })
        .await;
        desk.live(&mut engine, Duration::hours(3)).await;
        assert_eq!(desk.mismatches().await, [], "seed {seed}");
    }
}
