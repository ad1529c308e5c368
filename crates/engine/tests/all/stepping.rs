//! A clock that is set back or forth by an hour while an engine trades.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, Side};
use tradepost_domain::accounts::access::Principal;
use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::contracts::contract::{ContractStatus, SuspensionCause};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::contracts::remediation::RemediationKind;
use tradepost_domain::trading::trade_offer::{OfferOwner, TradeOfferStatus};
use tradepost_domain::trading::trading_account::AccountStatus;
use tradepost_engine::{Desk as Engaged, Engine};
use tradepost_operations::Caller;
use tradepost_ports::changes::Changes;
use tradepost_ports::clock::Clock as _;
use tradepost_ports::marketplace::{Marketplace as MarketplacePort, OrderIdentity};
use tradepost_ports::store::{Records as _, Store as _};
use tradepost_testkit::samples::text;

use crate::desk::{CUSTOMER, Desk, all_items};
use crate::scripted_adapters::{Asked, Stub, WANTED, on_sale, with_purchases};

pub(crate) const HOUR: Duration = Duration::hours(1);
const MINUTE: Duration = Duration::minutes(1);

impl Desk {
    /// An engine whose clock can be set.
    pub(crate) fn engine_by_clock(&self, marketplace: Arc<dyn MarketplacePort>) -> Engine {
        let desk = Engaged { clock: self.clock.clone(), ..self.engaged("node-1", marketplace) };
        self.engine_for(desk)
    }

    /// Records a halt of trading, or its end, and leaves the contracts to the engine: as a server does that is stopped just then.
    pub(crate) async fn record_halt(&self, halted: bool) {
        let scope = Principal::System.enter(self.workspace_id, PolicySet::NONE).unwrap();
        let seen = self.store.workspaces().find(scope).await.unwrap().unwrap();
        let (mut changes, at) = (Changes::by(&Caller::system()), self.clock.now());
        let revised = changes.revise(seen, |workspace| {
            Ok::<_, Infallible>(if halted {
                workspace.halt_trading(text("a test"), at)
            } else {
                workspace.lift_halt(at)
            })
        });
        revised.unwrap();
        self.store.commit(changes).await.unwrap();
    }
}

#[tokio::test]
async fn accounts_are_looked_at_every_minute_whether_the_clock_is_set_back_or_forth() {
    for by in [-HOUR, HOUR] {
        let desk = Desk::lively(131).await;
        let account_id = desk.on_record().await;
        let mut engine = desk.engine_by_clock(Arc::new(desk.simulator.marketplace(CUSTOMER)));
        engine.pass().await;
        assert_eq!(desk.account_status(account_id).await, AccountStatus::Ready);
        desk.clock.set_by(by);
        desk.simulator.world(|world| world.inject(Fault::SessionLost { side: Side::Platform, seconds: 1_800 }));
        desk.simulator.advance(MINUTE);
        engine.pass().await;
        assert_eq!(desk.account_status(account_id).await, AccountStatus::NeedsLogin, "set by {by}");
    }
}

#[tokio::test]
async fn look_ups_are_a_minute_apart_whether_the_clock_is_set_back_or_forth_between_them() {
    for by in [-HOUR, HOUR] {
        let desk = Desk::lively(133).await;
        with_purchases(&desk, 0, PurchaseStatus::Paid).await;
        let stub = Arc::new(Stub { loses_answers: AtomicBool::new(true), ..Stub::default() });
        stub.offer(vec![vec![on_sale("wanted", WANTED)]]);
        let mut engine = desk.engine_by_clock(stub.clone());
        engine.pass().await;
        stub.hides_orders.store(true, Ordering::SeqCst);
        stub.offer(Vec::new());
        engine.pass().await;
        desk.clock.set_by(by);
        engine.pass().await;
        assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Uncertain], "set by {by}");
        desk.simulator.advance(MINUTE);
        engine.pass().await;
        assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Failed], "set by {by}");
    }
}

#[tokio::test]
async fn a_later_order_is_not_a_duplicate_whichever_way_the_clock_is_set() {
    for by in [-HOUR, HOUR] {
        let desk = Desk::lively(135).await;
        with_purchases(&desk, 0, PurchaseStatus::Paid).await;
        let (orders, loses_answers) = (OrderIdentity::ByListing, AtomicBool::new(true));
        let stub = Arc::new(Stub { loses_answers, orders, ..Stub::default() });
        stub.offer(vec![vec![on_sale("wanted", WANTED)]]);
        let mut engine = desk.engine_by_clock(stub.clone());
        engine.pass().await;
        stub.hides_orders.store(true, Ordering::SeqCst);
        stub.offer(Vec::new());
        pass_for(&desk, &mut engine, 3).await;
        assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Failed]);
        desk.clock.set_by(by);
        stub.loses_answers.store(false, Ordering::SeqCst);
        stub.offer(vec![vec![on_sale("wanted", WANTED)]]);
        pass_for(&desk, &mut engine, 1).await;
        assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Failed, PurchaseStatus::Paid], "set by {by}");
        // From now on a search by the listing finds the later order.
        *stub.finds.lock().unwrap() = Some(text("wanted"));
        stub.take();
        pass_for(&desk, &mut engine, 12).await;
        assert!(stub.take().contains(&Asked::FindOrder), "the first one is searched for");
        assert_eq!(desk.remediations(RemediationKind::DuplicateSuspect).await, [], "set by {by}");
    }
}

/// Lets so many minutes pass, with a pass of the engine after each.
async fn pass_for(desk: &Desk, engine: &mut Engine, minutes: usize) {
    for _ in 0..minutes {
        desk.simulator.advance(MINUTE);
        engine.pass().await;
    }
}

