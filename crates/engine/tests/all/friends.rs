//! Friends: what people ask for is done once, a lost answer is settled by the list, and what the platform shows wins.

use std::sync::Arc;

use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, Settings, Side, Simulator};
use tradepost_domain::id::AccountId;
use tradepost_domain::trading::chat::MessageStatus;
use tradepost_domain::trading::friend::{ActionState, Friend, FriendFailure, FriendRelation};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_engine::Engine;
use tradepost_operations::Caller;
use tradepost_operations::trading::{
    AcceptFriend, AddFriend, BlockFriend, GetFriends, ListFriends, RefreshFriends, RemoveFriend, UnblockFriend,
};
use tradepost_ports::game_platform::social::Social as _;

use crate::desk::Desk;
use crate::flaky_social::FlakySocial;

/// The desk's account, which is on record, and an engine that has read its friends.
struct Circle {
    desk: Desk,
    account_id: AccountId,
    engine: Engine,
}

impl Circle {
    async fn new() -> Self {
        Self::of(Desk::slow(7).await).await
    }

    async fn of(mut desk: Desk) -> Self {
        desk.step = Duration::seconds(20);
        Self::with_step(desk).await
    }

    async fn with_step(desk: Desk) -> Self {
        let account_id = desk.on_record().await;
        let mut engine = desk.engine();
        engine.pass().await;
        Self { desk, account_id, engine }
    }

    fn simulator(&self) -> &Simulator {
        &self.desk.simulator
    }

    /// A stranger who asks for nothing.
    fn stranger(&self) -> PlatformUserId {
        let account = self.desk.account.user;
        self.simulator().world(|world| {
            let stranger = world.befriend(account);
            world.relate_to(stranger, account, FriendRelation::None);
            stranger
        })
    }

    /// What the platform has for the account.
    async fn shown(&self, user: PlatformUserId) -> FriendRelation {
        let friends = self.simulator().social().friends(self.desk.account.user).await.unwrap();
        friends.into_iter().find(|shown| shown.user == user).map_or(FriendRelation::None, |shown| shown.relation)
    }

    fn relate(&self, user: PlatformUserId, relation: FriendRelation) {
        let account = self.desk.account.user;
        self.simulator().world(|world| world.relate_to(user, account, relation));
    }

    async fn add(&self, user: PlatformUserId) -> Friend {
        let (workspace_id, platform_user_id) = (self.desk.workspace_id, user.to_string());
        let add = AddFriend { workspace_id, account_id: self.account_id, platform_user_id, note: String::new() };
        self.desk.operations.add_friend(&Caller::system(), add).await.unwrap().value
    }

    async fn refresh(&self) {
        let refresh = RefreshFriends { workspace_id: self.desk.workspace_id, account_id: self.account_id };
        self.desk.operations.refresh_friends(&Caller::system(), refresh).await.unwrap();
    }

    async fn friend(&self, user: PlatformUserId) -> Option<Friend> {
        let workspace_id = self.desk.workspace_id;
        let list = ListFriends { workspace_id, limit: 200, cursor: String::new(), account_id: None, relation: None };
        let friend_ids = self.desk.operations.list_friends(&Caller::system(), list).await.unwrap().entries;
        if friend_ids.is_empty() {
            return None;
        }
        let get = GetFriends { workspace_id, friend_ids };
        let found = self.desk.operations.get_friends(&Caller::system(), get).await.unwrap().found;
        found.into_iter().map(|found| found.value).find(|friend| friend.user == user)
    }

    async fn state(&self, user: PlatformUserId) -> (FriendRelation, Option<(ActionState, Option<FriendFailure>)>) {
        let friend = self.friend(user).await.unwrap();
        (friend.relation, friend.request.map(|request| (request.state, request.failure)))
    }

    async fn live(&mut self, by: Duration) {
        self.desk.live(&mut self.engine, by).await;
    }

    /// A pass some seconds later.
    async fn pass(&mut self) {
        self.simulator().advance(Duration::seconds(3));
        self.engine.pass().await;
    }

    /// Has the engine work with friends and chats that can do calls otherwise.
    fn with_flaky_social(&mut self) -> Arc<FlakySocial> {
        let social = FlakySocial::of(&self.desk);
        self.engine = social.engine(&self.desk);
        social
    }

    fn inject(&self, fault: Fault) {
        self.simulator().world(|world| world.inject(fault));
    }
}

const DONE: Option<(ActionState, Option<FriendFailure>)> = Some((ActionState::Done, None));

