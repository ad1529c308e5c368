//! The values of friends and chats, which are written down when a call is kept or sent.

use serde::{Deserialize, Serialize};
use tradepost_domain::text::Name;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{ChatText, MessagePlace, ShownConversation, ShownMessage};
use tradepost_domain::trading::friend::{FriendAction, FriendRelation, ShownFriend};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::game_platform::social::{MessagePage, SocialRefusal};

use super::Stored;
use super::traded::{cases, records, texts};

texts! {
    FriendAction, str::parse::<FriendAction>;
    FriendRelation, str::parse::<FriendRelation>;
}

records! {
    MessagePlace as PlainPlace { sent_at: Timestamp, ordinal: u32 }
    ShownFriend as PlainFriend {
        user: PlatformUserId,
        relation: FriendRelation,
        name: Option<Name>,
        friend_since: Option<Timestamp>,
    }
    ShownConversation as PlainConversation { partner: PlatformUserId, last_message_at: Timestamp, unread: u32 }
    ShownMessage as PlainMessage { place: MessagePlace, is_from_us: bool, text: ChatText }
    MessagePage as PlainMessagePage { messages: Vec<ShownMessage>, more: bool }
}

cases! {
    SocialRefusal as PlainSocialRefusal {
        NotFound {},
        ListFull {},
        NotAllowed {},
        NotDone { 0 as why: String },
        Other { 0 as why: String },
    }
}

impl Stored for ChatText {
    type Plain = String;

    fn plain(&self) -> String {
        self.as_str().to_owned()
    }

    fn taken_from(plain: String) -> Result<Self, String> {
        Ok(Self::stored(&plain))
    }
}
