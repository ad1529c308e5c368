//! Faults of changes of friends and chats, each before the act and after it: what the call ends with shows neither, unless the list does, and what
//! is read then shows which. No message is sent by a second call.

use std::time::Duration;

use tradepost_adapters_steam::SteamSocial;
use tradepost_fakes::{Fault, FaultRule};
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::social::SocialRefusal;

use super::{MESSAGE, huge, limited, rest, unknown};
use crate::facades::{unpaced, wait};
use crate::social::{Chatters, SocialRead};
use crate::social_deeds::{SocialDeed, SocialWrite, TEXT};

type Failure = ExternalError<SocialRefusal>;

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

/// The fault of a new change. What is read afterwards shows whether it was made, and one that was not can be made again.
async fn fails(chatters: &Chatters, write: SocialWrite, fault: Fault, when: When) -> Failure {
    let facades = chatters.facades();
    let deed = chatters.social_deed(write);
    let before = facades.calls(write.route());
    let failed = chatters.change_with(&deed, when.of(fault)).await.unwrap_err();
    assert_eq!(facades.calls(write.route()), before + 1, "{write:?} is not repeated by itself");
    assert!(!failed.to_string().contains(TEXT), "{failed}");
    assert_eq!(chatters.is_changed(&deed).await, when == When::AfterIt, "{write:?}: {failed:?}");
    if when == When::BeforeTheAct {
        works_after(chatters, &deed, &failed).await;
    }
    failed
}

/// Makes a change that a fault has kept from being made.
async fn works_after(chatters: &Chatters, deed: &SocialDeed, failed: &Failure) {
    wait(rest()).await;
    assert_eq!(chatters.change(deed).await, Ok(()), "{deed:?} works after {failed:?}");
    assert!(chatters.is_changed(deed).await, "{deed:?}");
}

fn with_content() -> impl Iterator<Item = SocialWrite> {
    SocialWrite::ALL.into_iter().filter(|write| write.has_content())
}

fn of_community() -> impl Iterator<Item = SocialWrite> {
    SocialWrite::ALL.into_iter().filter(|write| write.is_of_community())
}

const fn signed_out_after() -> Failure {
    ExternalError::AuthLost { effect: Effect::Unknown }
}

#[tokio::test]
async fn f01_a_limit_that_names_a_time_shows_nothing_of_the_outcome() {
    let chatters = Chatters::new().await;
    for write in SocialWrite::ALL {
        for when in When::BOTH {
            let failed = fails(&chatters, write, Fault::F01 { retry_after_seconds: 60 }, when).await;
            assert_eq!(failed, limited(Duration::from_mins(1), Effect::Unknown), "{write:?} {when:?}");
            wait(rest()).await;
        }
    }
}

#[tokio::test]
async fn f01_nothing_is_sent_before_the_time_that_a_limit_names_and_reads_go_on() {
    let chatters = Chatters::new().await;
    for write in SocialWrite::ALL {
        let deed = chatters.social_deed(write);
        assert!(chatters.change_with(&deed, Fault::F01 { retry_after_seconds: 60 }.before()).await.is_err());
        let before = chatters.facades().calls(write.route());
        let early = chatters.change(&deed).await;
        let is_later = matches!(early, Err(ExternalError::RateLimited { effect: Effect::Nothing, .. }));
        assert!(is_later, "{write:?}: {early:?}");
        assert_eq!(chatters.facades().calls(write.route()), before, "{write:?}");
        for read in SocialRead::ALL {
            assert!(chatters.read(read).await.is_ok(), "{read:?} does not wait for {write:?}");
        }
        wait(rest()).await;
        assert_eq!(chatters.change(&deed).await, Ok(()), "{write:?}");
    }
}

#[tokio::test]
async fn f02_a_limit_of_the_first_change_that_names_no_time_shows_nothing_of_the_outcome() {
    let chatters = Chatters::new().await;
    for write in SocialWrite::ALL {
        for when in When::BOTH {
            let services = chatters.facades().services(&unpaced());
            let at_rest = SteamSocial::new(services, chatters.traders.vault.clone());
            let deed = chatters.social_deed(write);
            chatters.facades().arm(write.route(), when.of(Fault::F02));
            let failed = chatters.change_by(&at_rest, &deed).await.unwrap_err();
            assert!(unknown(&failed).starts_with("it refuses this client"), "{write:?}: {failed:?}");
            assert_eq!(chatters.is_changed(&deed).await, when == When::AfterIt, "{write:?}");
        }
    }
}

