//! What the driver changes: for an account that a person lets give items, one call for each, which the records show; for every other account,
//! no request at all.

use std::sync::Arc;
use std::time::Duration;

use tradepost_adapters_simulator::Fault;
use tradepost_adapters_steam::SteamPlatform;
use tradepost_domain::text::{Description, ExternalId};
use tradepost_domain::trading::trade::OfferStatus;
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::{
    Acceptance, Asset, Confirmation, ConfirmationAnswer, GamePlatform as _, NewOffer, PlatformRefusal, PlatformResult,
};

use crate::deeds::{Deed, Write};
use crate::traders::Traders;
use crate::vault::ClosedVault;

/// The kind of a confirmation that changes who controls an account, and the route that answers one.
const CHANGES_THE_ACCOUNT: u32 = 6;
const ANSWER: &str = Write::Allow.route();

/// The reason for which a call is not made.
fn reason(result: &PlatformResult<()>) -> &str {
    match result {
        Err(ExternalError::Rejected(PlatformRefusal::NotDone(text))) => text,
        Ok(()) | Err(_) => panic!("made, or refused for another reason: {result:?}"),
    }
}

async fn all_deeds(traders: &Traders) -> Vec<Deed> {
    let mut deeds = Vec::new();
    for write in Write::ALL {
        deeds.push(traders.deed(write).await);
    }
    deeds
}

#[tokio::test]
async fn nothing_is_sent_for_an_account_that_may_not_give() {
    let traders = Traders::who_may_not_give().await;
    let deeds = all_deeds(&traders).await;
    let before = traders.scene.facades.fakes.ledger();
    for deed in &deeds {
        let refused = traders.make(deed).await;
        assert!(reason(&refused).starts_with("giving is not enabled for the account"), "{refused:?}");
    }
    assert_eq!(traders.scene.facades.fakes.ledger(), before, "no request was sent");
    for deed in &deeds {
        assert!(!traders.is_done(deed).await, "{deed:?}");
    }
}

#[tokio::test]
async fn a_permission_is_of_one_account_and_ends_at_once() {
    let traders = Traders::who_may_not_give().await;
    let (ada, bob) = (traders.ada(), traders.bob());
    traders.vault.let_give(ada.user, true);
    let of_bob = NewOffer { to: ada.clone(), give: vec![traders.item_of(bob)], receive: Vec::new(), message: None };
    reason(&traders.platform.send(bob.user, &of_bob).await.map(drop));
    let first = traders.deed(Write::Send).await;
    assert_eq!(traders.make(&first).await, Ok(()));
    traders.vault.let_give(ada.user, false);
    let (second, before) = (traders.deed(Write::Send).await, traders.scene.facades.fakes.ledger());
    reason(&traders.make(&second).await);
    assert_eq!(traders.scene.facades.fakes.ledger(), before);
}

#[tokio::test]
async fn nothing_is_sent_while_it_is_not_known_whether_the_account_may_give() {
    let traders = Traders::who_give().await;
    let deeds = all_deeds(&traders).await;
    let platform = SteamPlatform::new(traders.scene.services.clone(), Arc::new(ClosedVault));
    let before = traders.scene.facades.fakes.ledger();
    let later = ExternalError::RateLimited { retry_after: Duration::from_secs(30), effect: Effect::Nothing };
    for deed in &deeds {
        assert_eq!(traders.make_by(&platform, deed).await, Err(later.clone()), "{deed:?}");
    }
    assert_eq!(traders.scene.facades.fakes.ledger(), before);
}

#[tokio::test]
async fn every_write_is_one_call_that_the_records_show() {
    let traders = Traders::who_give().await;
    for write in Write::ALL {
        let deed = traders.deed(write).await;
        assert!(!traders.is_done(&deed).await, "{write:?}");
        let before = traders.scene.facades.calls(write.route());
        assert_eq!(traders.make(&deed).await, Ok(()), "{write:?}");
        // The token is read from the same route as it is renewed by.
        let calls = if write == Write::Renew { 2 } else { 1 };
        assert_eq!(traders.scene.facades.calls(write.route()), before + calls, "{write:?}");
        assert!(traders.is_done(&deed).await, "{write:?}");
    }
    assert_eq!(traders.scene.facades.world(|world| world.check_books()), Ok(()));
}

#[tokio::test]
async fn an_offer_of_several_items_of_both_sides_is_sent_with_its_message() {
    let traders = Traders::who_give().await;
    let (ada, bob) = (traders.ada(), traders.bob());
    let new = NewOffer {
        to: bob.clone(),
        give: vec![traders.item_of(ada), traders.item_of(ada)],
        receive: vec![traders.item_of(bob)],
        message: Some(Description::new("two & one = ok? <é>").unwrap()),
    };
    let sent = traders.platform.send(ada.user, &new).await.unwrap();
    let shown = traders.world.offer(ada.user, &sent.id).await.unwrap();
    let ids = |assets: &[Asset]| assets.iter().map(|asset| asset.asset_id.clone()).collect::<Vec<_>>();
    assert_eq!((ids(&shown.give), ids(&shown.receive)), (new.give, new.receive));
    assert_eq!((shown.partner, shown.status), (bob.user, OfferStatus::NeedsConfirmation));
}

