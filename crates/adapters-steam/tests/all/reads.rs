//! What the driver reads equals what the world itself answers, except for what Steam does not show.

use time::Duration;
use tradepost_adapters_simulator::Fault as WorldFault;
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::contracts::inventory_item::Traits;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{OfferStatus, PlatformUserId, TradeStatus};
use tradepost_domain::trading::trading_account::{AccountLock, LockReason};
use tradepost_fakes::Fault;
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::{
    AccountState, Asset, GamePlatform as _, Hold, Inventory, Offer, PlatformRefusal, PlatformResult, Trade,
};

use crate::calls::{Read, Reads, whole};
use crate::traders::{Given, Traders};

const CONTEXTS: [ContextId; 2] = [ContextId::ORDINARY, ContextId::PROTECTED];

/// An item of an inventory. Its wear and its pattern are properties; other traits are in texts for users, which are not read.
fn in_inventory(asset: Asset) -> Asset {
    let Traits { wear, paint_seed, .. } = asset.traits;
    Asset { traits: Traits { wear, paint_seed, ..Traits::default() }, ..asset }
}

/// Steam has its own order of items, which means nothing.
fn inventory(shown: Inventory) -> Inventory {
    let mut assets: Vec<Asset> = shown.assets.into_iter().map(in_inventory).collect();
    assets.sort_by(|one, other| one.asset_id.cmp(&other.asset_id));
    Inventory { assets, ..shown }
}

/// An item of an offer, of which no trait is shown.
fn in_offer(asset: Asset) -> Asset {
    Asset { traits: Traits::default(), ..asset }
}

/// An offer. Until when an item is locked is shown to its owner alone.
fn offer(shown: Offer) -> Offer {
    let strange = |asset| Asset { locked_until: None, ..in_offer(asset) };
    Offer {
        give: shown.give.into_iter().map(in_offer).collect(),
        receive: shown.receive.into_iter().map(strange).collect(),
        ..shown
    }
}

fn offers(shown: Vec<Offer>) -> Vec<Offer> {
    shown.into_iter().map(offer).collect()
}

impl Traders {
    fn users(&self) -> [PlatformUserId; 2] {
        [self.ada().user, self.bob().user]
    }

    async fn inventories(&self, user: PlatformUserId) -> Vec<Inventory> {
        let mut all = Vec::new();
        for context in CONTEXTS {
            all.push(inventory(self.platform.inventory(user, AppId::CS2, context).await.unwrap()));
        }
        all
    }

    /// Checks that every offer and every trade of an account is read as the world has it, from lists and one by one.
    async fn assert_same_records(&self, user: PlatformUserId) -> (Vec<Offer>, Vec<Trade>) {
        let expected = offers(self.world.offers(user, Timestamp::MIN).await.unwrap());
        assert_eq!(self.platform.offers(user, Timestamp::MIN).await.unwrap(), expected);
        for each in &expected {
            assert_eq!(self.platform.offer(user, &each.id).await.as_ref(), Ok(each));
        }
        let trades = self.world.trades(user, Timestamp::MIN).await.unwrap();
        assert_eq!(self.platform.trades(user, Timestamp::MIN).await.unwrap(), trades);
        for each in &trades {
            assert_eq!(self.platform.trade(user, &each.id).await.as_ref(), Ok(each));
        }
        (expected, trades)
    }
}

#[tokio::test]
async fn both_contexts_of_an_inventory_are_read_over_all_pages() {
    let pair = Traders::after_trades().await;
    for user in pair.users() {
        for (context, read) in CONTEXTS.into_iter().zip(pair.inventories(user).await) {
            let expected = inventory(pair.world.inventory(user, AppId::CS2, context).await.unwrap());
            assert_eq!(read, expected);
            assert!(read.is_complete);
        }
    }
    let [ordinary, protected]: [Inventory; 2] = pair.inventories(pair.ada().user).await.try_into().unwrap();
    assert!(ordinary.assets.len() > 3 && protected.assets.len() > 3, "each has several pages of 3 items");
    assert!(protected.assets.iter().all(|asset| asset.locked_until.is_some_and(|until| until < Timestamp::MAX)));
    assert!(ordinary.assets.iter().all(|asset| asset.locked_until.is_none()));
    assert!(ordinary.assets.iter().any(|asset| asset.traits.wear.is_some() && asset.traits.paint_seed.is_some()));
}

