//! What the driver changes of friends and chats: one call for each change that is on record, which the lists show; and no request at all for every
//! other one.

use std::sync::Arc;
use std::time::Duration;

use tradepost_adapters_steam::SteamSocial;
use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::chat::ChatText;
use tradepost_domain::trading::friend::FriendRelation;
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::social::{Social as _, SocialRefusal, SocialResult};

use crate::social::{Chatters, NO_ONE};
use crate::social_deeds::{SocialDeed, SocialWrite, TEXT};
use crate::vault::ClosedVault;

fn all_deeds(chatters: &Chatters) -> Vec<SocialDeed> {
    SocialWrite::ALL.map(|write| chatters.social_deed(write)).into()
}

fn not_allowed<T>() -> SocialResult<T> {
    Err(ExternalError::Rejected(SocialRefusal::NotAllowed))
}

#[tokio::test]
async fn every_change_is_one_call_that_the_lists_show() {
    let chatters = Chatters::new().await;
    for deed in all_deeds(&chatters) {
        assert!(!chatters.is_changed(&deed).await, "{deed:?}");
        let before = chatters.facades().calls(deed.write.route());
        assert_eq!(chatters.change(&deed).await, Ok(()), "{deed:?}");
        assert_eq!(chatters.facades().calls(deed.write.route()), before + 1, "{deed:?}");
        assert!(chatters.is_changed(&deed).await, "{deed:?}");
    }
}

#[tokio::test]
async fn a_change_that_is_not_on_record_is_not_sent() {
    let chatters = Chatters::new().await;
    let deeds = all_deeds(&chatters);
    chatters.traders.vault.forget_changes();
    let before = chatters.facades().fakes.ledger();
    for deed in &deeds {
        let refused = chatters.change(deed).await;
        let Err(ExternalError::Rejected(SocialRefusal::NotDone(why))) = refused else {
            panic!("{deed:?}: {refused:?}")
        };
        assert!(why.starts_with("no request for this is on record as begun"), "{why}");
    }
    assert_eq!(chatters.facades().fakes.ledger(), before, "no request was sent");
    for deed in &deeds {
        assert!(!chatters.is_changed(deed).await, "{deed:?}");
    }
}

#[tokio::test]
async fn the_record_is_asked_for_the_change_that_is_made_and_for_no_permission_to_give() {
    let chatters = Chatters::new().await;
    for deed in all_deeds(&chatters) {
        let before = chatters.traders.vault.changes().len();
        assert_eq!(chatters.change(&deed).await, Ok(()), "{deed:?}: the account may not give");
        let asked = chatters.traders.vault.changes().split_off(before);
        assert_eq!(asked, [(chatters.user(), deed.change())]);
    }
}

#[tokio::test]
async fn nothing_is_sent_while_the_record_cannot_be_read() {
    let chatters = Chatters::new().await;
    let closed = SteamSocial::new(chatters.traders.scene.services.clone(), Arc::new(ClosedVault));
    let (deeds, before) = (all_deeds(&chatters), chatters.facades().fakes.ledger());
    let later = ExternalError::RateLimited { retry_after: Duration::from_secs(30), effect: Effect::Nothing };
    for deed in &deeds {
        assert_eq!(chatters.change_by(&closed, deed).await, Err(later.clone()), "{deed:?}");
    }
    assert_eq!(chatters.facades().fakes.ledger(), before);
}

#[tokio::test]
async fn what_the_relation_does_not_allow_is_rejected_by_the_list_and_not_sent() {
    let chatters = Chatters::alone().await;
    let (user, other, steam) = (chatters.user(), chatters.partner, &chatters.steam);
    let relate = |relation| chatters.facades().world(|world| world.relate_to(user, other, relation));
    for relation in [FriendRelation::WeAsked, FriendRelation::Friend, FriendRelation::Blocked] {
        relate(relation);
        assert_eq!(steam.add(user, other).await, not_allowed(), "{relation:?}");
    }
    assert_eq!(steam.block(user, other).await, not_allowed(), "it is blocked");
    relate(FriendRelation::None);
    assert_eq!(steam.accept(user, other).await, not_allowed());
    assert_eq!(steam.remove(user, other).await, not_allowed());
    assert_eq!(steam.unblock(user, other).await, not_allowed());
    assert_eq!(steam.add(user, user).await, not_allowed());
    let said = steam.say(user, other, &ChatText::plain("hi"), &ExternalId::new("one").unwrap()).await;
    assert_eq!(said, not_allowed(), "it is not a friend");
    for write in SocialWrite::ALL {
        assert_eq!(chatters.facades().calls(write.route()), 0, "{write:?}");
    }
}

#[tokio::test]
async fn an_account_that_does_not_exist_is_not_added() {
    let chatters = Chatters::alone().await;
    let not_found = Err(ExternalError::Rejected(SocialRefusal::NotFound));
    assert_eq!(chatters.steam.add(chatters.user(), NO_ONE).await, not_found);
}

#[tokio::test]
async fn a_message_is_at_the_place_that_its_answer_names_and_has_its_text() {
    let chatters = Chatters::new().await;
    let (user, partner) = (chatters.user(), chatters.partner);
    let text = ChatText::stored(TEXT);
    let place = chatters.steam.say(user, partner, &text, &ExternalId::new("one").unwrap()).await.unwrap();
    let shown = chatters.world.messages(partner, user, None).await.unwrap().messages;
    assert_eq!((shown[0].place, &shown[0].text, shown[0].is_from_us), (place, &text, false));
}

#[tokio::test]
async fn a_change_says_who_calls_and_its_query_names_no_secret_and_no_text() {
    let chatters = Chatters::new().await;
    for deed in all_deeds(&chatters) {
        chatters.change(&deed).await.unwrap();
        let ledger = chatters.facades().fakes.ledger();
        let asked = ledger.iter().rev().find(|entry| entry.route == deed.write.route()).unwrap();
        assert!(asked.user_agent.starts_with("tradepost/"), "{}", asked.user_agent);
        let query = if deed.write.is_of_community() { "" } else { "access_token=redacted" };
        assert_eq!((asked.query.as_str(), asked.status), (query, 200), "{deed:?}");
    }
}

#[tokio::test]
async fn every_change_ends_with_the_session_of_the_account() {
    let chatters = Chatters::new().await;
    let deeds = all_deeds(&chatters);
    chatters.traders.scene.pass(time::Duration::hours(24));
    for deed in &deeds {
        let lost = chatters.change(deed).await;
        assert!(matches!(lost, Err(ExternalError::AuthLost { .. })), "{deed:?}: {lost:?}");
    }
    chatters.traders.sign_in().await;
    for deed in &deeds {
        assert!(!chatters.is_changed(deed).await, "{deed:?}");
    }
}