#[tokio::test]
async fn an_acceptance_that_gives_items_waits_for_its_confirmation_and_one_that_gives_none_names_its_trade() {
    let traders = Traders::who_give().await;
    let (ada, bob) = (traders.ada(), traders.bob());
    let gift = traders.offered(bob, ada).await.id;
    let Acceptance::Begun { trade_id } = traders.platform.accept(ada.user, &gift).await.unwrap() else {
        panic!("a gift needs no confirmation")
    };
    assert_eq!(traders.world.offer(ada.user, &gift).await.unwrap().trade_id, Some(trade_id));
    let asking = NewOffer { to: ada.clone(), give: Vec::new(), receive: vec![traders.item_of(ada)], message: None };
    let asked = traders.platform.send(bob.user, &asking).await.unwrap().id;
    assert_eq!(traders.platform.accept(ada.user, &asked).await, Ok(Acceptance::NeedsConfirmation));
}

#[tokio::test]
async fn a_write_says_who_calls_and_its_query_names_no_secret() {
    let traders = Traders::who_give().await;
    for deed in all_deeds(&traders).await {
        traders.make(&deed).await.unwrap();
    }
    let routes = Write::ALL.map(Write::route);
    let ledger = traders.scene.facades.fakes.ledger();
    let written: Vec<_> = ledger.iter().filter(|entry| routes.contains(&entry.route.as_str())).collect();
    assert!(written.len() >= routes.len(), "{written:?}");
    for entry in written {
        assert!(entry.user_agent.starts_with("tradepost/"), "{}", entry.user_agent);
        let names: Vec<&str> = entry.query.split('&').filter_map(|pair| Some(pair.split_once('=')?.0)).collect();
        if entry.route == ANSWER {
            assert_eq!(names, ["p", "a", "k", "t", "m", "tag", "op", "cid", "ck"]);
            assert!(entry.query.contains("&k=redacted&") && entry.query.ends_with("&ck=redacted"), "{}", entry.query);
        } else if entry.route == Write::Renew.route() {
            assert_eq!(names, ["access_token", "generate_new_token"]);
        } else {
            assert_eq!(entry.query, "", "{}", entry.route);
        }
    }
}

#[tokio::test]
async fn two_answers_in_one_second_name_two_times() {
    let traders = Traders::who_give().await;
    let answers = [traders.deed(Write::Allow).await, traders.deed(Write::Deny).await];
    for deed in &answers {
        assert_eq!(traders.make(deed).await, Ok(()), "{deed:?}");
    }
    let ledger = traders.scene.facades.fakes.ledger();
    let times = ledger.iter().filter(|entry| entry.route == ANSWER);
    let mut times: Vec<&str> = times.filter_map(|entry| entry.query.split('&').nth(3)).collect();
    times.dedup();
    assert_eq!(times.len(), 2, "{times:?}");
}

#[tokio::test]
async fn only_confirmations_of_offers_are_allowed_and_every_kind_is_denied() {
    let traders = Traders::who_give().await;
    let user = traders.ada().user;
    traders.scene.inject(Fault::StrangeConfirmation { number: CHANGES_THE_ACCOUNT });
    let listed = async || {
        let all = traders.platform.confirmations(user).await.unwrap();
        all.into_iter().find(|confirmation| confirmation.kind == CHANGES_THE_ACCOUNT)
    };
    let strange = listed().await.unwrap();
    let refused = traders.platform.answer(user, &strange, ConfirmationAnswer::Allow).await;
    assert!(reason(&refused).starts_with("only confirmations of trade offers are allowed here"), "{refused:?}");
    assert_eq!(traders.scene.facades.calls(ANSWER), 0, "no answer was sent");
    assert_eq!(traders.platform.answer(user, &strange, ConfirmationAnswer::Deny).await, Ok(()));
    assert_eq!(listed().await, None);
}

#[tokio::test]
async fn no_answer_is_sent_without_a_key() {
    let traders = Traders::who_give().await;
    let deed = traders.deed(Write::Allow).await;
    traders.vault.forget_identity_secret(traders.ada().user);
    let refused = traders.make(&deed).await;
    assert!(reason(&refused).starts_with("no answer of the account is on record"), "{refused:?}");
    assert_eq!(traders.scene.facades.calls(ANSWER), 0);
}

#[tokio::test]
async fn a_confirmation_is_answered_only_as_the_list_shows_it() {
    let traders = Traders::who_give().await;
    let (user, listed) = (traders.ada().user, traders.confirmation().await);
    let other = Confirmation { id: ExternalId::from(7), ..listed.clone() };
    let answered = traders.platform.answer(user, &other, ConfirmationAnswer::Allow).await;
    assert_eq!(answered, Err(ExternalError::Rejected(PlatformRefusal::NotFound)), "the list leaves it out");
    let mut wrong = listed.clone();
    wrong.handle.0.push('1');
    let answered = traders.platform.answer(user, &wrong, ConfirmationAnswer::Allow).await;
    assert!(matches!(answered, Err(ExternalError::Unknown(_))), "it is listed: {answered:?}");
    assert_eq!(traders.platform.answer(user, &listed, ConfirmationAnswer::Allow).await, Ok(()));
}

#[tokio::test]
async fn every_write_ends_with_the_session_of_the_account() {
    let traders = Traders::who_give().await;
    let deeds = all_deeds(&traders).await;
    traders.scene.pass(time::Duration::hours(24));
    for deed in &deeds {
        let lost = traders.make(deed).await;
        assert!(matches!(lost, Err(ExternalError::AuthLost { .. })), "{deed:?}: {lost:?}");
    }
    traders.sign_in().await;
    for deed in &deeds {
        assert!(!traders.is_done(deed).await, "{deed:?}");
    }
}