#[tokio::test]
async fn offers_and_trades_of_both_sides_are_read_from_lists_and_one_by_one() {
    let pair = Traders::after_trades().await;
    for user in pair.users() {
        let (offers, trades) = pair.assert_same_records(user).await;
        assert!(offers.len() > 9 && trades.len() > 6, "each has several pages of 3 records");
        assert!(offers.iter().any(|offer| offer.is_ours) && offers.iter().any(|offer| !offer.is_ours));
    }
}

#[tokio::test]
async fn an_offer_is_read_with_every_status_that_it_ends_with() {
    let pair = Traders::after_trades().await;
    let offers = pair.platform.offers(pair.ada().user, Timestamp::MIN).await.unwrap();
    for status in [
        OfferStatus::Active,
        OfferStatus::Accepted,
        OfferStatus::Cancelled,
        OfferStatus::Declined,
        OfferStatus::NeedsConfirmation,
    ] {
        assert!(offers.iter().any(|offer| offer.status == status), "{status:?}");
    }
}

#[tokio::test]
async fn a_reversed_trade_and_the_trade_that_reversed_it_are_distinguished() {
    let pair = Traders::after_trades().await;
    for user in pair.users() {
        let trades = pair.platform.trades(user, Timestamp::MIN).await.unwrap();
        let reversed = trades.iter().find(|trade| trade.status == TradeStatus::ProtectionRollback).unwrap();
        let rollback = trades.iter().find(|trade| trade.rollback_of.as_ref() == Some(&reversed.id)).unwrap();
        assert_eq!((&reversed.rollback_of, rollback.status), (&None, TradeStatus::Complete));
        let moved: Vec<_> = reversed.given.iter().chain(&reversed.received).collect();
        assert!(moved.iter().all(|asset| asset.moved_to.is_some() && asset.returned_as.is_some()), "{moved:?}");
    }
}

#[tokio::test]
async fn a_failed_trade_shows_the_new_ids_of_items_that_did_not_move() {
    let pair = Traders::after_trades().await;
    let trades = pair.platform.trades(pair.ada().user, Timestamp::MIN).await.unwrap();
    let failed = trades.iter().find(|trade| trade.status == TradeStatus::Failed).unwrap();
    assert!(failed.given.iter().all(|asset| asset.moved_to.is_none() && asset.returned_as.is_some()));
}

#[tokio::test]
async fn records_that_did_not_change_since_are_left_out() {
    let pair = Traders::after_trades().await;
    let user = pair.ada().user;
    let all = pair.world.offers(user, Timestamp::MIN).await.unwrap();
    let later = pair.scene.facades.fakes.now().plus(Duration::SECOND);
    for since in [all[4].updated_at, all[5].updated_at.plus(Duration::SECOND), later] {
        let expected = offers(pair.world.offers(user, since).await.unwrap());
        assert!(expected.len() < all.len());
        assert_eq!(pair.platform.offers(user, since).await.unwrap(), expected);
        let expected = pair.world.trades(user, since).await.unwrap();
        assert_eq!(pair.platform.trades(user, since).await.unwrap(), expected);
    }
}

#[tokio::test]
async fn a_held_trade_is_read_while_it_is_held_and_when_it_is_complete() {
    let pair = Traders::new().await;
    pair.scene.inject(WorldFault::Escrow { hours: 2, rolled_back: false });
    let Given { trade, .. } = pair.given(pair.ada(), pair.bob()).await;
    for status in [TradeStatus::InEscrow, TradeStatus::Complete] {
        for user in pair.users() {
            let (_, trades) = pair.assert_same_records(user).await;
            let held = trades.iter().find(|other| other.id == trade).unwrap();
            assert_eq!((held.status, held.held_until.is_some()), (status, true));
        }
        pair.scene.pass(Duration::hours(2));
    }
}

