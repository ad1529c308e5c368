//! How often the driver calls: calls of one budget are a gap apart, and a call whose turn comes later is not sent without patience.

use std::time::Duration;

use tradepost_adapters_outside::ServiceLimits;
use tradepost_adapters_steam::{Limits, SteamSessions, SteamSocial};
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::sessions::PlatformSessions as _;
use tradepost_ports::game_platform::{ConfirmationAnswer, GamePlatform as _};

use crate::calls::{Read, SessionCall, whole};
use crate::deeds::Write;
use crate::facades::{unpaced, wait, without_patience};
use crate::social::{Chatters, SocialRead};
use crate::social_deeds::SocialWrite;
use crate::traders::Traders;

type Outcome<T, R> = Result<T, ExternalError<R>>;

/// The time that one of two calls has to wait which were made at once. It was not sent.
fn wait_of_one<T, R>(both: &(Outcome<T, R>, Outcome<T, R>)) -> Duration {
    match both {
        (Ok(_), Err(ExternalError::RateLimited { retry_after, effect: Effect::Nothing }))
        | (Err(ExternalError::RateLimited { retry_after, effect: Effect::Nothing }), Ok(_)) => *retry_after,
        (Ok(_) | Err(_), Ok(_) | Err(_)) => panic!("one of two calls is made"),
    }
}

/// Checks the time that one of two calls has to wait against the gap of their budget.
fn assert_is_gap(wait: Duration, limits: ServiceLimits) {
    let gap = limits.budget.gap;
    assert!(wait <= gap && wait > gap / 2, "{wait:?} of {gap:?}");
}

#[tokio::test]
async fn two_reads_are_300_ms_apart_whatever_they_read() {
    let traders = Traders::new().await;
    let (limits, user) = (Limits::default().reads, traders.ada().user);
    assert_eq!(limits.budget.gap, Duration::from_millis(300));
    let platform = traders.platform_by(&traders.scene.facades.services(&without_patience()));
    assert_is_gap(wait_of_one(&tokio::join!(platform.server_time(), platform.server_time())), limits);
    assert_eq!(traders.scene.facades.calls(Read::Time.route()), 1);
    wait(limits.budget.gap).await;
    let of_two_routes = tokio::join!(platform.trade_token(user), platform.server_time());
    assert!(of_two_routes.0.is_ok() != of_two_routes.1.is_ok(), "{of_two_routes:?}");
    wait(limits.budget.gap).await;
    assert!(platform.server_time().await.is_ok());
}

#[tokio::test]
async fn pages_of_inventories_are_a_gap_apart_and_keep_no_other_read_waiting() {
    let traders = Traders::new().await;
    let (limits, user) = (Limits::default().inventories, traders.ada().user);
    let platform = traders.platform_by(&traders.scene.facades.services(&without_patience()));
    let inventory = || platform.inventory(user, AppId::CS2, ContextId::ORDINARY);
    assert_is_gap(wait_of_one(&tokio::join!(inventory(), inventory())), limits);
    assert_eq!(traders.scene.facades.calls(Read::Inventory.route()), 1);
    assert!(platform.server_time().await.is_ok());
    wait(limits.budget.gap).await;
    assert!(inventory().await.is_ok());
}

#[tokio::test]
async fn community_pages_are_a_gap_apart_over_all_accounts() {
    let traders = Traders::new().await;
    let community = ServiceLimits { patience: Duration::ZERO, ..Limits::default().community };
    let platform = traders.platform_by(&traders.scene.facades.services(&Limits { community, ..unpaced() }));
    let [ada, bob] = [traders.ada().user, traders.bob().user];
    let (of_ada, of_bob) = tokio::join!(platform.account(ada), platform.account(bob));
    assert_is_gap(wait_of_one(&(whole(of_ada), whole(of_bob))), community);
    assert_eq!(traders.scene.facades.calls(Read::ApiKeyPage.route()), 1);
    wait(community.budget.gap).await;
    assert!(whole(platform.account(ada).await).is_ok() && whole(platform.account(bob).await).is_ok());
    assert_eq!(traders.scene.facades.calls(Read::ApiKeyPage.route()), 2);
}

#[tokio::test]
async fn calls_about_sessions_are_a_gap_apart_and_keep_no_read_waiting() {
    let traders = Traders::new().await;
    let limits = Limits::default().sign_in;
    let tokens = traders.scene.sign_in(&traders.scene.accounts[0]).await;
    let services = traders.scene.facades.services(&without_patience());
    let sessions = SteamSessions::new(services.clone());
    let renewals = tokio::join!(sessions.renew(&tokens, false), sessions.renew(&tokens, false));
    assert_is_gap(wait_of_one(&renewals), limits);
    assert_eq!(traders.scene.facades.calls(SessionCall::Renew.route()), 1);
    assert!(traders.platform_by(&services).server_time().await.is_ok());
    wait(limits.budget.gap).await;
    assert!(sessions.renew(&tokens, false).await.is_ok());
}

