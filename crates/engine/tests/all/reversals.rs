//! A reversal that shows late, when the item is on sale already.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use tradepost_adapters_simulator::SimulatedPlatform;
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost_engine::Engine;
use tradepost_ports::external::Page;
use tradepost_ports::game_platform::{
    Acceptance, AccountState, Confirmation, ConfirmationAnswer, GamePlatform, Hold, Inventory, NewOffer, Offer,
    PlatformResult, Trade,
};
use tradepost_ports::marketplace::{ListingStatus, Marketplace as _};
use tradepost_testkit::samples::text;

use crate::desk::{CUSTOMER, Desk, all_items};

/// The platform, which shows one trade more.
struct Showing {
    platform: SimulatedPlatform,
    shown: Mutex<Option<Trade>>,
}

#[async_trait]
impl GamePlatform for Showing {
    async fn account(&self, account: PlatformUserId) -> PlatformResult<AccountState> {
        self.platform.account(account).await
    }

    async fn inventory(&self, of: PlatformUserId, app_id: AppId, context_id: ContextId) -> PlatformResult<Inventory> {
        self.platform.inventory(of, app_id, context_id).await
    }

    async fn offers_page(
        &self,
        account: PlatformUserId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Offer>> {
        self.platform.offers_page(account, since, after).await
    }

    async fn offer(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Offer> {
        self.platform.offer(account, id).await
    }

    async fn accept(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Acceptance> {
        self.platform.accept(account, id).await
    }

    async fn decline(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()> {
        self.platform.decline(account, id).await
    }

    async fn cancel(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()> {
        self.platform.cancel(account, id).await
    }

    async fn send(&self, account: PlatformUserId, offer: &NewOffer) -> PlatformResult<Offer> {
        self.platform.send(account, offer).await
    }

    async fn confirmations(&self, account: PlatformUserId) -> PlatformResult<Vec<Confirmation>> {
        self.platform.confirmations(account).await
    }

    async fn answer(
        &self,
        account: PlatformUserId,
        confirmation: &Confirmation,
        answer: ConfirmationAnswer,
    ) -> PlatformResult<()> {
        self.platform.answer(account, confirmation, answer).await
    }

    async fn trade(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Trade> {
        self.platform.trade(account, id).await
    }

    async fn trades_page(
        &self,
        account: PlatformUserId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Trade>> {
        let mut trades = self.platform.trades_page(account, since, after).await?;
        trades.items.extend(self.shown.lock().unwrap().clone());
        Ok(trades)
    }

    async fn hold_with(&self, account: PlatformUserId, partner: &TradeAddress) -> PlatformResult<Hold> {
        self.platform.hold_with(account, partner).await
    }

    async fn hold_of(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Hold> {
        self.platform.hold_of(account, id).await
    }

    async fn trade_token(&self, account: PlatformUserId) -> PlatformResult<ExternalId> {
        self.platform.trade_token(account).await
    }

    async fn renew_trade_token(&self, account: PlatformUserId) -> PlatformResult<ExternalId> {
        self.platform.renew_trade_token(account).await
    }

    async fn server_time(&self) -> PlatformResult<Timestamp> {
        self.platform.server_time().await
    }
}

/// A desk whose only item is on sale within the hour after its protection, while its purchase is not final yet.
async fn on_sale_early(seed: u64) -> (Desk, Arc<Showing>, Engine) {
    let desk = Desk::slow(seed).await;
    desk.buying(1).await;
    let platform = Arc::new(Showing { platform: desk.simulator.platform(), shown: Mutex::default() });
    let mut engine = desk.engaged_over("node-1", (Arc::new(desk.simulator.marketplace(CUSTOMER)), platform.clone()));
    desk.live_until(&mut engine, |_, items| items.len() == 1).await;
    let until = desk.item().await.lock.unwrap().until;
    desk.live(&mut engine, until.since(desk.simulator.world(|world| world.now()))).await;
    desk.put_on_sale().await;
    desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Traded]);
    (desk, platform, engine)
}

impl Showing {
    /// Shows that the trade of the only purchase was reversed.
    async fn show_reversal(&self, desk: &Desk) {
        let trade_id = desk.purchases().await[0].progress.trade_id.clone().unwrap();
        let trade = self.platform.trade(desk.account.user, &trade_id).await.unwrap();
        let (id, rollback_of, given) = (text("rollback-1"), Some(trade_id), trade.received.clone());
        *self.shown.lock().unwrap() = Some(Trade { id, rollback_of, given, received: Vec::new(), ..trade });
    }
}

#[tokio::test]
async fn an_item_of_a_reversed_purchase_is_delisted_before_it_is_reverted() {
    let (desk, platform, mut engine) = on_sale_early(111).await;
    platform.show_reversal(&desk).await;
    let listing_id = desk.item().await.sale_listing_id.clone().unwrap();
    engine.pass().await;
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Reverted]);
    assert_eq!(desk.item_statuses().await, [ItemStatus::Reverted]);
    let listing = desk.simulator.marketplace(CUSTOMER).listing(&listing_id).await.unwrap().unwrap();
    assert_eq!(listing.status, ListingStatus::Withdrawn);
}

#[tokio::test]
async fn a_reversal_that_shows_once_its_item_is_given_on_is_a_problem_of_the_purchase() {
    let (desk, platform, mut engine) = on_sale_early(112).await;
    let listing_id = desk.item().await.sale_listing_id.clone().unwrap();
    assert!(desk.simulator.world(|world| world.sell_to_stranger(&listing_id)));
    desk.live_until(&mut engine, all_items(1, ItemStatus::Delivering)).await;
    platform.show_reversal(&desk).await;
    for _ in 0..2 {
        engine.pass().await;
        assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Traded]);
        assert_eq!(desk.remediations(RemediationKind::TradeReversed).await, [RemediationStatus::Waiting]);
        desk.simulator.advance(desk.step);
    }
}
