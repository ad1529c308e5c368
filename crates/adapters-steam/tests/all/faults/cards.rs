//! Every sample of every card of both facades: the driver takes it, or ends with the failure that it describes.

use std::collections::BTreeSet;
use std::fmt::Debug;

use serde_json::Value;
use tradepost_domain::text::ExternalId;
use tradepost_fakes::{Card, Fault, Grade};
use tradepost_ports::external::ExternalError;

use super::rest;
use crate::calls::{Read, Reads, SessionCall};
use crate::deeds::Write;
use crate::facades::{Facades, wait};
use crate::scene::Scene;
use crate::social::{Chatters, SocialRead};
use crate::social_deeds::SocialWrite;
use crate::traders::Traders;

/// What a call ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Done,
    Refused,
    Unknown,
    Limited,
    SignedOut,
}

impl Ending {
    fn of<T, R: Debug>(result: &Result<T, ExternalError<R>>) -> Self {
        match result {
            Ok(_) => Self::Done,
            Err(ExternalError::Rejected(_)) => Self::Refused,
            Err(ExternalError::Unknown(_)) => Self::Unknown,
            Err(ExternalError::RateLimited { .. }) => Self::Limited,
            Err(ExternalError::AuthLost { .. }) => Self::SignedOut,
        }
    }

    /// What the driver has to make of a sample.
    fn expected(card: &Card, number: usize) -> Self {
        match card.id.as_str() {
            "steam-community.confirmations.refused" => return Self::Unknown,
            "steam-community.confirmations.signed-out" => return Self::SignedOut,
            _ => {}
        }
        if let Some(ending) = Self::of_write(&card.id, number).or_else(|| Self::of_social_write(&card.id, number)) {
            return ending;
        }
        if card.id.ends_with(".refused") {
            let eresult = card.eresults.get(number).or_else(|| card.eresults.first());
            let is_social = SocialRead::ALL.iter().any(|read| read.route() == card.route);
            return if is_social {
                Self::of_social_refusal(*eresult.unwrap())
            } else {
                Self::of_refusal(&card.id, *eresult.unwrap())
            };
        }
        match (card.id.as_str(), number) {
            // The password was encrypted for another key than that of the facade; what is asked for is not there.
            ("steam-api.key", _) | ("steam-api.offer" | "steam-api.holds", 2) | ("steam-api.trade", 4) => Self::Refused,
            // Among them are the bans of no account, and offers that are shown in part.
            ("steam-api.bans", 3)
            | ("steam-api.offers", 4..=6)
            | (
                "steam-api.bad-request"
                | "steam-api.lost"
                | "steam-community.lost"
                | "steam-community.api-key.denied"
                | "steam-community.offer-page.ended",
                _,
            ) => Self::Unknown,
            ("steam-api.limited" | "steam-community.limited", _) => Self::Limited,
            ("steam-api.unauthorized" | "steam-community.signed-out" | "steam-community.signed-out.page", _) => {
                Self::SignedOut
            }
            _ => Self::Done,
        }
    }

    /// What a sample of a write is; nothing of another card. The offer of each is open before and after it.
    fn of_write(card: &str, number: usize) -> Option<Self> {
        Some(match (card, number) {
            ("steam-community.accept" | "steam-community.answer", _) => Self::Done,
            ("steam-community.send.refused", 0..=4 | 12) | ("steam-community.accept.refused", 3 | 4) => Self::Refused,
            ("steam-community.send.refused", 10) => Self::Limited,
            // The offers of the first three are not in this world, or others than was asked for.
            (
                "steam-community.send"
                | "steam-community.decline"
                | "steam-community.cancel"
                | "steam-community.send.refused"
                | "steam-community.accept.refused"
                | "steam-community.decline.refused"
                | "steam-community.cancel.refused"
                | "steam-community.answer.refused",
                _,
            ) => Self::Unknown,
            (
                "steam-community.offers.signed-out"
                | "steam-community.accept.signed-out"
                | "steam-community.answer.signed-out",
                _,
            ) => Self::SignedOut,
            _ => return None,
        })
    }

    /// What a sample of a change of friends or chats is; nothing of another card. The list shows that none had an effect.
    fn of_social_write(card: &str, number: usize) -> Option<Self> {
        Some(match (card, number) {
            ("steam-api.say", 2..)
            | ("steam-api.say.refused", 6..)
            | ("steam-api.read-mark.refused", 0)
            | ("steam-community.friend-add.refused", 7..)
            | (
                "steam-community.friend-remove.refused"
                | "steam-community.friend-ignore.refused"
                | "steam-community.friend-block.refused",
                _,
            ) => Self::Unknown,
            ("steam-api.say.refused", 5) | ("steam-api.read-mark.refused", 2) => Self::Limited,
            (
                "steam-api.say.refused"
                | "steam-api.read-mark.refused"
                | "steam-community.friend-add.refused"
                | "steam-community.friend-add.failed",
                _,
            ) => Self::Refused,
            _ => return None,
        })
    }

