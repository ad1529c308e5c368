//! Sold items whose delivery the platform would hold: nothing is sent unless a person has it sent all the same.

use std::sync::Arc;

use time::Duration;
use tradepost_adapters_simulator::{Fault, Settings};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::time::Timestamp;
use tradepost_engine::Engine;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{GamePlatform as _, PlatformRefusal};

use crate::desk::{CUSTOMER, Desk, all_items};
use crate::flaky_systems::Moody;

const MISMATCH: RemediationKind = RemediationKind::ListingMismatch;
const HELD: Fault = Fault::Escrow { hours: 2, rolled_back: false };

impl Desk {
    /// Has the only item that is on sale sold to a stranger.
    async fn sell_to_stranger(&self) {
        let listing_id = self.items().await[0].sale_listing_id.clone().unwrap();
        assert!(self.simulator.world(|world| world.sell_to_stranger(&listing_id)));
    }

    /// Has the item sold, and a person dismiss that its delivery would be held. Ends before the engine has read that.
    pub(crate) async fn sell_though_held(&mut self, engine: &mut Engine) {
        let step = std::mem::replace(&mut self.step, Duration::minutes(1));
        self.live_until(engine, all_items(1, ItemStatus::Listed)).await;
        self.sell_to_stranger().await;
        self.live_until(engine, all_items(1, ItemStatus::Delivering)).await;
        self.live(engine, Duration::minutes(2)).await;
        assert_eq!(self.remediations(MISMATCH).await, [RemediationStatus::NeedsOperator]);
        self.dismiss(MISMATCH).await;
        self.step = step;
    }

    /// How many trade offers the account has sent that give something.
    async fn given(&self) -> usize {
        let offers = self.simulator.platform().offers(self.account.user, Timestamp::MIN).await.unwrap();
        offers.iter().filter(|offer| offer.is_ours && !offer.give.is_empty()).count()
    }
}

/// A desk whose only item was sold, and is to be delivered while this goes wrong.
async fn sold(seed: u64, settings: Settings, fault: Fault) -> (Desk, Engine) {
    let mut desk = Desk::slow_in(seed, settings).await;
    desk.buying(1).await;
    desk.selling().await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
    desk.simulator.world(|world| world.inject(fault));
    desk.sell_to_stranger().await;
    desk.step = Duration::minutes(1);
    (desk, engine)
}

/// A desk whose only item was sold, at a platform that answers the question for the hold with this.
async fn sold_without_hold(seed: u64, refusal: ExternalError<PlatformRefusal>) -> (Desk, Engine, Arc<Moody>) {
    let mut desk = Desk::slow(seed).await;
    desk.buying(1).await;
    desk.selling().await;
    let (marketplace, moody) = (Arc::new(desk.simulator.marketplace(CUSTOMER)), Moody::of(&desk));
    let mut engine = desk.engaged_over("node-1", (marketplace, moody.clone()));
    desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
    moody.mood.lock().unwrap().refuses_holds = Some(refusal);
    desk.sell_to_stranger().await;
    desk.step = Duration::minutes(1);
    desk.live_until(&mut engine, all_items(1, ItemStatus::Delivering)).await;
    (desk, engine, moody)
}

#[tokio::test]
async fn a_delivery_that_would_be_held_is_not_sent_and_its_item_is_sold_to_the_next_buyer() {
    let (mut desk, mut engine) = sold(730, Settings::default(), HELD).await;
    desk.live(&mut engine, Duration::minutes(10)).await;
    assert_eq!(desk.given().await, 0);
    assert_eq!(desk.item_statuses().await, [ItemStatus::Delivering]);
    assert_eq!(desk.remediations(MISMATCH).await, [RemediationStatus::NeedsOperator]);
    // The deadline of the sale is over.
    desk.step = Duration::minutes(10);
    desk.live_until(&mut engine, |_, items| items[0].status != ItemStatus::Delivering).await;
    desk.live(&mut engine, Duration::minutes(10)).await;
    assert_eq!(desk.remediations(MISMATCH).await, [RemediationStatus::Resolved]);
    desk.live_until(&mut engine, all_items(1, ItemStatus::Settled)).await;
    assert_eq!(desk.given().await, 1);
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_delivery_whose_hold_a_person_accepts_is_sent_once_and_held() {
    let (desk, mut engine) = sold(731, Settings::default(), HELD).await;
    desk.live(&mut engine, Duration::minutes(3)).await;
    desk.dismiss(MISMATCH).await;
    // Another engine reads it from the record.
    let mut engine = desk.engine();
    desk.live_until(&mut engine, all_items(1, ItemStatus::Held)).await;
    desk.live_until(&mut engine, all_items(1, ItemStatus::Sold)).await;
    assert_eq!(desk.given().await, 1);
    assert_eq!(desk.remediations(MISMATCH).await, [RemediationStatus::Dismissed]);
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_delivery_is_sent_within_minutes_after_its_hold_is_over() {
    let settings = Settings { delivery_deadline: 6 * 3_600, ..Settings::default() };
    let (desk, mut engine) = sold(732, settings, Fault::TradesHeld { hours: 1 }).await;
    desk.live(&mut engine, Duration::minutes(50)).await;
    assert_eq!((desk.given().await, desk.remediations(MISMATCH).await), (0, vec![RemediationStatus::NeedsOperator]));
    desk.live(&mut engine, Duration::minutes(20)).await;
    assert_eq!((desk.given().await, desk.remediations(MISMATCH).await), (1, vec![RemediationStatus::Resolved]));
}

#[tokio::test]
async fn a_delivery_whose_hold_cannot_be_read_is_reported_after_5_min_and_sent_once_it_can_be_read() {
    let unread = ExternalError::Unknown("it answered 502".to_owned());
    let (desk, mut engine, moody) = sold_without_hold(733, unread).await;
    desk.live(&mut engine, Duration::minutes(4)).await;
    assert_eq!((desk.given().await, desk.remediations(MISMATCH).await), (0, Vec::new()));
    desk.live(&mut engine, Duration::minutes(2)).await;
    assert_eq!((desk.given().await, desk.remediations(MISMATCH).await), (0, vec![RemediationStatus::NeedsOperator]));
    moody.mood.lock().unwrap().refuses_holds = None;
    desk.live(&mut engine, Duration::minutes(2)).await;
    assert_eq!((desk.given().await, desk.remediations(MISMATCH).await), (1, vec![RemediationStatus::Resolved]));
}

#[tokio::test]
async fn a_delivery_whose_hold_the_platform_does_not_show_waits_for_a_person() {
    let not_shown = ExternalError::Rejected(PlatformRefusal::PartnerRefused);
    let (desk, mut engine, _) = sold_without_hold(734, not_shown).await;
    assert_eq!((desk.given().await, desk.remediations(MISMATCH).await), (0, vec![RemediationStatus::NeedsOperator]));
    desk.dismiss(MISMATCH).await;
    desk.live(&mut engine, Duration::minutes(3)).await;
    assert_eq!((desk.given().await, desk.remediations(MISMATCH).await), (1, vec![RemediationStatus::Dismissed]));
}
