//! Friends and chats: what the driver reads equals what the world itself answers, except for what Steam does not show.

use std::fmt::Debug;
use std::num::NonZeroU64;
use std::sync::Arc;

use serde_json::Value;
use time::Duration;
use tradepost_adapters_simulator::SimulatedSocial;
use tradepost_adapters_steam::SteamSocial;
use tradepost_domain::trading::chat::{ShownConversation, ShownMessage};
use tradepost_domain::trading::friend::{FriendRelation, ShownFriend};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_fakes::Fault;
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::social::{MessagePage, Social as _, SocialResult};

use crate::facades::Facades;
use crate::traders::Traders;
use crate::vault::WorldTokens;

/// The number of the account 0.
const INDIVIDUALS: u64 = 76_561_197_960_265_728;
/// An individual account that does not exist.
pub(crate) const NO_ONE: PlatformUserId = PlatformUserId::new(NonZeroU64::new(INDIVIDUALS + 4_000_000_000).unwrap());

/// A route of friends or chats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SocialRead {
    Friends,
    Conversations,
    Messages,
}

impl SocialRead {
    pub(crate) const ALL: [Self; 3] = [Self::Friends, Self::Conversations, Self::Messages];

    pub(crate) const fn route(self) -> &'static str {
        match self {
            Self::Friends => "GET /IFriendsListService/GetFriendsList/v1/",
            Self::Conversations => "GET /IFriendMessagesService/GetActiveMessageSessions/v1/",
            Self::Messages => "GET /IFriendMessagesService/GetRecentMessages/v1/",
        }
    }

    const fn parameters(self) -> &'static str {
        match self {
            Self::Friends => "access_token=redacted",
            Self::Conversations | Self::Messages => "access_token=redacted&input_protobuf_encoded=redacted",
        }
    }
}

/// Two accounts that are signed in, one of which has a friend who has written.
pub(crate) struct Chatters {
    pub(crate) traders: Traders,
    pub(crate) steam: SteamSocial,
    /// Friends and chats of the world, in process and without Steam's wire.
    pub(crate) world: SimulatedSocial,
    pub(crate) partner: PlatformUserId,
}

impl Chatters {
    pub(crate) async fn new() -> Self {
        let alone = Self::alone().await;
        alone.facades().world(|world| {
            world.relate_to(alone.partner, alone.user(), FriendRelation::Friend);
            world.write_to(alone.user(), alone.partner, "hi");
        });
        alone
    }

    /// The same before they are friends.
    pub(crate) async fn alone() -> Self {
        let traders = Traders::new().await;
        let steam = SteamSocial::new(traders.scene.services.clone(), traders.vault.clone());
        let tokens = Arc::new(WorldTokens(traders.vault.clone()));
        let world = traders.scene.facades.fakes.simulator().social().with_vault(tokens);
        let partner = traders.bob().user;
        Self { traders, steam, world, partner }
    }

    pub(crate) fn facades(&self) -> &Facades {
        &self.traders.scene.facades
    }

    pub(crate) fn user(&self) -> PlatformUserId {
        self.traders.ada().user
    }

    /// Reads a route, and returns the value as a text.
    pub(crate) async fn read(&self, read: SocialRead) -> SocialResult<String> {
        match read {
            SocialRead::Friends => shown(self.steam.friends(self.user()).await),
            SocialRead::Conversations => shown(self.steam.conversations(self.user()).await),
            SocialRead::Messages => shown(self.steam.messages(self.user(), self.partner, None).await),
        }
    }

    /// Lets a fault happen to the next call of a route, and reads it.
    pub(crate) async fn read_with(&self, read: SocialRead, fault: Fault) -> SocialResult<String> {
        self.facades().arm(read.route(), fault);
        self.read(read).await
    }

    /// Returns the account with which a sample shows messages.
    pub(crate) fn partner_in(&self, sample: &str) -> Option<PlatformUserId> {
        let sample: Value = serde_json::from_str(sample).unwrap();
        let authors = sample["messages"].as_array()?.iter().filter_map(|said| said["accountid"].as_u64());
        let mut users = authors.filter_map(|short| NonZeroU64::new(INDIVIDUALS + short)).map(PlatformUserId::new);
        users.find(|author| *author != self.user())
    }

    /// Reads all pages of the conversation of both accounts, and counts them.
    async fn all_messages(&self, user: PlatformUserId, partner: PlatformUserId) -> (Vec<ShownMessage>, usize) {
        let (mut all, mut before, mut pages) = (Vec::new(), None, 0);
        loop {
            let MessagePage { messages, more } = self.steam.messages(user, partner, before).await.unwrap();
            before = messages.last().map(|shown| shown.place);
            all.extend(messages);
            pages += 1;
            if !more {
                return (all, pages);
            }
        }
    }
}

fn shown<T: Debug>(read: SocialResult<T>) -> SocialResult<String> {
    read.map(|value| format!("{value:?}"))
}