#[tokio::test]
async fn an_item_is_bought_and_listed_whichever_way_the_clock_is_set() {
    for by in [-HOUR, HOUR] {
        let desk = Desk::slow(2).await;
        desk.buying(1).await;
        desk.selling().await;
        let mut engine = desk.engine_by_clock(Arc::new(desk.simulator.marketplace(CUSTOMER)));
        engine.pass().await;
        desk.clock.set_by(by);
        desk.live(&mut engine, MINUTE * 30).await;
        assert_eq!(desk.purchases().await.len(), 1, "set by {by}");
        desk.live_until(&mut engine, all_items(1, ItemStatus::InInventory)).await;
        // Once more, just before it can be sold.
        let before = desk.items().await.len();
        desk.clock.set_by(-by);
        desk.live_until(&mut engine, all_items(before, ItemStatus::Listed)).await;
    }
}

#[tokio::test]
async fn contracts_follow_a_halt_and_its_end_after_a_minute_whichever_way_the_clock_is_set() {
    for by in [-HOUR, HOUR] {
        let desk = Desk::lively(137).await;
        let buys = desk.buying(50).await;
        let engaged = desk.engaged("node-1", Arc::new(desk.simulator.marketplace(CUSTOMER)));
        // By a clock that is ahead every price is too old, and that suspends contracts as well.
        let engaged = Engaged { clock: desk.clock.clone(), price_sources: Vec::new(), ..engaged };
        let mut engine = desk.engine_for(engaged);
        engine.pass().await;
        let stopped = (ContractStatus::Suspended, Some(SuspensionCause::TradingHalted));
        for (halted, expected) in [(true, stopped), (false, (ContractStatus::Active, None))] {
            let before = desk.contract_status(buys).await;
            desk.record_halt(halted).await;
            desk.clock.set_by(by);
            engine.pass().await;
            assert_eq!(desk.contract_status(buys).await, before, "set by {by}, and no time has passed");
            desk.simulator.advance(MINUTE);
            engine.pass().await;
            assert_eq!(desk.contract_status(buys).await, expected, "set by {by}");
        }
    }
}

#[tokio::test]
async fn an_item_is_missing_after_ten_minutes_whichever_way_the_clock_is_set() {
    for by in [-HOUR, HOUR] {
        let desk = Desk::slow(111).await;
        desk.buying(1).await;
        let mut engine = desk.engine_by_clock(Arc::new(desk.simulator.marketplace(CUSTOMER)));
        desk.live_until(&mut engine, all_items(1, ItemStatus::InInventory)).await;
        desk.simulator.world(|world| world.inject(Fault::ItemWithheld { seconds: 7_200 }));
        pass_for(&desk, &mut engine, 5).await;
        // It was looked for once, and was not there.
        desk.clock.set_by(by);
        engine.pass().await;
        assert_eq!(desk.item_statuses().await, [ItemStatus::InInventory], "set by {by}, and no time has passed");
        pass_for(&desk, &mut engine, 9).await;
        assert_eq!(desk.item_statuses().await, [ItemStatus::InInventory], "set by {by}");
        pass_for(&desk, &mut engine, 1).await;
        assert_eq!(desk.item_statuses().await, [ItemStatus::Missing], "set by {by}");
    }
}

#[tokio::test]
async fn a_lost_offer_is_sent_again_after_a_minute_without_it_whichever_way_the_clock_is_set() {
    for by in [-HOUR, HOUR] {
        let desk = Desk::slow(12).await;
        desk.buying(1).await;
        desk.selling().await;
        let mut engine = desk.engine_by_clock(Arc::new(desk.simulator.marketplace(CUSTOMER)));
        desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
        let item = desk.items().await.remove(0);
        desk.simulator.world(|world| {
            world.inject(Fault::TimeoutBeforeCommit { call: Call::Send });
            assert!(world.sell_to_stranger(item.sale_listing_id.as_ref().unwrap()));
        });
        let mut sent = Vec::new();
        while sent.is_empty() {
            pass_for(&desk, &mut engine, 1).await;
            sent = desk.offers_of(OfferOwner::Item(item.id)).await;
        }
        assert_eq!(sent[0].status, TradeOfferStatus::SendUncertain);
        desk.clock.set_by(by);
        engine.pass().await;
        assert_eq!(desk.offers_of(OfferOwner::Item(item.id)).await, sent, "set by {by}, and no time has passed");
        // It is looked for once, and again a minute later; the next pass sends another.
        pass_for(&desk, &mut engine, 3).await;
        assert_eq!(desk.offers_of(OfferOwner::Item(item.id)).await.len(), 2, "set by {by}");
    }
}

#[tokio::test]
async fn an_offer_waits_ten_minutes_for_its_confirmation_whichever_way_the_clock_is_set() {
    for by in [-HOUR, HOUR] {
        let desk = Desk::slow(13).await;
        desk.buying(1).await;
        desk.selling().await;
        let mut engine = desk.engine_by_clock(Arc::new(desk.simulator.marketplace(CUSTOMER)));
        desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
        let item = desk.items().await.remove(0);
        desk.simulator.world(|world| {
            world.inject(Fault::LostConfirmation);
            assert!(world.sell_to_stranger(item.sale_listing_id.as_ref().unwrap()));
        });
        while desk.offers_of(OfferOwner::Item(item.id)).await.is_empty() {
            pass_for(&desk, &mut engine, 1).await;
        }
        desk.clock.set_by(by);
        pass_for(&desk, &mut engine, 9).await;
        assert_eq!(desk.remediations(RemediationKind::ConfirmationStuck).await, [], "set by {by}");
        pass_for(&desk, &mut engine, 3).await;
        assert_eq!(desk.remediations(RemediationKind::ConfirmationStuck).await.len(), 1, "set by {by}");
    }
}
