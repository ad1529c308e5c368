//! What people ask of friends, what the engine does for them, and what the platform shows.

use std::num::NonZeroU64;

use time::Duration;
use tradepost_domain::id::AccountId;
use tradepost_domain::trading::friend::{
    ActionState, Friend, FriendAction, FriendFailure, FriendRelation, SendResult, ShownFriend,
};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_domain::transition::Subject;
use tradepost_operations::trading::{
    AcceptFriend, AccountTokens, AddFriend, BeginFriendAction, BlockFriend, CountFriends, FriendReadings, GetFriend,
    GetFriends, ListFriends, OpenFriendActions, RecordFriendAnswer, RecordFriendList, RefreshFriends, RemoveAccount,
    RemoveFriend, UnblockFriend,
};
use tradepost_operations::{Caller, Code, Versioned};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::game_platform::sessions::TokenVault as _;
use tradepost_ports::game_platform::social::SocialChange;
use tradepost_ports::store::Records as _;
use tradepost_testkit::samples::text;

use super::{Staff, refusal};

fn user(number: u64) -> PlatformUserId {
    PlatformUserId::new(NonZeroU64::new(number).unwrap())
}

fn shown(number: u64, relation: FriendRelation) -> ShownFriend {
    ShownFriend { user: user(number), relation, name: None, friend_since: None }
}

impl Staff {
    fn adding(&self, account_id: AccountId, platform_user_id: &str) -> AddFriend {
        let (workspace_id, platform_user_id) = (self.world.workspace_id, platform_user_id.to_owned());
        AddFriend { workspace_id, account_id, platform_user_id, note: String::new() }
    }

    /// Records what the platform shows now.
    async fn shows_friends(&self, account_id: AccountId, shown: &[ShownFriend]) {
        let (workspace_id, began_at) = (self.world.workspace_id, self.world.clock.now());
        let list = RecordFriendList { workspace_id, account_id, shown: shown.to_vec(), began_at };
        self.world.operations.record_friend_list(&Caller::system(), &list).await.unwrap();
    }

    async fn friends_of(&self, account_id: AccountId) -> Vec<Versioned<Friend>> {
        let workspace_id = self.world.workspace_id;
        let (limit, cursor, account_id) = (0, String::new(), Some(account_id));
        let list = ListFriends { workspace_id, limit, cursor, account_id, relation: None };
        let friend_ids = self.world.operations.list_friends(&self.keeper, list).await.unwrap().entries;
        if friend_ids.is_empty() {
            return Vec::new();
        }
        let get = GetFriends { workspace_id, friend_ids };
        self.world.operations.get_friends(&self.keeper, get).await.unwrap().found
    }

    async fn friend(&self, friend: &Friend) -> Versioned<Friend> {
        let get = GetFriend { workspace_id: self.world.workspace_id, friend_id: friend.id };
        self.world.operations.get_friend(&self.keeper, get).await.unwrap()
    }

    async fn begin_action(&self, friend: &Versioned<Friend>) -> Option<Versioned<Friend>> {
        let (workspace_id, friend_id) = (self.world.workspace_id, friend.value.id);
        let begin = BeginFriendAction { workspace_id, friend_id, expected_version: friend.version };
        self.world.operations.begin_friend_action(&Caller::system(), begin).await.unwrap()
    }

    async fn answer_action(&self, friend: &Friend, result: SendResult) -> Friend {
        let answer = RecordFriendAnswer { workspace_id: self.world.workspace_id, friend_id: friend.id, result };
        self.world.operations.record_friend_answer(&Caller::system(), answer).await.unwrap().value
    }

    async fn steps_of(&self, friend: &Friend) -> Vec<(&'static str, &'static str)> {
        let (scope, subject) = (self.scope(), Subject::Friend(friend.id));
        let steps = self.world.store.transitions().list_of(scope, subject, 50).await.unwrap();
        steps.into_iter().map(|step| (step.trigger, step.to)).collect()
    }
}

fn state(friend: &Friend) -> Option<(FriendAction, ActionState)> {
    friend.request.map(|request| (request.action, request.state))
}

