//! The contracts of signing in, of a game platform, and of friends and chats, over the facades.
//!
//! All promises of signing in hold over Steam's wire. Of those of a game platform, three are left out: the driver returns all offers on one
//! page, so that none is on a second one, and it counts the items of an account once in half an hour. The tests of reads take their place. Of
//! those of friends and chats, two are left out: Steam does not show since when accounts are friends, and the driver reads in the list that an
//! account is not a friend, whether it exists or not.

use std::sync::Arc;

use async_trait::async_trait;
use secrecy::SecretString;
use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, Side};
use tradepost_adapters_steam::SteamPlatform;
use tradepost_domain::asset::AssetId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::account_session::Guard;
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost_ports::game_platform::GamePlatform;
use tradepost_ports::game_platform::sessions::{PlatformSessions, SignInAs};
use tradepost_ports::game_platform::social::Social;
use tradepost_testkit::external::FaultInjection;
use tradepost_testkit::external::game_platform::PlatformFixture;
use tradepost_testkit::external::sessions::SessionsFixture;
use tradepost_testkit::external::social::SocialFixture;

use crate::scene::Scene;
use crate::social::{Chatters, NO_ONE};
use crate::traders::Traders;
use crate::vault::OneToken;

/// The time until a mobile confirmation appears.
const CONFIRMATION: Duration = Duration::seconds(5);

#[async_trait]
impl FaultInjection for Scene {
    async fn lose_next_answer(&self) {
        self.lose_next_renewal().await;
    }

    async fn limit_rate(&self) {
        self.inject(Fault::RateLimitStorm { side: Side::Platform, seconds: 60 });
    }

    async fn lose_session(&self) {
        self.inject(Fault::SessionLost { side: Side::Platform, seconds: 60 });
    }
}

#[async_trait]
impl SessionsFixture for Scene {
    fn sessions(&self) -> &dyn PlatformSessions {
        &self.sessions
    }

    fn account(&self, asked: Option<Guard>) -> (PlatformUserId, SignInAs) {
        let account = self.asked(asked);
        (account.address.user, account.who())
    }

    async fn code(&self, guard: Guard) -> SecretString {
        Scene::code(self, guard)
    }

    async fn decide(&self, approve: bool) {
        let user = self.asked(Some(Guard::DeviceApproval)).address.user;
        assert!(self.facades.world(|world| world.approve_sign_in(user, approve)));
    }

    async fn answers(&self, user: PlatformUserId, access: &SecretString) -> bool {
        let platform = SteamPlatform::new(self.services.clone(), Arc::new(OneToken(access.clone())));
        platform.account(user).await.is_ok()
    }

    async fn now(&self) -> Timestamp {
        self.facades.fakes.now()
    }

    async fn pass(&self, by: Duration) {
        Scene::pass(self, by);
    }

    async fn lose_next_renewal(&self) {
        self.inject(Fault::TimeoutAfterCommit { call: Call::Renew });
    }

    async fn lose_next_tokens(&self) {
        self.inject(Fault::TimeoutAfterCommit { call: Call::Poll });
    }
}

tradepost_testkit::sessions_contract!(Scene::new().await);

#[async_trait]
impl FaultInjection for Traders {
    async fn lose_next_answer(&self) {
        for call in [Call::Accept, Call::RenewToken] {
            self.scene.inject(Fault::TimeoutAfterCommit { call });
        }
    }

    async fn limit_rate(&self) {
        self.scene.limit_rate().await;
    }

    async fn lose_session(&self) {
        self.scene.lose_session().await;
    }
}

#[async_trait]
impl PlatformFixture for Traders {
    fn platform(&self) -> &dyn GamePlatform {
        &self.platform
    }

    fn accounts(&self) -> [TradeAddress; 2] {
        [self.ada().clone(), self.bob().clone()]
    }

    async fn item_of(&self, account: PlatformUserId) -> AssetId {
        self.scene.facades.world(|world| world.give_item(account)).unwrap()
    }

    async fn catch_up(&self) {
        self.scene.pass(CONFIRMATION);
    }
}

tradepost_testkit::external_promises! { Traders::who_give().await; game_platform:
    an_item_is_in_the_ordinary_context_of_its_owner,
    an_offer_that_gives_items_waits_for_its_confirmation,
    an_offer_that_only_asks_is_out_at_once,
    a_denied_confirmation_ends_the_offer,
    a_confirmation_is_answered_once,
    both_sides_see_an_offer_from_their_own,
    an_accepted_offer_moves_the_items_under_new_ids,
    a_trade_maps_old_ids_to_new_ones_for_both_sides,
    what_was_received_is_protected_and_cannot_be_sent_on,
    an_offer_is_accepted_once,
    accepting_what_asks_for_ours_waits_for_a_confirmation,
    a_declined_offer_cannot_be_accepted,
    a_cancelled_offer_cannot_be_accepted,
    only_the_recipient_accepts_and_only_the_sender_cancels,
    an_offer_whose_item_was_traded_cannot_be_accepted,
    nobody_gives_what_he_does_not_have,
    nobody_gives_an_item_twice,
    an_offer_of_nothing_is_refused,
    a_wrong_token_reaches_nobody,
    a_trade_that_would_not_be_held_has_no_hold,
    a_wrong_token_shows_no_hold,
    the_token_of_an_account_is_the_one_of_its_trade_url,
    a_renewed_trade_url_replaces_the_earlier_one,
    a_renewal_whose_answer_was_lost_is_shown_by_the_token,
    what_is_unknown_is_not_found,
    offers_and_trades_that_did_not_change_since_are_left_out,
    a_cursor_that_was_never_given_is_refused,
    an_offer_shows_what_a_lost_answer_accepted,
    a_call_too_many_does_nothing_and_says_when_to_come_back,
    a_lost_session_is_reported;
}

#[async_trait]
impl FaultInjection for Chatters {
    async fn lose_next_answer(&self) {
        self.lose_next_friend_answer().await;
    }

    async fn limit_rate(&self) {
        self.traders.scene.limit_rate().await;
    }

    async fn lose_session(&self) {
        self.traders.scene.lose_session().await;
    }
}

#[async_trait]
impl SocialFixture for Chatters {
    fn social(&self) -> &dyn Social {
        &self.steam
    }

    fn pair(&self) -> [PlatformUserId; 2] {
        [self.user(), self.partner]
    }

    fn unknown_user(&self) -> PlatformUserId {
        NO_ONE
    }

    async fn wait(&self) {
        self.traders.scene.pass(Duration::seconds(5));
    }

    async fn lose_next_friend_answer(&self) {
        self.traders.scene.inject(Fault::TimeoutAfterCommit { call: Call::Befriend });
    }

    async fn lose_next_message_answer(&self) {
        self.traders.scene.inject(Fault::TimeoutAfterCommit { call: Call::Say });
    }
}

tradepost_testkit::external_promises! { Chatters::alone().await; social:
    a_request_that_is_accepted_makes_friends,
    adding_who_asks_is_accepting,
    nothing_is_accepted_that_was_not_asked,
    removing_ends_a_friendship_and_a_request_on_both_sides,
    who_is_blocked_cannot_ask_until_unblocked,
    the_list_shows_what_a_lost_answer_did,
    a_message_is_at_its_place_for_both_sides,
    a_text_is_shown_as_it_was_sent,
    only_friends_receive_messages,
    every_message_is_on_exactly_one_of_several_pages,
    a_conversation_shows_what_is_unread_until_it_is_read,
    the_conversation_shows_what_a_lost_answer_sent,
    a_call_too_many_does_nothing_and_says_when_to_come_back,
    a_lost_session_is_reported;
}