/// Friends in one order, as Steam shows them: without names and times.
fn friends(shown: Vec<ShownFriend>) -> Vec<ShownFriend> {
    let mut friends: Vec<ShownFriend> =
        shown.into_iter().map(|friend| ShownFriend { name: None, friend_since: None, ..friend }).collect();
    friends.sort_by_key(|friend| friend.user);
    friends
}

fn conversations(mut shown: Vec<ShownConversation>) -> Vec<ShownConversation> {
    shown.sort_by_key(|conversation| conversation.partner);
    shown
}

#[tokio::test]
async fn friends_are_read_with_every_relation() {
    let chatters = Chatters::new().await;
    let user = chatters.user();
    chatters.facades().world(|world| {
        let [we_ask, blocked, ignored, ended, _] = [(); 5].map(|()| world.befriend(user));
        world.relate_to(we_ask, user, FriendRelation::TheyAsked);
        world.relate_to(user, blocked, FriendRelation::Blocked);
        world.relate_to(user, ignored, FriendRelation::Ignored);
        world.relate_to(ended, user, FriendRelation::None);
    });
    let expected = friends(chatters.world.friends(user).await.unwrap());
    for relation in [
        FriendRelation::TheyAsked,
        FriendRelation::WeAsked,
        FriendRelation::Friend,
        FriendRelation::Blocked,
        FriendRelation::Ignored,
    ] {
        assert!(expected.iter().any(|friend| friend.relation == relation), "{relation:?}");
    }
    assert_eq!(friends(chatters.steam.friends(user).await.unwrap()), expected);
}

#[tokio::test]
async fn conversations_are_read_with_what_is_unread_in_each() {
    let chatters = Chatters::new().await;
    let user = chatters.user();
    let stranger = chatters.facades().world(|world| {
        let stranger = world.befriend(user);
        world.relate_to(stranger, user, FriendRelation::Friend);
        world.write_to(user, stranger, "ok");
        stranger
    });
    let now = chatters.facades().fakes.now();
    chatters.world.mark_read(user, stranger, now).await.unwrap();
    let expected = conversations(chatters.world.conversations(user).await.unwrap());
    let mut unread: Vec<u32> = expected.iter().map(|conversation| conversation.unread).collect();
    unread.sort_unstable();
    assert_eq!(unread, [0, 1]);
    assert_eq!(conversations(chatters.steam.conversations(user).await.unwrap()), expected);
}

#[tokio::test]
async fn messages_of_both_sides_are_read_page_by_page_with_several_in_one_second() {
    const TEXTS: [&str; 4] =
        ["[b]great[/b] item", "AK-47 [0.07] for \\[b]?", "[url=https://example.com/x]look[/url]", "ok"];
    let chatters = Chatters::new().await;
    let (user, partner) = (chatters.user(), chatters.partner);
    for round in 0..3 {
        chatters.facades().world(|world| {
            for text in TEXTS {
                let [to, from] = if round == 1 { [partner, user] } else { [user, partner] };
                world.write_to(to, from, text);
            }
        });
        chatters.traders.scene.pass(Duration::SECOND);
    }
    for [reader, other] in [[user, partner], [partner, user]] {
        let expected = chatters.world.messages(reader, other, None).await.unwrap();
        let (messages, pages) = chatters.all_messages(reader, other).await;
        assert_eq!(messages, expected.messages);
        assert!(pages > 3 && messages.len() == 13, "{pages} pages of {} messages", messages.len());
        assert!(messages.iter().any(|said| said.is_from_us) && messages.iter().any(|said| !said.is_from_us));
    }
}

#[tokio::test]
async fn an_account_without_friends_has_empty_lists() {
    let chatters = Chatters::alone().await;
    let user = chatters.user();
    assert_eq!(chatters.steam.friends(user).await, Ok(Vec::new()));
    assert_eq!(chatters.steam.conversations(user).await, Ok(Vec::new()));
    let empty = MessagePage { messages: Vec::new(), more: false };
    assert_eq!(chatters.steam.messages(user, chatters.partner, None).await, Ok(empty));
}

#[tokio::test]
async fn every_read_says_who_calls_and_has_the_parameters_of_its_route() {
    let chatters = Chatters::new().await;
    for read in SocialRead::ALL {
        chatters.read(read).await.unwrap();
        let ledger = chatters.facades().fakes.ledger();
        let asked = ledger.last().unwrap();
        assert_eq!((asked.route.as_str(), asked.query.as_str()), (read.route(), read.parameters()));
        assert!(asked.user_agent.starts_with("tradepost/"), "{}", asked.user_agent);
        assert_eq!((asked.status, &asked.fault), (200, &None), "{read:?}");
    }
}

#[tokio::test]
async fn every_read_ends_with_the_token_of_the_account_until_it_is_signed_in_again() {
    let chatters = Chatters::new().await;
    chatters.traders.scene.pass(Duration::hours(24));
    for read in SocialRead::ALL {
        let lost = ExternalError::AuthLost { effect: Effect::Nothing };
        assert_eq!(chatters.read(read).await, Err(lost), "{read:?}");
    }
    chatters.traders.sign_in().await;
    for read in SocialRead::ALL {
        assert!(chatters.read(read).await.is_ok(), "{read:?}");
    }
}