#[tokio::test]
async fn a_hold_is_that_of_the_world_before_the_trade_is_made() {
    let pair = Traders::new().await;
    let user = pair.ada().user;
    pair.scene.inject(WorldFault::Escrow { hours: 360, rolled_back: false });
    let hold = pair.platform.hold_with(user, pair.bob()).await;
    assert_eq!(hold, pair.world.hold_with(user, pair.bob()).await);
    assert_eq!(hold.map(|hold| hold.of_trade(true, false)), Ok(1_296_000));
}

#[tokio::test]
async fn a_hold_of_a_received_offer_is_that_of_the_world_and_that_of_a_sent_one_is_not_shown() {
    let pair = Traders::new().await;
    let (user, offer) = (pair.ada().user, pair.offered(pair.bob(), pair.ada()).await.id);
    assert_eq!(pair.platform.hold_of(user, &offer).await, Ok(Hold::default()));
    pair.scene.inject(WorldFault::Escrow { hours: 360, rolled_back: false });
    let hold = pair.platform.hold_of(user, &offer).await;
    assert_eq!(hold, pair.world.hold_of(user, &offer).await);
    assert_eq!(hold.map(|hold| hold.of_trade(false, true)), Ok(1_296_000));
    let of_sender = pair.platform.hold_of(pair.bob().user, &offer).await;
    let text = "its page of the offer does not show how long the items would be held";
    assert_eq!(of_sender, Err(ExternalError::Unknown(text.to_owned())));
    let no_number = ExternalId::new("../me").unwrap();
    assert_eq!(pair.platform.hold_of(user, &no_number).await, Err(ExternalError::Rejected(PlatformRefusal::NotFound)));
}

#[tokio::test]
async fn accounts_without_trades_have_empty_lists() {
    let pair = Traders::new().await;
    let user = pair.ada().user;
    assert_eq!(pair.platform.offers(user, Timestamp::MIN).await, Ok(Vec::new()));
    assert_eq!(pair.platform.trades(user, Timestamp::MIN).await, Ok(Vec::new()));
    let empty = Inventory { assets: Vec::new(), is_complete: true, seen_at: pair.scene.facades.fakes.now() };
    assert_eq!(pair.inventories(user).await, [empty.clone(), empty]);
}

#[tokio::test]
async fn an_account_its_trade_token_and_the_time_are_those_of_the_world() {
    let pair = Traders::after_trades().await;
    for user in pair.users() {
        assert_eq!(pair.platform.account(user).await, pair.world.account(user).await);
        assert_eq!(pair.platform.trade_token(user).await, pair.world.trade_token(user).await);
    }
    assert_eq!(pair.platform.server_time().await, Ok(pair.scene.facades.fakes.now()));
}

#[tokio::test]
async fn an_account_is_remembered_and_only_the_part_that_failed_is_read_again() {
    let pair = Traders::new().await;
    let (user, facades) = (pair.ada().user, &pair.scene.facades);
    facades.arm(Read::ApiKeyPage.route(), Fault::F05 { status: 500 });
    assert!(whole(pair.platform.account(user).await).is_err());
    let state = pair.platform.account(user).await;
    assert_eq!(state, pair.world.account(user).await);
    assert_eq!(pair.platform.account(user).await, state);
    let calls = [Read::Bans, Read::Authenticator, Read::ApiKeyPage, Read::Inventory];
    assert_eq!(calls.map(|read| facades.calls(read.route())), [1, 1, 2, 2]);
}

#[tokio::test]
async fn a_state_has_every_part_but_the_key_while_the_community_refuses_its_pages() {
    let retry_after = std::time::Duration::from_mins(1);
    for (fault, unread) in [
        (Fault::F10, ExternalError::Unknown("it answered 403".to_owned())),
        (Fault::F01 { retry_after_seconds: 60 }, ExternalError::RateLimited { retry_after, effect: Effect::Nothing }),
    ] {
        let pair = Traders::after_trades().await;
        let user = pair.ada().user;
        let usual = pair.world.account(user).await.unwrap();
        pair.scene.facades.arm(Read::ApiKeyPage.route(), fault);
        let in_part = AccountState { is_api_key_ours: None, unread: Some(unread), ..usual };
        assert!(in_part.inventory_count.is_some_and(|count| count > 0));
        assert_eq!(pair.platform.account(user).await, Ok(in_part), "an unknown key is not a missing one");
        assert!(pair.platform.offers(user, Timestamp::MIN).await.is_ok(), "no other read waits");
    }
}