#[tokio::test]
async fn f05_to_f08_an_answer_that_is_missing_or_another_one_shows_nothing_of_the_outcome() {
    let chatters = Chatters::new().await;
    let (too_long, text) = huge();
    for write in SocialWrite::ALL {
        for when in When::BOTH {
            for status in [500, 502, 503] {
                let failed = fails(&chatters, write, Fault::F05 { status }, when).await;
                assert_eq!(unknown(&failed), format!("it answered {status}"), "{write:?} {when:?}");
            }
            for fault in [Fault::F06, Fault::F07 { bytes: 0 }, Fault::F07 { bytes: 100 }] {
                unknown(&fails(&chatters, write, fault, when).await);
            }
            assert_eq!(unknown(&fails(&chatters, write, too_long.clone(), when).await), text, "{write:?} {when:?}");
        }
    }
}

#[tokio::test]
async fn f08_an_answer_that_is_broken_shows_nothing_of_the_outcome() {
    let chatters = Chatters::new().await;
    for write in with_content() {
        for when in When::BOTH {
            for fault in [Fault::F08Truncated, Fault::F08WrongGzip] {
                unknown(&fails(&chatters, write, fault, when).await);
            }
        }
    }
}

#[tokio::test]
async fn f08_an_answer_that_stalls_is_waited_for_within_the_time_of_a_call() {
    let chatters = Chatters::new().await;
    for write in SocialWrite::ALL {
        for when in When::BOTH {
            let (deed, fault) = (chatters.social_deed(write), when.of(Fault::F08Stall));
            let made = chatters.facades().stalled_by(write.route(), fault, chatters.change(&deed)).await;
            assert_eq!(unknown(&made.unwrap_err()), "no complete answer within 10 s", "{write:?} {when:?}");
            assert_eq!(chatters.is_changed(&deed).await, when == When::AfterIt, "{write:?}");
        }
    }
}

#[tokio::test]
async fn f09_a_call_that_is_not_admitted_ends_the_session_and_shows_nothing_of_the_outcome() {
    let chatters = Chatters::new().await;
    for when in When::BOTH {
        for write in SocialWrite::ALL {
            let failed = fails(&chatters, write, Fault::F09 { status: 401 }, when).await;
            assert_eq!(failed, signed_out_after(), "{write:?} {when:?}");
        }
        for write in of_community() {
            let failed = fails(&chatters, write, Fault::F09 { status: 302 }, when).await;
            assert_eq!(failed, signed_out_after(), "{write:?} {when:?}");
        }
    }
}

#[tokio::test]
async fn f10_a_call_that_is_forbidden_shows_nothing_of_the_outcome() {
    let chatters = Chatters::new().await;
    for write in SocialWrite::ALL {
        for when in When::BOTH {
            let failed = fails(&chatters, write, Fault::F10, when).await;
            assert_eq!(unknown(&failed), "it answered 403", "{write:?} {when:?}");
        }
    }
}

#[tokio::test]
async fn f11_an_error_with_status_200_is_decided_by_the_list_and_never_by_its_text() {
    let chatters = Chatters::new().await;
    let fault = Fault::F11 { message: MESSAGE.to_owned() };
    for write in SocialWrite::ALL {
        let failed = fails(&chatters, write, fault.clone(), When::BeforeTheAct).await;
        assert!(!unknown(&failed).contains(MESSAGE), "{write:?}: {failed:?}");
        if write.is_of_community() {
            let deed = chatters.social_deed(write);
            assert_eq!(chatters.change_with(&deed, fault.clone()).await, Ok(()), "{write:?}: the list shows it");
        } else {
            unknown(&fails(&chatters, write, fault.clone(), When::AfterIt).await);
        }
    }
}

#[tokio::test]
async fn f12_a_result_counts_where_a_route_has_one() {
    let chatters = Chatters::new().await;
    for write in of_community() {
        let deed = chatters.social_deed(write);
        assert_eq!(chatters.change_with(&deed, Fault::F12 { eresult: 2 }).await, Ok(()), "{write:?}");
    }
    for write in [SocialWrite::Say, SocialWrite::MarkRead] {
        for eresult in [2, 16] {
            unknown(&fails(&chatters, write, Fault::F12 { eresult }, When::AfterIt).await);
        }
        let failed = fails(&chatters, write, Fault::F12 { eresult: 84 }, When::AfterIt).await;
        assert_eq!(failed, limited(Duration::from_mins(1), Effect::Unknown), "{write:?}");
    }
}

#[tokio::test]
async fn f13_an_answer_without_content_shows_nothing_of_the_outcome() {
    let chatters = Chatters::new().await;
    for write in SocialWrite::ALL {
        for when in When::BOTH {
            unknown(&fails(&chatters, write, Fault::F13, when).await);
        }
    }
}

