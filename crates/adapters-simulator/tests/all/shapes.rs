//! What marketplaces of other shapes insist on.

use time::Duration;
use tradepost_domain::trading::trade::OfferStatus;
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{
    AnnouncedOffer, Announcement, MarketTraits, Marketplace as _, MarketplaceRefusal, OrderStatus, Sale,
    WithdrawRequest,
};

use crate::desk::{Desk, external, quiet};
use tradepost_adapters_simulator::{Fault, Settings, World};

fn announcing(announcement: Announcement) -> Desk {
    Desk::quiet_with(MarketTraits { announcement, ..MarketTraits::default() })
}

fn announced(sale: &Sale, offer: &tradepost_ports::game_platform::Offer) -> AnnouncedOffer {
    AnnouncedOffer { sale_id: sale.id.clone(), offer_id: offer.id.clone(), gives: vec![sale.asset_id.clone()] }
}

#[tokio::test]
async fn an_offer_that_is_not_announced_is_not_answered_and_the_sale_fails() {
    for announcement in [Announcement::BeforeConfirming, Announcement::AfterConfirming] {
        let desk = announcing(announcement);
        let (asset_id, sale) = desk.sell().await;
        let offer = desk.deliver(&sale, &asset_id).await;
        desk.pass(Duration::hours(1));
        assert_eq!(desk.offers().await[0].status, OfferStatus::Active, "{offer:?}");
        assert_eq!(desk.sale().await.status, OrderStatus::Refunded);
        desk.check_books();
    }
}

#[tokio::test]
async fn an_offer_is_announced_at_its_time_only() {
    let before = announcing(Announcement::BeforeConfirming);
    let (asset_id, sale) = before.sell().await;
    let late = before.deliver(&sale, &asset_id).await;
    assert!(matches!(before.market.announce_offer(&announced(&sale, &late)).await, Err(ExternalError::Rejected(_))));
    let after = announcing(Announcement::AfterConfirming);
    let (asset_id, sale) = after.sell().await;
    let early = after.send(&sale, &asset_id).await.unwrap();
    assert!(matches!(after.market.announce_offer(&announced(&sale, &early)).await, Err(ExternalError::Rejected(_))));
}

#[tokio::test]
async fn an_announcement_is_refused_once_and_taken_the_next_time() {
    let desk = announcing(Announcement::BeforeConfirming);
    let (asset_id, sale) = desk.sell().await;
    let offer = desk.send(&sale, &asset_id).await.unwrap();
    desk.inject(Fault::AnnouncementRefused);
    assert!(matches!(desk.market.announce_offer(&announced(&sale, &offer)).await, Err(ExternalError::Rejected(_))));
    assert_eq!(desk.market.announce_offer(&announced(&sale, &offer)).await, Ok(()));
}

#[tokio::test]
async fn what_is_in_custody_stays_there_until_it_can_be_withdrawn_and_is() {
    let traits = MarketTraits { custody: true, ..MarketTraits::default() };
    let desk = Desk::over(World::new(7, Settings { traits, in_custody: 600, ..quiet() }));
    let (_, order) = desk.buy().await;
    assert!(matches!(order.status, OrderStatus::InCustody { withdrawable_at: Some(_) }), "{order:?}");
    let request =
        WithdrawRequest { key: external("key-1"), order_id: order.id.clone(), deliver_to: desk.account.clone() };
    let early = desk.market.withdraw(&request).await;
    assert_eq!(early, Err(ExternalError::Rejected(MarketplaceRefusal::ItemUnavailable)));
    desk.pass(Duration::days(30));
    assert_eq!(desk.order(&order).await, order, "nobody has to deliver it before");
    desk.market.withdraw(&request).await.unwrap();
    let offer = desk.offer_for(&order).await;
    desk.accept(&offer).await;
    desk.pass(Duration::days(7));
    assert_eq!(desk.order(&order).await.status, OrderStatus::Settled);
    desk.check_books();
}
