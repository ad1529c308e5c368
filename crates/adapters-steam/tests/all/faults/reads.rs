//! Faults of reads. None of them proves anything, and none is followed by another request of its own.

use std::time::Duration;

use tradepost_fakes::Fault;
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::{GamePlatform as _, PlatformRefusal};

use super::{MESSAGE, huge, limited, rest, signed_out, unknown};
use crate::calls::{Read, Reads};
use crate::facades::{unpaced, wait};

type Failure = ExternalError<PlatformRefusal>;

/// The fault of a read, after which the next one works.
async fn fails_once(reads: &Reads, read: Read, fault: Fault) -> Failure {
    let facades = &reads.traders.scene.facades;
    let before = facades.calls(read.route());
    let failed = reads.read_with(read, fault).await.unwrap_err();
    assert_eq!(facades.calls(read.route()), before + 1, "{read:?} is not repeated by itself");
    assert!(reads.read(read).await.is_ok(), "the next {read:?} works");
    assert_eq!(facades.world(|world| world.check_books()), Ok(()));
    failed
}

#[tokio::test]
async fn f01_a_limit_that_names_a_time_is_waited_for() {
    let reads = Reads::new().await;
    for read in Read::ALL {
        let failed = reads.read_with(read, Fault::F01 { retry_after_seconds: 60 }).await;
        assert_eq!(failed, Err(limited(Duration::from_mins(1), Effect::Nothing)), "{read:?}");
        let before = reads.traders.scene.facades.calls(read.route());
        assert!(matches!(reads.read(read).await, Err(ExternalError::RateLimited { .. })), "{read:?}");
        assert_eq!(reads.traders.scene.facades.calls(read.route()), before, "nothing is sent before the time");
        wait(Duration::from_secs(61)).await;
        assert!(reads.read(read).await.is_ok(), "{read:?}");
    }
}

#[tokio::test]
async fn f02_a_limit_of_the_first_call_that_names_no_time_is_a_refusal_of_the_client() {
    let reads = Reads::new().await;
    // The authenticator is read after another call of its budget.
    for read in Read::ALL.into_iter().filter(|read| *read != Read::Authenticator) {
        let at_rest = reads.traders.scene.facades.services(&unpaced());
        let read_at_rest = async || reads.read_by(&reads.traders.platform_by(&at_rest), read).await;
        reads.traders.scene.facades.arm(read.route(), Fault::F02);
        let failed = read_at_rest().await;
        let Err(ExternalError::Rejected(PlatformRefusal::Other(text))) = failed else { panic!("{read:?}: {failed:?}") };
        assert!(text.starts_with("it refuses this client"), "{text}");
        let early = read_at_rest().await;
        assert!(matches!(early, Err(ExternalError::RateLimited { .. })), "it is not worked around: {early:?}");
        wait(rest()).await;
        assert!(read_at_rest().await.is_ok(), "{read:?}");
    }
}

#[tokio::test]
async fn f02_a_refusal_of_the_client_is_shown_until_a_call_of_its_kind_is_answered() {
    let reads = Reads::new().await;
    let facades = &reads.traders.scene.facades;
    let platform = reads.traders.platform_by(&facades.services(&unpaced()));
    assert_eq!(platform.refuses_client(), None);
    facades.arm(Read::ApiKeyPage.route(), Fault::F02);
    let state = platform.account(reads.user()).await.unwrap();
    assert!(state.unread.is_some(), "the rest of the state was read");
    let why = platform.refuses_client().unwrap();
    assert!(why.starts_with("community pages: it refuses this client: it answered 429"), "{why}");
    assert!(why.chars().count() <= 128, "the evidence of a remediation has it whole");
    assert!(platform.server_time().await.is_ok());
    assert_eq!(platform.refuses_client(), Some(why), "calls of another kind say nothing of it");
    wait(rest()).await;
    assert_eq!(platform.account(reads.user()).await.unwrap().unread, None);
    assert_eq!(platform.refuses_client(), None);
}

#[tokio::test]
async fn f02_a_limit_that_follows_other_calls_is_waited_for() {
    let reads = Reads::new().await;
    for read in Read::ALL {
        let pause = read.limits(&unpaced()).pause;
        reads.read(read).await.unwrap();
        let failed = reads.read_with(read, Fault::F02).await;
        assert_eq!(failed, Err(limited(pause, Effect::Nothing)), "{read:?}");
        wait(pause).await;
        assert!(reads.read(read).await.is_ok(), "{read:?}");
    }
}

#[tokio::test]
async fn f05_an_error_of_the_service_proves_nothing() {
    let reads = Reads::new().await;
    for read in Read::ALL {
        for status in [500, 502, 503] {
            let failed = fails_once(&reads, read, Fault::F05 { status }).await;
            assert_eq!(unknown(&failed), format!("it answered {status}"), "{read:?}");
        }
    }
}

#[tokio::test]
async fn f06_a_page_in_place_of_the_answer_proves_nothing() {
    let reads = Reads::new().await;
    for read in Read::ALL {
        unknown(&fails_once(&reads, read, Fault::F06).await);
    }
}

#[tokio::test]
async fn f07_a_connection_that_is_reset_proves_nothing_wherever_it_is_reset() {
    let reads = Reads::new().await;
    for read in Read::ALL {
        for bytes in [Some(0), Some(100), read.is_long().then_some(200)].into_iter().flatten() {
            unknown(&fails_once(&reads, read, Fault::F07 { bytes }).await);
        }
    }
}