#[tokio::test]
async fn a_request_of_a_stranger_is_shown_and_accepted_for_a_person() {
    let mut circle = Circle::new().await;
    let account = circle.desk.account.user;
    let stranger = circle.simulator().world(|world| world.befriend(account));
    circle.live(Duration::minutes(16)).await;
    let friend = circle.friend(stranger).await.unwrap();
    assert_eq!((friend.relation, friend.request), (FriendRelation::TheyAsked, None), "nothing is accepted by itself");
    let accept = AcceptFriend { workspace_id: circle.desk.workspace_id, friend_id: friend.id, expected_version: None };
    circle.desk.operations.accept_friend(&Caller::system(), accept).await.unwrap();
    circle.live(Duration::minutes(1)).await;
    assert_eq!(circle.state(stranger).await, (FriendRelation::Friend, DONE));
    assert_eq!(circle.shown(stranger).await, FriendRelation::Friend);
}

#[tokio::test]
async fn what_a_person_asks_for_is_done_in_its_turn() {
    let mut circle = Circle::new().await;
    let stranger = circle.stranger();
    let friend_id = circle.add(stranger).await.id;
    circle.live(Duration::minutes(1)).await;
    assert_eq!(circle.state(stranger).await, (FriendRelation::WeAsked, DONE));
    let (workspace_id, expected_version) = (circle.desk.workspace_id, None);
    let (on, system) = (circle.desk.operations.clone(), Caller::system());
    on.block_friend(&system, BlockFriend { workspace_id, friend_id, expected_version }).await.unwrap();
    circle.live(Duration::minutes(1)).await;
    assert_eq!(
        (circle.shown(stranger).await, circle.state(stranger).await),
        (FriendRelation::Blocked, (FriendRelation::Blocked, DONE))
    );
    on.unblock_friend(&system, UnblockFriend { workspace_id, friend_id, expected_version }).await.unwrap();
    circle.live(Duration::minutes(1)).await;
    assert_eq!(circle.state(stranger).await, (FriendRelation::None, DONE));
    circle.relate(stranger, FriendRelation::Friend);
    circle.refresh().await;
    circle.live(Duration::minutes(1)).await;
    on.remove_friend(&system, RemoveFriend { workspace_id, friend_id, expected_version }).await.unwrap();
    circle.live(Duration::minutes(1)).await;
    assert_eq!(
        (circle.shown(stranger).await, circle.state(stranger).await),
        (FriendRelation::None, (FriendRelation::None, DONE))
    );
}

#[tokio::test]
async fn a_full_list_and_an_unknown_number_fail_with_their_reasons() {
    let settings = Settings { most_friends: 1, ..Settings::default() };
    let mut circle = Circle::of(Desk::slow_in(7, settings).await).await;
    let (first, second) = (circle.stranger(), circle.stranger());
    let unknown_user = PlatformUserId::new(std::num::NonZeroU64::MIN);
    circle.add(first).await;
    circle.live(Duration::minutes(1)).await;
    circle.add(second).await;
    circle.add(unknown_user).await;
    circle.live(Duration::minutes(1)).await;
    let failed = |failure| (FriendRelation::None, Some((ActionState::Failed, Some(failure))));
    assert_eq!(circle.state(second).await, failed(FriendFailure::ListFull));
    assert_eq!(circle.state(unknown_user).await, failed(FriendFailure::NotFound));
}

#[tokio::test]
async fn a_lost_answer_is_settled_by_the_list_and_nothing_is_sent_twice() {
    let mut circle = Circle::new().await;
    let stranger = circle.stranger();
    circle.inject(Fault::TimeoutAfterCommit { call: Call::Befriend });
    circle.add(stranger).await;
    circle.pass().await;
    assert_eq!(circle.state(stranger).await.1, Some((ActionState::Uncertain, None)));
    // A second call would be rejected, and recorded as failed.
    circle.live(Duration::minutes(3)).await;
    assert_eq!(circle.state(stranger).await.1, DONE);
    assert_ne!(circle.shown(stranger).await, FriendRelation::None);
}

#[tokio::test]
async fn a_call_that_was_lost_before_it_arrived_is_made_again_after_the_list_was_read() {
    let mut circle = Circle::new().await;
    let stranger = circle.stranger();
    circle.inject(Fault::TimeoutBeforeCommit { call: Call::Befriend });
    circle.add(stranger).await;
    circle.pass().await;
    assert_eq!(circle.shown(stranger).await, FriendRelation::None);
    circle.live(Duration::minutes(4)).await;
    assert_eq!(circle.state(stranger).await.1, DONE);
    assert_ne!(circle.shown(stranger).await, FriendRelation::None);
}