#[tokio::test]
async fn f18_and_f32_fields_that_no_one_has_seen_and_texts_in_place_of_numbers_change_no_outcome() {
    let chatters = Chatters::new().await;
    for write in SocialWrite::ALL {
        for fault in [Fault::F18, Fault::F32] {
            let deed = chatters.social_deed(write);
            assert_eq!(chatters.change_with(&deed, fault.clone()).await, Ok(()), "{write:?} {fault:?}");
            assert!(chatters.is_changed(&deed).await, "{write:?} {fault:?}");
        }
    }
}

#[tokio::test]
async fn an_answer_of_another_form_shows_nothing_of_the_outcome() {
    let chatters = Chatters::new().await;
    for write in with_content() {
        for when in When::BOTH {
            unknown(&fails(&chatters, write, Fault::Drift, when).await);
        }
    }
}

#[tokio::test]
async fn a_method_that_steam_does_not_have_is_rejected() {
    let chatters = Chatters::new().await;
    for write in [SocialWrite::Say, SocialWrite::MarkRead] {
        let failed = fails(&chatters, write, Fault::F05 { status: 404 }, When::BeforeTheAct).await;
        assert!(matches!(failed, ExternalError::Rejected(SocialRefusal::Other(_))), "{write:?}: {failed:?}");
    }
}

#[tokio::test]
async fn nothing_is_sent_while_the_list_of_friends_cannot_be_read() {
    let chatters = Chatters::new().await;
    for write in SocialWrite::ALL.into_iter().filter(|write| *write != SocialWrite::MarkRead) {
        for fault in [Fault::F05 { status: 502 }, Fault::F06, Fault::F07 { bytes: 0 }, Fault::F13, Fault::Drift] {
            let (deed, before) = (chatters.social_deed(write), chatters.facades().calls(write.route()));
            chatters.facades().arm(SocialRead::Friends.route(), fault.clone());
            let later = limited::<SocialRefusal>(Duration::from_secs(30), Effect::Nothing);
            assert_eq!(chatters.change(&deed).await, Err(later), "{write:?} {fault:?}");
            assert_eq!(chatters.facades().calls(write.route()), before, "{write:?} {fault:?}");
            assert_eq!(chatters.change(&deed).await, Ok(()), "{write:?} {fault:?}");
        }
    }
}

#[tokio::test]
async fn f02_a_list_of_friends_that_is_refused_to_this_client_ends_no_change() {
    let chatters = Chatters::new().await;
    for write in SocialWrite::ALL.into_iter().filter(|write| *write != SocialWrite::MarkRead) {
        let services = chatters.facades().services(&unpaced());
        let at_rest = SteamSocial::new(services, chatters.traders.vault.clone());
        let (deed, before) = (chatters.social_deed(write), chatters.facades().calls(write.route()));
        chatters.facades().arm(SocialRead::Friends.route(), Fault::F02);
        let later = limited::<SocialRefusal>(Duration::from_secs(30), Effect::Nothing);
        assert_eq!(chatters.change_by(&at_rest, &deed).await, Err(later), "{write:?}");
        assert_eq!(chatters.facades().calls(write.route()), before, "{write:?}");
    }
}

#[tokio::test]
async fn a_refusal_after_which_the_list_cannot_be_read_shows_nothing() {
    let chatters = Chatters::new().await;
    let deed = chatters.social_deed(SocialWrite::Add);
    let second = FaultRule { nth: 2, ..FaultRule::next(SocialRead::Friends.route(), Fault::F05 { status: 502 }) };
    let card = "steam-community.friend-add.refused".to_owned();
    let refused = FaultRule::next(SocialWrite::Add.route(), Fault::Sample { card, number: 0 });
    chatters.facades().fakes.arm(vec![second, refused]);
    unknown(&chatters.change(&deed).await.unwrap_err());
    assert_eq!(chatters.change(&deed).await, Ok(()));
}

#[tokio::test]
async fn a_refusal_of_what_the_list_shows_as_done_is_done() {
    let chatters = Chatters::new().await;
    let of = |write: SocialWrite| match write {
        SocialWrite::Add | SocialWrite::Accept => Fault::F11 { message: MESSAGE.to_owned() },
        SocialWrite::Decline
        | SocialWrite::Remove
        | SocialWrite::Block
        | SocialWrite::Unblock
        | SocialWrite::Say
        | SocialWrite::MarkRead => Fault::F05 { status: 400 },
    };
    for write in of_community() {
        let deed = chatters.social_deed(write);
        assert_eq!(chatters.change_with(&deed, of(write)).await, Ok(()), "{write:?}");
        assert!(chatters.is_changed(&deed).await, "{write:?}");
    }
}
