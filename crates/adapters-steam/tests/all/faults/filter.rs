//! A filter of headers in front of Steam (F33), as that of the Steam Community since July 2026: it answers 429 to some clients, whatever their pace.

use tradepost_fakes::{Fault, FaultRule};
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::{GamePlatform as _, PlatformRefusal};

use super::rest;
use crate::calls::{Read, Reads};
use crate::deeds::Write;
use crate::facades::{Facades, unpaced, wait};
use crate::social::{Chatters, SocialRead};
use crate::social_deeds::SocialWrite;
use crate::traders::Traders;

/// The most calls that a client makes until it knows that it is refused.
const MOST_CALLS: usize = 3;

/// Filters every call of a route from now on.
fn filter(facades: &Facades, route: &str, wants_browser: bool) {
    let rule = FaultRule { times: u32::MAX, ..FaultRule::next(route, Fault::F33 { wants_browser }) };
    facades.fakes.arm(vec![rule]);
}

#[tokio::test]
async fn f33_a_filter_of_complete_headers_admits_every_read_of_this_client() {
    let reads = Reads::new().await;
    for read in Read::ALL {
        filter(&reads.traders.scene.facades, read.route(), false);
        assert!(reads.read(read).await.is_ok(), "{read:?}");
    }
    let chatters = Chatters::new().await;
    for read in SocialRead::ALL {
        filter(chatters.facades(), read.route(), false);
        assert!(chatters.read(read).await.is_ok(), "{read:?}");
    }
}

#[tokio::test]
async fn f33_a_filter_of_complete_headers_admits_every_change_of_this_client() {
    let traders = Traders::who_give().await;
    for write in Write::ALL {
        let deed = traders.deed(write).await;
        filter(&traders.scene.facades, write.route(), false);
        assert_eq!(traders.make(&deed).await, Ok(()), "{write:?}");
    }
    let chatters = Chatters::new().await;
    for write in SocialWrite::ALL {
        let deed = chatters.social_deed(write);
        filter(chatters.facades(), write.route(), false);
        assert_eq!(chatters.change(&deed).await, Ok(()), "{write:?}");
    }
}

#[tokio::test]
async fn f33_a_filter_that_wants_a_browser_is_known_after_a_few_calls_and_nothing_follows_from_its_answers() {
    let reads = Reads::new().await;
    let facades = &reads.traders.scene.facades;
    // The authenticator is read after another call of its budget, which is answered.
    for read in Read::ALL.into_iter().filter(|read| *read != Read::Authenticator) {
        let services = facades.services(&unpaced());
        let platform = || reads.traders.platform_by(&services);
        let read_now = async || reads.read_by(&platform(), read).await;
        assert!(read_now().await.is_ok(), "{read:?} works before");
        filter(facades, read.route(), true);
        let before = facades.calls(read.route());
        let refused = loop {
            assert!(facades.calls(read.route()) < before + MOST_CALLS, "{read:?} is tried again and again");
            match read_now().await {
                Err(ExternalError::RateLimited { retry_after, effect: Effect::Nothing }) => wait(retry_after).await,
                ended => break ended,
            }
        };
        let Err(ExternalError::Rejected(PlatformRefusal::Other(text))) = refused else {
            panic!("{read:?}: {refused:?}")
        };
        assert!(text.starts_with("it refuses this client"), "{text}");
        assert!(platform().refuses_client().is_some(), "its owner sees it: {read:?}");
        facades.fakes.arm(Vec::new());
        wait(rest()).await;
        assert!(read_now().await.is_ok(), "{read:?} works after it");
        assert_eq!(platform().refuses_client(), None, "{read:?}");
    }
    assert_eq!(facades.world(|world| world.check_books()), Ok(()));
}

#[tokio::test]
async fn f33_a_change_that_is_filtered_has_an_unknown_outcome_and_was_not_made() {
    let traders = Traders::who_give().await;
    for write in Write::ALL {
        let at_rest = traders.platform_by(&traders.scene.facades.services(&unpaced()));
        let deed = traders.deed(write).await;
        filter(&traders.scene.facades, write.route(), true);
        let failed = traders.make_by(&at_rest, &deed).await;
        assert!(matches!(failed, Err(ExternalError::Unknown(_))), "{write:?}: {failed:?}");
        traders.scene.facades.fakes.arm(Vec::new());
        assert!(!traders.is_done(&deed).await, "{write:?}");
    }
}