#[tokio::test]
async fn adding_is_recorded_for_the_engine_and_asking_again_changes_nothing() {
    let staff = Staff::open().await;
    let (on, account) = (&staff.world.operations, staff.register(1).await);
    let command = AddFriend { note: "met at a trade".to_owned(), ..staff.adding(account.id, "77") };
    let added = on.add_friend(&staff.keeper, command.clone()).await.unwrap().value;
    assert_eq!(
        (added.relation, state(&added)),
        (FriendRelation::None, Some((FriendAction::Add, ActionState::Requested)))
    );
    let again = on.add_friend(&staff.keeper, command).await.unwrap().value;
    assert_eq!((again.id, state(&again)), (added.id, state(&added)));
    assert_eq!(staff.steps_of(&added).await, [("requested", "NONE")]);
    let open = OpenFriendActions { workspace_id: staff.world.workspace_id, most: 9 };
    assert_eq!(on.open_friend_actions(&Caller::system(), open).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_bad_number_that_of_the_account_itself_and_a_long_note_are_rejected() {
    let staff = Staff::open().await;
    let (on, account) = (&staff.world.operations, staff.register(1).await);
    let invalid = (Code::InvalidArgument, "INVALID_FIELD");
    for number in ["", "0", "007", "-1", "x", &account.platform_user_id.to_string()] {
        assert_eq!(refusal(on.add_friend(&staff.keeper, staff.adding(account.id, number))).await, invalid, "{number}");
    }
    let noted = AddFriend { note: "x".repeat(513), ..staff.adding(account.id, "77") };
    assert_eq!(refusal(on.add_friend(&staff.keeper, noted)).await, invalid);
}

#[tokio::test]
async fn only_what_the_relation_allows_can_be_asked_for() {
    let staff = Staff::open().await;
    let (on, account, workspace_id) = (&staff.world.operations, staff.register(1).await, staff.world.workspace_id);
    staff.shows_friends(account.id, &[shown(77, FriendRelation::Friend)]).await;
    let friend_id = staff.friends_of(account.id).await[0].value.id;
    let (illegal, expected_version) = ((Code::FailedPrecondition, "ILLEGAL_STEP"), None);
    assert_eq!(refusal(on.add_friend(&staff.keeper, staff.adding(account.id, "77"))).await, illegal);
    let accept = AcceptFriend { workspace_id, friend_id, expected_version };
    assert_eq!(refusal(on.accept_friend(&staff.keeper, accept)).await, illegal);
    let unblock = UnblockFriend { workspace_id, friend_id, expected_version };
    assert_eq!(refusal(on.unblock_friend(&staff.keeper, unblock)).await, illegal);
    let remove = RemoveFriend { workspace_id, friend_id, expected_version };
    let removed = on.remove_friend(&staff.keeper, remove).await.unwrap().value;
    assert_eq!(state(&removed), Some((FriendAction::Remove, ActionState::Requested)));
    let block = BlockFriend { workspace_id, friend_id, expected_version };
    let blocked = on.block_friend(&staff.keeper, block).await.unwrap().value;
    assert_eq!(state(&blocked), Some((FriendAction::Block, ActionState::Requested)), "what waits is replaced");
}

#[tokio::test]
async fn another_version_than_the_expected_one_and_one_below_1_are_rejected() {
    let staff = Staff::open().await;
    let (on, account, workspace_id) = (&staff.world.operations, staff.register(1).await, staff.world.workspace_id);
    staff.shows_friends(account.id, &[shown(77, FriendRelation::TheyAsked)]).await;
    let friend_id = staff.friends_of(account.id).await[0].value.id;
    for (version, expected) in
        [(0, (Code::InvalidArgument, "INVALID_FIELD")), (2, (Code::FailedPrecondition, "VERSION_MISMATCH"))]
    {
        let accept = AcceptFriend { workspace_id, friend_id, expected_version: Some(version) };
        assert_eq!(refusal(on.accept_friend(&staff.keeper, accept)).await, expected);
    }
    let accept = AcceptFriend { workspace_id, friend_id, expected_version: Some(1) };
    assert_eq!(on.accept_friend(&staff.keeper, accept).await.unwrap().version, 2);
}

#[tokio::test]
async fn nothing_is_asked_for_a_removed_account() {
    let staff = Staff::open().await;
    let (on, account, workspace_id) = (&staff.world.operations, staff.register(1).await, staff.world.workspace_id);
    staff.shows_friends(account.id, &[shown(77, FriendRelation::TheyAsked)]).await;
    let friend_id = staff.friends_of(account.id).await[0].value.id;
    let (account_id, expected_version) = (account.id, None);
    on.remove_account(&Caller::system(), RemoveAccount { workspace_id, account_id, expected_version }).await.unwrap();
    let removed = (Code::FailedPrecondition, "ACCOUNT_REMOVED");
    assert_eq!(refusal(on.add_friend(&staff.keeper, staff.adding(account.id, "78"))).await, removed);
    let accept = AcceptFriend { workspace_id, friend_id, expected_version };
    assert_eq!(refusal(on.accept_friend(&staff.keeper, accept)).await, removed);
    let refresh = RefreshFriends { workspace_id, account_id };
    assert_eq!(refusal(on.refresh_friends(&staff.keeper, refresh)).await, removed);
}

#[tokio::test]
async fn an_action_is_recorded_before_it_is_sent_and_begun_once() {
    let staff = Staff::open().await;
    let (on, account) = (&staff.world.operations, staff.register(1).await);
    let added = on.add_friend(&staff.keeper, staff.adding(account.id, "77")).await.unwrap();
    let begun = staff.begin_action(&added).await.unwrap();
    assert_eq!(state(&begun.value), Some((FriendAction::Add, ActionState::Uncertain)));
    assert!(staff.begin_action(&begun).await.is_none());
    let in_flight = (Code::FailedPrecondition, "FRIEND_ACTION_IN_FLIGHT");
    assert_eq!(refusal(on.add_friend(&staff.keeper, staff.adding(account.id, "77"))).await, in_flight);
    let done = staff.answer_action(&added.value, SendResult::Done).await;
    assert_eq!((done.relation, state(&done)), (FriendRelation::WeAsked, Some((FriendAction::Add, ActionState::Done))));
    let expected = [("requested", "NONE"), ("sent", "NONE"), ("done", "WE_ASKED")];
    assert_eq!(staff.steps_of(&added.value).await, expected);
}

#[tokio::test]
async fn a_driver_makes_an_action_that_is_on_record_as_begun_and_no_other() {
    let staff = Staff::open().await;
    let (on, account) = (&staff.world.operations, staff.register(1).await);
    let vault = AccountTokens::new(on.clone(), staff.world.workspace_id, text("steam"));
    let may = async |of, other, action| {
        vault.may_change(of, &SocialChange::Friend { user: user(other), action }).await.unwrap()
    };
    let own = account.platform_user_id;
    let added = on.add_friend(&staff.keeper, staff.adding(account.id, "77")).await.unwrap();
    assert!(!may(own, 77, FriendAction::Add).await, "the engine has not begun");
    staff.begin_action(&added).await.unwrap();
    assert!(may(own, 77, FriendAction::Add).await);
    assert!(!may(own, 77, FriendAction::Block).await, "it was not asked for");
    assert!(!may(own, 78, FriendAction::Add).await, "another account was asked for");
    assert!(!may(user(99), 77, FriendAction::Add).await, "the platform of the vault has no such account");
    staff.answer_action(&added.value, SendResult::Done).await;
    assert!(!may(own, 77, FriendAction::Add).await, "it is done");
}

#[tokio::test]
async fn a_rejected_action_fails_with_its_reason() {
    let staff = Staff::open().await;
    let account = staff.register(1).await;
    let added = staff.world.operations.add_friend(&staff.keeper, staff.adding(account.id, "77")).await.unwrap();
    staff.begin_action(&added).await.unwrap();
    let failed = staff.answer_action(&added.value, SendResult::Rejected(FriendFailure::ListFull)).await;
    assert_eq!(failed.request.and_then(|request| request.failure), Some(FriendFailure::ListFull));
    assert_eq!(staff.answer_action(&added.value, SendResult::Done).await, failed, "a late answer changes nothing");
}

#[tokio::test]
async fn what_the_platform_shows_wins_and_who_it_does_not_show_is_not_related() {
    let staff = Staff::open().await;
    let account = staff.register(1).await;
    staff.shows_friends(account.id, &[shown(77, FriendRelation::Friend), shown(78, FriendRelation::TheyAsked)]).await;
    staff.world.clock.advance(Duration::minutes(1));
    staff.shows_friends(account.id, &[shown(78, FriendRelation::Friend)]).await;
    let relations: Vec<_> =
        staff.friends_of(account.id).await.iter().map(|friend| (friend.value.user, friend.value.relation)).collect();
    assert_eq!(relations, [(user(78), FriendRelation::Friend), (user(77), FriendRelation::None)]);
    let before = staff.friends_of(account.id).await;
    staff.shows_friends(account.id, &[shown(78, FriendRelation::Friend)]).await;
    assert_eq!(staff.friends_of(account.id).await, before, "nothing new changes no record");
    assert_eq!(staff.steps_of(&before[1].value).await, [("shown", "FRIEND"), ("shown", "NONE")]);
}

#[tokio::test]
async fn a_long_list_is_recorded_whole() {
    let staff = Staff::open().await;
    let account = staff.register(1).await;
    let all: Vec<ShownFriend> = (1..=250).map(|number| shown(number, FriendRelation::Friend)).collect();
    staff.shows_friends(account.id, &all).await;
    let count = CountFriends { workspace_id: staff.world.workspace_id };
    let counts = staff.world.operations.count_friends(&staff.keeper, count).await.unwrap();
    let counted: Vec<_> =
        counts.iter().filter(|count| count.count > 0).map(|count| (count.status, count.count)).collect();
    assert_eq!((counts.len(), counted), (6, vec![(FriendRelation::Friend, 250)]));
}

#[tokio::test]
async fn a_lost_answer_is_settled_by_the_next_list_and_repeated_only_after_it() {
    let staff = Staff::open().await;
    let account = staff.register(1).await;
    let added = staff.world.operations.add_friend(&staff.keeper, staff.adding(account.id, "77")).await.unwrap();
    staff.begin_action(&added).await.unwrap();
    staff.world.clock.advance(Duration::seconds(61));
    staff.shows_friends(account.id, &[]).await;
    let again = staff.friend(&added.value).await;
    assert_eq!(state(&again.value), Some((FriendAction::Add, ActionState::Requested)));
    staff.begin_action(&again).await.unwrap();
    staff.shows_friends(account.id, &[shown(77, FriendRelation::WeAsked)]).await;
    let found = staff.friend(&added.value).await.value;
    assert_eq!(
        (found.relation, state(&found)),
        (FriendRelation::WeAsked, Some((FriendAction::Add, ActionState::Done)))
    );
}

#[tokio::test]
async fn a_new_look_is_asked_for_and_answered_by_a_later_reading() {
    let staff = Staff::open().await;
    let (on, account, workspace_id) = (&staff.world.operations, staff.register(1).await, staff.world.workspace_id);
    staff.shows_friends(account.id, &[]).await;
    staff.world.clock.advance(Duration::minutes(1));
    let refresh = RefreshFriends { workspace_id, account_id: account.id };
    let asked = on.refresh_friends(&staff.keeper, refresh).await.unwrap();
    assert!(asked.is_due(staff.world.clock.now()) && asked.read_at < asked.requested_at);
    staff.world.clock.advance(Duration::seconds(2));
    staff.shows_friends(account.id, &[]).await;
    let readings = on.friend_readings(&Caller::system(), FriendReadings { workspace_id }).await.unwrap();
    assert_eq!((readings.len(), readings[0].is_due(staff.world.clock.now())), (1, false));
}