    /// No refusal says anything of friends or chats.
    const fn of_social_refusal(eresult: u32) -> Self {
        if eresult == 84 { Self::Limited } else { Self::Unknown }
    }

    fn of_refusal(card: &str, eresult: u32) -> Self {
        let is_of_tokens = ["steam-api.renewal.refused", "steam-api.revocation.refused"].contains(&card);
        match eresult {
            // Steam has the code already.
            29 => Self::Done,
            84 => Self::Limited,
            5 | 9 | 15 | 27 if is_of_tokens => Self::SignedOut,
            5 | 9 | 18 | 27 | 65 | 88 => Self::Refused,
            15 if card == "steam-api.poll.refused" => Self::Refused,
            _ => Self::Unknown,
        }
    }
}

/// The cards of both facades that are about one of these routes.
fn cards(facades: &Facades, routes: &[&str]) -> Vec<Card> {
    let all = facades.fakes.facts().cards();
    let of_steam = all.filter(|card| ["steam-api.", "steam-community."].iter().any(|name| card.id.starts_with(name)));
    of_steam.filter(|card| routes.contains(&card.route.as_str())).cloned().collect()
}

fn ids(cards: &[Card]) -> BTreeSet<String> {
    cards.iter().map(|card| card.id.clone()).collect()
}

/// The cards that answers had so far.
fn met(facades: &Facades) -> BTreeSet<String> {
    facades.fakes.ledger().into_iter().filter_map(|entry| entry.card).collect()
}

/// Has a read ask for the record that a sample shows.
fn ask_for(reads: &mut Reads, sample: &str, usual: [&ExternalId; 2]) {
    let sample: Value = serde_json::from_str(sample).unwrap();
    let shown = |path| sample.pointer(path).and_then(Value::as_str).map(|id| ExternalId::new(id).unwrap());
    let [offer, trade] = usual;
    reads.offer = shown("/response/offer/tradeofferid").unwrap_or_else(|| offer.clone());
    reads.trade = shown("/response/trades/0/tradeid").unwrap_or_else(|| trade.clone());
}

const fn sample_of(card: String, number: usize) -> Fault {
    Fault::Sample { card, number }
}

#[tokio::test]
async fn every_sample_of_every_card_of_a_read_is_taken_or_fails_as_it_describes() {
    let mut reads = Reads::new().await;
    let [offer, trade] = [reads.offer.clone(), reads.trade.clone()];
    let of_reads = cards(&reads.traders.scene.facades, &Read::ALL.map(Read::route));
    for card in &of_reads {
        let read = Read::ALL.into_iter().find(|read| read.route() == card.route).unwrap();
        for (number, sample) in card.samples.iter().enumerate() {
            assert!(reads.read(read).await.is_ok(), "{read:?} works before");
            ask_for(&mut reads, sample, [&offer, &trade]);
            let result = reads.read_with(read, sample_of(card.id.clone(), number)).await;
            assert_eq!(Ending::of(&result), Ending::expected(card, number), "{} {number}: {result:?}", card.id);
            ask_for(&mut reads, "null", [&offer, &trade]);
            wait(rest()).await;
        }
        assert!(reads.read(read).await.is_ok(), "{read:?} works after {}", card.id);
    }
    let met = met(&reads.traders.scene.facades);
    assert!(ids(&of_reads).is_subset(&met), "cards that no read meets: {:?}", ids(&of_reads).difference(&met));
}

#[tokio::test]
async fn every_sample_of_every_card_of_friends_and_chats_is_taken_or_fails_as_it_describes() {
    let mut chatters = Chatters::new().await;
    let usual = chatters.partner;
    let of_social = cards(chatters.facades(), &SocialRead::ALL.map(SocialRead::route));
    for card in &of_social {
        let read = SocialRead::ALL.into_iter().find(|read| read.route() == card.route).unwrap();
        for (number, sample) in card.samples.iter().enumerate() {
            assert!(chatters.read(read).await.is_ok(), "{read:?} works before");
            chatters.partner = chatters.partner_in(sample).unwrap_or(usual);
            let result = chatters.read_with(read, sample_of(card.id.clone(), number)).await;
            assert_eq!(Ending::of(&result), Ending::expected(card, number), "{} {number}: {result:?}", card.id);
            chatters.partner = usual;
            wait(rest()).await;
        }
        assert!(chatters.read(read).await.is_ok(), "{read:?} works after {}", card.id);
    }
    let met = met(chatters.facades());
    assert!(ids(&of_social).is_subset(&met), "cards that no read meets: {:?}", ids(&of_social).difference(&met));
}

