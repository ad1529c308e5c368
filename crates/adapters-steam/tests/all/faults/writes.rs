//! Faults of writes, each before the act and after it: what the call ends with shows neither, and what the driver reads then shows which.

use std::time::Duration;

use tradepost_domain::trading::trade::OfferStatus;
use tradepost_fakes::{Fault, FaultRule};
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::PlatformRefusal;

use super::{MESSAGE, huge, limited, rest, unknown};
use crate::calls::Read;
use crate::deeds::Write;
use crate::facades::{unpaced, wait};
use crate::traders::Traders;

type Failure = ExternalError<PlatformRefusal>;

/// When a fault happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    BeforeTheAct,
    AfterIt,
}

impl When {
    const BOTH: [Self; 2] = [Self::BeforeTheAct, Self::AfterIt];

    fn of(self, fault: Fault) -> Fault {
        match self {
            Self::BeforeTheAct => fault.before(),
            Self::AfterIt => fault,
        }
    }
}

/// The fault of a new write. What is read afterwards shows whether it was done, and one that was not can be made again.
async fn fails(traders: &Traders, write: Write, fault: Fault, when: When) -> Failure {
    let facades = &traders.scene.facades;
    let deed = traders.deed(write).await;
    let before = facades.calls(write.route());
    let failed = traders.make_with(write, &deed, when.of(fault)).await.unwrap_err();
    assert_eq!(facades.calls(write.route()), before + 1, "{write:?} is not repeated by itself");
    assert_eq!(traders.is_done(&deed).await, when == When::AfterIt, "{write:?}: {failed:?}");
    if when == When::BeforeTheAct {
        wait(rest()).await;
        assert_eq!(traders.make(&deed).await, Ok(()), "{write:?} works after {failed:?}");
        assert!(traders.is_done(&deed).await, "{write:?}");
    }
    assert_eq!(facades.world(|world| world.check_books()), Ok(()));
    failed
}

/// The writes whose answer says more than a result in its head.
fn with_content() -> impl Iterator<Item = Write> {
    Write::ALL.into_iter().filter(|write| *write != Write::Renew)
}

const fn signed_out_after() -> Failure {
    ExternalError::AuthLost { effect: Effect::Unknown }
}

#[tokio::test]
async fn f01_a_limit_that_names_a_time_shows_nothing_of_the_outcome() {
    let traders = Traders::who_give().await;
    for write in Write::ALL {
        for when in When::BOTH {
            let failed = fails(&traders, write, Fault::F01 { retry_after_seconds: 60 }, when).await;
            assert_eq!(failed, limited(Duration::from_mins(1), Effect::Unknown), "{write:?} {when:?}");
            wait(rest()).await;
        }
    }
}

#[tokio::test]
async fn f01_nothing_is_sent_before_the_time_that_a_limit_names() {
    let traders = Traders::who_give().await;
    for write in Write::ALL {
        let deed = traders.deed(write).await;
        let fault = Fault::F01 { retry_after_seconds: 60 }.before();
        assert!(traders.make_with(write, &deed, fault).await.is_err());
        let before = traders.scene.facades.calls(write.route());
        let early = traders.make(&deed).await;
        let is_later = matches!(early, Err(ExternalError::RateLimited { effect: Effect::Nothing, .. }));
        assert!(is_later, "{write:?}: {early:?}");
        assert_eq!(traders.scene.facades.calls(write.route()), before, "{write:?}");
        wait(rest()).await;
        assert_eq!(traders.make(&deed).await, Ok(()), "{write:?}");
    }
}

#[tokio::test]
async fn f02_a_limit_of_the_first_write_that_names_no_time_shows_nothing_of_the_outcome() {
    let traders = Traders::who_give().await;
    for write in Write::ALL {
        for when in When::BOTH {
            let at_rest = traders.platform_by(&traders.scene.facades.services(&unpaced()));
            let deed = traders.deed(write).await;
            traders.scene.facades.arm(write.route(), when.of(Fault::F02));
            let failed = traders.make_by(&at_rest, &deed).await.unwrap_err();
            assert!(unknown(&failed).starts_with("it refuses this client"), "{write:?}: {failed:?}");
            assert_eq!(traders.is_done(&deed).await, when == When::AfterIt, "{write:?}");
        }
    }
}

#[tokio::test]
async fn f05_to_f08_an_answer_that_is_missing_broken_or_another_one_shows_nothing_of_the_outcome() {
    let traders = Traders::who_give().await;
    let (too_long, text) = huge();
    for write in Write::ALL {
        for when in When::BOTH {
            for status in [500, 502, 503] {
                let failed = fails(&traders, write, Fault::F05 { status }, when).await;
                assert_eq!(unknown(&failed), format!("it answered {status}"), "{write:?} {when:?}");
            }
            for fault in [Fault::F06, Fault::F07 { bytes: 0 }, Fault::F07 { bytes: 100 }, Fault::F08WrongGzip] {
                unknown(&fails(&traders, write, fault, when).await);
            }
            assert_eq!(unknown(&fails(&traders, write, too_long.clone(), when).await), text, "{write:?} {when:?}");
        }
    }
}