#[tokio::test]
async fn a_rate_limit_and_a_lost_session_delay_what_was_asked_for() {
    for fault in [
        Fault::RateLimitStorm { side: Side::Platform, seconds: 120 },
        Fault::SessionLost { side: Side::Platform, seconds: 120 },
    ] {
        let mut circle = Circle::new().await;
        let stranger = circle.stranger();
        circle.inject(fault.clone());
        circle.add(stranger).await;
        circle.pass().await;
        assert_eq!(circle.state(stranger).await.1, Some((ActionState::Requested, None)), "{fault:?}");
        circle.live(Duration::minutes(6)).await;
        assert_eq!(circle.state(stranger).await.1, DONE, "{fault:?}");
    }
}

#[tokio::test]
async fn a_limit_of_requests_for_friendship_keeps_no_reading_and_no_message_waiting() {
    let mut circle = Circle::new().await;
    let social = circle.with_flaky_social();
    social.mood().limits_adding = true;
    let (stranger, partner) = (circle.stranger(), circle.stranger());
    circle.relate(partner, FriendRelation::Friend);
    circle.desk.set_chat(circle.account_id, true).await;
    circle.add(stranger).await;
    circle.pass().await;
    let message = circle.desk.say(circle.account_id, partner, "hello").await;
    circle.pass().await;
    assert_eq!(circle.desk.message(message).await, (MessageStatus::Sent, None), "a message does not wait for it");
    circle.live(Duration::minutes(5)).await;
    assert_eq!(social.mood().adds, 1, "it is limited for longer");
    assert_eq!(circle.state(stranger).await.1, Some((ActionState::Requested, None)), "the list shows no effect");
}

#[tokio::test]
async fn a_request_that_had_its_effect_is_done_though_a_list_that_lags_has_it_sent_again() {
    let mut circle = Circle::new().await;
    let (social, stranger) = (circle.with_flaky_social(), circle.stranger());
    social.mood().empty_lists = 1;
    circle.inject(Fault::TimeoutAfterCommit { call: Call::Befriend });
    circle.add(stranger).await;
    circle.live(Duration::minutes(4)).await;
    assert_eq!(social.mood().adds, 2, "the list did not show the first one");
    assert_eq!(circle.state(stranger).await.1, DONE);
}

#[tokio::test]
async fn an_engine_that_is_replaced_after_a_lost_answer_finds_what_was_done() {
    for call in
        [Fault::TimeoutAfterCommit { call: Call::Befriend }, Fault::TimeoutBeforeCommit { call: Call::Befriend }]
    {
        let mut circle = Circle::new().await;
        let stranger = circle.stranger();
        circle.inject(call);
        circle.add(stranger).await;
        circle.pass().await;
        circle.engine = circle.desk.engine();
        circle.live(Duration::minutes(4)).await;
        assert_eq!(circle.state(stranger).await.1, DONE);
        assert_ne!(circle.shown(stranger).await, FriendRelation::None);
    }
}

#[tokio::test]
async fn a_partner_that_acts_first_settles_what_was_asked_for() {
    let mut circle = Circle::new().await;
    let stranger = circle.stranger();
    circle.inject(Fault::RateLimitStorm { side: Side::Platform, seconds: 60 });
    circle.add(stranger).await;
    circle.pass().await;
    circle.relate(stranger, FriendRelation::Friend);
    circle.refresh().await;
    circle.live(Duration::minutes(5)).await;
    assert_eq!(circle.state(stranger).await.0, FriendRelation::Friend);
    assert!(!circle.friend(stranger).await.unwrap().is_open());
}

#[tokio::test]
async fn a_node_without_the_lease_of_the_accounts_asks_for_nothing() {
    let circle = Circle::new().await;
    let mut other = circle.desk.engine_of("node-2");
    let stranger = circle.stranger();
    circle.add(stranger).await;
    other.pass().await;
    assert_eq!(circle.state(stranger).await.1, Some((ActionState::Requested, None)));
    assert_eq!(circle.shown(stranger).await, FriendRelation::None);
}

#[tokio::test]
async fn partners_of_trades_ask_for_friendship_in_the_same_way_for_a_seed() {
    let requests = async || {
        let mut circle = Circle::with_step(Desk::lively(3).await).await;
        circle.desk.buying(40).await;
        circle.live(Duration::hours(6)).await;
        circle.refresh().await;
        circle.live(Duration::minutes(1)).await;
        let list = ListFriends {
            workspace_id: circle.desk.workspace_id,
            limit: 200,
            cursor: String::new(),
            account_id: Some(circle.account_id),
            relation: Some(FriendRelation::TheyAsked),
        };
        circle.desk.operations.list_friends(&Caller::system(), list).await.unwrap().entries.len()
    };
    let (one, other) = (requests().await, requests().await);
    assert!(one > 0 && one == other, "{one} and {other}");
}
