//! What the driver sends: who calls, the parameters of each route, and no call without a token.

use std::sync::Arc;

use tradepost_adapters_steam::SteamPlatform;
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_fakes::LedgerEntry;
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::GamePlatform as _;

use crate::calls::{Read, Reads, SessionCall};
use crate::scene::Scene;
use crate::traders::Traders;
use crate::vault::{ClosedVault, Vault};

fn assert_says_who_calls(ledger: &[LedgerEntry]) {
    assert!(!ledger.is_empty());
    for entry in ledger {
        assert!(entry.user_agent.starts_with("tradepost/"), "{} of {}", entry.user_agent, entry.route);
        assert_eq!((entry.status, &entry.fault), (200, &None), "{}", entry.route);
        let card = entry.card.as_deref().unwrap();
        assert!(card.starts_with(&format!("{}.", entry.facade)), "{card}");
    }
}

#[tokio::test]
async fn every_read_says_who_calls_and_is_answered_as_a_card_describes() {
    let reads = Reads::new().await;
    for read in Read::ALL {
        reads.read(read).await.unwrap();
    }
    assert_says_who_calls(&reads.traders.scene.facades.fakes.ledger());
}

#[tokio::test]
async fn every_call_of_a_session_says_who_calls_and_is_answered_as_a_card_describes() {
    let scene = Scene::new().await;
    for call in SessionCall::ALL {
        scene.make(call).await.unwrap();
    }
    assert_says_who_calls(&scene.facades.fakes.ledger());
}

#[tokio::test]
async fn every_question_has_the_parameters_of_its_route() {
    let reads = Reads::new().await;
    let (user, offer, trade) = (reads.user(), &reads.offer, &reads.trade);
    let bob = reads.traders.bob().user;
    for (read, parameters) in [
        (Read::Time, String::new()),
        (Read::Authenticator, "access_token=redacted".to_owned()),
        (Read::Bans, format!("access_token=redacted&steamids={user}")),
        (Read::ApiKeyPage, "l=english".to_owned()),
        (
            Read::Inventory,
            format!(
                "access_token=redacted&steamid={user}&appid=730&contextid=2&get_descriptions=1\
                 &get_asset_properties=1&count=2000"
            ),
        ),
        (
            Read::Offers,
            "access_token=redacted&get_sent_offers=1&get_received_offers=1&get_descriptions=1&language=english\
             &active_only=1&historical_only=0&time_historical_cutoff=0&cursor=0"
                .to_owned(),
        ),
        (Read::Offer, format!("access_token=redacted&tradeofferid={offer}&language=english&get_descriptions=1")),
        (Read::Trade, format!("access_token=redacted&tradeid={trade}&get_descriptions=1&language=english")),
        (
            Read::Trades,
            "access_token=redacted&max_trades=100&start_after_time=0&start_after_tradeid=0&navigating_back=0\
             &get_descriptions=1&language=english&include_failed=1&include_total=0"
                .to_owned(),
        ),
        (Read::Holds, format!("access_token=redacted&steamid_target={bob}&trade_offer_access_token=redacted")),
        // Another value would replace the trade URL of the account.
        (Read::TradeToken, "access_token=redacted&generate_new_token=false".to_owned()),
    ] {
        let before = reads.traders.scene.facades.fakes.ledger().len();
        reads.read(read).await.unwrap();
        let ledger = reads.traders.scene.facades.fakes.ledger();
        let asked = ledger.iter().skip(before).find(|entry| entry.route == read.route()).unwrap();
        assert_eq!(asked.query, parameters, "{read:?}");
    }
}

#[tokio::test]
async fn a_further_page_begins_after_the_last_item_of_the_page_before() {
    let traders = Traders::after_trades().await;
    let user = traders.ada().user;
    let assets = traders.platform.inventory(user, AppId::CS2, ContextId::ORDINARY).await.unwrap().assets;
    let ledger = traders.scene.facades.fakes.ledger();
    let pages = ledger.iter().filter(|entry| entry.route == Read::Inventory.route());
    let begins = pages.filter_map(|entry| entry.query.split_once("&start_assetid="));
    let begins: Vec<&str> = begins.map(|(_, id)| id).collect();
    let last_of_pages: Vec<&str> = assets.chunks(3).map(|page| page.last().unwrap().asset_id.as_str()).collect();
    assert!(!begins.is_empty());
    assert_eq!(begins, last_of_pages[..last_of_pages.len() - 1]);
}

#[tokio::test]
async fn no_call_is_made_for_an_account_without_a_token() {
    let reads = Reads::new().await;
    let services = reads.traders.scene.services.clone();
    let platform = SteamPlatform::new(services, Arc::new(Vault::default()));
    let before = reads.traders.scene.facades.fakes.ledger().len();
    for read in Read::ALL.into_iter().filter(|read| *read != Read::Time) {
        let lost = ExternalError::AuthLost { effect: Effect::Nothing };
        assert_eq!(reads.read_by(&platform, read).await, Err(lost), "{read:?}");
    }
    assert_eq!(reads.traders.scene.facades.fakes.ledger().len(), before);
    assert!(reads.read_by(&platform, Read::Time).await.is_ok(), "the time needs no account");
}

#[tokio::test]
async fn no_call_is_made_while_the_vault_cannot_be_read() {
    let reads = Reads::new().await;
    let platform = SteamPlatform::new(reads.traders.scene.services.clone(), Arc::new(ClosedVault));
    let before = reads.traders.scene.facades.fakes.ledger().len();
    for read in Read::ALL.into_iter().filter(|read| *read != Read::Time) {
        let closed = reads.read_by(&platform, read).await;
        assert!(matches!(closed, Err(ExternalError::Unknown(_))), "{read:?}: {closed:?}");
    }
    assert_eq!(reads.traders.scene.facades.fakes.ledger().len(), before);
}