#[tokio::test]
async fn f08_an_answer_of_which_a_part_is_missing_shows_nothing_of_the_outcome() {
    let traders = Traders::who_give().await;
    for write in with_content() {
        for when in When::BOTH {
            unknown(&fails(&traders, write, Fault::F08Truncated, when).await);
        }
    }
}

#[tokio::test]
async fn f08_an_answer_that_stalls_is_waited_for_within_the_time_of_a_call() {
    let traders = Traders::who_give().await;
    for write in Write::ALL {
        for when in When::BOTH {
            let (deed, fault) = (traders.deed(write).await, when.of(Fault::F08Stall));
            let made = traders.scene.facades.stalled_by(write.route(), fault, traders.make(&deed)).await;
            assert_eq!(unknown(&made.unwrap_err()), "no complete answer within 10 s", "{write:?} {when:?}");
            assert_eq!(traders.is_done(&deed).await, when == When::AfterIt, "{write:?}");
        }
    }
}

#[tokio::test]
async fn f09_a_call_that_is_not_admitted_ends_the_session_and_shows_nothing_of_the_outcome() {
    let traders = Traders::who_give().await;
    for write in with_content() {
        for when in When::BOTH {
            let failed = fails(&traders, write, Fault::F09 { status: 302 }, when).await;
            assert_eq!(failed, signed_out_after(), "{write:?} {when:?}");
        }
    }
    // The last of these renews the trade token, after which offers need the new one.
    for write in Write::ALL {
        for when in When::BOTH {
            let failed = fails(&traders, write, Fault::F09 { status: 401 }, when).await;
            assert_eq!(failed, signed_out_after(), "{write:?} {when:?}");
        }
    }
}

#[tokio::test]
async fn f10_a_call_that_is_forbidden_shows_nothing_of_the_outcome() {
    let traders = Traders::who_give().await;
    for write in Write::ALL {
        for when in When::BOTH {
            let failed = fails(&traders, write, Fault::F10, when).await;
            // The page of an acceptance answers so to an account that is not signed in.
            if write == Write::Accept {
                assert_eq!(failed, signed_out_after(), "{when:?}");
            } else {
                assert_eq!(unknown(&failed), "it answered 403", "{write:?} {when:?}");
            }
        }
    }
}

#[tokio::test]
async fn f11_an_error_with_status_200_shows_nothing_whatever_its_text() {
    let traders = Traders::who_give().await;
    for write in Write::ALL {
        let fault = Fault::F11 { message: MESSAGE.to_owned() };
        let failed = fails(&traders, write, fault.clone(), When::BeforeTheAct).await;
        assert!(!unknown(&failed).contains(MESSAGE), "{write:?}: {failed:?}");
        let failed = fails(&traders, write, fault, When::AfterIt).await;
        match write {
            // The list leaves it out: it was answered before, or has ended. Its offer says which.
            Write::Allow | Write::Deny => assert_eq!(failed, ExternalError::Rejected(PlatformRefusal::NotFound)),
            Write::Send | Write::Accept | Write::Decline | Write::Cancel | Write::Renew => {
                assert!(!unknown(&failed).contains(MESSAGE), "{write:?}: {failed:?}");
            }
        }
    }
}

#[tokio::test]
async fn f12_a_result_counts_where_a_route_has_one() {
    let traders = Traders::who_give().await;
    for write in with_content() {
        let deed = traders.deed(write).await;
        assert_eq!(traders.make_with(write, &deed, Fault::F12 { eresult: 2 }).await, Ok(()), "{write:?}");
    }
    for eresult in [2, 16, 84] {
        let failed = fails(&traders, Write::Renew, Fault::F12 { eresult }, When::AfterIt).await;
        unknown(&failed);
    }
}

#[tokio::test]
async fn f12_words_with_a_number_that_proves_nothing_show_nothing_before_the_act_and_the_offer_decides_after_it() {
    let traders = Traders::who_give().await;
    for write in [Write::Send, Write::Accept, Write::Decline, Write::Cancel] {
        for number in [2, 11, 16, 20, 28, 84, 999] {
            let fault = Fault::F12Words { number };
            let failed = fails(&traders, write, fault.clone(), When::BeforeTheAct).await;
            assert!(!failed.did_nothing(), "{write:?} {number}: {failed:?}");
            let deed = traders.deed(write).await;
            let made = traders.make_with(write, &deed, fault).await;
            // An offer that was sent has no number by which it could be read.
            let is_unknown = made.as_ref().is_err_and(|error| !error.did_nothing());
            assert_eq!(is_unknown, write == Write::Send, "{write:?} {number}: {made:?}");
            assert!(is_unknown || made == Ok(()), "{write:?} {number}: {made:?}");
            assert!(traders.is_done(&deed).await, "{write:?} {number}");
        }
    }
}