#[tokio::test]
async fn every_sample_of_every_card_of_a_session_is_taken_or_fails_as_it_describes() {
    let scene = Scene::new().await;
    let of_sessions = cards(&scene.facades, &SessionCall::ALL.map(SessionCall::route));
    for card in &of_sessions {
        let call = SessionCall::ALL.into_iter().find(|call| call.route() == card.route).unwrap();
        for number in 0..card.samples.len() {
            scene.rest();
            let result = scene.make_with(call, sample_of(card.id.clone(), number)).await;
            assert_eq!(Ending::of(&result), Ending::expected(card, number), "{} {number}: {result:?}", card.id);
            assert_eq!(scene.make(call).await, Ok(()), "{call:?} works after {}", card.id);
        }
    }
    let met = met(&scene.facades);
    assert!(ids(&of_sessions).is_subset(&met), "cards that no call meets: {:?}", ids(&of_sessions).difference(&met));
}

#[tokio::test]
async fn every_sample_of_every_card_of_a_write_is_taken_or_fails_as_it_describes() {
    let traders = Traders::who_give().await;
    let facades = &traders.scene.facades;
    // A token is renewed by the route by which it is read.
    let writes: Vec<Write> = Write::ALL.into_iter().filter(|write| *write != Write::Renew).collect();
    let of_writes = cards(facades, &writes.iter().map(|write| write.route()).collect::<Vec<_>>());
    for card in &of_writes {
        let write = writes.iter().copied().find(|write| write.route() == card.route).unwrap();
        for number in 0..card.samples.len() {
            let deed = traders.deed(write).await;
            let result = traders.make_with(write, &deed, sample_of(card.id.clone(), number)).await;
            assert_eq!(Ending::of(&result), Ending::expected(card, number), "{} {number}: {result:?}", card.id);
            assert!(!traders.is_done(&deed).await, "a sample is not carried out: {} {number}", card.id);
            wait(rest()).await;
            assert_eq!(traders.make(&deed).await, Ok(()), "{write:?} works after {} {number}", card.id);
        }
    }
    let met = met(facades);
    assert!(ids(&of_writes).is_subset(&met), "cards that no write meets: {:?}", ids(&of_writes).difference(&met));
}

#[tokio::test]
async fn every_sample_of_every_card_of_a_change_of_friends_or_chats_is_taken_or_fails_as_it_describes() {
    let chatters = Chatters::new().await;
    let of_changes = cards(chatters.facades(), &SocialWrite::ALL.map(SocialWrite::route));
    for card in &of_changes {
        let write = SocialWrite::ALL.into_iter().find(|write| write.route() == card.route).unwrap();
        for number in 0..card.samples.len() {
            let deed = chatters.social_deed(write);
            let result = chatters.change_with(&deed, sample_of(card.id.clone(), number)).await;
            assert_eq!(Ending::of(&result), Ending::expected(card, number), "{} {number}: {result:?}", card.id);
            assert!(!chatters.is_changed(&deed).await, "a sample is not carried out: {} {number}", card.id);
            wait(rest()).await;
            assert_eq!(chatters.change(&deed).await, Ok(()), "{write:?} works after {} {number}", card.id);
        }
    }
    let met = met(chatters.facades());
    assert!(ids(&of_changes).is_subset(&met), "cards that no change meets: {:?}", ids(&of_changes).difference(&met));
}

#[tokio::test]
async fn every_card_is_about_a_call_of_the_driver_and_an_unknown_one_has_two_samples() {
    let facades = Facades::new().await;
    let reads = Read::ALL.map(Read::route).into_iter().chain(SocialRead::ALL.map(SocialRead::route));
    let writes = Write::ALL.map(Write::route).into_iter().chain(SocialWrite::ALL.map(SocialWrite::route));
    let routes: Vec<&str> = reads.chain(SessionCall::ALL.map(SessionCall::route)).chain(writes).collect();
    let of_driver = cards(&facades, &routes);
    assert!(of_driver.len() > 25, "there are cards of both facades");
    let is_of_steam = |card: &&Card| card.id.starts_with("steam-api.") || card.id.starts_with("steam-community.");
    assert_eq!(of_driver.len(), facades.fakes.facts().cards().filter(is_of_steam).count());
    for card in of_driver {
        assert!(card.grade != Grade::Unknown || card.samples.len() >= 2, "{}", card.id);
    }
}
