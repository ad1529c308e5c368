//! Pages that fail, repeat or have nothing on them: no part is read as the whole.

use tradepost_adapters_simulator::Fault as WorldFault;
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::time::Timestamp;
use tradepost_fakes::{Fault, FaultRule};
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{GamePlatform as _, Inventory, PlatformResult};

use crate::calls::Read;
use crate::traders::Traders;

const MANY: u32 = 10;

impl Traders {
    async fn ordinary(&self) -> PlatformResult<Inventory> {
        self.platform.inventory(self.ada().user, AppId::CS2, ContextId::ORDINARY).await
    }

    /// Lets a fault happen to calls of a route, from one of them on.
    fn arm(&self, read: Read, nth: u32, times: u32, fault: Fault) {
        self.scene.facades.fakes.arm(vec![FaultRule { route: read.route().to_owned(), nth, times, fault }]);
    }

    /// Reads a list, and returns how many records it has.
    async fn count(&self, read: Read) -> PlatformResult<usize> {
        let user = self.ada().user;
        match read {
            Read::Inventory => self.ordinary().await.map(|inventory| inventory.assets.len()),
            Read::Offers => self.platform.offers(user, Timestamp::MIN).await.map(|offers| offers.len()),
            Read::Trades => self.platform.trades(user, Timestamp::MIN).await.map(|trades| trades.len()),
            Read::Time
            | Read::Authenticator
            | Read::Bans
            | Read::ApiKeyPage
            | Read::Confirmations
            | Read::Offer
            | Read::Trade
            | Read::Holds
            | Read::OfferPage
            | Read::TradeToken => panic!("{read:?} has no pages"),
        }
    }

    fn calls(&self, read: Read) -> usize {
        self.scene.facades.calls(read.route())
    }
}

#[tokio::test]
async fn a_page_that_fails_on_the_way_leaves_no_part_of_the_list() {
    let traders = Traders::after_trades().await;
    for read in [Read::Inventory, Read::Offers, Read::Trades] {
        traders.arm(read, 2, 1, Fault::F05 { status: 503 });
        let failed = traders.count(read).await;
        assert_eq!(failed, Err(ExternalError::Unknown("it answered 503".to_owned())), "{read:?}");
        assert_eq!(traders.calls(read), 2);
        assert!(traders.count(read).await.unwrap() > 3, "the next read works");
    }
}

#[tokio::test]
async fn offers_and_trades_whose_pages_do_not_end_are_unknown() {
    let traders = Traders::after_trades().await;
    for read in [Read::Offers, Read::Trades] {
        traders.arm(read, 1, MANY, Fault::RepeatedCursor { cursor: "3".to_owned() });
        let failed = traders.count(read).await;
        assert!(matches!(failed, Err(ExternalError::Unknown(_))), "{failed:?}");
        assert!(traders.calls(read) < 10, "no page is read again and again");
    }
}

#[tokio::test]
async fn an_empty_page_before_the_last_one_makes_the_whole_list_unknown() {
    let traders = Traders::after_trades().await;
    for read in [Read::Offers, Read::Trades] {
        traders.arm(read, 1, 1, Fault::EmptyPage);
        let failed = traders.count(read).await;
        assert!(matches!(failed, Err(ExternalError::Unknown(_))), "{failed:?}");
        assert_eq!(traders.calls(read), 1);
    }
}

#[tokio::test]
async fn an_inventory_whose_pages_do_not_end_or_are_empty_is_not_complete() {
    let traders = Traders::after_trades().await;
    let whole = traders.ordinary().await.unwrap();
    for (times, fault) in [(MANY, Fault::RepeatedCursor { cursor: "1".to_owned() }), (1, Fault::EmptyPage)] {
        let before = traders.calls(Read::Inventory);
        traders.arm(Read::Inventory, 1, times, fault);
        let part = traders.ordinary().await.unwrap();
        assert!(!part.is_complete && part.assets.len() < whole.assets.len(), "{part:?}");
        assert!(traders.calls(Read::Inventory) - before < 10, "no page is read again and again");
        traders.scene.facades.fakes.arm(Vec::new());
    }
    assert_eq!(traders.ordinary().await, Ok(whole));
}

#[tokio::test]
async fn an_inventory_that_steam_shows_in_part_is_not_complete() {
    let traders = Traders::after_trades().await;
    let whole = traders.ordinary().await.unwrap();
    traders.scene.inject(WorldFault::PartialInventory);
    let part = traders.ordinary().await.unwrap();
    assert!(whole.is_complete && !part.is_complete);
    assert!(part.assets.len() < whole.assets.len());
}