#[tokio::test]
async fn f13_an_answer_without_content_shows_nothing_of_the_outcome() {
    let traders = Traders::who_give().await;
    for write in Write::ALL {
        for when in When::BOTH {
            unknown(&fails(&traders, write, Fault::F13, when).await);
        }
    }
}

#[tokio::test]
async fn f18_and_f32_fields_that_no_one_has_seen_and_numbers_in_place_of_texts_change_no_outcome() {
    let traders = Traders::who_give().await;
    for write in Write::ALL {
        for fault in [Fault::F18, Fault::F32] {
            let deed = traders.deed(write).await;
            assert_eq!(traders.make_with(write, &deed, fault.clone()).await, Ok(()), "{write:?} {fault:?}");
            assert!(traders.is_done(&deed).await, "{write:?} {fault:?}");
        }
    }
}

#[tokio::test]
async fn an_answer_of_another_form_shows_nothing_of_the_outcome() {
    let traders = Traders::who_give().await;
    for write in with_content() {
        for when in When::BOTH {
            unknown(&fails(&traders, write, Fault::Drift, when).await);
        }
    }
}

#[tokio::test]
async fn a_repeated_call_shows_what_the_first_one_did() {
    let traders = Traders::who_give().await;
    let ended = |status| PlatformRefusal::OfferEnded(status);
    for (write, refusal) in [
        (Write::Accept, ended(OfferStatus::Accepted)),
        (Write::Decline, ended(OfferStatus::Declined)),
        (Write::Cancel, ended(OfferStatus::Cancelled)),
        (Write::Allow, PlatformRefusal::NotFound),
        (Write::Deny, PlatformRefusal::NotFound),
    ] {
        let deed = traders.deed(write).await;
        unknown(&traders.make_with(write, &deed, Fault::F07 { bytes: 0 }).await.unwrap_err());
        assert_eq!(traders.make(&deed).await, Err(ExternalError::Rejected(refusal)), "{write:?}");
    }
}

#[tokio::test]
async fn nothing_is_sent_about_an_offer_that_cannot_be_read_before() {
    let traders = Traders::who_give().await;
    for write in [Write::Accept, Write::Decline, Write::Cancel] {
        for fault in [Fault::F05 { status: 502 }, Fault::F06, Fault::F07 { bytes: 0 }, Fault::F13, Fault::Drift] {
            let (deed, before) = (traders.deed(write).await, traders.scene.facades.calls(write.route()));
            traders.scene.facades.arm(Read::Offer.route(), fault.clone());
            let failed = traders.make(&deed).await;
            let later = limited::<PlatformRefusal>(Duration::from_secs(30), Effect::Nothing);
            assert_eq!(failed, Err(later), "{write:?} {fault:?}");
            assert_eq!(traders.scene.facades.calls(write.route()), before, "{write:?} {fault:?}");
            assert_eq!(traders.make(&deed).await, Ok(()), "{write:?} {fault:?}");
        }
    }
}

#[tokio::test]
async fn nothing_is_answered_while_the_time_of_steam_is_not_known() {
    let traders = Traders::who_give().await;
    let deed = traders.deed(Write::Allow).await;
    traders.scene.facades.arm(Read::Time.route(), Fault::F05 { status: 503 });
    let failed = traders.make(&deed).await;
    assert_eq!(failed, Err(limited(Duration::from_secs(30), Effect::Nothing)));
    assert_eq!(traders.scene.facades.calls(Write::Allow.route()), 0);
    assert_eq!(traders.make(&deed).await, Ok(()));
}

#[tokio::test]
async fn what_was_done_is_unknown_while_it_cannot_be_read() {
    let traders = Traders::who_give().await;
    for (write, read) in [(Write::Send, Read::Offer), (Write::Renew, Read::TradeToken)] {
        let deed = traders.deed(write).await;
        let facades = &traders.scene.facades;
        if write == Write::Renew {
            // The route of both calls is one: its second call fails.
            let fault = FaultRule { nth: 2, ..FaultRule::next(read.route(), Fault::F05 { status: 502 }) };
            facades.fakes.arm(vec![fault]);
        } else {
            facades.arm(read.route(), Fault::F05 { status: 502 });
        }
        let failed = traders.make(&deed).await.unwrap_err();
        let text = unknown(&failed);
        assert!(text.contains("was not read: ") && text.ends_with("it answered 502"), "{text}");
        assert!(traders.is_done(&deed).await, "{write:?}");
    }
}

#[tokio::test]
async fn a_refusal_of_an_offer_that_cannot_be_read_after_it_shows_nothing() {
    let traders = Traders::who_give().await;
    let card = "steam-community.accept.refused";
    let deed = traders.deed(Write::Accept).await;
    let facades = &traders.scene.facades;
    let second = FaultRule { nth: 2, ..FaultRule::next(Read::Offer.route(), Fault::F05 { status: 502 }) };
    let refused = FaultRule::next(Write::Accept.route(), Fault::Sample { card: card.to_owned(), number: 3 });
    facades.fakes.arm(vec![second, refused]);
    unknown(&traders.make(&deed).await.unwrap_err());
    assert_eq!(traders.make(&deed).await, Ok(()));
}