#[tokio::test]
async fn a_state_has_every_part_but_the_number_of_items_while_no_inventory_is_shown() {
    let pair = Traders::new().await;
    let (user, facades) = (pair.ada().user, &pair.scene.facades);
    let usual = pair.world.account(user).await.unwrap();
    facades.arm(Read::Inventory.route(), Fault::F05 { status: 503 });
    let unread = Some(ExternalError::Unknown("it answered 503".to_owned()));
    let in_part = AccountState { inventory_count: None, unread, ..usual.clone() };
    assert_eq!(pair.platform.account(user).await, Ok(in_part));
    assert_eq!(pair.platform.account(user).await, Ok(usual));
}

#[tokio::test]
async fn a_session_that_the_community_rejects_is_lost_whatever_else_was_read() {
    let pair = Traders::new().await;
    let user = pair.ada().user;
    pair.scene.facades.arm(Read::ApiKeyPage.route(), Fault::F09 { status: 401 });
    let lost = Err(ExternalError::AuthLost { effect: Effect::Nothing });
    assert_eq!(pair.platform.account(user).await, lost);
}

#[tokio::test]
async fn a_restriction_is_read_without_its_end_which_steam_does_not_show() {
    let pair = Traders::new().await;
    pair.scene.inject(WorldFault::TradesHeld { hours: 24 });
    let AccountState { restriction, is_banned, .. } = pair.platform.account(pair.ada().user).await.unwrap();
    let lock = AccountLock { reason: LockReason::TradeHold, until: Timestamp::MAX };
    assert_eq!((restriction, is_banned), (Some(lock), false));
}

#[tokio::test]
async fn unknown_records_are_not_found_and_an_id_that_is_not_a_number_is_not_asked_for() {
    let pair = Traders::new().await;
    let (user, facades) = (pair.ada().user, &pair.scene.facades);
    let not_found = ExternalError::Rejected(PlatformRefusal::NotFound);
    for (text, calls) in [("7", 1), ("none", 1), ("007", 1), ("../me", 1), ("8", 2)] {
        let id = ExternalId::new(text).unwrap();
        assert_eq!(pair.platform.offer(user, &id).await, Err(not_found.clone()));
        assert_eq!(pair.platform.trade(user, &id).await, Err(not_found.clone()));
        let made = [Read::Offer, Read::Trade].map(|read| facades.calls(read.route()));
        assert_eq!(made, [calls, calls], "{text}");
    }
}

#[tokio::test]
async fn a_position_that_was_never_returned_is_not_found_without_a_call() {
    let pair = Traders::new().await;
    let (user, id) = (pair.ada().user, ExternalId::new("3").unwrap());
    let not_found = ExternalError::Rejected(PlatformRefusal::NotFound);
    let offers = pair.platform.offers_page(user, Timestamp::MIN, Some(&id)).await;
    assert_eq!(offers, Err(not_found.clone()));
    let trades = pair.platform.trades_page(user, Timestamp::MIN, Some(&id)).await;
    assert_eq!(trades, Err(not_found));
    let made = [Read::Offers, Read::Trades].map(|read| pair.scene.facades.calls(read.route()));
    assert_eq!(made, [0, 0]);
}

#[tokio::test]
async fn every_read_of_an_account_ends_with_its_token_until_it_is_signed_in_again() {
    let reads = Reads::new().await;
    reads.traders.scene.pass(Duration::hours(24));
    let lost: PlatformResult<String> = Err(ExternalError::AuthLost { effect: Effect::Nothing });
    for read in Read::ALL.into_iter().filter(|read| *read != Read::Time) {
        assert_eq!(reads.read(read).await, lost, "{read:?}");
    }
    reads.traders.sign_in().await;
    for read in Read::ALL {
        assert!(reads.read(read).await.is_ok(), "{read:?}");
    }
}