#[tokio::test]
async fn a_sign_in_whose_second_call_has_no_turn_is_not_begun() {
    let traders = Traders::new().await;
    let sessions = SteamSessions::new(traders.scene.facades.services(&without_patience()));
    let before = traders.scene.facades.calls(SessionCall::Begin.route());
    let begun = sessions.begin(&traders.scene.accounts[0].who()).await;
    let Err(ExternalError::RateLimited { retry_after, effect: Effect::Nothing }) = begun else { panic!("{begun:?}") };
    assert!(retry_after <= Limits::default().sign_in.budget.gap);
    assert_eq!(traders.scene.facades.calls(SessionCall::Begin.route()), before);
}

#[tokio::test]
async fn offers_are_a_gap_apart_over_all_accounts_and_keep_no_read_waiting() {
    let traders = Traders::who_give().await;
    let offers = ServiceLimits { patience: Duration::ZERO, ..Limits::default().offers };
    assert_eq!(offers.budget.gap, Duration::from_secs(3));
    let platform = traders.platform_by(&traders.scene.facades.services(&Limits { offers, ..unpaced() }));
    let of_ada = traders.offered(traders.bob(), traders.ada()).await.id;
    let of_bob = traders.offered(traders.ada(), traders.bob()).await.id;
    let [ada, bob] = [traders.ada().user, traders.bob().user];
    let both = tokio::join!(platform.decline(ada, &of_ada), platform.decline(bob, &of_bob));
    assert_is_gap(wait_of_one(&both), offers);
    assert_eq!(traders.scene.facades.calls(Write::Decline.route()), 1);
    assert!(platform.offer(ada, &of_ada).await.is_ok());
    wait(offers.budget.gap).await;
    assert!(platform.decline(ada, &of_ada).await.is_ok() || platform.decline(bob, &of_bob).await.is_ok());
}

#[tokio::test]
async fn answers_to_confirmations_are_a_gap_apart_over_all_accounts() {
    let traders = Traders::who_give().await;
    let answers = ServiceLimits { patience: Duration::ZERO, ..Limits::default().answers };
    assert_eq!(answers.budget.gap, Duration::from_secs(10));
    let platform = traders.platform_by(&traders.scene.facades.services(&Limits { answers, ..unpaced() }));
    let (one, other) = (traders.confirmation().await, traders.confirmation().await);
    let user = traders.ada().user;
    let answer = |confirmation| platform.answer(user, confirmation, ConfirmationAnswer::Allow);
    let both = tokio::join!(answer(&one), answer(&other));
    assert_is_gap(wait_of_one(&both), answers);
    assert_eq!(traders.scene.facades.calls(Write::Allow.route()), 1);
    wait(answers.budget.gap).await;
    let left = if both.0.is_ok() { &other } else { &one };
    assert!(answer(left).await.is_ok());
}

#[tokio::test]
async fn changes_of_friends_and_messages_have_gaps_of_their_own_and_keep_no_read_waiting() {
    let limits = Limits::default();
    for (write, of) in [(SocialWrite::Add, limits.friends), (SocialWrite::Say, limits.chats)] {
        let chatters = Chatters::new().await;
        let of = ServiceLimits { patience: Duration::ZERO, ..of };
        let paced = match write {
            SocialWrite::Say => Limits { chats: of, ..unpaced() },
            SocialWrite::Add
            | SocialWrite::Accept
            | SocialWrite::Decline
            | SocialWrite::Remove
            | SocialWrite::Block
            | SocialWrite::Unblock
            | SocialWrite::MarkRead => Limits { friends: of, ..unpaced() },
        };
        let steam = SteamSocial::new(chatters.facades().services(&paced), chatters.traders.vault.clone());
        let (one, other) = (chatters.social_deed(write), chatters.social_deed(write));
        let both = tokio::join!(chatters.change_by(&steam, &one), chatters.change_by(&steam, &other));
        assert_is_gap(wait_of_one(&both), of);
        assert_eq!(chatters.facades().calls(write.route()), 1, "{write:?}");
        assert!(chatters.read(SocialRead::Friends).await.is_ok());
        wait(of.budget.gap).await;
        let left = if both.0.is_ok() { &other } else { &one };
        assert_eq!(chatters.change_by(&steam, left).await, Ok(()), "{write:?}");
    }
}
