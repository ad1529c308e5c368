//! Faults of reads of friends and chats. None of them proves anything, and none is followed by another request of its own.

use std::time::Duration;

use tradepost_fakes::Fault;
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::social::SocialRefusal;

use super::{MESSAGE, huge, limited, signed_out, unknown};
use crate::facades::wait;
use crate::social::{Chatters, SocialRead};

type Failure = ExternalError<SocialRefusal>;

/// The fault of a read, after which the next one works.
async fn fails_once(chatters: &Chatters, read: SocialRead, fault: Fault) -> Failure {
    let before = chatters.facades().calls(read.route());
    let failed = chatters.read_with(read, fault).await.unwrap_err();
    assert_eq!(chatters.facades().calls(read.route()), before + 1, "{read:?} is not repeated by itself");
    assert!(chatters.read(read).await.is_ok(), "the next {read:?} works");
    failed
}

#[tokio::test]
async fn f01_a_limit_that_names_a_time_is_waited_for() {
    let chatters = Chatters::new().await;
    for read in SocialRead::ALL {
        let failed = chatters.read_with(read, Fault::F01 { retry_after_seconds: 60 }).await;
        assert_eq!(failed, Err(limited(Duration::from_mins(1), Effect::Nothing)), "{read:?}");
        let before = chatters.facades().calls(read.route());
        assert!(matches!(chatters.read(read).await, Err(ExternalError::RateLimited { .. })), "{read:?}");
        assert_eq!(chatters.facades().calls(read.route()), before, "nothing is sent before the time");
        wait(Duration::from_secs(61)).await;
        assert!(chatters.read(read).await.is_ok(), "{read:?}");
    }
}

#[tokio::test]
async fn f05_f06_and_f07_an_error_a_page_or_no_answer_proves_nothing() {
    let chatters = Chatters::new().await;
    for read in SocialRead::ALL {
        let failed = fails_once(&chatters, read, Fault::F05 { status: 503 }).await;
        assert_eq!(unknown(&failed), "it answered 503", "{read:?}");
        unknown(&fails_once(&chatters, read, Fault::F06).await);
        unknown(&fails_once(&chatters, read, Fault::F07 { bytes: 0 }).await);
    }
}

#[tokio::test]
async fn f08_an_answer_that_is_not_whole_or_stalls_proves_nothing() {
    let chatters = Chatters::new().await;
    let (too_long, text) = huge();
    for read in SocialRead::ALL {
        assert_eq!(unknown(&fails_once(&chatters, read, too_long.clone()).await), text, "{read:?}");
        unknown(&fails_once(&chatters, read, Fault::F08Truncated).await);
        unknown(&fails_once(&chatters, read, Fault::F08WrongGzip).await);
        let stalled = chatters.facades().stalled(read.route(), chatters.read(read)).await;
        assert_eq!(unknown(&stalled.unwrap_err()), "no complete answer within 10 s", "{read:?}");
        assert!(chatters.read(read).await.is_ok(), "the next {read:?} works");
    }
}

#[tokio::test]
async fn f09_a_call_that_is_not_admitted_ends_the_session() {
    let chatters = Chatters::new().await;
    for read in SocialRead::ALL {
        assert_eq!(fails_once(&chatters, read, Fault::F09 { status: 401 }).await, signed_out(), "{read:?}");
    }
}

#[tokio::test]
async fn f11_an_error_with_status_200_proves_nothing_whatever_its_text() {
    let chatters = Chatters::new().await;
    for read in SocialRead::ALL {
        let failed = fails_once(&chatters, read, Fault::F11 { message: MESSAGE.to_owned() }).await;
        assert!(!unknown(&failed).contains(MESSAGE), "{read:?}: {failed:?}");
    }
}

#[tokio::test]
async fn f18_and_f32_fields_that_no_one_has_seen_and_numbers_as_text_change_no_value() {
    let chatters = Chatters::new().await;
    for read in SocialRead::ALL {
        let usual = chatters.read(read).await;
        for fault in [Fault::F18, Fault::F32] {
            assert_eq!(chatters.read_with(read, fault).await, usual, "{read:?}");
        }
    }
}

#[tokio::test]
async fn an_answer_without_its_fields_proves_nothing() {
    let chatters = Chatters::new().await;
    for read in SocialRead::ALL {
        unknown(&fails_once(&chatters, read, Fault::Drift).await);
    }
}