#[tokio::test]
async fn f08_an_answer_that_is_not_whole_proves_nothing() {
    let reads = Reads::new().await;
    let (too_long, text) = huge();
    for read in Read::ALL {
        assert_eq!(unknown(&fails_once(&reads, read, too_long.clone()).await), text, "{read:?}");
        unknown(&fails_once(&reads, read, Fault::F08Truncated).await);
        unknown(&fails_once(&reads, read, Fault::F08WrongGzip).await);
    }
}

#[tokio::test]
async fn f08_an_answer_that_stalls_is_waited_for_within_the_time_of_a_call() {
    let reads = Reads::new().await;
    for read in Read::ALL {
        let facades = &reads.traders.scene.facades;
        let failed = facades.stalled(read.route(), reads.read(read)).await.unwrap_err();
        assert_eq!(unknown(&failed), "no complete answer within 10 s", "{read:?}");
        assert!(reads.read(read).await.is_ok(), "the next {read:?} works");
    }
}

#[tokio::test]
async fn f09_a_call_that_is_not_admitted_ends_the_session_and_no_redirect_is_followed() {
    let reads = Reads::new().await;
    for read in Read::ALL {
        assert_eq!(fails_once(&reads, read, Fault::F09 { status: 401 }).await, signed_out(), "{read:?}");
        let redirected = fails_once(&reads, read, Fault::F09 { status: 302 }).await;
        match read {
            // Pages lead a visitor who is signed out to the page of sign-in.
            Read::ApiKeyPage | Read::Confirmations | Read::OfferPage => assert_eq!(redirected, signed_out()),
            Read::Time
            | Read::Authenticator
            | Read::Bans
            | Read::Inventory
            | Read::Offers
            | Read::Offer
            | Read::Trade
            | Read::Trades
            | Read::Holds
            | Read::TradeToken => assert_eq!(unknown(&redirected), "it answered 302", "{read:?}"),
        }
    }
}

#[tokio::test]
async fn f10_a_call_that_is_forbidden_proves_nothing() {
    let reads = Reads::new().await;
    for read in Read::ALL {
        assert_eq!(unknown(&fails_once(&reads, read, Fault::F10).await), "it answered 403", "{read:?}");
    }
}

#[tokio::test]
async fn f11_an_error_with_status_200_proves_nothing_whatever_its_text() {
    let reads = Reads::new().await;
    for read in Read::ALL {
        let failed = fails_once(&reads, read, Fault::F11 { message: MESSAGE.to_owned() }).await;
        assert!(!unknown(&failed).contains(MESSAGE), "{read:?}: {failed:?}");
    }
}

#[tokio::test]
async fn f12_a_false_failure_with_content_counts_and_any_other_result_proves_nothing() {
    let reads = Reads::new().await;
    for read in Read::ALL.into_iter().filter(|read| read.has_response()) {
        let usual = reads.read(read).await.unwrap();
        assert_eq!(reads.read_with(read, Fault::F12 { eresult: 2 }).await, Ok(usual), "{read:?}");
        let failed = fails_once(&reads, read, Fault::F12 { eresult: 16 }).await;
        assert_eq!(unknown(&failed), "it answered result 16", "{read:?}");
        let failed = fails_once(&reads, read, Fault::F12 { eresult: 84 }).await;
        assert_eq!(failed, limited(Duration::from_mins(1), Effect::Nothing), "{read:?}");
    }
    let failed = fails_once(&reads, Read::Authenticator, Fault::F12 { eresult: 2 }).await;
    assert_eq!(unknown(&failed), "it answered result 2", "a message has no content then");
}

#[tokio::test]
async fn f13_an_answer_without_content_and_without_a_result_proves_nothing() {
    let reads = Reads::new().await;
    for read in Read::ALL {
        let failed = fails_once(&reads, read, Fault::F13).await;
        assert!(!unknown(&failed).is_empty(), "{read:?}");
    }
}

#[tokio::test]
async fn f18_fields_and_numbers_that_no_one_has_seen_change_no_value() {
    let reads = Reads::new().await;
    for read in Read::ALL {
        let usual = reads.read(read).await;
        assert_eq!(reads.read_with(read, Fault::F18).await, usual, "{read:?}");
    }
}

#[tokio::test]
async fn f32_a_number_as_text_and_a_text_as_number_change_no_value() {
    let reads = Reads::new().await;
    for read in Read::ALL {
        let usual = reads.read(read).await;
        assert_eq!(reads.read_with(read, Fault::F32).await, usual, "{read:?}");
    }
}

#[tokio::test]
async fn an_answer_of_another_form_is_an_error_that_names_the_path_and_no_value() {
    let reads = Reads::new().await;
    // A message has no types of its own: without fields, it says that there is no authenticator. Neither has a page.
    let pages = [Read::ApiKeyPage, Read::OfferPage];
    let others = [&[Read::Authenticator][..], &pages].concat();
    for read in Read::ALL.into_iter().filter(|read| !others.contains(read)) {
        let failed = fails_once(&reads, read, Fault::Drift).await;
        let text = unknown(&failed);
        assert!(text.starts_with("SHAPE_DRIFT: $") && text.contains(" is a boolean, and must be "), "{read:?}: {text}");
    }
    for page in pages {
        unknown(&fails_once(&reads, page, Fault::Drift).await);
    }
}

#[tokio::test]
async fn an_authenticator_without_fields_is_none_which_allows_nothing() {
    let reads = Reads::new().await;
    let since = async || {
        let platform = reads.traders.platform_by(&reads.traders.scene.services);
        platform.account(reads.user()).await.unwrap().authenticator_since
    };
    assert!(since().await.is_some());
    reads.traders.scene.facades.arm(Read::Authenticator.route(), Fault::Drift);
    assert_eq!(since().await, None);
}
