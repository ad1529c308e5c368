//! The changes of friends and chats that the driver makes, with what each is about and what shows that it was done.

use tradepost_adapters_steam::SteamSocial;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::ChatText;
use tradepost_domain::trading::friend::{FriendAction, FriendRelation};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_fakes::Fault;
use tradepost_ports::game_platform::social::{Social, SocialChange, SocialResult};

use crate::social::Chatters;

/// A text that no error may have a part of.
pub(crate) const TEXT: &str = "three lanterns for two [0.07] \\o/";

/// A kind of change of friends or chats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SocialWrite {
    Add,
    Accept,
    Decline,
    Remove,
    Block,
    Unblock,
    Say,
    MarkRead,
}

impl SocialWrite {
    pub(crate) const ALL: [Self; 8] =
        [Self::Add, Self::Accept, Self::Decline, Self::Remove, Self::Block, Self::Unblock, Self::Say, Self::MarkRead];

    pub(crate) const fn route(self) -> &'static str {
        match self {
            Self::Add | Self::Accept => "POST /actions/AddFriendAjax",
            Self::Decline => "POST /actions/IgnoreFriendInviteAjax",
            Self::Remove => "POST /actions/RemoveFriendAjax",
            Self::Block | Self::Unblock => "POST /actions/BlockUserAjax",
            Self::Say => "POST /IFriendMessagesService/SendMessage/v1/",
            Self::MarkRead => "POST /IFriendMessagesService/AckMessage/v1/",
        }
    }

    /// Whether it is a form of the community.
    pub(crate) const fn is_of_community(self) -> bool {
        !matches!(self, Self::Say | Self::MarkRead)
    }

    /// Whether its answer says more than a result in its head.
    pub(crate) const fn has_content(self) -> bool {
        !matches!(self, Self::MarkRead)
    }

    /// The relation that the account has to the other one before it.
    const fn before(self) -> FriendRelation {
        match self {
            Self::Add => FriendRelation::None,
            Self::Accept | Self::Decline => FriendRelation::TheyAsked,
            Self::Remove | Self::Block | Self::Say | Self::MarkRead => FriendRelation::Friend,
            Self::Unblock => FriendRelation::Blocked,
        }
    }
}

/// A change of the first of two accounts.
#[derive(Debug)]
pub(crate) struct SocialDeed {
    pub(crate) write: SocialWrite,
    pub(crate) other: PlatformUserId,
    until: Timestamp,
}

fn client_id() -> ExternalId {
    ExternalId::new("one").unwrap()
}

impl SocialDeed {
    /// The change as the driver asks about it.
    pub(crate) fn change(&self) -> SocialChange {
        let of = |action| SocialChange::Friend { user: self.other, action };
        match self.write {
            SocialWrite::Add => of(FriendAction::Add),
            SocialWrite::Accept => of(FriendAction::Accept),
            SocialWrite::Decline | SocialWrite::Remove => of(FriendAction::Remove),
            SocialWrite::Block => of(FriendAction::Block),
            SocialWrite::Unblock => of(FriendAction::Unblock),
            SocialWrite::Say => SocialChange::Message { partner: self.other, client_id: client_id() },
            SocialWrite::MarkRead => SocialChange::Read { partner: self.other, until: self.until },
        }
    }

    async fn is_shown(&self, social: &dyn Social, user: PlatformUserId) -> bool {
        let friends = social.friends(user).await.unwrap();
        let relation = friends.iter().find(|shown| shown.user == self.other).map(|shown| shown.relation);
        match self.write {
            SocialWrite::Add => relation == Some(FriendRelation::WeAsked),
            SocialWrite::Accept => relation == Some(FriendRelation::Friend),
            SocialWrite::Decline | SocialWrite::Remove | SocialWrite::Unblock => relation.is_none(),
            SocialWrite::Block => relation == Some(FriendRelation::Blocked),
            SocialWrite::Say => {
                let messages = social.messages(user, self.other, None).await.unwrap().messages;
                let is_it = |text: &ChatText| text.as_str() == TEXT;
                let ours = messages.iter().filter(|shown| shown.is_from_us && is_it(&shown.text)).count();
                assert!(ours < 2, "a message is sent once");
                ours == 1
            }
            SocialWrite::MarkRead => {
                let all = social.conversations(user).await.unwrap();
                all.iter().any(|shown| shown.partner == self.other && shown.unread == 0)
            }
        }
    }
}

impl Chatters {
    /// Prepares a change of the relation to a stranger, or of the chat with one.
    pub(crate) fn social_deed(&self, write: SocialWrite) -> SocialDeed {
        let (user, until) = (self.user(), self.facades().fakes.now());
        let other = self.facades().world(|world| {
            let stranger = world.befriend(user);
            world.relate_to(user, stranger, write.before());
            if write == SocialWrite::MarkRead {
                world.write_to(user, stranger, "ok");
            }
            stranger
        });
        SocialDeed { write, other, until }
    }

    pub(crate) async fn change(&self, deed: &SocialDeed) -> SocialResult<()> {
        self.change_by(&self.steam, deed).await
    }

    /// Lets a fault happen to the next call of the route of a change, and makes it.
    pub(crate) async fn change_with(&self, deed: &SocialDeed, fault: Fault) -> SocialResult<()> {
        self.facades().arm(deed.write.route(), fault);
        self.change(deed).await
    }

    pub(crate) async fn change_by(&self, steam: &SteamSocial, deed: &SocialDeed) -> SocialResult<()> {
        let (user, other) = (self.user(), deed.other);
        match deed.write {
            SocialWrite::Add => steam.add(user, other).await,
            SocialWrite::Accept => steam.accept(user, other).await,
            SocialWrite::Decline | SocialWrite::Remove => steam.remove(user, other).await,
            SocialWrite::Block => steam.block(user, other).await,
            SocialWrite::Unblock => steam.unblock(user, other).await,
            SocialWrite::Say => steam.say(user, other, &ChatText::stored(TEXT), &client_id()).await.map(drop),
            SocialWrite::MarkRead => steam.mark_read(user, other, deed.until).await,
        }
    }

    /// Whether a change was made, by what the driver reads. The world itself says the same.
    pub(crate) async fn is_changed(&self, deed: &SocialDeed) -> bool {
        let shown = deed.is_shown(&self.steam, self.user()).await;
        assert_eq!(shown, deed.is_shown(&self.world, self.user()).await, "{deed:?}");
        shown
    }
}
